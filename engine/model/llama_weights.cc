// Finds the tensors of a Llama model and checks every shape.
#include "engine/model/llama_weights.h"

#include <string>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Looks tensors up, counts them, and keeps the first error.
class Tensors {
 public:
  explicit Tensors(const GgufFile& file) : file_(file) {}

  TensorView Matrix(const std::string& name, int64_t rows, int64_t cols) {
    const GgufTensor* tensor = file_.FindTensor(name);
    if (tensor == nullptr) {
      Fail(name, "missing");
      return {};
    }
    ++used_;
    const TensorView view = tensor->View();
    if (view.rows != rows || view.cols != cols || tensor->dims.size() > 2) {
      Fail(name,
           fmt::format("shape: expected {} x {}, found {} x {}", rows, cols, view.rows, view.cols));
    }
    return view;
  }
  const float* Vector(const std::string& name, int64_t size) {
    const TensorView view = Matrix(name, 1, size);
    if (status_.ok() && view.type != DType::kF32) {
      Fail(name, fmt::format("type: expected F32, found {}", DTypeName(view.type)));
    }
    return reinterpret_cast<const float*>(view.data);
  }
  bool Has(const std::string& name) const { return file_.FindTensor(name) != nullptr; }
  size_t used() const { return used_; }
  const absl::Status& status() const { return status_; }

 private:
  void Fail(const std::string& name, std::string_view what) {
    if (status_.ok()) status_ = file_.Error("tensor " + name, what);
  }

  const GgufFile& file_;
  size_t used_ = 0;
  absl::Status status_;
};

LlamaLayer ReadLayer(Tensors& tensors, const LlamaConfig& c, int index) {
  const auto name = [index](const char* part) {
    return fmt::format("blk.{}.{}.weight", index, part);
  };
  LlamaLayer layer;
  layer.attention_norm = tensors.Vector(name("attn_norm"), c.width);
  layer.query = tensors.Matrix(name("attn_q"), c.query_width(), c.width);
  layer.key = tensors.Matrix(name("attn_k"), c.kv_width(), c.width);
  layer.value = tensors.Matrix(name("attn_v"), c.kv_width(), c.width);
  layer.attention_out = tensors.Matrix(name("attn_output"), c.width, c.query_width());
  layer.feed_forward_norm = tensors.Vector(name("ffn_norm"), c.width);
  layer.gate = tensors.Matrix(name("ffn_gate"), c.feed_forward, c.width);
  layer.up = tensors.Matrix(name("ffn_up"), c.feed_forward, c.width);
  layer.down = tensors.Matrix(name("ffn_down"), c.width, c.feed_forward);
  return layer;
}

}  // namespace

absl::StatusOr<LlamaWeights> LlamaWeights::Read(const GgufFile& file, const LlamaConfig& config) {
  Tensors tensors(file);
  LlamaWeights weights;
  weights.embedding = tensors.Matrix("token_embd.weight", config.vocabulary, config.width);
  for (int i = 0; i < config.layers && tensors.status().ok(); ++i) {
    weights.layers.push_back(ReadLayer(tensors, config, i));
  }
  weights.output_norm = tensors.Vector("output_norm.weight", config.width);
  weights.output = weights.embedding;
  if (tensors.Has("output.weight")) {
    weights.output = tensors.Matrix("output.weight", config.vocabulary, config.width);
  }
  if (tensors.Has("rope_freqs.weight")) {
    weights.rope_factors = tensors.Vector("rope_freqs.weight", config.rope_dims / 2);
  }
  if (!tensors.status().ok()) return tensors.status();
  if (tensors.used() != file.tensors().size()) {
    return absl::UnimplementedError(
        fmt::format("{}: {} tensors, of which a llama of {} layers uses {}", file.name(),
                    file.tensors().size(), config.layers, tensors.used()));
  }
  return weights;
}

}  // namespace emptor::engine
