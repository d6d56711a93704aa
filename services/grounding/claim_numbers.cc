// Numbers that sentences write as words: "three", "a week", "half an hour".
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "services/grounding/claim_phrases.h"

namespace emptor::services {
namespace {

using Role = ClaimRole;

/// Hours, weeks, months, years, kilograms and liters are counted by an article.
bool IsCountedByArticle(const std::vector<ClaimToken>& tokens, size_t at) {
  if (at >= tokens.size()) return false;
  const auto unit = ClaimUnitPhrases().Find(tokens, at);
  if (unit.size == 0 || tokens[at].text.size() < 3) return false;
  constexpr std::array<std::pair<std::string_view, double>, 6> kCounted = {
      {{"min", 60}, {"day", 7}, {"month", 1}, {"month", 12}, {"g", 1000}, {"ml", 1000}}};
  return std::any_of(unit.meanings.begin(), unit.meanings.end(), [&](const ClaimMeaning& each) {
    if (each.role != Role::kUnit) return false;
    const ClaimUnit& scale = ClaimUnits()[static_cast<size_t>(each.index)];
    return std::any_of(kCounted.begin(), kCounted.end(), [&](const auto& counted) {
      return scale.base == counted.first && scale.factor == counted.second;
    });
  });
}

void MakeNumber(ClaimToken& token, double number) {
  token.kind = ClaimToken::Kind::kNumber;
  token.number = number;
  token.text = number == 1 ? "1" : "0.5";
}

/// "A week", "half an hour", "eine halbe Stunde", "半个小时".
void SpellArticles(std::vector<ClaimToken>& tokens) {
  constexpr std::array<std::string_view, 11> kOne = {"a",     "an", "one", "ein", "eine", "einen",
                                                     "einer", "un", "une", "una", "一"};
  constexpr std::array<std::string_view, 8> kHalf = {"half",  "halbe", "halben", "demi",
                                                     "demie", "media", "medio",  "半"};
  constexpr std::array<std::string_view, 8> kWhole = {"whole", "full",   "entire", "ganzen",
                                                      "ganze", "entera", "entero", "entiere"};
  const auto is_of = [&](const auto& words, size_t at) {
    return std::find(words.begin(), words.end(), tokens[at].text) != words.end();
  };
  const auto erase = [&](size_t at) { tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(at)); };
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    // "Two hours a week" is a rate.
    const bool is_rate = at > 0 && ClaimUnitPhrases().Find(tokens, at - 1).size > 0;
    const bool is_joined =
        at + 2 < tokens.size() && (is_of(kOne, at + 1) || tokens[at + 1].text == "个");
    const bool is_single = is_of(kOne, at) && tokens[at + 1].text == "single" &&
                           at + 2 < tokens.size() &&
                           tokens[at + 2].kind == ClaimToken::Kind::kNumber;
    const bool is_whole = is_of(kOne, at) && is_of(kWhole, at + 1) && at + 2 < tokens.size() &&
                          ClaimUnitPhrases().Find(tokens, at + 2).size > 0;
    if (is_single || is_whole) {
      MakeNumber(tokens[at], 1);
      erase(at + 1);
      continue;
    }
    const size_t unit = is_of(kHalf, at) && is_joined ? at + 2 : at + 1;
    if (is_rate || !IsCountedByArticle(tokens, unit)) continue;
    if (is_of(kHalf, at)) {
      MakeNumber(tokens[at], 0.5);
      if (unit == at + 2) erase(at + 1);
      if (at > 0 && is_of(kOne, at - 1)) erase(--at);
    } else if (is_of(kOne, at)) {
      MakeNumber(tokens[at], 1);
    }
  }
}

}  // namespace

void SpellClaimNumbers(std::vector<ClaimToken>& tokens, std::string_view language) {
  SpellArticles(tokens);
  const ClaimPhraseIndex& phrases = ClaimPhrases(language);
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == ClaimToken::Kind::kNumber) continue;
    auto match = phrases.Find(tokens, at);
    const bool is_claim = std::all_of(match.meanings.begin(), match.meanings.end(),
                                      [](auto& each) { return each.role > Role::kLabel; });
    // "Two doors" of a lexicon is a number as well.
    if (match.size > 1 && is_claim) match = phrases.Find({tokens[at]}, 0);
    for (const ClaimMeaning& each : match.meanings) {
      if (each.role != Role::kNumber) continue;
      tokens[at].kind = ClaimToken::Kind::kNumber;
      tokens[at].number = each.index;
      tokens[at].text = std::to_string(each.index);
      tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(at) + 1,
                   tokens.begin() + static_cast<ptrdiff_t>(at + match.size));
      break;
    }
  }
}

}  // namespace emptor::services
