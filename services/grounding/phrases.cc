// Parses the embedded catalogues once.
#include "services/grounding/phrases.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "services/grounding/phrase_texts.h"

namespace emptor::services {
namespace {

using Catalogue = std::map<std::string, std::vector<std::string>, std::less<>>;

Catalogue ParseCatalogue(std::string_view text) {
  Catalogue catalogue;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string_view::npos) continue;
    catalogue[std::string(line.substr(0, colon))].emplace_back(line.substr(colon + 2));
  }
  return catalogue;
}

const Catalogue& CatalogueOf(std::string_view language) {
  static const std::map<std::string_view, Catalogue> kCatalogues = {
      {"en", ParseCatalogue(kPhrasesEn)},
      {"de", ParseCatalogue(kPhrasesDe)},
      {"fr", ParseCatalogue(kPhrasesFr)},
      {"es", ParseCatalogue(kPhrasesEs)},
      {"zh", ParseCatalogue(kPhrasesZh)}};
  const auto found = kCatalogues.find(language);
  return found == kCatalogues.end() ? kCatalogues.at("en") : found->second;
}

const std::vector<std::string>* WordingsOf(std::string_view language, std::string_view key) {
  for (const Catalogue* catalogue : {&CatalogueOf(language), &CatalogueOf("en")}) {
    const auto found = catalogue->find(key);
    if (found != catalogue->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

std::string_view Wording(std::string_view language, std::string_view key) {
  const std::vector<std::string>* wordings = WordingsOf(language, key);
  return wordings == nullptr ? std::string_view() : std::string_view(wordings->front());
}

std::string Phrase(std::string_view language, std::string_view key, uint64_t seed,
                   PhraseArguments arguments) {
  const std::vector<std::string>* wordings = WordingsOf(language, key);
  if (wordings == nullptr) return "";
  std::string text = (*wordings)[seed % wordings->size()];
  for (const auto& [name, value] : arguments) {
    const std::string marked = "{" + std::string(name) + "}";
    for (size_t at = text.find(marked); at != std::string::npos;
         at = text.find(marked, at + value.size())) {
      text.replace(at, marked.size(), value);
    }
  }
  return text;
}

}  // namespace emptor::services
