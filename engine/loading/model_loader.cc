// Chooses the reader by what lies at the path.
#include "engine/loading/model_loader.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/loading/gguf_file.h"
#include "engine/loading/hf_directory.h"
#include "engine/loading/vocabulary_reader.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// The only GGUF file of a folder.
absl::StatusOr<std::string> OnlyGguf(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> found;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".gguf") found.push_back(at->path().string());
  }
  if (error) return absl::UnavailableError(fmt::format("{}: {}", folder, error.message()));
  if (found.size() == 1) return found[0];
  if (Exists(folder + "/adapter_config.json")) {
    return absl::InvalidArgumentError(
        folder +
        ": a PEFT adapter, not a model: name its base as the model, and the folder as "
        "that model's adapter");
  }
  return absl::InvalidArgumentError(fmt::format(
      "{}: expected config.json or one .gguf file, found {} of them", folder, found.size()));
}

}  // namespace

absl::StatusOr<std::string> FindModelPath(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error) || Exists(path + "/config.json")) return path;
  return OnlyGguf(path);
}

absl::StatusOr<std::shared_ptr<const ModelSource>> LoadModelSource(const std::string& path) {
  const absl::StatusOr<std::string> found = FindModelPath(path);
  if (!found.ok()) return found.status();
  std::error_code error;
  if (std::filesystem::is_directory(*found, error)) {
    auto directory = HfDirectory::Load(*found);
    if (!directory.ok()) return directory.status();
    return std::shared_ptr<const ModelSource>(*std::move(directory));
  }
  auto loaded = GgufFile::Load(*found);
  if (!loaded.ok()) return loaded.status();
  return std::shared_ptr<const ModelSource>(*std::move(loaded));
}

std::string ModelTitle(const ModelSource& source) {
  const auto* gguf = dynamic_cast<const GgufFile*>(&source);
  if (gguf != nullptr) {
    const auto name = gguf->String("general.name", std::string_view());
    if (name.ok() && !name->empty()) return std::string(*name);
  }
  std::string_view path = source.name();
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const size_t slash = path.find_last_of('/');
  return std::string(path.substr(slash == std::string_view::npos ? 0 : slash + 1));
}

absl::StatusOr<ModelCapabilities> ReadModelCapabilities(const ModelSource& source) {
  ModelCapabilities found;
  const auto* gguf = dynamic_cast<const GgufFile*>(&source);
  if (gguf == nullptr) return found;
  const auto references = gguf->Bool("emptor.references", false);
  if (!references.ok()) return references.status();
  found.references = *references;
  const GgufValue* value = gguf->FindValue("emptor.languages");
  if (value == nullptr) return found;
  const auto* languages = std::get_if<std::vector<std::string_view>>(value);
  if (languages == nullptr) {
    return gguf->Error("emptor.languages", "expected an array of strings, found another type");
  }
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (const std::string_view code : *languages) {
    if (code.size() != 2 || !is_small(code[0]) || !is_small(code[1])) {
      return gguf->Error("emptor.languages", fmt::format("expected two-letter codes, found {:?}",
                                                         std::string(code.substr(0, 64))));
    }
    found.languages.emplace_back(code);
  }
  return found;
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadModelTokenizer(const ModelSource& source) {
  const auto* gguf = dynamic_cast<const GgufFile*>(&source);
  if (gguf != nullptr) return ReadTokenizer(*gguf);
  const absl::StatusOr<ModelConfig> config = source.Config();
  if (!config.ok()) return config.status();
  return ReadDirectoryTokenizer(source.name(), *config);
}

absl::StatusOr<ChatTemplate> ReadModelChatTemplate(const ModelSource& source) {
  const auto* gguf = dynamic_cast<const GgufFile*>(&source);
  if (gguf != nullptr) return ReadChatTemplate(*gguf);
  return ReadDirectoryChatTemplate(source.name());
}

absl::StatusOr<LoadedModel> LoadModel(const std::string& path) {
  auto source = LoadModelSource(path);
  if (!source.ok()) return source.status();
  LoadedModel model;
  model.source = *std::move(source);
  model.title = ModelTitle(*model.source);
  absl::StatusOr<ModelCapabilities> capabilities = ReadModelCapabilities(*model.source);
  if (!capabilities.ok()) return capabilities.status();
  model.capabilities = *std::move(capabilities);
  absl::StatusOr<ModelConfig> config = model.source->Config();
  if (!config.ok()) return config.status();
  model.config = *std::move(config);
  auto tokenizer = ReadModelTokenizer(*model.source);
  if (!tokenizer.ok()) return tokenizer.status();
  model.tokenizer = *std::move(tokenizer);
  const int tokens = model.tokenizer->vocabulary().size();
  if (tokens != model.config.vocabulary) {
    const bool gguf = model.source->naming() == TensorNaming::kGguf;
    return model.source->Error(
        gguf ? "tokenizer.ggml.tokens" : "tokenizer.json",
        fmt::format("expected {} tokens, found {}", model.config.vocabulary, tokens));
  }
  absl::StatusOr<ChatTemplate> layout = ReadModelChatTemplate(*model.source);
  if (!layout.ok()) return layout.status();
  model.chat_template = *std::move(layout);
  return model;
}

}  // namespace emptor::engine
