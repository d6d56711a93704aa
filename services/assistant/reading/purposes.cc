// Words that begin a purpose.
#include "services/assistant/reading/purposes.h"

#include <unordered_map>

#include "services/assistant/types/type_names.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

std::string_view BeforePurpose(std::string_view folded, std::string_view language) {
  size_t end = folded.size();
  for (const std::string_view mark :
       {" with ", " for ", " mit ", " fur ", " furs ", " avec ", " pour ", " con ", " para "}) {
    const size_t at = folded.find(mark);
    if (at >= end) continue;
    const bool is_name =
        NamesTypeAcross(folded.substr(0, at), folded.substr(at + mark.size()), language);
    if (!is_name) end = at;
  }
  return folded.substr(0, end);
}

std::string FirstWords(std::string_view text, size_t count) {
  std::string first;
  for (const std::string& word : SplitWords(text)) {
    if (count-- == 0) break;
    first += (first.empty() ? "" : " ") + word;
  }
  return first;
}

std::string TypeOfKnownLine(const std::string& word) {
  static constexpr std::string_view kLine = "line ";
  static const auto* const lines = [] {
    auto* made = new std::unordered_map<std::string, std::string>;
    for (const auto& [head, names] : ParsePhraseTable(kKindLexicon, ": ")) {
      if (!head.starts_with(kLine)) continue;
      for (const std::string& name : names) made->emplace(name, head.substr(kLine.size()));
    }
    return made;
  }();
  const auto found = lines->find(word);
  return found == lines->end() ? "" : found->second;
}

}  // namespace emptor::services
