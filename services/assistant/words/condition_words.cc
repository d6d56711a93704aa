// Words before and behind a condition.
#include "services/assistant/words/condition_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/fold.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr size_t kMaxOwnerWords = 4;                    // behind "for", which name a pet
constexpr size_t kPurposeReach = 10;                    // and in which a purpose does: "fur unser"
constexpr size_t kBoundBefore = 16, kBoundBehind = 24;  // bytes around a number

bool HoldsAny(const std::string& text, const auto& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](View word) { return text.find(word) != std::string::npos; });
}

std::string Before(const FoldedMessage& message, size_t at, size_t reach) {
  const size_t begin = at > reach ? at - reach : 0;
  std::string before = " " + std::string(message.text().substr(begin, at - begin)) + " ";
  // A part of a Chinese character at the beginning says nothing.
  constexpr View kAsks = "有没有";
  for (size_t found = before.find(kAsks); found != std::string::npos; found = before.find(kAsks)) {
    before.replace(found, kAsks.size(), "有");
  }
  return before;
}

/// A value of the line of data/lexicon/counts.txt.
bool IsOf(View head, View canonical) {
  static const auto* const table = new PhraseTable(ParsePhraseTable(kCountLexicon, " : "));
  const std::vector<std::string>& values = table->find(head)->second;
  return std::find(values.begin(), values.end(), retrieval::FoldWords(canonical)) != values.end();
}

/// What follows `kind` in the head of the first line of data/lexicon/counts.txt that the message
/// has a phrase of.
View NameOfLine(View kind, const FoldedMessage& message) {
  static const auto* const table = new PhraseTable(ParsePhraseTable(kCountLexicon, " : "));
  for (const auto& [head, phrases] : *table) {
    if (head.starts_with(kind) && message.HasAny(phrases)) return View(head).substr(kind.size());
  }
  return "";
}

}  // namespace

bool IsNegatedAt(const FoldedMessage& message, size_t at) {
  const std::string before = Before(message, at, kNegationReach);
  return HasCue(FoldedMessage::FromFolded(before), Cue::kNegation) &&
         before.find(" not too ") == std::string::npos;
}

bool IsLiftedAt(const FoldedMessage& message, size_t at) {
  if (HasCue(FoldedMessage::FromFolded(std::string(message.text().substr(at))), Cue::kAlso)) {
    return true;
  }
  return HasCue(FoldedMessage::FromFolded(Before(message, at, kNegationReach)), Cue::kLift);
}

bool IsAnyAt(const FoldedMessage& message, size_t at) {
  return Before(message, at, kNegationReach).ends_with(" any  ");
}

bool IsFeature(View canonical) { return !IsOf("soft", canonical); }

bool IsTimeWord(View canonical) { return IsOf("time", canonical); }

bool BeginsWithPart(const FoldedMessage& message) {
  return IsOf("with", message.text().substr(0, message.text().find(' ')));
}

bool IsSizeWord(View word) { return IsOf("size", word); }

bool IsPropertyNoun(View word) { return IsOf("property noun", word); }

bool IsPlacePurpose(const FoldedMessage& message, View canonical, const FoldedMessage::Span& span) {
  if (!IsOf("place", canonical)) return false;
  const View said = message.text().substr(span.begin, span.size());
  const View first = said.substr(0, said.find(' '));
  const std::string before = Before(message, span.begin, kPurposeReach);
  const auto says_purpose = [](View text) {
    return HasCue(FoldedMessage::FromFolded(std::string(text)), Cue::kPurpose);
  };
  return IsWideText(said) || (said != first && says_purpose(first)) || says_purpose(before);
}

View PetOf(const FoldedMessage& message) { return NameOfLine("pet ", message); }

View RecipientOf(const FoldedMessage& message) { return NameOfLine("recipient ", message); }

WordedBound BoundAt(const FoldedMessage& message, const FoldedMessage::Span& span) {
  static constexpr std::array<View, 16> kMin = {
      " at least ",   " min ", " minimum ", " over ",        " more than ", " from ",
      " mindestens ", " ab ",  " uber ",    " au moins ",    " plus de ",   " al menos ",
      " mas de ",     "至少",  " minimo ",  " no less than "};
  static constexpr std::array<View, 17> kMax = {
      " at most ",   " max ",           " maximum ",     " under ",        " below ", " up to ",
      " less than ", " not more than ", " hochstens ",   " bis zu ",       " unter ", " au plus ",
      " moins de ",  " menos de ",      " como maximo ", " no more than ", "不超过"};
  static constexpr std::array<View, 9> kMaxBehind = {
      " or less ",    " max ",        " or smaller ",   " or shorter ",  " or lighter ",
      " or thinner ", " or quieter ", " oder kleiner ", " oder weniger "};
  static constexpr std::array<View, 9> kRough = {" around ",  " about ", " roughly ",
                                                 " etwa ",    " circa ", " ungefahr ",
                                                 " environ ", " unos ",  " unas "};
  const std::string before = Before(message, span.begin, kBoundBefore);
  const std::string after = " " + std::string(message.text().substr(span.end, kBoundBehind)) + " ";
  WordedBound bound;
  bound.is_max = HoldsAny(before, kMax) || HoldsAny(after, kMaxBehind);
  bound.is_min =
      !bound.is_max && (HoldsAny(before, kMin) || after.find(" and up ") != std::string::npos ||
                        HasCue(FoldedMessage::FromFolded(after), Cue::kBound));
  bound.is_rough = HoldsAny(before, kRough);
  return bound;
}

std::string_view PetOfGoods(const FoldedMessage& message, const FoldedMessage::Span& goods) {
  const std::vector<std::string> before = SplitWords(message.text().substr(0, goods.begin));
  if (!before.empty()) {
    const std::string_view pet = PetOf(FoldedMessage::FromFolded(before.back()));
    if (!pet.empty()) return pet;
  }
  const FoldedMessage behind(message.text().substr(goods.end));
  const FoldedMessage::Span purpose = FindCue(behind, Cue::kPurpose);
  if (!purpose.found()) return "";
  std::string owner;  // "for my old dog"
  for (const std::string& word : SplitWords(behind.text().substr(purpose.end))) {
    if (HasCue(FoldedMessage::FromFolded(word), Cue::kNegation)) break;
    owner += word + " ";
    if (static_cast<size_t>(std::count(owner.begin(), owner.end(), ' ')) == kMaxOwnerWords) break;
  }
  return PetOf(FoldedMessage(owner));
}

}  // namespace emptor::services
