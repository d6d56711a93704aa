// "Before" and "after".
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "services/grounding/claim_record.h"

namespace emptor::services {
namespace {

/// The words stand alone: "after delivery" is a phrase of a lexicon, from when on it counts.
template <typename Words>
bool IsOneOf(const Words& words, const std::vector<ClaimToken>& tokens, size_t at,
             std::string_view language) {
  return std::find(words.begin(), words.end(), tokens[at].text) != words.end() &&
         ClaimPhrases(language).Find(tokens, at).size < 2;
}

}  // namespace

ClaimOrder FindClaimOrder(const std::vector<ClaimToken>& tokens, std::string_view language) {
  constexpr std::array<std::string_view, 5> kBefore = {"before", "bevor", "ehe", "avant", "antes"};
  constexpr std::array<std::string_view, 5> kAfter = {"after", "once", "nachdem", "apres",
                                                      "despues"};
  ClaimOrder order;
  for (size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool is_before = IsOneOf(kBefore, tokens, at, language);
    const bool is_after = IsOneOf(kAfter, tokens, at, language);
    // "Before 2 p.m." is a time of day.
    const bool is_time = tokens[at + 1].kind == ClaimToken::Kind::kNumber;
    if ((!is_before && !is_after) || is_time) continue;
    const auto middle = tokens.begin() + static_cast<ptrdiff_t>(at);
    order.is_stated = true;
    order.first = FindClaimContent({tokens.begin(), middle}, language);
    order.then = FindClaimContent({middle + 1, tokens.end()}, language);
    if (is_after) std::swap(order.first, order.then);
    return order;
  }
  return order;
}

}  // namespace emptor::services
