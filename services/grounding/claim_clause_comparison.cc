// By what, with which products, and by how much.
#include "services/grounding/claim_clause_comparison.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;
using Truth = ClaimTruth;

constexpr size_t kWideBytes = 4;  // one ideograph

}  // namespace

bool IsClaimComparison(const ClaimItem& item) {
  constexpr std::array kRoles = {
      Role::kMore,   Role::kLess,        Role::kHighest,    Role::kLowest,       Role::kCheaper,
      Role::kDearer, Role::kBetterRated, Role::kWorseRated, Role::kMoreReviewed, Role::kLower,
      Role::kHigher, Role::kTwice,       Role::kHalf,       Role::kTimes,        Role::kBest};
  return std::any_of(kRoles.begin(), kRoles.end(), [&](Role role) { return item.Has(role); });
}

ClauseComparisons::ClauseComparisons(const ClaimScope& scope, int record,
                                     const ClaimContext& context, std::vector<bool>& done)
    : scope_(scope),
      items_(scope.clause.items),
      context_(context),
      record_(context.names.records[static_cast<size_t>(record)]),
      index_(record),
      done_(done) {}

std::optional<ClauseComparisons::Reading> ClauseComparisons::Read(size_t i, bool is_denied) {
  if (items_[i].Has(Role::kFiller) || !IsClaimComparison(items_[i])) return std::nullopt;
  if (IsBound(i) || IsFactorNext(i)) {
    done_[i] = true;
    return std::nullopt;
  }
  if (IsPlainLabel(i)) return std::nullopt;
  const auto comparison = FindClaimComparison(scope_.clause, i, record_);
  if (!comparison) return std::nullopt;
  const auto others = Others(comparison->is_superlative);
  constexpr size_t kNowhere = std::string::npos;
  const size_t difference = comparison->is_superlative ? kNowhere : DifferenceAt(i);
  const bool differs = difference != kNowhere;
  ClaimComparison of = *comparison;
  if (scope_.of_shop && scope_.objects.empty()) of.is_superlative = true;
  if (of.measures.size() > 1) PreferStated(difference, of);
  if (differs) LimitTo(items_[difference].quantity, of);
  if (of.measures.size() != 1) PreferStatedBefore(of);
  Truth truth = Truth::kUnknown;
  const bool is_of_rank = of.is_superlative && (scope_.of_shop || others.empty());
  if (is_of_rank) {
    truth = OfRank(of);
  } else {
    of.is_about = differs && BoundOf(scope_.clause, difference) == ClaimBound::kAbout;
    truth = CompareClaim(of, record_, others, differs ? &items_[difference].quantity : nullptr);
    if (truth == Truth::kUnknown && of.is_superlative) truth = OfRank(of);
  }
  if (differs) done_[difference] = true;
  if (of.factor_at < items_.size()) done_[of.factor_at] = true;
  // "Not even half" leaves open how much it is.
  if (of.factor != 0 && is_denied) truth = Truth::kUnknown;
  if (!is_of_rank && of.factor == 0) ReadNumbers(others, i, truth, of);
  MarkNamed(of, i);
  const bool of_price = std::any_of(of.measures.begin(), of.measures.end(), [](auto& each) {
    return each.kind == ClaimMeasure::Kind::kPrice;
  });
  return Reading{truth, of.is_superlative, of_price};
}

/// "More than 20 hours" is a bound.
bool ClauseComparisons::IsBound(size_t i) const {
  return i + 2 < items_.size() && items_[i + 1].Has(Role::kThan) &&
         items_[i + 2].kind == Kind::kNumber;
}

/// "重 2 kg" is the weight, but with "比" it compares.
bool ClauseComparisons::IsPlainLabel(size_t i) const {
  return items_[i].Has(Role::kLabel) && items_[i].kind == Kind::kPhrase &&
         context_.language == "zh" && items_[i].text.size() <= kWideBytes && scope_.objects.empty();
}

