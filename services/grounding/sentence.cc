// Predicates over words.
#include "services/grounding/sentence.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "catalog/encoding/utf8.h"
#include "services/grounding/claim_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxRepeats = 4;  // of one word in a row

}  // namespace

bool IsShown(SpanKind kind) {
  return kind == SpanKind::kWord || kind == SpanKind::kNumber || kind == SpanKind::kIdeograph;
}

bool StartsWithCapital(std::string_view word) {
  const auto point = catalog::DecodeUtf8(word);
  return point.bytes != 0 && u_isupper(static_cast<UChar32>(point.value));
}

bool IsAcronym(std::string_view word) {
  return word.size() <= 5 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string WithoutPossessive(std::string word) {
  for (const std::string_view ending : {"'s", "\u2019s", "'", "\u2019"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  return word;
}

bool EndsSentence(std::string_view text) {
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?') ||
         text.ends_with("\u3002");
}

std::string FactWord(const std::string& field) { return "<" + field + ">"; }

bool IsMoneyFact(const std::string& word) {
  return word == "<price>" || word == "<was_price>" || word == "<budget>";
}

bool RepeatsItself(const std::vector<std::string>& words) {
  if (words.size() < kMaxRepeats) return false;
  return std::all_of(words.end() - kMaxRepeats, words.end(),
                     [&](const std::string& word) { return word == words.back(); });
}

bool SaysThereIsNone(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "nothing" || word == "none" || word == "no";
  });
}

bool DeniesKnowledge(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    const bool is_verb = words[i] == "say" || words[i] == "mention" || words[i] == "list" ||
                         words[i] == "find" || words[i] == "know";
    if (is_verb && IsNegation(words[i - 1])) return true;
  }
  return false;
}

std::string ReplacementField(DropRule rule) {
  switch (rule) {
    case DropRule::kMoney:
      return "price";
    case DropRule::kStock:
      return "availability";
    case DropRule::kRating:
      return "rating";
    default:
      return "";
  }
}

}  // namespace emptor::services
