// Finds each tensor by name and checks its shape.
#include "engine/encoder/bert_weights.h"

#include <string_view>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// The names of one layer's parts in the two namings.
struct PartName {
  std::string_view hugging_face, gguf;
};
constexpr PartName kWords = {"embeddings.word_embeddings", "token_embd"};
constexpr PartName kPositions = {"embeddings.position_embeddings", "position_embd"};
constexpr PartName kTypes = {"embeddings.token_type_embeddings", "token_types"};
constexpr PartName kEmbeddingNorm = {"embeddings.LayerNorm", "token_embd_norm"};
constexpr PartName kQuery = {"attention.self.query", "attn_q"};
constexpr PartName kKey = {"attention.self.key", "attn_k"};
constexpr PartName kValue = {"attention.self.value", "attn_v"};
constexpr PartName kAttentionOut = {"attention.output.dense", "attn_output"};
constexpr PartName kAttentionNorm = {"attention.output.LayerNorm", "attn_output_norm"};
constexpr PartName kUp = {"intermediate.dense", "ffn_up"};
constexpr PartName kDown = {"output.dense", "ffn_down"};
constexpr PartName kOutNorm = {"output.LayerNorm", "layer_output_norm"};

/// Reads tensors and keeps the first error.
class Reader {
 public:
  Reader(const ModelSource& source, const Kernels& kernels, std::optional<DType> type)
      : source_(source), kernels_(kernels), type_(type) {
    if (source.naming() == TensorNaming::kGguf) return;
    for (const char* prefix : {"bert.", "roberta."}) {
      const auto found = source.Find(prefix + std::string(kWords.hugging_face) + ".weight");
      if (found.ok() && *found) prefix_ = prefix;
    }
  }

  std::string Name(const PartName& part, int layer, std::string_view kind) const {
    if (source_.naming() == TensorNaming::kGguf) {
      return layer < 0 ? fmt::format("{}.{}", part.gguf, kind)
                       : fmt::format("blk.{}.{}.{}", layer, part.gguf, kind);
    }
    return layer < 0
               ? fmt::format("{}{}.{}", prefix_, part.hugging_face, kind)
               : fmt::format("{}encoder.layer.{}.{}.{}", prefix_, layer, part.hugging_face, kind);
  }

  /// rows < 0: any number of them.
  TensorView Matrix(const std::string& name, int64_t rows, int64_t cols) {
    const auto found = source_.Find(name);
    if (!found.ok()) {
      Fail(found.status());
      return {};
    }
    if (!*found) {
      Fail(source_.Error("tensor " + name, "missing"));
      return {};
    }
    const TensorView view = (*found)->view;
    if (view.cols == cols && (rows < 0 || view.rows == rows)) {
      stored_.push_back(view);
      return view;
    }
    Fail(source_.Error("tensor " + name, fmt::format("expected {} x {}, found {} x {}", rows, cols,
                                                     view.rows, view.cols)));
    return {};
  }

  std::vector<float> Row(const std::string& name, int64_t rows, int64_t cols) {
    const TensorView view = Matrix(name, rows, cols);
    std::vector<float> row(static_cast<size_t>(cols));
    if (status_.ok()) kernels_.dequantize(view, 0, row.data());
    return row;
  }

  LayerNorm Norm(const PartName& part, int layer, int64_t hidden_size) {
    return {Row(Name(part, layer, "weight"), 1, hidden_size),
            Row(Name(part, layer, "bias"), 1, hidden_size)};
  }

  Linear Dense(const PartName& part, int layer, int64_t rows, int64_t cols) {
    const std::string name = Name(part, layer, "weight");
    const TensorView weights = Matrix(name, rows, cols);
    std::vector<float> bias = Row(Name(part, layer, "bias"), 1, rows);
    if (!status_.ok()) return {};
    const std::optional<DType> type = TypeFor(weights);
    absl::StatusOr<Linear> linear = MakeLinear(kernels_, weights, std::move(bias), type);
    if (type) converted_ = type;
    if (linear.ok()) return *std::move(linear);
    Fail(absl::Status(linear.status().code(), fmt::format("{}: tensor {}: {}", source_.name(), name,
                                                          std::string(linear.status().message()))));
    return {};
  }

  void Fail(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  const absl::Status& status() const { return status_; }
  std::optional<DType> converted() const { return converted_; }
  std::vector<TensorView> TakeStored() { return std::move(stored_); }

 private:
  /// The type to convert a matrix to: the wanted one, or else the fastest that is accurate.
  std::optional<DType> TypeFor(const TensorView& weights) const {
    if (type_ || IsQuantized(weights.type)) return type_;
    if (weights.cols % BlockElements(DType::kQ8_0) != 0) return std::nullopt;
    return DType::kQ8_0;
  }

  const ModelSource& source_;
  const Kernels& kernels_;
  std::optional<DType> type_, converted_;
  std::string prefix_;
  std::vector<TensorView> stored_;
  absl::Status status_;
};

BertLayer ReadLayer(Reader& reader, int layer, const BertConfig& config) {
  const int64_t hidden_size = config.hidden_size;
  BertLayer out;
  out.query = reader.Dense(kQuery, layer, hidden_size, hidden_size);
  out.key = reader.Dense(kKey, layer, hidden_size, hidden_size);
  out.value = reader.Dense(kValue, layer, hidden_size, hidden_size);
  out.attention_out = reader.Dense(kAttentionOut, layer, hidden_size, hidden_size);
  out.attention_norm = reader.Norm(kAttentionNorm, layer, hidden_size);
  out.up = reader.Dense(kUp, layer, config.intermediate_size, hidden_size);
  out.down = reader.Dense(kDown, layer, hidden_size, config.intermediate_size);
  out.out_norm = reader.Norm(kOutNorm, layer, hidden_size);
  return out;
}

}  // namespace

absl::StatusOr<BertWeights> BertWeights::Read(const ModelSource& source, const Kernels& kernels,
                                              std::optional<DType> type, BertConfig& config) {
  Reader reader(source, kernels, type);
  BertWeights weights;
  const int64_t vocabulary = config.vocabulary > 0 ? config.vocabulary : -1;
  weights.words = reader.Matrix(reader.Name(kWords, -1, "weight"), vocabulary, config.hidden_size);
  config.vocabulary = static_cast<int>(weights.words.rows);
  weights.positions =
      reader.Matrix(reader.Name(kPositions, -1, "weight"), config.positions, config.hidden_size);
  weights.type = reader.Row(reader.Name(kTypes, -1, "weight"), config.types, config.hidden_size);
  weights.embedding_norm = reader.Norm(kEmbeddingNorm, -1, config.hidden_size);
  for (int layer = 0; layer < config.layers && reader.status().ok(); ++layer) {
    weights.layers.push_back(ReadLayer(reader, layer, config));
  }
  if (!reader.status().ok()) return reader.status();
  weights.stored = reader.TakeStored();
  weights.converted = reader.converted();
  return weights;
}

}  // namespace emptor::engine
