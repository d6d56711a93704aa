// A byte that says how a matrix is quantised, and any bytes as the safetensors file of its tensors:
// refused, or a matrix whose numbers are finite.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "engine/loading/int4_matrix.h"
#include "engine/tensor/quant_block.h"

namespace {

using namespace emptor::engine;

/// Only names the file in messages.
class NamedSource final : public ModelSource {
 public:
  const std::string& name() const override { return name_; }
  size_t size() const override { return 0; }
  TensorNaming naming() const override { return TensorNaming::kHuggingFace; }
  absl::StatusOr<ModelConfig> Config() const override { return ModelConfig{}; }
  absl::StatusOr<std::optional<StoredTensor>> Find(std::string_view) const override {
    return std::optional<StoredTensor>();
  }
  std::vector<std::string_view> TensorNames() const override { return {}; }
  void Release(std::span<const std::byte>) const override {}

 private:
  std::string name_ = "fuzz";
};

void Require(bool holds) {
  if (!holds) std::abort();
}

Int4Format FormatOf(uint8_t byte) {
  constexpr int kGroupSizes[] = {-1, 24, 32, 64};
  return {.kind = (byte & 1) != 0 ? Int4Format::Kind::kAwq : Int4Format::Kind::kGptq,
          .group_size = kGroupSizes[byte >> 1 & 3],
          .zero_offset = byte >> 3 & 1};
}

void Check(const Int4Matrix& matrix) {
  Require(matrix.type == DType::kQ4_0 || matrix.type == DType::kQ4_1);
  Require(matrix.rows > 0 && matrix.cols > 0);
  const TensorView view = matrix.tensor().view;
  Require(view.bytes() == matrix.blocks.size());
  for (int64_t row = 0; row < view.rows; ++row) {
    for (int64_t index = 0; index < view.cols / kQuantBlock; ++index) {
      const QuantBlock block = ReadQuantBlock(view.type, view.row(row), index);
      for (int i = 0; i < kQuantBlock; ++i) Require(std::isfinite(block.value(i)));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::vector<uint64_t> aligned(size / 8 + 1);
  std::memcpy(aligned.data(), data + 1, size - 1);
  const auto file =
      SafetensorsFile::Parse(std::as_bytes(std::span(aligned)).first(size - 1), "fuzz");
  if (!file.ok()) return 0;
  const Int4Tensors tensors{.qweight = (*file)->FindTensor("m.qweight"),
                            .qzeros = (*file)->FindTensor("m.qzeros"),
                            .scales = (*file)->FindTensor("m.scales"),
                            .g_idx = (*file)->FindTensor("m.g_idx")};
  if (tensors.qweight == nullptr) return 0;
  const auto matrix = ConvertInt4(NamedSource(), "m", FormatOf(data[0]), tensors);
  if (matrix.ok()) Check(*matrix);
  return 0;
}
