// The lexicon of words of names.
#include "services/assistant/schema/key_words.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

struct Line {
  std::vector<std::string> words;    // of names
  std::vector<std::string> phrases;  // said for them
};

const std::vector<Line>& TheLines() {
  static const std::vector<Line>* const lines = [] {
    auto parsed = std::make_unique<std::vector<Line>>();
    ForEachLexiconLine(kKeyWordLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      parsed->push_back({AllPhrases(ParsePhraseGroups(head)), AllPhrases(ParsePhraseGroups(rest))});
    });
    return parsed.release();
  }();
  return *lines;
}

}  // namespace

std::vector<std::string> KeyWordsSaid(const FoldedMessage& message) {
  std::vector<std::string> said;
  for (const Line& line : TheLines()) {
    if (message.HasAny(line.phrases)) said.insert(said.end(), line.words.begin(), line.words.end());
  }
  return said;
}

std::vector<SaidKeyWords> FindKeyWords(const FoldedMessage& message) {
  std::vector<SaidKeyWords> found;
  for (const Line& line : TheLines()) {
    FoldedMessage::Span span = message.FindLongest(line.phrases);
    if (!span.found()) span = message.FindLongest(line.words);
    if (span.found()) found.push_back({span, &line.words, &line.phrases});
  }
  return found;
}

FoldedMessage WithoutKeyWords(const FoldedMessage& message,
                              const std::function<bool(const std::string& word)>& is_known) {
  FoldedMessage rest = message;
  for (const Line& line : TheLines()) {
    if (!std::any_of(line.words.begin(), line.words.end(), is_known)) continue;
    for (auto span = rest.FindLongest(line.phrases); span.found();
         span = rest.FindLongest(line.phrases)) {
      rest = rest.Without(span);
    }
  }
  return rest;
}

}  // namespace emptor::services