std::vector<const ClaimRecord*> ClauseComparisons::Others(bool is_superlative) const {
  std::vector<const ClaimRecord*> others;
  const auto add = [&](int i) {
    if (i != index_) others.push_back(&context_.names.records[static_cast<size_t>(i)]);
  };
  for (const int i : scope_.objects) add(i);
  if (!others.empty()) return others;
  if (!is_superlative) {
    for (const int i : scope_.mentioned) add(i);
    if (!others.empty()) return others;
  }
  for (size_t i = 0; i < context_.names.records.size(); ++i) add(static_cast<int>(i));
  if (is_superlative) return others;
  // "The harder steel" is said among the knives.
  std::vector<const ClaimRecord*> alike;
  for (const ClaimRecord* other : others) {
    const bool shares = std::any_of(record_.types.begin(), record_.types.end(),
                                    [&](int type) { return other->types.contains(type); });
    if (shares) alike.push_back(other);
  }
  return alike.empty() ? others : alike;
}

/// "400 pages fewer".
bool ClauseComparisons::IsCounted(size_t i) const {
  const bool is_generic = items_[i].Has(Role::kMore) || items_[i].Has(Role::kLess);
  return is_generic && items_[i - 1].Has(Role::kLabel) && items_[i - 2].quantity.base.empty();
}

/// The amount by which it is more: just before the comparative, or behind it.
size_t ClauseComparisons::DifferenceAt(size_t i) const {
  constexpr std::array<std::string_view, 8> kWith = {"mit", "at",  "with", "avec",
                                                     "a",   "con", "以",   "bei"};
  const auto is_value = [&](size_t at) {
    return at > 0 && std::find(kWith.begin(), kWith.end(), items_[at - 1].text) != kWith.end();
  };
  const bool is_behind =
      context_.language == "zh" && i + 1 < items_.size() && items_[i + 1].kind == Kind::kNumber &&
      (!scope_.objects.empty() || items_[i].Has(Role::kCheaper) || items_[i].Has(Role::kDearer)) &&
      items_[i + 1].segment == items_[i].segment;
  if (is_behind) return i + 1;
  const bool is_by =
      i + 2 < items_.size() && items_[i + 1].Has(Role::kBy) && items_[i + 2].kind == Kind::kNumber;
  if (is_by) return i + 2;
  if (i > 0 && items_[i - 1].kind == Kind::kNumber) {
    return is_value(i - 1) ? std::string::npos : i - 1;
  }
  const bool is_near = i > 1 && items_[i - 2].kind == Kind::kNumber &&
                       (items_[i - 1].Has(Role::kFiller) || IsCounted(i));
  if (is_near) return is_value(i - 2) ? std::string::npos : i - 2;
  return std::string::npos;
}

/// The winner that code computed over the shop.
ClaimTruth ClauseComparisons::OfRank(const ClaimComparison& comparison) const {
  if (!context_.rank) return Truth::kUnknown;
  const ClaimRank& rank = *context_.rank;
  if (rank.is_least != comparison.is_less) return Truth::kUnknown;
  using MeasureKind = ClaimMeasure::Kind;
  for (const ClaimMeasure& measure : comparison.measures) {
    bool is_key = (measure.kind == MeasureKind::kPrice && rank.key == "price") ||
                  (measure.kind == MeasureKind::kRating && rank.key == "rating") ||
                  (measure.kind == MeasureKind::kReviews && rank.key == "reviews");
    for (const ClaimKey* key : record_.KeysOf(measure.properties, measure.label)) {
      is_key = is_key || (measure.kind == MeasureKind::kKey &&
                          key->name == JoinClaimWords(ClaimWordsOf(rank.key, "en")));
    }
    if (is_key) return AsClaimTruth(rank.winner == record_.product->id);
  }
  return Truth::kUnknown;
}

/// "More than twice" is one comparison.
bool ClauseComparisons::IsFactorNext(size_t i) const {
  const bool is_factor =
      items_[i].Has(Role::kTwice) || items_[i].Has(Role::kHalf) || items_[i].Has(Role::kTimes);
  for (size_t at = i + 1; at < std::min(items_.size(), i + 3) && !is_factor; ++at) {
    if (items_[at].Has(Role::kTwice) || items_[at].Has(Role::kHalf)) return true;
  }
  return false;
}

