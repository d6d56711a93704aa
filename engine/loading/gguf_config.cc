// Metadata of a language model in GGUF, bounded before anything is sized by it.
#include <algorithm>
#include <array>
#include <string>

#include "engine/loading/config_bounds.h"
#include "engine/loading/gguf_file.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Reads the architecture's keys and keeps the first error.
class Fields {
 public:
  Fields(const GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + '.') {}

  std::string Key(const char* name) const { return prefix_ + name; }
  bool Has(const char* name) const { return file_.FindValue(Key(name)) != nullptr; }

  int Integer(const char* name, Bounds<int> bounds,
              std::optional<int64_t> fallback = std::nullopt) {
    if (!status_.ok()) return 0;
    const auto value = file_.Integer(Key(name), bounds.min, bounds.max, fallback);
    if (!value.ok()) status_ = value.status();
    return value.ok() ? static_cast<int>(*value) : 0;
  }
  float Number(const char* name, Bounds<double> bounds, std::optional<double> fallback) {
    if (!status_.ok()) return 0;
    const auto value = file_.Number(Key(name), fallback);
    if (!value.ok()) {
      status_ = value.status();
    } else if (*value < bounds.min || *value > bounds.max) {
      Fail(name, fmt::format("expected {} to {}, found {}", bounds.min, bounds.max, *value));
    }
    return status_.ok() ? static_cast<float>(*value) : 0;
  }
  std::string Text(const char* name, std::string_view fallback) {
    const auto value = file_.String(Key(name), fallback);
    if (!value.ok() && status_.ok()) status_ = value.status();
    return value.ok() ? std::string(*value) : std::string();
  }
  void Check(bool holds, const char* name, const std::string& what) {
    if (!holds) Fail(name, what);
  }
  void Fail(const char* name, const std::string& what) {
    if (status_.ok()) status_ = file_.Error(Key(name), what);
  }
  void Unsupported(const char* name, const std::string& what) {
    if (status_.ok()) status_ = file_.Unsupported(Key(name), what);
  }
  const absl::Status& status() const { return status_; }

 private:
  const GgufFile& file_;
  std::string prefix_;
  absl::Status status_;
};

constexpr std::array<std::string_view, 3> kArchitectures = {"llama", "qwen2", "qwen3"};

absl::StatusOr<std::string> Architecture(const GgufFile& file) {
  const auto type = file.String("general.type", "model");
  if (type.ok() && *type == "adapter") {
    return file.Error("general.type",
                      "an adapter, not a model: name its base as the model, and the file as that "
                      "model's adapter");
  }
  const auto found = file.String("general.architecture");
  if (!found.ok()) return found.status();
  if (std::find(kArchitectures.begin(), kArchitectures.end(), *found) == kArchitectures.end()) {
    return file.Unsupported(
        "general.architecture",
        fmt::format("expected llama, qwen2 or qwen3, found {:?}", std::string(*found)));
  }
  return std::string(*found);
}

void ReadSizes(Fields& fields, ModelConfig& c) {
  c.context = fields.Integer("context_length", kContextBounds);
  c.hidden_size = fields.Integer("embedding_length", kHiddenSizeBounds);
  c.layers = fields.Integer("block_count", kLayerBounds);
  c.intermediate_size = fields.Integer("feed_forward_length", kIntermediateSizeBounds);
  c.heads = fields.Integer("attention.head_count", kHeadBounds);
  c.kv_heads = fields.Integer("attention.head_count_kv", kHeadBounds, c.heads);
  if (!fields.status().ok()) return;
  fields.Check(c.heads % c.kv_heads == 0, "attention.head_count_kv",
               fmt::format("{} heads cannot share {}", c.heads, c.kv_heads));
  c.head_dim =
      fields.Integer("attention.key_length", kHeadDimBounds, std::max(1, c.hidden_size / c.heads));
  const int value_dim = fields.Integer("attention.value_length", kHeadDimBounds, c.head_dim);
  fields.Check(value_dim == c.head_dim, "attention.value_length", "differs from key_length");
  c.norm_epsilon = fields.Number("attention.layer_norm_rms_epsilon", kEpsilonBounds, 1e-5);
  const int window = fields.Integer("attention.sliding_window", kWindowBounds, 0);
  c.windows.assign(static_cast<size_t>(c.layers), window);
  c.experts = fields.Integer("expert_count", kExpertBounds, 0);
  if (c.experts == 0 || !fields.status().ok()) return;
  c.experts_used = fields.Integer("expert_used_count", {1, c.experts});
}

void ReadScaling(Fields& fields, RopeConfig& rope) {
  const std::string type = fields.Text("rope.scaling.type", "none");
  if (type == "none" || !fields.status().ok()) return;
  rope.factor = fields.Number("rope.scaling.factor", kScalingBounds, std::nullopt);
  if (type == "linear") {
    rope.scaling = RopeConfig::Scaling::kLinear;
  } else if (type == "yarn") {
    rope.scaling = RopeConfig::Scaling::kYarn;
    rope.original_context = fields.Integer("rope.scaling.original_context_length", kContextBounds);
    rope.fast_turns = fields.Number("rope.scaling.yarn_beta_fast", kTurnBounds, 32.0);
    rope.slow_turns = fields.Number("rope.scaling.yarn_beta_slow", kTurnBounds, 1.0);
    rope.attention_factor = YarnAttentionFactor(rope.factor) *
                            fields.Number("rope.scaling.attn_factor", kAttentionFactorBounds, 1.0);
    fields.Check(rope.base > 1, "rope.freq_base", "expected more than 1 with yarn");
  } else {
    fields.Unsupported("rope.scaling.type",
                       fmt::format("expected none, linear or yarn, found {:?}", type));
  }
}

void ReadRope(Fields& fields, ModelConfig& c) {
  RopeConfig& rope = c.rope;
  rope.neox = c.architecture != "llama";
  rope.dims = fields.Integer("rope.dimension_count", {2, 1024}, c.head_dim);
  fields.Check(rope.dims <= c.head_dim && rope.dims % 2 == 0, "rope.dimension_count",
               fmt::format("expected even and at most {}, found {}", c.head_dim, rope.dims));
  rope.base = fields.Number("rope.freq_base", kRopeBaseBounds, 10000.0);
  ReadScaling(fields, rope);
}

}  // namespace

absl::StatusOr<ModelConfig> GgufFile::Config() const {
  absl::StatusOr<std::string> architecture = Architecture(*this);
  if (!architecture.ok()) return architecture.status();
  const GgufTensor* embedding = FindTensor("token_embd.weight");
  if (embedding == nullptr) return Error("tensor token_embd.weight", "missing");
  const TensorView table = embedding->View();
  ModelConfig c;
  c.architecture = std::move(*architecture);
  c.needs_biases = c.architecture == "qwen2";
  c.query_key_norm = c.architecture == "qwen3";
  Fields fields(*this, c.architecture);
  ReadSizes(fields, c);
  if (fields.status().ok()) ReadRope(fields, c);
  if (!fields.status().ok()) return fields.status();
  if (table.cols != c.hidden_size) {
    return Error("tensor token_embd.weight",
                 fmt::format("expected {} columns, found {}", c.hidden_size, table.cols));
  }
  if (table.rows > kVocabularyBounds.max) {
    return Error("tensor token_embd.weight", "too many rows");
  }
  c.vocabulary = static_cast<int>(table.rows);
  return c;
}

}  // namespace emptor::engine
