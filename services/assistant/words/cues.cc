// Parses the cues once.
#include "services/assistant/words/cues.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "services/assistant/words/cue_starts.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/phrase_index.h"

namespace emptor::services {
namespace {

const PhraseTable& TheCues() {
  static const auto* const cues = new PhraseTable(ParsePhraseTable(kCueLexicon, ": "));
  return *cues;
}

const std::vector<std::string>& PhrasesOf(std::string_view name) {
  static const std::vector<std::string> kNone;
  const auto found = TheCues().find(name);
  return found == TheCues().end() ? kNone : found->second;
}

// clang-format off
constexpr std::array<std::string_view, kCueCount> kNames = {
    "more", "which", "whole", "list", "refine", "detail starts", "policyfollow", "compare",
    "stock", "price", "samebrand", "yesno starts", "wh", "sells", "purpose", "condition starts",
    "accessory", "reviews", "sale", "bound", "rating", "listprice", "total", "back", "howmany",
    "about starts", "negation", "lift", "these", "mustbe", "variant", "also", "fitting",
    "request", "determiner", "nameend", "anybrand", "anycolour", "anyprice", "again", "plus",
    "saving", "property", "complaint starts", "only type", "notgoods", "demonstrative", "partof",
    "or", "insteadof", "possessive", "maker", "like", "indefinite", "used", "reject starts",
    "restated", "each", "than", "lack", "everything", "both", "adds", "notname", "formname",
    "where", "others", "has", "definite", "thatone", "thanks starts", "had", "laughter", "advice",
    "cart", "there is", "ref one", "ref none", "ref page", "ref before", "ref than", "ref other",
    "ref others", "ref beginning", "ref two", "ref they", "ref all", "ref several", "ref more",
    "ref with", "direction", "join", "same", "currency", "price difference", "side",
    "contraction", "one of each", "wrapping", "per item", "ability starts", "gift", "comes with",
    "with starts", "another", "must buy", "something", "selling"};
// clang-format on

const std::vector<std::string>& PhrasesOf(Cue cue) {
  static const auto* const phrases = [] {
    auto* made = new std::array<const std::vector<std::string>*, kCueCount>;
    for (size_t i = 0; i < kCueCount; ++i) (*made)[i] = &PhrasesOf(kNames[i]);
    return made;
  }();
  return *(*phrases)[static_cast<size_t>(cue)];
}

bool StartsWith(std::string_view text, std::string_view phrase) {
  if (!text.starts_with(phrase)) return false;
  return IsWideText(phrase) || text.size() == phrase.size() || text[phrase.size()] == ' ';
}

/// Whether the cue is one at the beginning of a message only.
bool CountsAtStart(Cue cue) {
  return cue == Cue::kDetail || cue == Cue::kThanks || cue == Cue::kYesNo ||
         cue == Cue::kCondition || cue == Cue::kAbout || cue == Cue::kComplaint ||
         cue == Cue::kAbility || cue == Cue::kWith;
}

/// The text after its filler words.
std::string_view WithoutFillers(std::string_view text) {
  const std::vector<std::string>& fillers = PhrasesOf("filler starts");
  for (bool again = true; again;) {
    again = false;
    for (const std::string& filler : fillers) {
      if (text.size() == filler.size() || !StartsWith(text, filler)) continue;
      text.remove_prefix(std::min(filler.size() + 1, text.size()));
      again = true;
      break;
    }
  }
  return text;
}

}  // namespace

bool HasCue(const FoldedMessage& message, Cue cue) {
  return CountsAtStart(cue) ? LengthOfStart(message, cue) > 0 : message.HasAny(PhrasesOf(cue));
}

SaidCues::SaidCues(const FoldedMessage& message) {
  static const auto* const phrases = [] {
    auto* made = new PhraseIndex;
    for (size_t i = 0; i < kCueCount; ++i) {
      if (CountsAtStart(static_cast<Cue>(i))) continue;
      for (const std::string& each : PhrasesOf(static_cast<Cue>(i))) {
        made->Add(each, static_cast<uint32_t>(i));
      }
    }
    return made;
  }();
  for (const PhraseIndex::Match& match : phrases->Find(message)) has_.set(match.id);
  for (size_t i = 0; i < kCueCount; ++i) {
    const auto cue = static_cast<Cue>(i);
    if (CountsAtStart(cue)) has_.set(i, LengthOfStart(message, cue) > 0);
  }
}

size_t LengthOfStart(const FoldedMessage& message, Cue cue) {
  // "And with wifi": "and" is no filler here.
  const bool keeps_fillers = cue == Cue::kAbout || cue == Cue::kThanks;
  const std::string_view text = keeps_fillers ? message.text() : WithoutFillers(message.text());
  const bool is_wide = IsWideText(text);
  const bool asks = is_wide && message.HasAny(PhrasesOf("asking"));
  size_t longest = 0;
  for (const std::string& phrase : PhrasesOf(cue)) {
    // "宽度不超过60厘米" states a bound behind its attribute; "带触摸屏的" begins like
    // "带触摸屏吗", and asks nothing.
    const bool is_bound = IsWideText(phrase) && cue == Cue::kCondition;
    const bool is_there = is_bound ? text.find(phrase) != text.npos : StartsWith(text, phrase);
    const bool counts = !IsWideText(phrase) || (is_bound ? !asks : cue != Cue::kDetail || asks);
    if (is_there && counts) longest = std::max(longest, phrase.size());
  }
  return longest;
}

const std::vector<std::string>& CuePhrases(Cue cue) { return PhrasesOf(cue); }

FoldedMessage AfterFillers(const FoldedMessage& message) {
  return FoldedMessage::FromFolded(std::string(WithoutFillers(message.text())));
}

FoldedMessage::Span FindCue(const FoldedMessage& message, Cue cue) {
  return message.FindLongest(PhrasesOf(cue));
}

bool IsCueWord(const std::string& word) {
  static const auto* const words = [] {
    auto* made = new std::unordered_set<std::string>;
    for (const auto& [name, phrases] : TheCues()) {
      static const std::unordered_set<std::string_view> kNameGoods = {
          "accessory",  "also",          "anybrand",    "anycolour",
          "anyprice",   "fitting",       "request",     "variant",
          "determiner", "nameend",       "property",    "complaint starts",
          "only type",  "notgoods",      "partof",      "or",
          "insteadof",  "maker",         "like",        "indefinite",
          "used",       "reject starts", "restated",    "each",
          "than",       "lack",          "everything",  "both",
          "adds",       "notname",       "formname",    "where",
          "others",     "has",           "definite",    "thatone",
          "advice",     "cart",          "join",        "same",
          "currency",   "side",          "contraction", "one of each",
          "wrapping",   "per item",      "gift",        "comes with",
          "must buy",   "another",       "with starts", "something"};
      if (kNameGoods.contains(name) || name.starts_with("ref ")) continue;
      for (const std::string& phrase : phrases) {
        ForEachWord(phrase, [&](std::string part) { made->insert(std::move(part)); });
      }
    }
    return made;
  }();
  return words->contains(word);
}

bool StatesOnly(const FoldedMessage& message) {
  return IsWideText(message.text()) && !message.HasAny(PhrasesOf("asking"));
}

bool AsksYesOrNo(const std::string& message, const FoldedMessage& folded) {
  if (message.find("吗") != std::string::npos || folded.Has("有没有") || folded.Has("是不是")) {
    return true;
  }
  if (HasCue(folded, Cue::kYesNo)) return true;
  const bool is_question = message.ends_with('?') || message.ends_with("？");
  return is_question && !HasCue(folded, Cue::kWh);
}

}  // namespace emptor::services
