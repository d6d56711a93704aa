// The lexicon of accessories, parsed once.
#include "services/assistant/types/accessories.h"

#include <algorithm>
#include <map>
#include <utility>

#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr size_t kMinWhole = 3;  // bytes before the last part of a compound

struct Line {
  std::vector<std::string> goods, any;
  std::map<std::string, std::vector<std::string>, std::less<>> words;  // by language
  bool is_use = false;
};

Line ParseLine(bool is_use, std::string_view rest) {
  Line line;
  line.is_use = is_use;
  for (LexiconGroup& group : ParsePhraseGroups(rest)) {
    if (group.tag == "goods" || (group.tag.empty() && !is_use)) line.goods = group.phrases;
    if (group.tag == "any") line.any = group.phrases;
    line.words[group.tag.empty() ? "en" : group.tag] = group.phrases;
  }
  return line;
}

const std::vector<Line>& TheLines() {
  static const auto* const lines = [] {
    auto* made = new std::vector<Line>;
    ForEachLexiconLine(kAccessoryLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      made->push_back(ParseLine(head == "use", rest));
    });
    return made;
  }();
  return *lines;
}

const std::vector<std::string>& WordsOf(const Line& line, std::string_view language) {
  static const std::vector<std::string> kNone;
  const auto words = line.words.find(language);
  return words == line.words.end() ? kNone : words->second;
}

}  // namespace

std::vector<AccessoryWord> FindAccessoryWords(const FoldedMessage& message,
                                              std::string_view language) {
  std::vector<AccessoryWord> found;
  for (const Line& line : TheLines()) {
    const FoldedMessage::Span span = message.FindLongest(WordsOf(line, language));
    if (span.found()) found.push_back({span, line.goods, line.any, line.is_use});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.span.begin, b.span.end) < std::pair(b.span.begin, a.span.end);
  });
  const auto is_inside = [](const AccessoryWord& a, const AccessoryWord& b) {
    return b.span.begin >= a.span.begin && b.span.end <= a.span.end && b.is_use == a.is_use;
  };
  found.erase(std::unique(found.begin(), found.end(), is_inside), found.end());
  return found;
}

AccessoryCompound PartAccessory(const std::string& word, std::string_view language) {
  AccessoryCompound longest;
  for (const Line& line : TheLines()) {
    if (line.is_use) continue;
    for (const std::string& part : WordsOf(line, language)) {
      const bool is_end = word.size() >= part.size() + kMinWhole && word.ends_with(part);
      if (!is_end || part.size() <= longest.part.size()) continue;
      longest = {word.substr(0, word.size() - part.size()), part, line.goods};
    }
  }
  return longest;
}

}  // namespace emptor::services
