// A model before it is loaded: an entry of the setting `models`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

enum class ModelKind { kLanguageModel, kEncoder };

struct ModelSpec {
  std::string name;  // 1 to 96 of [A-Za-z0-9._-], the first a letter or digit
  std::string path;
  ModelKind kind = ModelKind::kLanguageModel;
  bool load = true;  // at start; otherwise when an operator asks
  /// In place of what the file declares (engine/model/model_capabilities.h).
  std::optional<bool> references = {};
  std::optional<std::vector<std::string>> languages = {};
};

/// The name under which the OpenAI routes offer the assistant; no model may have it.
inline constexpr std::string_view kAssistantModel = "emptor-assistant";

/// True for a name as above.
inline bool IsModelName(std::string_view name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() <= 96 && std::string_view("._-").find(name[0]) == name.npos &&
         name.find_first_not_of(kLetters) == name.npos;
}

}  // namespace emptor::services
