// Sets of words, and the clause behind a phrase.
#include "services/assistant/words/story_words.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxLiked = 4;  // words of what is liked

struct Stories {
  std::unordered_set<std::string> words, owners, tellers, asides, playthings, technical;
  std::vector<std::string> liking, ends;
};

const Stories& TheStories() {
  static const Stories* const stories = [] {
    auto* made = new Stories;
    ForEachLexiconLine(kStoryLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      auto* const set = head == "story"       ? &made->words
                        : head == "owner"     ? &made->owners
                        : head == "teller"    ? &made->tellers
                        : head == "aside"     ? &made->asides
                        : head == "plaything" ? &made->playthings
                        : head == "technical" ? &made->technical
                                              : nullptr;
      if (set != nullptr) {
        ForEachWord(FoldedMessage(rest).text(),
                    [&](std::string word) { set->insert(std::move(word)); });
        return;
      }
      auto& phrases = head == "liking" ? made->liking : made->ends;
      for (std::string& each : AllPhrases(ParsePhraseGroups(rest))) {
        phrases.push_back(std::move(each));
      }
    });
    return made;
  }();
  return *stories;
}

}  // namespace

bool IsStoryWord(const std::string& word) {
  const auto& words = TheStories().words;
  if (words.contains(word)) return true;
  // "Starts", "wife's", which is folded to "wifes".
  return word.ends_with('s') && words.contains(word.substr(0, word.size() - 1));
}

bool IsOwnerWord(const std::string& word) { return TheStories().owners.contains(word); }

bool IsTellerWord(const std::string& word) { return TheStories().tellers.contains(word); }

TitleHints HintsOf(std::string_view title) {
  const Stories& stories = TheStories();
  TitleHints hints;
  ForEachWord(FoldedMessage(title).text(), [&](const std::string& word) {
    hints.is_aside |= stories.asides.contains(word);
    hints.is_plaything |= stories.playthings.contains(word);
    hints.is_technical |= stories.technical.contains(word);
  });
  return hints;
}

std::string FindLiking(std::string_view message) {
  constexpr std::string_view kStops = ".,;!?:()\n";
  const Stories& stories = TheStories();
  while (!message.empty()) {
    const size_t stop = std::min(message.find_first_of(kStops), message.size());
    const FoldedMessage clause(message.substr(0, stop));
    message.remove_prefix(std::min(stop + 1, message.size()));
    const FoldedMessage::Span cue = clause.FindLongest(stories.liking);
    if (!cue.found()) continue;
    std::string liked;
    size_t count = 0;
    bool ends = false;
    ForEachWord(clause.text().substr(cue.end), [&](const std::string& word) {
      const bool is_end =
          std::find(stories.ends.begin(), stories.ends.end(), word) != stories.ends.end();
      ends = ends || is_end || count == kMaxLiked;
      if (ends || (IsStoryWord(word) && count == 0)) return;
      liked += (liked.empty() ? "" : " ") + word;
      ++count;
    });
    if (!liked.empty()) return liked;
  }
  return "";
}

}  // namespace emptor::services
