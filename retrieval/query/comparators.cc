// The table of comparisons.
#include "retrieval/query/comparators.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace emptor::retrieval {
namespace {

struct Entry {
  std::string_view words;  // separated by blanks
  Bound bound;
  bool of_money = true, of_size = true;
  const char* attribute = "";
};

constexpr std::array kBefore = {
    // English
    Entry{"no more than", Bound::kUpper},
    Entry{"not more than", Bound::kUpper},
    Entry{"less than", Bound::kBelow},
    Entry{"cheaper than", Bound::kUpper, true, false},
    Entry{"lower than", Bound::kUpper},
    Entry{"at most", Bound::kUpper},
    Entry{"at max", Bound::kUpper},
    Entry{"up to", Bound::kUpper},
    Entry{"upto", Bound::kUpper},
    Entry{"less then", Bound::kBelow},
    Entry{"no more then", Bound::kUpper},
    Entry{"not more then", Bound::kUpper},
    Entry{"cheaper then", Bound::kUpper, true, false},
    Entry{"not over", Bound::kUpper},
    Entry{"not above", Bound::kUpper},
    Entry{"nothing over", Bound::kUpper},
    Entry{"no higher than", Bound::kUpper},
    Entry{"not exceeding", Bound::kUpper},
    Entry{"maximum of", Bound::kUpper},
    Entry{"max of", Bound::kUpper},
    Entry{"under", Bound::kUpper},
    Entry{"below", Bound::kUpper},
    Entry{"beneath", Bound::kUpper},
    Entry{"within", Bound::kUpper, true, false},
    Entry{"max", Bound::kUpper},
    Entry{"max .", Bound::kUpper},
    Entry{"maximum", Bound::kUpper},
    Entry{"<", Bound::kUpper},
    Entry{"< =", Bound::kUpper},
    Entry{"priced under", Bound::kUpper, true, false},
    Entry{"sub", Bound::kUpper, true, false},
    Entry{"more than", Bound::kAbove},
    Entry{"more then", Bound::kAbove},
    Entry{"greater than", Bound::kAbove},
    Entry{"at least", Bound::kLower},
    Entry{"no less than", Bound::kLower},
    Entry{"not less than", Bound::kLower},
    Entry{"higher than", Bound::kLower},
    Entry{"starting at", Bound::kLower},
    Entry{"starting from", Bound::kLower},
    Entry{"minimum of", Bound::kLower},
    Entry{"minimum", Bound::kLower},
    Entry{"min", Bound::kLower},
    Entry{"over", Bound::kLower},
    Entry{"above", Bound::kLower},
    Entry{">", Bound::kLower},
    Entry{"> =", Bound::kLower},
    Entry{"more expensive than", Bound::kLower, true, false},
    Entry{"around", Bound::kAround},
    Entry{"about", Bound::kAround},
    Entry{"roughly", Bound::kAround},
    Entry{"approximately", Bound::kAround},
    Entry{"approx", Bound::kAround},
    Entry{"approx .", Bound::kAround},
    Entry{"circa", Bound::kAround},
    Entry{"~", Bound::kAround, true, false},
    Entry{"budget of", Bound::kBudget, true, false},
    Entry{"budget is", Bound::kBudget, true, false},
    Entry{"budget :", Bound::kBudget, true, false},
    Entry{"budget", Bound::kBudget, true, false},
    Entry{"i have", Bound::kBudget, true, false},
    Entry{"i only have", Bound::kBudget, true, false},
    Entry{"spend", Bound::kBudget, true, false},
    Entry{"bigger than", Bound::kAbove, false},
    Entry{"larger than", Bound::kAbove, false},
    Entry{"wider than", Bound::kAbove, false, true, "width"},
    Entry{"taller than", Bound::kAbove, false, true, "height"},
    Entry{"longer than", Bound::kAbove, false},
    Entry{"heavier than", Bound::kAbove, false, true, "weight"},
    Entry{"faster than", Bound::kAbove, false},
    Entry{"smaller than", Bound::kBelow, false},
    Entry{"shorter than", Bound::kBelow, false},
    Entry{"narrower than", Bound::kBelow, false, true, "width"},
    Entry{"lighter than", Bound::kBelow, false, true, "weight"},
    Entry{"quieter than", Bound::kBelow, false},
    // German
    Entry{"unter", Bound::kUpper},
    Entry{"bis", Bound::kUpper},
    Entry{"bis zu", Bound::kUpper},
    Entry{"höchstens", Bound::kUpper},
    Entry{"hochstens", Bound::kUpper},
    Entry{"maximal", Bound::kUpper},
    Entry{"weniger als", Bound::kBelow},
    Entry{"nicht mehr als", Bound::kUpper},
    Entry{"nicht über", Bound::kUpper},
    Entry{"billiger als", Bound::kUpper, true, false},
    Entry{"günstiger als", Bound::kUpper, true, false},
    Entry{"über", Bound::kLower},
    Entry{"ab", Bound::kLower},
    Entry{"mindestens", Bound::kLower},
    Entry{"mehr als", Bound::kAbove},
    Entry{"größer als", Bound::kAbove, false},
    Entry{"grösser als", Bound::kAbove, false},
    Entry{"kleiner als", Bound::kBelow, false},
    Entry{"leichter als", Bound::kBelow, false},
    Entry{"schwerer als", Bound::kAbove, false},
    Entry{"etwa", Bound::kAround},
    Entry{"ca", Bound::kAround},
    Entry{"ca .", Bound::kAround},
    Entry{"rund", Bound::kAround},
    Entry{"um die", Bound::kAround},
    Entry{"ungefähr", Bound::kAround},
    // French
    Entry{"moins de", Bound::kUpper},
    Entry{"à moins de", Bound::kUpper},
    Entry{"sous", Bound::kUpper},
    Entry{"jusqu'à", Bound::kUpper},
    Entry{"jusqu’à", Bound::kUpper},
    Entry{"jusqu'a", Bound::kUpper},
    Entry{"pas plus de", Bound::kUpper},
    Entry{"au maximum", Bound::kUpper},
    Entry{"moins cher que", Bound::kUpper, true, false},
    Entry{"plus de", Bound::kAbove},
    Entry{"à partir de", Bound::kLower},
    Entry{"a partir de", Bound::kLower},
    Entry{"au moins", Bound::kLower},
    Entry{"d'au moins", Bound::kLower},
    Entry{"environ", Bound::kAround},
    Entry{"autour de", Bound::kAround},
    Entry{"plus grand que", Bound::kAbove, false},
    Entry{"plus petit que", Bound::kBelow, false},
    // Spanish
    Entry{"menos de", Bound::kUpper},
    Entry{"por menos de", Bound::kUpper},
    Entry{"por debajo de", Bound::kUpper},
    Entry{"debajo de", Bound::kUpper},
    Entry{"hasta", Bound::kUpper},
    Entry{"máximo", Bound::kUpper},
    Entry{"maximo", Bound::kUpper},
    Entry{"no más de", Bound::kUpper},
    Entry{"no mas de", Bound::kUpper},
    Entry{"no cueste más de", Bound::kUpper, true, false},
    Entry{"no cuesten más de", Bound::kUpper, true, false},
    Entry{"no cueste mas de", Bound::kUpper, true, false},
    Entry{"más barato que", Bound::kUpper, true, false},
    Entry{"más de", Bound::kAbove},
    Entry{"mas de", Bound::kAbove},
    Entry{"al menos", Bound::kLower},
    Entry{"por lo menos", Bound::kLower},
    Entry{"desde", Bound::kLower},
    Entry{"alrededor de", Bound::kAround},
    Entry{"unos", Bound::kAround},
    Entry{"más grande que", Bound::kAbove, false},
    Entry{"más pequeño que", Bound::kBelow, false},
    // Chinese, a token for each character
    Entry{"低 于", Bound::kUpper},
    Entry{"少 于", Bound::kUpper},
    Entry{"不 超 过", Bound::kUpper},
    Entry{"不 到", Bound::kUpper},
    Entry{"最 多", Bound::kUpper},
    Entry{"高 于", Bound::kLower},
    Entry{"超 过", Bound::kLower},
    Entry{"至 少", Bound::kLower},
    Entry{"不 少 于", Bound::kLower},
    Entry{"大 约", Bound::kAround},
    Entry{"大 概", Bound::kAround},
    Entry{"大 于", Bound::kAbove, false},
    Entry{"小 于", Bound::kBelow, false},
    Entry{"预 算", Bound::kBudget, true, false},
    Entry{"预 算 是", Bound::kBudget, true, false},
};

constexpr std::array kBehind = {
    Entry{"or less", Bound::kUpper},
    Entry{"or below", Bound::kUpper},
    Entry{"or cheaper", Bound::kUpper, true, false},
    Entry{"or under", Bound::kUpper},
    Entry{"and under", Bound::kUpper},
    Entry{"and below", Bound::kUpper},
    Entry{"or smaller", Bound::kUpper},
    Entry{"or lower", Bound::kUpper},
    Entry{"max", Bound::kUpper},
    Entry{"maximum", Bound::kUpper},
    Entry{"budget", Bound::kUpper, true, false},
    Entry{"tops", Bound::kUpper},
    Entry{"at most", Bound::kUpper},
    Entry{"or more", Bound::kLower},
    Entry{"or above", Bound::kLower},
    Entry{"or higher", Bound::kLower},
    Entry{"or better", Bound::kLower},
    Entry{"or bigger", Bound::kLower},
    Entry{"or larger", Bound::kLower},
    Entry{"and up", Bound::kLower},
    Entry{"and above", Bound::kLower},
    Entry{"and over", Bound::kLower},
    Entry{"and more", Bound::kLower},
    Entry{"& up", Bound::kLower},
    Entry{"plus", Bound::kLower},
    Entry{"+", Bound::kLower},
    Entry{"oder weniger", Bound::kUpper},
    Entry{"oder mehr", Bound::kLower},
    Entry{"ou moins", Bound::kUpper},
    Entry{"ou plus", Bound::kLower},
    Entry{"et plus", Bound::kLower},
    Entry{"o menos", Bound::kUpper},
    Entry{"o más", Bound::kLower},
    Entry{"o mas", Bound::kLower},
    Entry{"y más", Bound::kLower},
    Entry{"以 下", Bound::kUpper},
    Entry{"以 内", Bound::kUpper},
    Entry{"之 内", Bound::kUpper},
    Entry{"以 上", Bound::kLower},
    Entry{"左 右", Bound::kAround},
    Entry{"未 満", Bound::kBelow},
    Entry{"ま で", Bound::kUpper},
};

Comparator ReadLongest(const std::vector<QueryToken>& tokens, size_t at, const auto& table) {
  Comparator best;
  for (const Entry& entry : table) {
    const size_t length = PhraseLengthAt(tokens, at, entry.words);
    if (length <= best.length) continue;
    best = {entry.bound, length, entry.of_money, entry.of_size, entry.attribute};
  }
  return best;
}

/// "Air Max 90", "Pro Max 256 GB" are names, "27~32" is a range.
bool IsNoBound(const std::vector<QueryToken>& tokens, size_t at) {
  constexpr std::array<std::string_view, 8> kNames = {"air", "airpods", "coke",  "energizer",
                                                      "mad", "pepsi",   "vapor", "pro"};
  if (at == 0) return false;
  if (tokens[at].text == "~") return tokens[at - 1].kind == QueryToken::Kind::kNumber;
  return tokens[at].text == "max" &&
         std::find(kNames.begin(), kNames.end(), tokens[at - 1].text) != kNames.end();
}

}  // namespace

