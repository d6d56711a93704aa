// A model before it is loaded: an entry of the setting `models`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

enum class ModelKind { kLanguageModel, kEncoder };

/// A LoRA adapter over a language model: an entry of its setting `adapters`. Requests choose it as
/// "model:adapter".
struct AdapterSpec {
  std::string name;  // as ModelSpec::name
  std::string path;
  /// In place of what the model has.
  std::optional<bool> references = {};
  std::optional<std::vector<std::string>> languages = {};
};

struct ModelSpec {
  std::string name;  // 1 to 96 of [A-Za-z0-9._-], the first a letter or digit
  std::string path;
  ModelKind kind = ModelKind::kLanguageModel;
  bool load = true;  // at start; otherwise when an operator asks
  /// In place of what the file declares (engine/model/model_capabilities.h).
  std::optional<bool> references = {};
  std::optional<std::vector<std::string>> languages = {};
  std::string adapter = {};  // path of one that is added to the weights; empty: none
  std::vector<AdapterSpec> adapters = {};
  std::string draft_model = {};  // path of a smaller one of the same vocabulary; empty: none
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

/// "model" or "model:adapter", taken apart.
struct ModelReference {
  std::string_view model, adapter;  // the adapter is empty where there is none
};
inline ModelReference SplitModelReference(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}
/// True for a model's name, with or without that of an adapter.
inline bool IsModelReference(std::string_view text) {
  const auto [model, adapter] = SplitModelReference(text);
  return IsModelName(model) && (model.size() == text.size() || IsModelName(adapter));
}

}  // namespace emptor::services
