// Whole messages, compared by their words.
#include "services/assistant/dialogue/dialogue_moves.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "services/assistant/words/lexicons.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWords = 12;  // of a whole message that is a move
constexpr std::string_view kMeans = "= ", kTooMuch = "too = ";

using WordSet = std::unordered_set<std::string>;

struct Moves {
  WordSet light, hesitation;
  /// The head of the line, by the form without its light words. The forms themselves are kept, too:
  /// "again" of a line may consist of light words alone.
  std::unordered_map<std::string, std::string> heads;
  std::vector<std::string> corrects;  // folded
};

/// The words of `text` that are in neither set, in their order.
std::string Without(std::string_view text, const WordSet& light, const WordSet* also = nullptr) {
  std::string left;
  ForEachWord(text, [&](const std::string& word) {
    if (light.contains(word) || (also != nullptr && also->contains(word))) return;
    left += (left.empty() ? "" : " ") + word;
  });
  return left;
}

const Moves& TheMoves() {
  static const Moves* const moves = [] {
    auto* made = new Moves;
    const auto read_words = [](std::string_view rest, WordSet& words) {
      ForEachWord(FoldedMessage(rest).text(),
                  [&](std::string word) { words.insert(std::move(word)); });
    };
    ForEachLexiconLine(kMoveLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      if (head == "light") read_words(rest, made->light);
      if (head == "hesitation") read_words(rest, made->hesitation);
    });
    ForEachLexiconLine(kMoveLexicon, ": ", [&](std::string_view head, std::string_view rest) {
      if (head == "light" || head == "hesitation") return;
      for (const std::string_view each : SplitAt(rest, " | ")) {
        const FoldedMessage form(each);
        if (head == "corrects") {
          made->corrects.emplace_back(form.text());
          continue;
        }
        made->heads.emplace(std::string(form.text()), head);
        const std::string bare = Without(form.text(), made->light);
        if (!bare.empty()) made->heads.emplace(bare, head);
      }
    });
    return made;
  }();
  return *moves;
}

/// The head of the message's line; empty: it is no move.
std::string HeadOf(const std::string& message) {
  const FoldedMessage folded(message);
  if (folded.word_count() > kMaxWords) return "";
  const Moves& moves = TheMoves();
  const std::string whole(folded.text());
  for (const std::string& form :
       {whole, Without(whole, moves.light), Without(whole, moves.light, &moves.hesitation)}) {
    const auto found = moves.heads.find(form);
    if (!form.empty() && found != moves.heads.end()) return found->second;
  }
  return "";
}

/// The message without its first words, as it was typed.
std::string WithoutWords(std::string_view message, size_t count) {
  for (; count > 0; --count) {
    message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
    message.remove_prefix(std::min(message.find(' '), message.size()));
  }
  message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
  return std::string(message);
}

}  // namespace

MovedMessage MoveOn(const std::string& message, const std::vector<ConversationTurn>& turns) {
  MovedMessage moved{message};
  if (turns.empty()) return moved;
  const std::string head = HeadOf(message);
  for (const std::string_view mark : {kMeans, kTooMuch}) {
    if (head.starts_with(mark)) moved.message = head.substr(mark.size());
  }
  if (head != "again") return moved;
  // "Are you sure" after "why": the question before both.
  size_t back = 1;
  while (back < turns.size() && HeadOf(turns[turns.size() - back].question) == "again") ++back;
  const std::string& question = turns[turns.size() - back].question;
  if (question.empty() || HeadOf(question) == "again") return moved;
  return {question, true, back};
}

std::string WithoutCorrection(const std::string& message) {
  const FoldedMessage folded(message);
  size_t longest = 0;
  std::string rest = message;
  for (const std::string& phrase : TheMoves().corrects) {
    if (phrase.size() <= longest || !folded.text().starts_with(phrase)) continue;
    const std::string_view behind = folded.text().substr(phrase.size());
    if (behind.empty() || (!IsWideText(phrase) && !behind.starts_with(' '))) continue;
    longest = phrase.size();
    rest =
        IsWideText(phrase) ? std::string(behind) : WithoutWords(message, SplitWords(phrase).size());
  }
  return rest.empty() ? message : rest;
}

bool IsUndecided(const std::string& message) { return HeadOf(message) == "undecided"; }

bool IsAcceptance(const std::string& clause) { return HeadOf(clause) == "accepts"; }

bool IsTooMuch(const std::string& message) { return HeadOf(message).starts_with(kTooMuch); }

}  // namespace emptor::services
