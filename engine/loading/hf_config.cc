// config.json and generation_config.json, bounded before anything is sized by them.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/loading/config_bounds.h"
#include "engine/loading/hf_directory.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Reads members of one object and keeps the first error. A null member counts as absent.
class Fields {
 public:
  Fields(const ModelSource& source, JsonView object, std::string where)
      : source_(source), object_(object), where_(std::move(where)) {}

  bool Has(const char* name) const { return object_.Find(name).has_value(); }
  std::optional<JsonView> Find(const char* name) const {
    const std::optional<JsonView> member = object_.Find(name);
    return member && !member->is_null() ? member : std::nullopt;
  }
  int Integer(const char* name, Bounds<int> bounds, std::optional<int> fallback = std::nullopt) {
    const std::optional<JsonView> member = Find(name);
    if (!member && fallback) return *fallback;
    if (!member) {
      Fail(name, "missing");
    } else if (!member->is_int()) {
      Fail(name, fmt::format("expected an integer, found {}", DescribeKind(member->kind())));
    } else if (member->as_int() < bounds.min || member->as_int() > bounds.max) {
      Fail(name,
           fmt::format("expected {} to {}, found {}", bounds.min, bounds.max, member->as_int()));
    } else {
      return static_cast<int>(member->as_int());
    }
    return bounds.min;
  }
  float Number(const char* name, Bounds<double> bounds,
               std::optional<float> fallback = std::nullopt) {
    const std::optional<JsonView> member = Find(name);
    if (!member && fallback) return *fallback;
    if (!member) {
      Fail(name, "missing");
    } else if (!member->is_number()) {
      Fail(name, fmt::format("expected a number, found {}", DescribeKind(member->kind())));
    } else if (member->as_double() < bounds.min || member->as_double() > bounds.max) {
      Fail(name,
           fmt::format("expected {} to {}, found {}", bounds.min, bounds.max, member->as_double()));
    } else {
      return static_cast<float>(member->as_double());
    }
    return static_cast<float>(bounds.min);
  }
  bool Bool(const char* name, bool fallback) {
    const std::optional<JsonView> member = Find(name);
    if (member && !member->is_bool()) {
      Fail(name, fmt::format("expected a boolean, found {}", DescribeKind(member->kind())));
      return fallback;
    }
    return member ? member->as_bool() : fallback;
  }
  std::string Text(const char* name, std::string_view fallback) {
    const std::optional<JsonView> member = Find(name);
    if (member && !member->is_string()) {
      Fail(name, fmt::format("expected a string, found {}", DescribeKind(member->kind())));
      return std::string(fallback);
    }
    return std::string(member ? member->as_string() : fallback);
  }
  void Check(bool holds, const char* name, const std::string& what) {
    if (!holds) Fail(name, what);
  }
  void Fail(const char* name, const std::string& what) {
    if (status_.ok()) status_ = source_.Error(fmt::format("{}{}", where_, name), what);
  }
  void Unsupported(const char* name, const std::string& what) {
    if (status_.ok()) status_ = source_.Unsupported(fmt::format("{}{}", where_, name), what);
  }
  void Keep(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  const absl::Status& status() const { return status_; }
  const ModelSource& source() const { return source_; }
  const std::string& where() const { return where_; }

 private:
  const ModelSource& source_;
  JsonView object_;
  std::string where_;
  absl::Status status_;
};

constexpr std::array<std::string_view, 5> kTypes = {"llama", "mistral", "mixtral", "qwen2",
                                                    "qwen3"};

void ReadArchitecture(Fields& fields, ModelConfig& c) {
  c.architecture = fields.Text("model_type", "");
  if (std::find(kTypes.begin(), kTypes.end(), c.architecture) == kTypes.end()) {
    fields.Unsupported("model_type",
                       fmt::format("expected llama, mistral, mixtral, qwen2 or qwen3, found {:?}",
                                   c.architecture.substr(0, 64)));
  }
  const std::string activation = fields.Text("hidden_act", "silu");
  if (activation != "silu") {
    fields.Unsupported("hidden_act",
                       fmt::format("expected silu, found {:?}", activation.substr(0, 64)));
  }
  if (fields.Bool("mlp_bias", false)) fields.Unsupported("mlp_bias", "expected false, found true");
  c.needs_biases = c.architecture == "qwen2" || fields.Bool("attention_bias", false);
  c.query_key_norm = c.architecture == "qwen3";
}

void ReadSizes(Fields& fields, ModelConfig& c) {
  c.vocabulary = fields.Integer("vocab_size", kVocabularyBounds);
  c.context = fields.Integer("max_position_embeddings", kContextBounds);
  c.hidden_size = fields.Integer("hidden_size", kHiddenSizeBounds);
  c.layers = fields.Integer("num_hidden_layers", kLayerBounds);
  c.intermediate_size = fields.Integer("intermediate_size", kIntermediateSizeBounds);
  c.heads = fields.Integer("num_attention_heads", kHeadBounds);
  c.kv_heads = fields.Integer("num_key_value_heads", kHeadBounds, c.heads);
  fields.Check(c.heads % c.kv_heads == 0, "num_key_value_heads",
               fmt::format("{} heads cannot share {}", c.heads, c.kv_heads));
  const int usual = c.architecture == "qwen3" ? 128 : std::max(1, c.hidden_size / c.heads);
  c.head_dim = fields.Integer("head_dim", kHeadDimBounds, usual);
  fields.Check(c.head_dim % 2 == 0 && c.head_dim <= kHeadDimBounds.max, "head_dim",
               fmt::format("expected an even number of at most {}, found {}", kHeadDimBounds.max,
                           c.head_dim));
  const bool mixtral = c.architecture == "mixtral";
  c.norm_epsilon = fields.Number("rms_norm_eps", kEpsilonBounds, mixtral ? 1e-5f : 1e-6f);
  c.tied = fields.Bool("tie_word_embeddings", false);
  if (!mixtral) return;
  c.experts = fields.Integer("num_local_experts", {1, kExpertBounds.max}, 8);
  c.experts_used = fields.Integer("num_experts_per_tok", {1, c.experts}, 2);
}

/// The window of each layer: of all (Mistral, Mixtral), of those that layer_types names, or of
/// those from max_window_layers on (Qwen).
void ReadWindows(Fields& fields, ModelConfig& c) {
  c.windows.assign(static_cast<size_t>(c.layers), 0);
  const bool qwen = c.architecture == "qwen2" || c.architecture == "qwen3";
  if (c.architecture == "llama" || (qwen && !fields.Bool("use_sliding_window", false))) return;
  const bool given = fields.Find("sliding_window").has_value();
  // Mistral's configuration without the key has a window, with null it has none.
  const bool silent = c.architecture == "mistral" && !fields.Has("sliding_window");
  if (!given && !silent) return;
  const int window = fields.Integer("sliding_window", {1, kWindowBounds.max}, 4096);
  const std::optional<JsonView> types = fields.Find("layer_types");
  if (types) {
    if (!types->is_array() || types->size() != c.windows.size()) {
      return fields.Fail("layer_types", fmt::format("expected an array of {}", c.layers));
    }
    size_t layer = 0;
    types->ForEachItem([&](JsonView type) {
      const std::string_view name = type.is_string() ? type.as_string() : std::string_view();
      if (name != "full_attention" && name != "sliding_attention") {
        fields.Unsupported("layer_types", "expected full_attention or sliding_attention");
      }
      c.windows[layer++] = name == "sliding_attention" ? window : 0;
    });
    return;
  }
  const int first = qwen ? fields.Integer("max_window_layers", {0, 1 << 16}, 28) : 0;
  for (int i = first; i < c.layers; ++i) c.windows[static_cast<size_t>(i)] = window;
}

void ReadYarn(Fields& fields, int context, RopeConfig& rope) {
  rope.original_context =
      fields.Integer("original_max_position_embeddings", kContextBounds, context);
  rope.fast_turns = fields.Number("beta_fast", kTurnBounds, 32.0f);
  rope.slow_turns = fields.Number("beta_slow", kTurnBounds, 1.0f);
  rope.whole_turns = fields.Bool("truncate", true);
  rope.attention_factor =
      fields.Number("attention_factor", kAttentionFactorBounds, YarnAttentionFactor(rope.factor));
  fields.Check(rope.base > 1, "rope_theta", "expected more than 1 with yarn");
  for (const char* other : {"mscale", "mscale_all_dim"}) {
    if (fields.Find(other)) fields.Unsupported(other, "expected attention_factor or nothing");
  }
}

void ReadLlama3(Fields& fields, RopeConfig& rope) {
  rope.original_context = fields.Integer("original_max_position_embeddings", kContextBounds);
  rope.low_factor = fields.Number("low_freq_factor", kTurnBounds);
  rope.high_factor = fields.Number("high_freq_factor", kTurnBounds);
  fields.Check(rope.high_factor > rope.low_factor, "high_freq_factor",
               "expected more than low_freq_factor");
}

/// The members of rope_parameters (transformers 5) or rope_scaling (before).
void ReadScaling(Fields& fields, int context, RopeConfig& rope) {
  rope.base = fields.Number("rope_theta", kRopeBaseBounds, rope.base);
  if (fields.Number("partial_rotary_factor", {0, 1}, 1.0f) != 1.0f) {
    return fields.Unsupported("partial_rotary_factor", "expected 1");
  }
  const std::string type = fields.Text("rope_type", fields.Text("type", "default"));
  if (type == "default" || !fields.status().ok()) return;
  if (type != "linear" && type != "llama3" && type != "yarn") {
    return fields.Unsupported(
        "rope_type",
        fmt::format("expected default, linear, llama3 or yarn, found {:?}", type.substr(0, 64)));
  }
  rope.factor = fields.Number("factor", kScalingBounds);
  rope.scaling = RopeConfig::Scaling::kLinear;
  if (type == "yarn") {
    rope.scaling = RopeConfig::Scaling::kYarn;
    ReadYarn(fields, context, rope);
  } else if (type == "llama3") {
    rope.scaling = RopeConfig::Scaling::kLlama3;
    ReadLlama3(fields, rope);
  }
}

void ReadRope(Fields& fields, ModelConfig& c) {
  c.rope.dims = c.head_dim;
  c.rope.neox = true;
  const float usual = c.architecture == "mixtral" ? 1e6f : 10000.0f;
  c.rope.base = fields.Number("rope_theta", kRopeBaseBounds, usual);
  for (const char* name : {"rope_scaling", "rope_parameters"}) {
    const std::optional<JsonView> object = fields.Find(name);
    if (!object) continue;
    if (!object->is_object()) {
      return fields.Fail(name,
                         fmt::format("expected an object, found {}", DescribeKind(object->kind())));
    }
    Fields inner(fields.source(), *object, fmt::format("{}{}.", fields.where(), name));
    ReadScaling(inner, c.context, c.rope);
    fields.Keep(inner.status());
  }
}

/// A token's number, or several of them.
std::vector<int32_t> TokenIds(Fields& fields, const char* name, int vocabulary) {
  std::vector<int32_t> ids;
  const std::optional<JsonView> member = fields.Find(name);
  if (!member) return ids;
  const std::vector<JsonView> items =
      member->is_array() ? member->Items() : std::vector<JsonView>{*member};
  for (const JsonView item : items) {
    if (!item.is_int() || item.as_int() < 0 || item.as_int() >= vocabulary) {
      fields.Fail(name, fmt::format("expected tokens of 0 to {}", vocabulary - 1));
      return {};
    }
    ids.push_back(static_cast<int32_t>(item.as_int()));
  }
  return ids;
}

void ReadSpecialTokens(Fields& fields, ModelConfig& c) {
  const std::vector<int32_t> begin = TokenIds(fields, "bos_token_id", c.vocabulary);
  if (!begin.empty()) c.begin_token = begin[0];
  const std::vector<int32_t> end = TokenIds(fields, "eos_token_id", c.vocabulary);
  if (!end.empty()) c.end_tokens = end;
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return text;
}

/// A text field that must have one of some values.
std::string OneOf(Fields& fields, const char* name, std::string_view fallback,
                  const std::vector<std::string>& known) {
  const std::string found = Lower(fields.Text(name, fallback));
  if (std::find(known.begin(), known.end(), found) == known.end()) {
    fields.Unsupported(name, fmt::format("expected {}, found {:?}", fmt::join(known, " or "),
                                         found.substr(0, 64)));
  }
  return found;
}

Int4Format ReadInt4Format(Fields& fields) {
  Int4Format format;
  const std::string method = OneOf(fields, "quant_method", "", {"gptq", "awq"});
  const int bits = fields.Integer("bits", {1, 64});
  if (bits != 4) fields.Unsupported("bits", fmt::format("expected 4, found {}", bits));
  format.group_size = fields.Integer("group_size", {-1, 1 << 16}, 128);
  fields.Check(format.group_size != 0, "group_size", "expected -1 or at least 32, found 0");
  if (method == "awq") {
    format.kind = Int4Format::Kind::kAwq;
    OneOf(fields, "version", "gemm", {"gemm"});
    if (!fields.Bool("zero_point", true)) {
      fields.Unsupported("zero_point", "expected true, found false");
    }
  } else {
    const std::string layout = OneOf(fields, "checkpoint_format", "gptq", {"gptq", "gptq_v2"});
    format.zero_offset = layout == "gptq" ? 1 : 0;
    if (fields.Bool("desc_act", false)) {
      fields.Unsupported("desc_act", "expected false, found true (columns in another order)");
    }
  }
  return format;
}

}  // namespace

