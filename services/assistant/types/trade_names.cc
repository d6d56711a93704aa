// The lexicon of trade names, parsed once.
#include "services/assistant/types/trade_names.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "retrieval/text/fold.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr std::string_view kModel = "model";        // the line of words behind names
constexpr std::string_view kPlatform = "platform";  // the line of types for which goods are made
constexpr size_t kMaxModelWords = 4;

struct Listed {
  std::string type, folded;
};

struct Lexicon {
  std::vector<Listed> names;
  std::unordered_set<std::string> folded;
  std::unordered_set<std::string> words;  // of names
  std::unordered_set<std::string> model_words, platforms;
};

const Lexicon& TheLexicon() {
  static const auto* const lexicon = [] {
    auto* made = new Lexicon;
    ForEachLexiconLine(kTradeNameLexicon, ": ", [&](std::string_view type, std::string_view rest) {
      while (!rest.empty()) {
        const size_t end = std::min(rest.find(" | "), rest.size());
        std::string folded = retrieval::FoldWords(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 3, rest.size()));
        if (type == kModel) {
          made->model_words.insert(std::move(folded));
        } else if (type == kPlatform) {
          made->platforms.insert(std::move(folded));
        } else if (made->folded.insert(folded).second) {
          for (std::string& word : SplitWords(folded)) made->words.insert(std::move(word));
          made->names.push_back({std::string(type), std::move(folded)});
        }
      }
    });
    return made;
  }();
  return *lexicon;
}

bool IsModelPart(const std::string& word) {
  return word.find_first_of("0123456789") != std::string::npos ||
         TheLexicon().model_words.contains(word);
}

}  // namespace

std::optional<TradeName> FindTradeName(const FoldedMessage& message) {
  std::optional<TradeName> found;
  for (const Listed& each : TheLexicon().names) {
    const FoldedMessage::Span span = message.Find(each.folded);
    const bool is_better = span.found() && (!found || each.folded.size() > found->name.size());
    if (is_better) found = TradeName{each.type, each.folded, span};
  }
  if (!found) return std::nullopt;
  size_t words = 0;
  for (const std::string& word : SplitWords(message.text().substr(found->span.end))) {
    if (!IsModelPart(word) || ++words > kMaxModelWords) break;
    found->span.end += 1 + word.size();
  }
  return found;
}

bool IsTradeName(std::string_view name) { return TheLexicon().folded.contains(std::string(name)); }

bool IsPlatform(std::string_view type) {
  return TheLexicon().platforms.contains(std::string(type));
}

bool IsTradeWord(std::string_view word) { return TheLexicon().words.contains(std::string(word)); }

}  // namespace emptor::services
