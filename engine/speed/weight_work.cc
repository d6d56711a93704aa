// Adds up the tensors of a model.
#include "engine/speed/weight_work.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "engine/kernels/kernels.h"

namespace emptor::engine {
namespace {

/// The share of a layer's experts that computes a token; 1 for weights that every token uses.
double UsedShare(std::string_view tensor, const ModelConfig& config) {
  const bool experts = tensor.find("_exps.") != std::string_view::npos ||
                       tensor.find(".experts.") != std::string_view::npos;
  return experts && config.experts > 0 ? static_cast<double>(config.experts_used) / config.experts
                                       : 1;
}

Arithmetic ArithmeticOf(DType type, Isa isa) {
  if (type == DType::kF32 || type == DType::kF16) return Arithmetic::kF32;
  if (type != DType::kBF16) return Arithmetic::kInt8;
  return KernelsFor(isa).rounds_to_bf16 ? Arithmetic::kBf16 : Arithmetic::kF32;
}

}  // namespace

uint64_t WeightWork::StepBytes(int tokens) const {
  const uint64_t others = expert_bytes * static_cast<uint64_t>(std::max(tokens - 1, 0));
  return std::min(all_bytes, weight_bytes + others);
}

absl::StatusOr<WeightWork> DescribeWork(const ModelSource& source, const ModelConfig& config,
                                        Isa isa) {
  const bool gguf = source.naming() == TensorNaming::kGguf;
  const std::string_view embedding = gguf ? "token_embd.weight" : "model.embed_tokens.weight";
  const std::string_view output = gguf ? "output.weight" : "lm_head.weight";
  const std::vector<std::string_view> names = source.TensorNames();
  const bool has_output = std::find(names.begin(), names.end(), output) != names.end();
  const bool tied = config.tied.value_or(!has_output);
  WeightWork work;
  std::map<DType, uint64_t> bytes_of;
  for (const std::string_view name : names) {
    if (name == (tied ? output : embedding)) continue;
    const auto tensor = source.Find(name);
    if (!tensor.ok()) return tensor.status();
    const TensorView& view = (*tensor)->view;
    const uint64_t bytes = view.bytes();
    const double used = UsedShare(name, config);
    const auto used_bytes = static_cast<uint64_t>(used * static_cast<double>(bytes));
    work.all_bytes += bytes;
    work.weight_bytes += used_bytes;
    if (used < 1) work.expert_bytes += used_bytes;
    if ((*tensor)->dims.size() < 2) continue;
    bytes_of[view.type] += bytes;
    const auto operations = static_cast<uint64_t>(2 * used * static_cast<double>(view.rows) *
                                                  static_cast<double>(view.cols));
    const bool last = name == (tied ? embedding : output);
    (last ? work.output_operations : work.layer_operations) += operations;
  }
  const auto largest =
      std::max_element(bytes_of.begin(), bytes_of.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest == bytes_of.end()) return work;
  work.type = DTypeName(largest->first);
  work.arithmetic = ArithmeticOf(largest->first, isa);
  return work;
}

}  // namespace emptor::engine
