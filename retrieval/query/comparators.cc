// The table of comparisons before a number.
#include "retrieval/query/comparators.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "retrieval/query/bound_suffixes.h"

namespace emptor::retrieval {
namespace {

using Entry = ComparatorWords;

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
    Entry{"over", Bound::kAbove},
    Entry{"above", Bound::kAbove},
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
    Entry{"über", Bound::kAbove},
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
    Entry{"nicht teurer als", Bound::kUpper, true, false},
    Entry{"nicht mehr wie", Bound::kUpper},
    Entry{"weniger wie", Bound::kBelow},
    Entry{"mehr wie", Bound::kAbove},
    Entry{"billiger wie", Bound::kUpper, true, false},
    Entry{"nich mehr als", Bound::kUpper},
    Entry{"nich über", Bound::kUpper},
    Entry{"bis maximal", Bound::kUpper},
    Entry{"bis max", Bound::kUpper},
    Entry{"bis max .", Bound::kUpper},
    Entry{"unterhalb von", Bound::kUpper},
    Entry{"oberhalb von", Bound::kLower},
    Entry{"kostet unter", Bound::kUpper, true, false},
    Entry{"teurer als", Bound::kLower, true, false},
    Entry{"wenigstens", Bound::kLower},
    Entry{"zumindest", Bound::kLower},
    Entry{"so um", Bound::kAround},
    Entry{"so um die", Bound::kAround},
    Entry{"an die", Bound::kAround, true, false},
    Entry{"breiter als", Bound::kAbove, false, true, "width"},
    Entry{"schmaler als", Bound::kBelow, false, true, "width"},
    Entry{"höher als", Bound::kAbove, false},
    Entry{"niedriger als", Bound::kBelow, false},
    Entry{"länger als", Bound::kAbove, false},
    Entry{"kürzer als", Bound::kBelow, false},
    Entry{"schneller als", Bound::kAbove, false},
    Entry{"leiser als", Bound::kBelow, false},
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
    Entry{"moins que", Bound::kUpper},
    Entry{"moins d", Bound::kUpper},
    Entry{"- de", Bound::kUpper, true, false},
    Entry{"en dessous de", Bound::kUpper},
    Entry{"au dessous de", Bound::kUpper},
    Entry{"en-dessous de", Bound::kUpper},
    Entry{"inférieur à", Bound::kUpper},
    Entry{"inférieure à", Bound::kUpper},
    Entry{"ne dépasse pas", Bound::kUpper},
    Entry{"dépasse pas", Bound::kUpper},
    Entry{"dépassant pas", Bound::kUpper},
    Entry{"dépasser", Bound::kUpper},
    Entry{"sans dépasser", Bound::kUpper},
    Entry{"pas plus que", Bound::kUpper},
    Entry{"pas + de", Bound::kUpper},
    Entry{"à max", Bound::kUpper},
    Entry{"maximum de", Bound::kUpper},
    Entry{"un maximum de", Bound::kUpper},
    Entry{"maxi", Bound::kUpper},
    Entry{"grand maximum", Bound::kUpper},
    Entry{"au plus", Bound::kUpper},
    Entry{"tout au plus", Bound::kUpper},
    Entry{"jusque", Bound::kUpper},
    Entry{"plus que", Bound::kAbove},
    Entry{"+ de", Bound::kAbove},
    Entry{"au-dessus de", Bound::kLower},
    Entry{"au dessus de", Bound::kLower},
    Entry{"supérieur à", Bound::kLower},
    Entry{"supérieure à", Bound::kLower},
    Entry{"dès", Bound::kLower},
    Entry{"minimum de", Bound::kLower},
    Entry{"au minimum", Bound::kLower},
    Entry{"plus cher que", Bound::kLower, true, false},
    Entry{"dans les", Bound::kAround, true, false},
    Entry{"aux alentours de", Bound::kAround},
    Entry{"aux environs de", Bound::kAround},
    Entry{"à peu près", Bound::kAround},
    Entry{"vers les", Bound::kAround, true, false},
    Entry{"budget de", Bound::kBudget, true, false},
    Entry{"budget max", Bound::kBudget, true, false},
    Entry{"budget maxi", Bound::kBudget, true, false},
    Entry{"budget maximum", Bound::kBudget, true, false},
    Entry{"plus lourd que", Bound::kAbove, false, true, "weight"},
    Entry{"plus léger que", Bound::kBelow, false, true, "weight"},
    Entry{"plus large que", Bound::kAbove, false, true, "width"},
    Entry{"plus long que", Bound::kAbove, false},
    Entry{"plus court que", Bound::kBelow, false},
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
    Entry{"menos que", Bound::kUpper},
    Entry{"menos d", Bound::kUpper},
    Entry{"máximo de", Bound::kUpper},
    Entry{"un máximo de", Bound::kUpper},
    Entry{"como máximo", Bound::kUpper},
    Entry{"como mucho", Bound::kUpper},
    Entry{"a lo sumo", Bound::kUpper},
    Entry{"no pase de", Bound::kUpper},
    Entry{"no pasen de", Bound::kUpper},
    Entry{"sin pasar de", Bound::kUpper},
    Entry{"no supere", Bound::kUpper},
    Entry{"no supere los", Bound::kUpper},
    Entry{"no superen", Bound::kUpper},
    Entry{"no superen los", Bound::kUpper},
    Entry{"no exceda de", Bound::kUpper},
    Entry{"no exceda", Bound::kUpper},
    Entry{"no valga más de", Bound::kUpper, true, false},
    Entry{"no valgan más de", Bound::kUpper, true, false},
    Entry{"no sea más de", Bound::kUpper, true, false},
    Entry{"que cueste menos de", Bound::kUpper, true, false},
    Entry{"inferior a", Bound::kUpper},
    Entry{"bajo", Bound::kUpper, true, false},
    Entry{"abajo de", Bound::kUpper},
    Entry{"más de los", Bound::kAbove},
    Entry{"más que", Bound::kAbove},
    Entry{"superior a", Bound::kLower},
    Entry{"por encima de", Bound::kLower},
    Entry{"arriba de", Bound::kLower},
    Entry{"a partir de", Bound::kLower},
    Entry{"mínimo", Bound::kLower},
    Entry{"mínimo de", Bound::kLower},
    Entry{"como mínimo", Bound::kLower},
    Entry{"de al menos", Bound::kLower},
    Entry{"más caro que", Bound::kLower, true, false},
    Entry{"cerca de", Bound::kAround, true, false},
    Entry{"aproximadamente", Bound::kAround},
    Entry{"aprox", Bound::kAround},
    Entry{"unas", Bound::kAround, true, false},
    Entry{"sobre los", Bound::kAround, true, false},
    Entry{"presupuesto de", Bound::kBudget, true, false},
    Entry{"presupuesto", Bound::kBudget, true, false},
    Entry{"presupuesto :", Bound::kBudget, true, false},
    Entry{"más pesado que", Bound::kAbove, false, true, "weight"},
    Entry{"más ligero que", Bound::kBelow, false, true, "weight"},
    Entry{"más ancho que", Bound::kAbove, false, true, "width"},
    Entry{"más largo que", Bound::kAbove, false},
    Entry{"más corto que", Bound::kBelow, false},
    // Chinese, a token for each character
    Entry{"低 于", Bound::kUpper},
    Entry{"少 于", Bound::kUpper},
    Entry{"不 超 过", Bound::kUpper},
    Entry{"不 到", Bound::kUpper},
    Entry{"最 多", Bound::kUpper},
    Entry{"高 于", Bound::kAbove},
    Entry{"超 过", Bound::kAbove},
    Entry{"至 少", Bound::kLower},
    Entry{"不 少 于", Bound::kLower},
    Entry{"大 约", Bound::kAround},
    Entry{"大 概", Bound::kAround},
    Entry{"大 于", Bound::kAbove, false},
    Entry{"小 于", Bound::kBelow, false},
    Entry{"预 算", Bound::kBudget, true, false},
    Entry{"预 算 是", Bound::kBudget, true, false},
    Entry{"别 超 过", Bound::kUpper},
    Entry{"不 要 超 过", Bound::kUpper},
    Entry{"不 能 超 过", Bound::kUpper},
    Entry{"不 高 于", Bound::kUpper},
    Entry{"不 大 于", Bound::kUpper},
    Entry{"小 于 等 于", Bound::kUpper},
    Entry{"最 高", Bound::kUpper, true, false},
    Entry{"顶 多", Bound::kUpper},
    Entry{"控 制 在", Bound::kUpper, true, false},
    Entry{"不 低 于", Bound::kLower},
    Entry{"不 小 于", Bound::kLower},
    Entry{"起 码", Bound::kLower},
    Entry{"最 少", Bound::kLower},
    Entry{"最 低", Bound::kLower, true, false},
    Entry{"大 于 等 于", Bound::kLower},
    Entry{"差 不 多", Bound::kAround},
    Entry{"约", Bound::kAround},
    Entry{"预 算 在", Bound::kBudget, true, false},
    Entry{"预 算 有", Bound::kBudget, true, false},
    Entry{"预 算 只 有", Bound::kBudget, true, false},
    Entry{"预 算 大 概", Bound::kBudget, true, false},
    Entry{"预 算 ：", Bound::kBudget, true, false},
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

/// "16GB内存": the character for "within" begins the word for "memory".
bool BeginsNoun(const std::vector<QueryToken>& tokens, size_t at) {
  constexpr std::array<std::string_view, 6> kBehindWithin = {"存", "置", "胆", "部", "衬", "径"};
  return tokens[at].text == "内" && at + 1 < tokens.size() &&
         std::find(kBehindWithin.begin(), kBehindWithin.end(), tokens[at + 1].text) !=
             kBehindWithin.end();
}

}  // namespace

Comparator ReadComparator(const std::vector<QueryToken>& tokens, size_t at) {
  if (at < tokens.size() && IsNoBound(tokens, at)) return {};
  return ReadLongest(tokens, at, kBefore);
}

Comparator ReadSuffix(const std::vector<QueryToken>& tokens, size_t at) {
  const Comparator suffix = ReadLongest(tokens, at, BoundSuffixes());
  const size_t next = at + suffix.length;
  if (suffix.length == 1 && BeginsNoun(tokens, at)) return {};
  // "over 50 and under 100": the words belong to the next number.
  const bool leads_on = suffix.length > 0 && next < tokens.size() &&
                        (tokens[next].kind == QueryToken::Kind::kNumber ||
                         tokens[next].kind == QueryToken::Kind::kCurrency);
  return leads_on ? Comparator{} : suffix;
}

size_t ReadRangeWord(const std::vector<QueryToken>& tokens, size_t at) {
  constexpr std::array<std::string_view, 6> kWords = {"between", "from", "zwischen",
                                                      "entre",   "von",  "de"};
  const bool is_one = at < tokens.size() &&
                      std::find(kWords.begin(), kWords.end(), tokens[at].text) != kWords.end();
  return is_one ? 1 : 0;
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
