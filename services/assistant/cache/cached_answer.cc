// When a choice still holds, and whether prices made it.
#include "services/assistant/cache/cached_answer.h"

#include <algorithm>

namespace emptor::services {
namespace {

bool RanksByPrice(const RankedKey& rank) { return rank.key == "price"; }

bool IsOfPrice(const AskedNeed& need) {
  return need.kind == AskedNeed::Kind::kPrice || need.condition.has_price() ||
         (need.preferred && RanksByPrice(*need.preferred));
}

}  // namespace

Outdated CheckBasis(const ChoiceBasis& basis, const ShopChanges& now, int64_t now_unix) {
  if (basis.changes.content != now.content) return Outdated::kContent;
  if (basis.uses_prices && basis.changes.prices != now.prices) return Outdated::kPrices;
  if (basis.uses_faq && basis.changes.faq != now.faq) return Outdated::kFaq;
  return now_unix >= basis.until_unix ? Outdated::kTime : Outdated::kNo;
}

bool ChoiceUsesPrices(const Understanding& understanding, const Retrieved& retrieved) {
  const bool has_bound = understanding.filter.has_price() ||
                         understanding.said_filter.has_price() || retrieved.asked.has_price() ||
                         retrieved.filter.has_price() || understanding.budget.has_value();
  const auto& preferences = understanding.preferences;
  const auto& needs = retrieved.needs.needs;
  return has_bound || understanding.comparison || !understanding.reduced.empty() ||
         (understanding.rank && RanksByPrice(*understanding.rank)) ||
         std::any_of(preferences.begin(), preferences.end(), RanksByPrice) ||
         std::any_of(needs.begin(), needs.end(), IsOfPrice) ||
         (understanding.ranked_search && understanding.ranked_search->filter.has_price());
}

}  // namespace emptor::services
