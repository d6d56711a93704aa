// Plans the file, writes its head, then one tensor after the other.
#include "engine/conversion/quantizer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "engine/conversion/gguf_keys.h"
#include "engine/conversion/tensor_plan.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/gguf_head.h"
#include "engine/loading/gguf_output.h"
#include "engine/loading/model_loader.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/model/model_weights.h"
#include "engine/tensor/store.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

// The largest F16; scales of the quantised types are of it too.
constexpr float kMaxHalf = 65504;

/// general.file_type of a file whose matrices are mostly of that type.
uint32_t FileType(DType type) {
  switch (type) {
    case DType::kF32:
      return 0;
    case DType::kF16:
      return 1;
    case DType::kQ4_0:
      return 2;
    case DType::kQ8_0:
      return 7;
    case DType::kQ4_K:
      return 14;
    case DType::kQ6_K:
      return 18;
    case DType::kBF16:
      return 32;
    default:  // not written
      break;
  }
  return 0;
}

/// Copies the keys of the source except those that describe the layout of the file.
void CopyKeys(const GgufFile& file, GgufHead& head) {
  for (const auto& [key, type, bytes] : file.pairs()) {
    if (key == "general.alignment" || key == "general.file_type") continue;
    head.AddRaw(key, type, bytes);
  }
}

/// The tokenizer's keys, read back: a tokenizer that our reader cannot read is refused before
/// anything is written.
absl::Status CheckTokenizerKeys(const VocabularySpec& spec, const std::string& name) {
  GgufHead alone;
  if (absl::Status status = AddTokenizerKeys(spec, alone); !status.ok()) return status;
  const std::string bytes = alone.HeadBytes();
  const auto file = GgufFile::Parse(std::as_bytes(std::span(bytes)), name);
  return file.ok() ? ReadTokenizer(**file).status() : file.status();
}

absl::Status DescribeDirectory(const ModelSource& source, const ModelConfig& config,
                               GgufHead& head) {
  const auto tokenizer = ReadModelTokenizer(source);
  if (!tokenizer.ok()) return tokenizer.status();
  const VocabularySpec& spec = (*tokenizer)->vocabulary().spec();
  if (std::ssize(spec.tokens) != config.vocabulary) {
    return source.Error("tokenizer.json", fmt::format("expected {} tokens, found {}",
                                                      config.vocabulary, spec.tokens.size()));
  }
  const auto chat = ReadModelChatTemplate(source);
  if (!chat.ok()) return chat.status();
  absl::Status status = AddModelKeys(config, head);
  if (status.ok()) status = CheckTokenizerKeys(spec, source.name());
  if (status.ok()) status = AddTokenizerKeys(spec, head);
  if (!status.ok()) {
    return absl::Status(status.code(),
                        fmt::format("{}: {}", source.name(), std::string(status.message())));
  }
  head.AddString("general.name", ModelTitle(source));
  if (!chat->source().empty()) head.AddString("tokenizer.chat_template", chat->source());
  return absl::OkStatus();
}

/// The type that a tensor gets.
DType TypeFor(const PlannedTensor& tensor, DType wanted) {
  if (tensor.exact) return DType::kF32;
  const auto fits = [&](DType type) { return tensor.columns() % BlockElements(type) == 0; };
  if (fits(wanted)) return wanted;
  return fits(DType::kQ8_0) ? DType::kQ8_0 : DType::kF16;
}

/// Writes tensors row by row.
class TensorWriter {
 public:
  TensorWriter(const ModelSource& source, GgufOutput& out) : source_(source), out_(out) {}

  absl::Status Write(const PlannedTensor& tensor, DType type) {
    absl::Status status;
    if (!tensor.values.empty()) {
      status = WriteRow(tensor.values, type, tensor.name);
    } else if (tensor.dims.size() == 1 && tensor.pairs_of_head != 0) {
      status = WritePairedVector(tensor, type);
    } else {
      status = WriteMatrix(tensor, type);
    }
    out_.Align();
    return status;
  }

 private:
  /// Where row `row` of the file lies in the source.
  static int64_t SourceRow(int64_t row, int head) {
    return head == 0 ? row : RowOfHalves(row, head);
  }

