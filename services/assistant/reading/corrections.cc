// Clauses by punctuation and conjunctions.
#include "services/assistant/reading/corrections.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxRejectedWords = 6;

/// What stands behind the longest of the cue's phrases at the beginning; empty: none does.
std::string BehindReject(const FoldedMessage& clause) {
  std::string behind;
  size_t longest = 0;
  for (const FoldedMessage& text : {clause, AfterFillers(clause)}) {
    for (const std::string& phrase : CuePhrases(Cue::kReject)) {
      const bool starts = text.text().starts_with(phrase) &&
                          (IsWideText(phrase) || (text.text().size() > phrase.size() &&
                                                  text.text()[phrase.size()] == ' '));
      if (!starts || phrase.size() < longest) continue;
      longest = phrase.size();
      behind = std::string(text.text().substr(phrase.size()));
    }
  }
  const size_t begin = behind.find_first_not_of(' ');
  return begin == std::string::npos ? "" : behind.substr(begin);
}

bool SaysNothing(const FoldedMessage& clause) {
  const auto words = SplitWords(AfterFillers(clause).text());
  return words.empty() || std::all_of(words.begin(), words.end(), [](const std::string& word) {
           return HasCue(FoldedMessage::FromFolded(word), Cue::kNegation) || word == "nein" ||
                  word == "non" || word == "不" || word == "sorry";
         });
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// "4 personnes" of the latest question in which that number counts something.
std::string CountedBefore(int number, const std::vector<ConversationTurn>& turns) {
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    const auto words = SplitWords(FoldedMessage(turn->question).text());
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (NumberOfWord(words[i]) == number) return words[i] + " " + words[i + 1];
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> SplitClauses(const std::string& message) {
  static constexpr std::array<std::string_view, 16> kMarks = {
      ", ",     ". ", "; ", "! ", " - ", " but ", " sondern ", " mais ",
      " sino ", "，", "。", "；", "！",  "而是",  "? ",        ": "};
  std::vector<std::string> clauses;
  std::string_view rest = message;
  while (!rest.empty()) {
    size_t at = rest.size(), size = 0;
    for (const std::string_view mark : kMarks) {
      const size_t found = rest.find(mark);
      if (found < at) at = found, size = mark.size();
    }
    std::string clause(rest.substr(0, at));
    if (clause.find_first_not_of(' ') != std::string::npos) clauses.push_back(std::move(clause));
    rest.remove_prefix(std::min(at + size, rest.size()));
  }
  return clauses;
}

std::string WithoutRejected(const std::string& message, const GoodsLookup& goods) {
  const std::vector<std::string> clauses = SplitClauses(message);
  std::vector<std::string> wanted;
  bool rejects = false;
  for (const std::string& clause : clauses) {
    const FoldedMessage folded(clause);
    const std::string rejected = BehindReject(folded);
    if (!rejected.empty() && SplitWords(rejected).size() <= kMaxRejectedWords) {
      const NamedGoods named = goods(rejected);
      // "A bag, not a backpack" goes on searching for bags that are none.
      const bool is_first = std::all_of(wanted.begin(), wanted.end(), [](const auto& each) {
        return SaysNothing(FoldedMessage(each));
      });
      if (named.is_goods && (is_first || named.is_topic)) {
        rejects = true;
        continue;
      }
    }
    wanted.push_back(clause);
  }
  if (!rejects) return message;
  std::erase_if(wanted, [](const auto& each) { return SaysNothing(FoldedMessage(each)); });
  return wanted.empty() ? message : Joined(wanted);
}

std::string WithoutRestating(const std::string& message,
                             const std::vector<ConversationTurn>& turns) {
  if (turns.empty()) return message;
  const FoldedMessage folded(message);
  const FoldedMessage::Span cue = FindCue(folded, Cue::kRestated);
  if (!cue.found()) return message;
  const std::string said(folded.text().substr(cue.end));
  const auto words = SplitWords(said);
  if (words.empty()) return message;
  const int number = words.size() == 1 ? NumberOfWord(words.front()) : 0;
  if (number > 0) {
    const std::string counted = CountedBefore(number, turns);
    return counted.empty() ? message : counted;
  }
  return message;
}

}  // namespace emptor::services
