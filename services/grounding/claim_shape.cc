// Words of a clause that say how it is to be read.
#include "services/grounding/claim_shape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;

bool NamesOnlyBrand(const ClaimClause& clause) {
  bool is_brand = false;
  for (const ClaimItem& item : clause.items) {
    if (item.kind != Kind::kProduct) continue;
    is_brand = item.is_brand;
    if (!is_brand) return false;
  }
  return is_brand;
}

}  // namespace

bool HasClaimNumber(const ClaimClause& clause) {
  return std::any_of(clause.items.begin(), clause.items.end(),
                     [](const ClaimItem& item) { return item.kind == Kind::kNumber; });
}

bool IsClaimDenial(const std::vector<ClaimClause>& clauses) {
  return std::any_of(clauses.begin(), clauses.end(), [](const ClaimClause& clause) {
    if (clause.Has(Role::kSilent)) return true;
    return clause.Has(Role::kSays) &&
           (clause.Has(Role::kNot) || clause.Has(Role::kNo) || clause.Has(Role::kNothing));
  });
}

bool ClaimBeginsWith(const ClaimClause& clause, ClaimRole role) {
  constexpr size_t kFirst = 2;  // "but if"
  const auto end =
      clause.items.begin() + static_cast<ptrdiff_t>(std::min(kFirst, clause.items.size()));
  return std::any_of(clause.items.begin(), end,
                     [role](const ClaimItem& item) { return item.Has(role); });
}

bool WeighsInClaim(const ClaimClause& clause) {
  constexpr std::array kDegrees = {Role::kLow,   Role::kHigh,    Role::kPrice,      Role::kRating,
                                   Role::kMore,  Role::kLess,    Role::kHighest,    Role::kLowest,
                                   Role::kLower, Role::kHigher,  Role::kCheaper,    Role::kDearer,
                                   Role::kBest,  Role::kReviews, Role::kBetterRated};
  if (HasClaimNumber(clause)) return false;
  return std::any_of(kDegrees.begin(), kDegrees.end(), [&](Role role) { return clause.Has(role); });
}

const ClaimItem* LabelOfLastNumber(const ClaimClause& clause) {
  const auto& items = clause.items;
  for (size_t at = items.size(); at > 0; --at) {
    const ClaimItem& item = items[at - 1];
    if (item.kind != Kind::kNumber || !item.quantity.base.empty()) continue;
    for (const size_t i : {at, at + 1, at - 2, at - 3}) {
      const bool is_label =
          i < items.size() && items[i].kind == Kind::kPhrase && items[i].Has(Role::kLabel);
      if (is_label) return &items[i];
    }
    return nullptr;
  }
  return nullptr;
}

bool MixesNames(const ClaimClause& clause) {
  for (size_t i = 1; i < clause.items.size(); ++i) {
    const ClaimItem &brand = clause.items[i - 1], &name = clause.items[i];
    if (!brand.is_brand || name.kind != Kind::kProduct || name.is_brand) continue;
    const bool is_of_brand = std::any_of(name.products.begin(), name.products.end(), [&](int each) {
      return std::find(brand.products.begin(), brand.products.end(), each) != brand.products.end();
    });
    if (!is_of_brand) return true;
  }
  return false;
}

bool IsExclusiveClaim(const ClaimClause& clause) {
  for (size_t i = 0; i < clause.items.size(); ++i) {
    const ClaimItem& item = clause.items[i];
    if (!item.Has(Role::kOnly)) continue;
    if (i == 0 || item.text.find(' ') != std::string::npos) return true;
    for (size_t at = i + 1; at < std::min(clause.items.size(), i + 4); ++at) {
      if (clause.items[at].kind == Kind::kProduct) return true;
    }
  }
  return false;
}

bool IsClaimOfBrand(const ClaimClause& clause) {
  if (!NamesOnlyBrand(clause)) return false;
  bool is_quantified = false, is_predicate = false;
  for (const ClaimItem& item : clause.items) {
    if (item.kind == Kind::kProduct) break;
    const bool quantifies = item.Has(Role::kAll) || item.Has(Role::kBoth) ||
                            item.Has(Role::kNothing) || item.Has(Role::kOfThem) ||
                            item.Has(Role::kOne) || item.kind == Kind::kNumber;
    is_quantified = is_quantified || quantifies;
    const bool is_copula = item.Has(Role::kFiller) && !item.Has(Role::kArticle);
    is_predicate = is_quantified && (is_predicate || is_copula || item.Has(Role::kYes));
  }
  return is_predicate;
}

}  // namespace emptor::services
