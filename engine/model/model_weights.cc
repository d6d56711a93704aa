// Finds the tensors of a model under either naming and checks every shape.
#include "engine/model/model_weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "engine/tensor/store.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// The parts of a layer's names behind "blk.0." and "model.layers.0.".
struct LayerNames {
  const char *attention_norm, *query, *key, *value, *attention_out, *query_norm, *key_norm;
  const char *feed_forward_norm, *gate, *up, *down;
  const char *router, *expert_gate, *expert_up, *expert_down;  // {}: number of the expert
};

constexpr LayerNames kGgufNames = {"attn_norm",   "attn_q",      "attn_k",      "attn_v",
                                   "attn_output", "attn_q_norm", "attn_k_norm", "ffn_norm",
                                   "ffn_gate",    "ffn_up",      "ffn_down",    "ffn_gate_inp",
                                   "ffn_gate.{}", "ffn_up.{}",   "ffn_down.{}"};
constexpr LayerNames kHuggingFaceNames = {"input_layernorm",
                                          "self_attn.q_proj",
                                          "self_attn.k_proj",
                                          "self_attn.v_proj",
                                          "self_attn.o_proj",
                                          "self_attn.q_norm",
                                          "self_attn.k_norm",
                                          "post_attention_layernorm",
                                          "mlp.gate_proj",
                                          "mlp.up_proj",
                                          "mlp.down_proj",
                                          "block_sparse_moe.gate",
                                          "block_sparse_moe.experts.{}.w1",
                                          "block_sparse_moe.experts.{}.w3",
                                          "block_sparse_moe.experts.{}.w2"};

/// A vector of F32, F16 or BF16 as f32.
std::vector<float> ToFloats(const TensorView& view) {
  std::vector<float> values(static_cast<size_t>(view.rows * view.cols));
  LoadInto(view.type, view.data, values);
  return values;
}

/// Looks tensors up, remembers which, and keeps the first error.
class Tensors {
 public:
  explicit Tensors(const ModelSource& source) : source_(source) {
    for (const std::string_view name : source.TensorNames()) names_.insert(name);
  }

  bool Has(const std::string& name) const { return names_.contains(name); }

  StoredTensor Find(const std::string& name) {
    if (!status_.ok()) return {};
    auto found = source_.Find(name);
    if (!found.ok()) {
      status_ = found.status();
    } else if (!*found) {
      Fail(name, "missing");
    } else {
      Use(name);
      return **found;
    }
    return {};
  }
  TensorView Matrix(const std::string& name, int64_t rows, int64_t cols) {
    const StoredTensor tensor = Find(name);
    const TensorView& view = tensor.view;
    if (view.rows != rows || view.cols != cols || tensor.dims.size() > 2) {
      Fail(name,
           fmt::format("shape: expected {} x {}, found {} x {}", rows, cols, view.rows, view.cols));
    }
    return view;
  }
  /// [count, rows, cols] in one tensor.
  std::vector<TensorView> Matrices(const std::string& name, int64_t count, int64_t rows,
                                   int64_t cols) {
    const StoredTensor tensor = Find(name);
    if (tensor.dims != std::vector<int64_t>{count, rows, cols}) {
      Fail(name,
           fmt::format("shape: expected {} x {} x {}, found {} dimensions of {} numbers", count,
                       rows, cols, tensor.dims.size(), tensor.view.rows * tensor.view.cols));
      return {};
    }
    std::vector<TensorView> views(static_cast<size_t>(count), tensor.view);
    for (int64_t i = 0; i < count; ++i) {
      TensorView& view = views[static_cast<size_t>(i)];
      view.rows = rows;
      view.data = tensor.view.row(i * rows);
    }
    return views;
  }
  std::vector<float> Vector(const std::string& name, int64_t size) {
    const TensorView view = Matrix(name, 1, size);
    if (status_.ok() && BlockElements(view.type) > 1) {
      Fail(name, fmt::format("type: expected F32, found {}", DTypeName(view.type)));
    }
    if (!status_.ok()) return {};
    std::vector<float> values = ToFloats(view);
    if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
      Fail(name, "holds a number that is not finite");
    }
    return values;
  }
  /// Empty when there is no such tensor.
  std::vector<float> OptionalVector(const std::string& name, int64_t size) {
    return Has(name) ? Vector(name, size) : std::vector<float>();
  }

  void Use(std::string_view name) { used_.insert(std::string(name)); }
  /// Refuses a source with tensors that the model does not use.
  void CheckAllUsed(const ModelConfig& config) {
    for (const std::string_view name : names_) {
      // Old Llama checkpoints store what can be computed from the shape.
      if (name.ends_with(".rotary_emb.inv_freq")) Use(name);
    }
    if (!status_.ok() || used_.size() == names_.size()) return;
    const auto other = std::find_if(names_.begin(), names_.end(), [this](std::string_view name) {
      return !used_.contains(std::string(name));
    });
    status_ = source_.Unsupported(
        fmt::format("tensor {}", *other),
        fmt::format("{} tensors, of which a {} of {} layers uses {}, not this one", names_.size(),
                    config.architecture, config.layers, used_.size()));
  }
  const absl::Status& status() const { return status_; }

 private:
  void Fail(const std::string& name, std::string_view what) {
    if (status_.ok()) status_ = source_.Error("tensor " + name, what);
  }

  const ModelSource& source_;
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string> used_;
  absl::Status status_;
};