Comparator ReadComparator(const std::vector<QueryToken>& tokens, size_t at) {
  if (at < tokens.size() && IsNoBound(tokens, at)) return {};
  return ReadLongest(tokens, at, kBefore);
}

Comparator ReadSuffix(const std::vector<QueryToken>& tokens, size_t at) {
  const Comparator suffix = ReadLongest(tokens, at, kBehind);
  const size_t next = at + suffix.length;
  // "over 50 and under 100": the words belong to the next number.
  const bool leads_on = suffix.length > 0 && next < tokens.size() &&
                        (tokens[next].kind == QueryToken::Kind::kNumber ||
                         tokens[next].kind == QueryToken::Kind::kCurrency);
  return leads_on ? Comparator{} : suffix;
}

size_t ReadRangeWord(const std::vector<QueryToken>& tokens, size_t at) {
  constexpr std::array<std::string_view, 6> kWords = {"between", "from", "zwischen",
                                                      "entre",   "von",  "de"};
  return at < tokens.size() &&
                 std::find(kWords.begin(), kWords.end(), tokens[at].text) != kWords.end()
             ? 1
             : 0;
}

bool IsRangeJoint(const QueryToken& token, bool behind_range_word) {
  constexpr std::array<std::string_view, 9> kAlways = {"to", "-",  "–",   "~", "〜",
                                                       "到", "至", "bis", "à"};
  constexpr std::array<std::string_view, 5> kBehindWord = {"and", "und", "et", "y", "a"};
  const auto is_one_of = [&](const auto& words) {
    return std::find(words.begin(), words.end(), token.text) != words.end();
  };
  return is_one_of(kAlways) || (behind_range_word && is_one_of(kBehindWord));
}

}  // namespace emptor::retrieval
