// Tokenizer and chat template of a language model's Hugging Face directory.
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/loading/json_file.h"
#include "engine/loading/tokenizer_directory.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/tensor/file_image.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxTemplateBytes = 1u << 20;
// Some files repeat every added token.
constexpr JsonLimits kConfigLimits = {.max_bytes = 16u << 20, .max_nodes = 1u << 20};

absl::StatusOr<std::string> ReadText(const std::string& path, size_t max_bytes) {
  const absl::StatusOr<AlignedBuffer> image = ReadFileImage(path, max_bytes);
  if (!image.ok()) return image.status();
  return std::string(reinterpret_cast<const char*>(image->data()), image->size());
}

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// Values of the model's configuration that override its tokenizer.
void Complete(const ModelConfig& config, VocabularySpec& spec) {
  if (config.begin_token) spec.bos = config.begin_token;
  if (!config.end_tokens.empty()) {
    spec.eos = config.end_tokens[0];
    spec.more_ends.assign(config.end_tokens.begin() + 1, config.end_tokens.end());
  }
  const auto size = static_cast<size_t>(config.vocabulary);
  if (spec.tokens.size() >= size) return;
  spec.types.resize(spec.tokens.size(), TokenType::kNormal);
  spec.types.resize(size, TokenType::kUnused);
  if (!spec.scores.empty()) spec.scores.resize(size);
  spec.tokens.resize(size);
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadDirectoryTokenizer(
    const std::string& directory, const ModelConfig& config) {
  absl::StatusOr<VocabularySpec> spec = ReadTokenizerDirectory(directory);
  if (!spec.ok()) return spec.status();
  Complete(config, *spec);
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = Tokenizer::Create(*std::move(spec));
  if (tokenizer.ok()) return tokenizer;
  return absl::Status(
      tokenizer.status().code(),
      fmt::format("{}/tokenizer.json: {}", directory, std::string(tokenizer.status().message())));
}

absl::StatusOr<ChatTemplate> ReadDirectoryChatTemplate(const std::string& directory) {
  const std::string alone = directory + "/chat_template.jinja";
  if (Exists(alone)) {
    const absl::StatusOr<std::string> text = ReadText(alone, kMaxTemplateBytes);
    if (!text.ok()) return text.status();
    return ChatTemplate::Parse(*text, "chat_template.jinja");
  }
  const std::string config = directory + "/tokenizer_config.json";
  if (!Exists(config)) return ChatTemplate();
  const absl::StatusOr<JsonTree> tree = ReadJsonFile(config, kConfigLimits);
  if (!tree.ok()) return tree.status();
  return ChatTemplate::FromTokenizerConfig(tree->root());
}

}  // namespace emptor::engine