/// Reads one layer.
class LayerReader {
 public:
  LayerReader(Tensors& tensors, const ModelConfig& config, TensorNaming naming, int index)
      : tensors_(tensors),
        c_(config),
        names_(naming == TensorNaming::kGguf ? kGgufNames : kHuggingFaceNames),
        prefix_(
            fmt::format("{}.{}.", naming == TensorNaming::kGguf ? "blk" : "model.layers", index)) {}

  ModelLayer Read() {
    ModelLayer layer;
    layer.attention_norm = tensors_.Vector(Name(names_.attention_norm), c_.hidden_size);
    layer.query = tensors_.Matrix(Name(names_.query), c_.query_width(), c_.hidden_size);
    layer.key = tensors_.Matrix(Name(names_.key), c_.kv_width(), c_.hidden_size);
    layer.value = tensors_.Matrix(Name(names_.value), c_.kv_width(), c_.hidden_size);
    layer.attention_out =
        tensors_.Matrix(Name(names_.attention_out), c_.hidden_size, c_.query_width());
    layer.query_bias = Bias(names_.query, c_.query_width(), c_.needs_biases);
    layer.key_bias = Bias(names_.key, c_.kv_width(), c_.needs_biases);
    layer.value_bias = Bias(names_.value, c_.kv_width(), c_.needs_biases);
    layer.attention_out_bias = Bias(names_.attention_out, c_.hidden_size, false);
    if (c_.query_key_norm) {
      layer.query_norm = tensors_.Vector(Name(names_.query_norm), c_.head_dim);
      layer.key_norm = tensors_.Vector(Name(names_.key_norm), c_.head_dim);
    }
    layer.feed_forward_norm = tensors_.Vector(Name(names_.feed_forward_norm), c_.hidden_size);
    if (c_.experts == 0) {
      layer.feed_forward = {ReadFeedForward(names_.gate, names_.up, names_.down)};
    } else {
      layer.router = tensors_.Matrix(Name(names_.router), c_.experts, c_.hidden_size);
      layer.feed_forward = ReadExperts();
    }
    return layer;
  }

 private:
  std::string Name(std::string_view part) const {
    return fmt::format("{}{}.weight", prefix_, part);
  }
  std::vector<float> Bias(std::string_view part, int64_t size, bool required) {
    const std::string name = fmt::format("{}{}.bias", prefix_, part);
    return required ? tensors_.Vector(name, size) : tensors_.OptionalVector(name, size);
  }
  FeedForward ReadFeedForward(std::string_view gate, std::string_view up, std::string_view down) {
    FeedForward all;
    all.gate = tensors_.Matrix(Name(gate), c_.intermediate_size, c_.hidden_size);
    all.up = tensors_.Matrix(Name(up), c_.intermediate_size, c_.hidden_size);
    all.down = tensors_.Matrix(Name(down), c_.hidden_size, c_.intermediate_size);
    return all;
  }
  std::vector<FeedForward> ReadExperts() {
    std::vector<FeedForward> experts(static_cast<size_t>(c_.experts));
    if (tensors_.Has(Name("ffn_gate_exps"))) {  // GGUF: all experts in one tensor
      const auto gate = tensors_.Matrices(Name("ffn_gate_exps"), c_.experts, c_.intermediate_size,
                                          c_.hidden_size);
      const auto up =
          tensors_.Matrices(Name("ffn_up_exps"), c_.experts, c_.intermediate_size, c_.hidden_size);
      const auto down = tensors_.Matrices(Name("ffn_down_exps"), c_.experts, c_.hidden_size,
                                          c_.intermediate_size);
      if (!tensors_.status().ok()) return {};
      for (size_t i = 0; i < experts.size(); ++i) experts[i] = {gate[i], up[i], down[i]};
      return experts;
    }
    for (size_t i = 0; i < experts.size(); ++i) {
      experts[i] = ReadFeedForward(fmt::format(fmt::runtime(names_.expert_gate), i),
                                   fmt::format(fmt::runtime(names_.expert_up), i),
                                   fmt::format(fmt::runtime(names_.expert_down), i));
    }
    return experts;
  }

  Tensors& tensors_;
  const ModelConfig& c_;
  const LayerNames& names_;
  std::string prefix_;
};

}  // namespace

absl::StatusOr<ModelWeights> ModelWeights::Read(const ModelSource& source,
                                                const ModelConfig& config) {
  const bool gguf = source.naming() == TensorNaming::kGguf;
  Tensors tensors(source);
  ModelWeights weights;
  weights.embedding = tensors.Matrix(gguf ? "token_embd.weight" : "model.embed_tokens.weight",
                                     config.vocabulary, config.hidden_size);
  for (int i = 0; i < config.layers && tensors.status().ok(); ++i) {
    weights.layers.push_back(LayerReader(tensors, config, source.naming(), i).Read());
  }
  weights.output_norm =
      tensors.Vector(gguf ? "output_norm.weight" : "model.norm.weight", config.hidden_size);
  weights.output = weights.embedding;
  const std::string output = gguf ? "output.weight" : "lm_head.weight";
  const bool has_output = tensors.Has(output);
  if (config.tied.value_or(!has_output)) {
    if (has_output) tensors.Use(output);  // the same numbers once more
  } else {
    weights.output = tensors.Matrix(output, config.vocabulary, config.hidden_size);
  }
  if (gguf)
    weights.rope_factors = tensors.OptionalVector("rope_freqs.weight", config.rope.dims / 2);
  if (std::any_of(weights.rope_factors.begin(), weights.rope_factors.end(),
                  [](float factor) { return factor <= 0; })) {
    return source.Error("tensor rope_freqs.weight", "expected positive numbers");
  }
  tensors.CheckAllUsed(config);
  if (!tensors.status().ok()) return tensors.status();
  return weights;
}

}  // namespace emptor::engine