  absl::Status WriteMatrix(const PlannedTensor& tensor, DType type) {
    for (const TensorView& part : tensor.parts) {
      values_.resize(static_cast<size_t>(part.cols));
      for (int64_t row = 0; row < part.rows && out_.good(); ++row) {
        const std::byte* stored = part.row(SourceRow(row, tensor.pairs_of_head));
        if (part.type == type) {
          out_.Write(stored, part.row_bytes());
          continue;
        }
        LoadInto(part.type, stored, values_);
        if (absl::Status status = WriteRow(values_, type, tensor.name); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  /// A bias of heads whose rows are permuted.
  absl::Status WritePairedVector(const PlannedTensor& tensor, DType type) {
    const TensorView& part = tensor.parts.front();
    std::vector<float> found(static_cast<size_t>(part.cols));
    LoadInto(part.type, part.data, found);
    values_.resize(found.size());
    for (size_t i = 0; i < found.size(); ++i) {
      const int64_t from = SourceRow(static_cast<int64_t>(i), tensor.pairs_of_head);
      values_[i] = found[static_cast<size_t>(from)];
    }
    return WriteRow(values_, type, tensor.name);
  }

  absl::Status WriteRow(std::span<const float> values, DType type, std::string_view name) {
    const bool wide = type == DType::kF32 || type == DType::kBF16;
    for (const float value : values) {
      if (std::isfinite(value) && (wide || std::fabs(value) <= kMaxHalf)) continue;
      return source_.Error(fmt::format("tensor {}", name),
                           fmt::format("{} is beyond {}", value, DTypeName(type)));
    }
    const size_t bytes = values.size() / static_cast<size_t>(BlockElements(type)) *
                         static_cast<size_t>(BlockBytes(type));
    stored_.resize(bytes);
    StoreInto(type, values, stored_.data());
    out_.Write(stored_.data(), bytes);
    return absl::OkStatus();
  }

  const ModelSource& source_;
  GgufOutput& out_;
  std::vector<float> values_;
  std::vector<std::byte> stored_;
};

/// Head and plan of the file.
absl::StatusOr<std::vector<PlannedTensor>> Plan(const ModelSource& source, GgufHead& head) {
  const absl::StatusOr<ModelConfig> config = source.Config();
  if (!config.ok()) return config.status();
  const auto checked = ModelWeights::Read(source, *config);
  if (!checked.ok()) return checked.status();
  const auto* gguf = dynamic_cast<const GgufFile*>(&source);
  if (gguf != nullptr) {
    CopyKeys(*gguf, head);
    return PlanGgufTensors(source);
  }
  absl::Status described = DescribeDirectory(source, *config, head);
  if (!described.ok()) return described;
  return PlanDirectoryTensors(source, *config);
}

}  // namespace

absl::StatusOr<QuantizedModel> QuantizeModel(const ModelSource& source, DType type,
                                             const std::string& path) {
  GgufHead head;
  const auto plan = Plan(source, head);
  if (!plan.ok()) return plan.status();
  head.AddUint32("general.file_type", FileType(type));
  QuantizedModel result;
  std::vector<DType> types;
  for (const PlannedTensor& tensor : *plan) {
    const DType own = types.emplace_back(TypeFor(tensor, type));
    const uint64_t blocks = static_cast<uint64_t>(tensor.rows() * tensor.columns()) /
                            static_cast<uint64_t>(BlockElements(own));
    head.AddTensor(tensor.name, tensor.dims, GgufTypeNumber(own),
                   blocks * static_cast<uint64_t>(BlockBytes(own)));
    ++result.tensors[own];
    if (own == type || tensor.exact) continue;
    result.notes.push_back(fmt::format("{}: {}: rows of {} are no whole blocks of {}", tensor.name,
                                       DTypeName(own), tensor.columns(), BlockElements(type)));
  }
  GgufOutput out(path);
  const std::string bytes = head.HeadBytes();
  out.Write(bytes.data(), bytes.size());
  TensorWriter writer(source, out);
  for (size_t i = 0; i < types.size(); ++i) {
    if (absl::Status status = writer.Write((*plan)[i], types[i]); !status.ok()) return status;
  }
  if (absl::Status status = out.Finish(); !status.ok()) return status;
  result.bytes = out.written();
  return result;
}

}  // namespace emptor::engine
