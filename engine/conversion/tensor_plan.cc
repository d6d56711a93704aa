// Goes through the layers and names what it finds.
#include "engine/conversion/tensor_plan.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/conversion/gguf_keys.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

struct PartName {
  std::string_view found, written;
};
constexpr std::array<PartName, 12> kLayerParts = {{
    {"input_layernorm", "attn_norm"},
    {"self_attn.q_proj", "attn_q"},
    {"self_attn.k_proj", "attn_k"},
    {"self_attn.v_proj", "attn_v"},
    {"self_attn.o_proj", "attn_output"},
    {"self_attn.q_norm", "attn_q_norm"},
    {"self_attn.k_norm", "attn_k_norm"},
    {"post_attention_layernorm", "ffn_norm"},
    {"mlp.gate_proj", "ffn_gate"},
    {"mlp.up_proj", "ffn_up"},
    {"mlp.down_proj", "ffn_down"},
    {"block_sparse_moe.gate", "ffn_gate_inp"},
}};
constexpr std::array<PartName, 3> kExpertParts = {{
    {"w1", "ffn_gate_exps"},
    {"w3", "ffn_up_exps"},
    {"w2", "ffn_down_exps"},
}};

/// Collects tensors and keeps the first error.
class Planner {
 public:
  Planner(const ModelSource& source, const ModelConfig& config)
      : source_(source), c_(config), neighbours_(GgufArchitecture(config) == "llama") {}

  void AddLayer(int index) {
    const std::string from = fmt::format("model.layers.{}.", index);
    const std::string to = fmt::format("blk.{}.", index);
    for (const auto& [found, written] : kLayerParts) {
      for (const std::string_view kind : {"weight", "bias"}) {
        Add(fmt::format("{}{}.{}", from, found, kind), fmt::format("{}{}.{}", to, written, kind),
            neighbours_ && (written == "attn_q" || written == "attn_k"), written == "ffn_gate_inp");
      }
    }
    if (c_.experts == 0) return;
    for (const auto& [found, written] : kExpertParts) {
      AddExperts(from, found, fmt::format("{}{}.weight", to, written));
    }
  }

  /// Nothing where there is no such tensor.
  void Add(const std::string& found, std::string written, bool pairs = false, bool exact = false) {
    const std::optional<StoredTensor> tensor = Find(found);
    if (!tensor) return;
    PlannedTensor planned;
    planned.name = std::move(written);
    planned.dims.assign(tensor->dims.rbegin(), tensor->dims.rend());
    planned.parts = {tensor->view};
    planned.pairs_of_head = pairs ? c_.head_dim : 0;
    planned.exact = exact || tensor->dims.size() < 2;
    plan_.push_back(std::move(planned));
  }

  void AddRopeFactors() {
    if (c_.rope.scaling != RopeConfig::Scaling::kLlama3) return;
    RopeConfig plain = c_.rope;
    plain.scaling = RopeConfig::Scaling::kNone;
    const std::vector<double> unscaled = RopeFrequencies(plain, nullptr);
    const std::vector<double> scaled = RopeFrequencies(c_.rope, nullptr);
    PlannedTensor planned;
    planned.name = "rope_freqs.weight";
    planned.dims = {scaled.size()};
    planned.exact = true;
    for (size_t i = 0; i < scaled.size(); ++i) {
      planned.values.push_back(static_cast<float>(unscaled[i] / scaled[i]));
    }
    plan_.push_back(std::move(planned));
  }

  absl::StatusOr<std::vector<PlannedTensor>> Take() {
    if (!status_.ok()) return status_;
    return std::move(plan_);
  }

 private:
  std::optional<StoredTensor> Find(const std::string& name) {
    if (!status_.ok()) return std::nullopt;
    auto tensor = source_.Find(name);
    if (tensor.ok()) return *std::move(tensor);
    status_ = tensor.status();
    return std::nullopt;
  }

  void AddExperts(const std::string& layer, std::string_view part, std::string written) {
    PlannedTensor planned;
    planned.name = std::move(written);
    for (int i = 0; i < c_.experts; ++i) {
      const auto tensor =
          Find(fmt::format("{}block_sparse_moe.experts.{}.{}.weight", layer, i, part));
      if (!tensor) return;
      planned.parts.push_back(tensor->view);
    }
    const TensorView& first = planned.parts.front();
    planned.dims = {static_cast<uint64_t>(first.cols), static_cast<uint64_t>(first.rows),
                    planned.parts.size()};
    plan_.push_back(std::move(planned));
  }

  const ModelSource& source_;
  const ModelConfig& c_;
  bool neighbours_;
  std::vector<PlannedTensor> plan_;
  absl::Status status_;
};

}  // namespace

int64_t PlannedTensor::rows() const {
  int64_t rows = 1;
  for (size_t i = 1; i < dims.size(); ++i) rows *= static_cast<int64_t>(dims[i]);
  return rows;
}

std::vector<PlannedTensor> PlanGgufTensors(const ModelSource& source) {
  std::vector<PlannedTensor> plan;
  for (const std::string_view name : source.TensorNames()) {
    const auto tensor = source.Find(name);
    if (!tensor.ok() || !*tensor) continue;  // a GGUF file holds what it names
    PlannedTensor planned;
    planned.name = name;
    planned.dims.assign((*tensor)->dims.rbegin(), (*tensor)->dims.rend());
    planned.parts = {(*tensor)->view};
    planned.exact = planned.dims.size() < 2 || name.find("ffn_gate_inp.") != name.npos;
    plan.push_back(std::move(planned));
  }
  return plan;
}

absl::StatusOr<std::vector<PlannedTensor>> PlanDirectoryTensors(const ModelSource& source,
                                                                const ModelConfig& config) {
  Planner planner(source, config);
  planner.Add("model.embed_tokens.weight", "token_embd.weight");
  if (!config.tied.value_or(false)) planner.Add("lm_head.weight", "output.weight");
  planner.Add("model.norm.weight", "output_norm.weight");
  planner.AddRopeFactors();
  for (int i = 0; i < config.layers; ++i) planner.AddLayer(i);
  return planner.Take();
}

}  // namespace emptor::engine
