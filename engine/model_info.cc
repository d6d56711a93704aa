// Tells a model file in a few lines.
#include "engine/model_info.h"

#include <array>
#include <map>

#include "engine/model/model_config.h"
#include "engine/vocabulary_reader.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

std::string Megabytes(size_t bytes) { return fmt::format("{:.2f} MB", double(bytes) / 1e6); }

/// The reason why the engine refuses this part of the file.
std::string Refused(const absl::Status& status) {
  return "not supported: " + std::string(status.message());
}

std::string Architecture(const GgufFile& file) {
  const auto name = file.String("general.architecture");
  return name.ok() ? std::string(*name) : Refused(name.status());
}

std::string Shape(const GgufFile& file) {
  const auto config = file.Config();
  if (!config.ok()) return Refused(config.status());
  const ModelConfig& c = *config;
  return fmt::format(
      "{} layers, width {}, {} heads of {}, {} key-value heads, feed-forward {}, context {}, "
      "RoPE base {:g}{}",
      c.layers, c.width, c.heads, c.head_dim, c.kv_heads, c.feed_forward, c.context, c.rope.base,
      file.FindTensor("output.weight") == nullptr ? ", tied embeddings" : "");
}

std::string Parameters(const GgufFile& file) {
  int64_t elements = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    elements += tensor.View().rows * tensor.View().cols;
  }
  return fmt::format("{:.2f} million in {} tensors", double(elements) / 1e6, file.tensors().size());
}

std::string Types(const GgufFile& file) {
  std::map<std::string_view, std::pair<int, size_t>> types;  // tensors, bytes
  for (const GgufTensor& tensor : file.tensors()) {
    auto& [count, bytes] = types[DTypeName(tensor.type)];
    ++count;
    bytes += tensor.bytes.size();
  }
  std::string text;
  for (const auto& [name, sums] : types) {
    text += fmt::format("{}{}: {} tensors, {}", text.empty() ? "" : "; ", name, sums.first,
                        Megabytes(sums.second));
  }
  return text.empty() ? "no tensors" : text;
}

std::string TokenizerLine(const GgufFile& file) {
  const auto tokenizer = ReadTokenizer(file);
  if (!tokenizer.ok()) return Refused(tokenizer.status());
  const VocabularySpec& spec = (*tokenizer)->vocabulary().spec();
  std::array<int, 7> counts{};
  for (const TokenType type : spec.types) ++counts[static_cast<size_t>(type)];
  constexpr std::array<const char*, 3> kKinds = {"byte-level BPE", "SentencePiece BPE",
                                                 "SentencePiece unigram"};
  const auto pre = file.String("tokenizer.ggml.pre", std::string_view());
  const bool by_rules = spec.kind == TokenizerKind::kByteLevelBpe && pre.ok();
  return fmt::format("{}{}, {} tokens ({} control, {} user-defined), {} merges",
                     kKinds[static_cast<size_t>(spec.kind)],
                     by_rules ? fmt::format(" ({})", *pre) : "", spec.tokens.size(),
                     counts[static_cast<size_t>(TokenType::kControl)],
                     counts[static_cast<size_t>(TokenType::kUserDefined)], spec.merges.size());
}

std::string Chat(const GgufFile& file) {
  const ChatTemplate chat = ReadChatTemplate(file);
  if (!chat.status().ok()) return Refused(chat.status());
  return chat.own() ? "template of the file" : "no template: ChatML where it can be, else lines";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeModel(const GgufFile& file) {
  return {{"file", fmt::format("{}, {}", file.name(), Megabytes(file.size()))},
          {"architecture", Architecture(file)},
          {"shape", Shape(file)},
          {"parameters", Parameters(file)},
          {"types", Types(file)},
          {"tokenizer", TokenizerLine(file)},
          {"chat", Chat(file)}};
}

}  // namespace emptor::engine