std::vector<size_t> ClauseComparisons::OpenNumbers() const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < items_.size(); ++i) {
    const bool is_open = items_[i].kind == Kind::kNumber && !done_[i] && i != scope_.counted;
    if (is_open && !IsSetAt(i)) numbers.push_back(i);
  }
  return numbers;
}

/// "Smaller, 13.3 against 15.6 inches", "the brightest with 5500 lumens": the numbers say by what
/// is compared.
void ClauseComparisons::ReadNumbers(const std::vector<const ClaimRecord*>& others, size_t at,
                                    ClaimTruth& truth, ClaimComparison& of) {
  const std::vector<size_t> numbers = OpenNumbers();
  if (numbers.empty() || numbers.size() > 2) return;
  const ClaimQuantity& own = items_[numbers[0]].quantity;
  const bool is_pair = numbers.size() == 2 && others.size() == 1 && HasThan(numbers);
  if (numbers.size() == 2 && !is_pair) return;
  if (!is_pair && truth != Truth::kUnknown) {
    // "It has the most reviews: 685".
    const bool is_measure = std::any_of(of.measures.begin(), of.measures.end(), [&](auto& each) {
      return IsOfMeasure(record_, each, own);
    });
    if (is_measure) done_[numbers[0]] = true;
    return;
  }
  std::vector<ClaimMeasure> stating;
  for (ClaimMeasure& measure : FindMeasuresOf(record_, own)) {
    if (is_pair && !IsOfMeasure(*others[0], measure, items_[numbers[1]].quantity)) continue;
    if (MayCompareBy(measure, at)) stating.push_back(std::move(measure));
  }
  if (is_pair && stating.empty()) {
    const bool is_known = std::any_of(of.measures.begin(), of.measures.end(), [&](auto& each) {
      return IsOfMeasure(record_, each, own) &&
             IsOfMeasure(*others[0], each, items_[numbers[1]].quantity);
    });
    if (!is_known) truth = Truth::kFalse;
  } else {
    if (!is_pair && stating.size() != 1) return;
    of.measures = std::move(stating);
    truth = CompareClaim(of, record_, others, nullptr);
  }
  for (const size_t i : numbers) done_[i] = true;
}

/// "Better" is said of ratings, "brightest" of a key with "brightness" in its name.
bool ClauseComparisons::MayCompareBy(const ClaimMeasure& measure, size_t at) const {
  const ClaimItem& item = items_[at];
  if (item.Has(Role::kBest)) return measure.kind == ClaimMeasure::Kind::kRating;
  const bool is_generic = item.Has(Role::kMore) || item.Has(Role::kLess) ||
                          item.Has(Role::kHighest) || item.Has(Role::kLowest);
  if (is_generic || measure.kind != ClaimMeasure::Kind::kKey) return true;
  for (const Role role : {Role::kLower, Role::kHigher}) {
    for (const int property : item.IndexesOf(role)) {
      const std::string& name = ClaimProperties()[static_cast<size_t>(property)].names[0];
      const std::string last = name.substr(name.rfind(' ') + 1);
      if ((" " + measure.label + " ").find(" " + last + " ") != std::string::npos) return true;
    }
  }
  return false;
}

bool ClauseComparisons::HasThan(const std::vector<size_t>& numbers) const {
  for (size_t i = numbers[0] + 1; i < numbers[1]; ++i) {
    if (items_[i].Has(Role::kThan)) return true;
  }
  return false;
}

/// "It lasts the longest with 60 hours": of the measures that one with this number.
void ClauseComparisons::PreferStated(size_t difference, ClaimComparison& of) const {
  for (size_t i = 0; i < items_.size(); ++i) {
    const ClaimQuantity& quantity = items_[i].quantity;
    if (items_[i].kind != Kind::kNumber || i == difference || quantity.base.empty()) continue;
    std::vector<ClaimMeasure> stated;
    for (const ClaimMeasure& measure : of.measures) {
      const auto own = MeasureOf(record_, measure);
      const ClaimQuantity same{0, 0, own.value_or(0), quantity.base, 0};
      if (own && SameClaimQuantity(same, quantity)) stated.push_back(measure);
    }
    if (!stated.empty()) of.measures = stated;
  }
}