absl::StatusOr<std::optional<Int4Format>> HfDirectory::Quantization() const {
  Fields fields(*this, config_.root(), "config.json: ");
  const std::optional<JsonView> object = fields.Find("quantization_config");
  if (!object) return std::nullopt;
  if (!object->is_object()) {
    return Error("config.json: quantization_config",
                 fmt::format("expected an object, found {}", DescribeKind(object->kind())));
  }
  Fields inner(*this, *object, "config.json: quantization_config.");
  const Int4Format format = ReadInt4Format(inner);
  if (!inner.status().ok()) return inner.status();
  return format;
}

absl::StatusOr<ModelConfig> HfDirectory::Config() const {
  ModelConfig c;
  if (const auto quantization = Quantization(); !quantization.ok()) return quantization.status();
  Fields fields(*this, config_.root(), "config.json: ");
  ReadArchitecture(fields, c);
  if (!fields.status().ok()) return fields.status();
  ReadSizes(fields, c);
  if (!fields.status().ok()) return fields.status();
  ReadWindows(fields, c);
  ReadRope(fields, c);
  ReadSpecialTokens(fields, c);
  if (!fields.status().ok()) return fields.status();
  if (generation_) {
    Fields generation(*this, generation_->root(), "generation_config.json: ");
    ReadSpecialTokens(generation, c);
    if (!generation.status().ok()) return generation.status();
  }
  return c;
}

}  // namespace emptor::engine
