// Neighbors of names.
#include "services/grounding/claim_naming.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "services/grounding/claim_clause.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;

}  // namespace

bool IsNamedBeside(const ClaimClause& clause, const ClaimItem& set) {
  if (!set.is_type && !set.is_brand) return false;
  constexpr size_t kReach = 2;  // "the kit by Kyocera"
  const auto at = static_cast<size_t>(&set - clause.items.data());
  const size_t begin = at > kReach ? at - kReach : 0;
  const size_t end = std::min(clause.items.size(), at + kReach + 1);
  for (size_t i = begin; i < end; ++i) {
    const ClaimItem& item = clause.items[i];
    const bool names = i != at && item.kind == Kind::kProduct && !item.is_brand &&
                       (!item.is_type || set.is_brand) &&
                       item.products.size() < set.products.size();
    const bool is_between =
        i + 1 == at || i == at + 1 || clause.items[(i + at) / 2].Has(Role::kFiller);
    const bool is_of_set =
        names && std::all_of(item.products.begin(), item.products.end(), [&](int each) {
          return std::find(set.products.begin(), set.products.end(), each) != set.products.end();
        });
    if (is_of_set && is_between) return true;
  }
  return false;
}

bool IsBehindOf(const ClaimClause& clause, const ClaimItem& type) {
  const auto at = static_cast<size_t>(&type - clause.items.data());
  return at > 0 && clause.items[at - 1].Has(Role::kOfThem);
}

bool IsBeneficiary(const ClaimClause& clause, const ClaimItem& product) {
  constexpr std::array<std::string_view, 5> kFor = {"for", "fur", "pour", "por", "para"};
  const auto at = static_cast<size_t>(&product - clause.items.data());
  bool is_for = false;
  for (size_t i = at; i > 0; --i) {
    const ClaimItem& before = clause.items[i - 1];
    const bool is_factor =
        before.Has(Role::kTwice) || before.Has(Role::kHalf) || before.Has(Role::kTimes);
    if (is_factor) return is_for;
    if (before.Has(Role::kThan) || before.Has(Role::kUnlike)) return false;
    is_for = is_for || std::find(kFor.begin(), kFor.end(), before.text) != kFor.end();
  }
  return false;
}

bool IsTypeAlone(const ClaimClause& clause) {
  return std::all_of(clause.items.begin(), clause.items.end(), [](const ClaimItem& item) {
    return item.kind != Kind::kProduct || item.is_type;
  });
}

std::vector<int> FindNamedLater(const std::vector<ClaimClause>& clauses, size_t begin, size_t at) {
  constexpr std::array<std::string_view, 11> kWith = {
      "with", "mit", "avec", "con", "at", "thanks", "dank", "grace", "in", "im", "en"};
  const auto& first = clauses[begin].items;
  const bool refers = std::find(kWith.begin(), kWith.end(),
                                first[0].text.substr(0, first[0].text.find(' '))) != kWith.end() ||
                      first[0].Has(Role::kPronoun);
  for (size_t i = at + 1; i < clauses.size(); ++i) {
    const auto& items = clauses[i].items;
    // "Twelve speeds and a timer: that is what the F30 has".
    const bool sums_up =
        i + 1 == clauses.size() && i > 0 && std::none_of(items.begin(), items.end(), IsClaimItem);
    if (!refers && !sums_up) continue;
    for (const ClaimItem& item : clauses[i].items) {
      const bool compares = item.Has(Role::kThan) || item.Has(Role::kTwice) ||
                            item.Has(Role::kHalf) || item.Has(Role::kTimes);
      if (compares) return {};
      if (item.kind == Kind::kProduct) return item.products;
    }
  }
  return {};
}

std::optional<ClaimClause> WithUnitOf(const ClaimClause& stated, const ClaimClause& clause,
                                      size_t at) {
  const auto& before = stated.items;
  const auto is_measured = [](const ClaimItem& item) {
    return item.kind == Kind::kNumber && !item.quantity.base.empty() && !item.quantity.is_money();
  };
  if (std::count_if(before.begin(), before.end(), is_measured) != 1) return std::nullopt;
  const auto last = std::find_if(before.begin(), before.end(), is_measured);
  const double factor = last->quantity.value / std::max(last->quantity.stated, 1e-9);
  ClaimClause whole = clause;
  ClaimQuantity& quantity = whole.items[at].quantity;
  quantity.base = last->quantity.base;
  quantity.unit = last->quantity.unit;
  quantity.value *= factor;
  for (const ClaimItem& item : before) {
    const bool says =
        item.kind == Kind::kPhrase && (item.Has(Role::kLabel) || item.Has(Role::kVerb));
    if (says) whole.items.push_back(item);
  }
  return whole;
}

bool IsOfBrand(const ClaimClause& clause, const ClaimRecord& record) {
  const std::string brand = JoinClaimWords(ClaimWordsOf(record.product->brand, "en"));
  return std::any_of(clause.items.begin(), clause.items.end(), [&](const ClaimItem& item) {
    return item.kind == Kind::kProduct && item.text == brand;
  });
}

void NarrowToLabels(const ClaimClause& clause, const std::vector<ClaimRecord>& records,
                    std::vector<int>& products) {
  for (const ClaimItem& item : clause.items) {
    if (item.kind != Kind::kPhrase || !item.Has(Role::kLabel)) continue;
    std::vector<int> named;
    for (const int each : products) {
      if (!KeysOfLabel(records[static_cast<size_t>(each)], item).empty()) named.push_back(each);
    }
    if (named.size() != 2) continue;
    products = std::move(named);
    return;
  }
}

}  // namespace emptor::services