/// "It runs 80 minutes, twice as long": by what the clause before states.
void ClauseComparisons::PreferStatedBefore(ClaimComparison& of) const {
  if (scope_.before == nullptr) return;
  for (const ClaimItem& item : scope_.before->items) {
    if (item.kind != Kind::kNumber) continue;
    if (of.measures.empty()) {
      const auto stated = FindMeasuresOf(record_, item.quantity);
      if (stated.size() != 1) continue;
      of.measures = stated;
      return;
    }
    std::vector<ClaimMeasure> stated;
    for (const ClaimMeasure& measure : of.measures) {
      if (IsOfMeasure(record_, measure, item.quantity)) stated.push_back(measure);
    }
    if (stated.size() == 1) of.measures = std::move(stated);
  }
}

/// A difference in hours is one of what is counted in hours.
void ClauseComparisons::LimitTo(const ClaimQuantity& quantity, ClaimComparison& of) const {
  const auto fitting = MeasuresOf(quantity);
  const auto is_fitting = [&](const ClaimMeasure& measure) {
    if (quantity.is_money()) return measure.kind == ClaimMeasure::Kind::kPrice;
    const auto keys = record_.KeysOf(measure.properties, measure.label);
    return std::any_of(keys.begin(), keys.end(), [&](const ClaimKey* key) {
      return key->is_number() &&
             (key->quantities[0].base == quantity.base || key->quantities[0].base.empty());
    });
  };
  std::erase_if(of.measures, [&](const auto& each) { return !is_fitting(each); });
  // Of those the ones in this unit, before those without one.
  const auto is_exact = [&](const ClaimMeasure& measure) {
    const auto keys = record_.KeysOf(measure.properties, measure.label);
    return quantity.is_money() || std::any_of(keys.begin(), keys.end(), [&](const ClaimKey* key) {
             return key->is_number() && key->quantities[0].base == quantity.base;
           });
  };
  if (std::any_of(of.measures.begin(), of.measures.end(), is_exact)) {
    std::erase_if(of.measures, [&](const auto& each) { return !is_exact(each); });
  }
  if (of.measures.empty()) of.measures = fitting;
}

/// The label that a comparison is about states nothing more.
void ClauseComparisons::MarkNamed(const ClaimComparison& comparison, size_t at) {
  for (size_t i = 0; i < items_.size(); ++i) {
    if (i == at || items_[i].kind != Kind::kPhrase) continue;
    // "Twice as long".
    const bool is_degree = comparison.factor != 0 && i == at + 1 &&
                           (items_[i].Has(Role::kHigh) || items_[i].Has(Role::kLow));
    if (is_degree) done_[i] = true;
    for (const ClaimMeasure& measure : comparison.measures) {
      if (measure.label == items_[i].text || NamesNoun(measure.label, items_[i].text))
        done_[i] = true;
    }
  }
}

/// "5 hours more": of what is counted in hours.
std::vector<ClaimMeasure> ClauseComparisons::MeasuresOf(const ClaimQuantity& quantity) const {
  std::vector<ClaimMeasure> measures;
  if (quantity.is_money()) return {{ClaimMeasure::Kind::kPrice, {}, ""}};
  for (const ClaimKey& key : record_.keys) {
    if (key.is_number() && key.quantities[0].base == quantity.base) {
      measures.push_back({ClaimMeasure::Kind::kKey, {}, key.name});
    }
  }
  return measures;
}

bool ClauseComparisons::IsSetAt(size_t i) const {
  const ClaimItem& item = items_[i];
  if (!item.quantity.base.empty()) return false;
  const bool is_behind =
      i > 0 && (items_[i - 1].Has(Role::kArticle) || items_[i - 1].Has(Role::kOfThem) ||
                items_[i - 1].Has(Role::kNothing));
  const bool is_set = is_behind || (i + 1 < items_.size() && items_[i + 1].Has(Role::kOfThem));
  // "Neither of the two kettles".
  const bool counts_named =
      i + 1 < items_.size() && items_[i + 1].kind == Kind::kProduct &&
      item.quantity.value == static_cast<double>(items_[i + 1].products.size());
  if (counts_named) return true;
  const auto count = static_cast<double>(context_.names.records.size());
  return is_set && item.quantity.value == count;
}

}  // namespace emptor::services
