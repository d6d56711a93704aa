// Reads the tensors and checks their shapes and values.
#include "engine/encoder/model2vec.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "engine/kernels/kernels.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kMaxDimension = 1 << 16;

/// The element at `index` of a tensor of T.
template <typename T>
T ElementAt(const SafeTensor& tensor, size_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + index * sizeof value, sizeof value);
  return value;
}

absl::Status CheckLength(const SafetensorsFile& file, const SafeTensor& tensor, int tokens) {
  if (tensor.dims.size() == 1 && tensor.dims[0] == tokens) return absl::OkStatus();
  return file.Error("tensor " + tensor.name, fmt::format("expected {} values", tokens));
}

absl::Status ReadWeights(const SafeTensor& tensor, int tokens, Model2VecTables& tables) {
  const absl::Status length = CheckLength(*tables.file, tensor, tokens);
  if (!length.ok()) return length;
  tables.weights.resize(static_cast<size_t>(tokens));
  if (tensor.stored_type == "F64") {
    for (size_t i = 0; i < tables.weights.size(); ++i) {
      tables.weights[i] = static_cast<float>(ElementAt<double>(tensor, i));
    }
  } else if (tensor.type) {
    KernelsFor(Isa::kReference).dequantize(tensor.View(), 0, tables.weights.data());
  } else {
    return tables.file->Error("tensor weights", "unknown type " + tensor.stored_type);
  }
  for (size_t i = 0; i < tables.weights.size(); ++i) {
    if (!std::isfinite(tables.weights[i])) {
      return tables.file->Error("tensor weights", fmt::format("value {} is not finite", i));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadMapping(const SafeTensor& tensor, int tokens, Model2VecTables& tables) {
  const absl::Status length = CheckLength(*tables.file, tensor, tokens);
  if (!length.ok()) return length;
  const bool wide = tensor.stored_type == "I64";
  if (!wide && tensor.stored_type != "I32") {
    return tables.file->Error("tensor mapping", "expected I64 or I32, found " + tensor.stored_type);
  }
  for (size_t i = 0; i < tables.mapping.size(); ++i) {
    const int64_t row = wide ? ElementAt<int64_t>(tensor, i) : ElementAt<int32_t>(tensor, i);
    if (row < 0 || row >= tables.embeddings.rows) {
      return tables.file->Error(
          "tensor mapping",
          fmt::format("value {}: expected 0 to {}, found {}", i, tables.embeddings.rows - 1, row));
    }
    tables.mapping[i] = static_cast<int32_t>(row);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Model2VecTables> Model2VecTables::Load(const std::string& directory, int tokens) {
  absl::StatusOr<std::unique_ptr<const SafetensorsFile>> file =
      SafetensorsFile::Load(directory + "/model.safetensors");
  if (!file.ok()) return file.status();
  Model2VecTables tables;
  tables.file = *std::move(file);
  const SafeTensor* embeddings = tables.file->FindTensor("embeddings");
  if (embeddings == nullptr) return tables.file->Error("tensor embeddings", "missing");
  if (!embeddings->type || embeddings->dims.size() != 2 || embeddings->dims[1] > kMaxDimension) {
    return tables.file->Error("tensor embeddings",
                              fmt::format("expected a matrix of F32, F16 or BF16 with at most {} "
                                          "columns",
                                          kMaxDimension));
  }
  tables.embeddings = embeddings->View();
  tables.weights.assign(static_cast<size_t>(tokens), 1.0f);
  tables.mapping.resize(static_cast<size_t>(tokens));
  std::iota(tables.mapping.begin(), tables.mapping.end(), 0);
  absl::Status status;
  const SafeTensor* mapping = tables.file->FindTensor("mapping");
  if (mapping != nullptr) {
    status = ReadMapping(*mapping, tokens, tables);
  } else if (tables.embeddings.rows != tokens) {
    status = tables.file->Error("tensor embeddings", fmt::format("expected {} rows, found {}",
                                                                 tokens, tables.embeddings.rows));
  }
  const SafeTensor* weights = tables.file->FindTensor("weights");
  if (status.ok() && weights != nullptr) status = ReadWeights(*weights, tokens, tables);
  if (!status.ok()) return status;
  return tables;
}

}  // namespace emptor::engine
