// Comparatives and superlatives.
#include <algorithm>
#include <array>
#include <cmath>

#include "services/grounding/claim_evaluation.h"

namespace emptor::services {
namespace {

using Role = ClaimRole;
using Truth = ClaimTruth;
using Measure = ClaimMeasure;

constexpr double kCents = 0.005;        // amounts of money are equal
constexpr double kDifference = 0.0005;  // of what is stated, relative to it
constexpr double kAbout = 0.02;         // of what "about" states
constexpr double kFactor = 0.01;        // of what "twice" states
constexpr size_t kReach = 5;            // items between "more" and what there is more of

/// "The lightest", "am leisesten", "最轻": not "lighter".
bool IsSuperlativeForm(const ClaimClause& clause, size_t at) {
  const std::string& text = clause.items[at].text;
  constexpr std::array<std::string_view, 6> kEndings = {"est",  "ste",  "sten",
                                                        "ster", "stes", "stem"};
  for (const std::string_view ending : kEndings) {
    if (text.size() > ending.size() + 1 && text.ends_with(ending)) return true;
  }
  for (const std::string_view word : {"最", "most", "least", "best", "meisten", "worst"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  if (at == 0) return false;
  const ClaimItem& before = clause.items[at - 1];
  constexpr std::array<std::string_view, 7> kArticles = {"le",  "la",  "les", "el",
                                                         "los", "las", "lo"};
  return before.Has(Role::kSuperlative) ||
         std::find(kArticles.begin(), kArticles.end(), before.text) != kArticles.end();
}

void AddKey(const ClaimItem& item, const ClaimRecord& record, std::vector<Measure>& measures) {
  std::vector<int> properties;
  for (const Role role : {Role::kLabel, Role::kLow, Role::kHigh, Role::kLower, Role::kHigher}) {
    for (const int index : item.IndexesOf(role)) properties.push_back(index);
  }
  const Measure measure{Measure::Kind::kKey, properties, item.text};
  if (MeasureOf(record, measure)) return measures.push_back(measure);
  if (item.kind != ClaimItem::Kind::kPhrase && item.kind != ClaimItem::Kind::kWord) return;
  // "Pages" of a key "black toner page yield".
  for (const ClaimKey& key : record.keys) {
    const bool counts = key.is_number() && key.quantities[0].base.empty();
    if (!counts || !NamesNoun(key.name, item.text)) continue;
    return measures.push_back({Measure::Kind::kKey, {}, key.name});
  }
}

/// "Runs twice as long": what the verb may measure and the record states.
void AddOfVerb(const ClaimClause& clause, const ClaimRecord& record,
               std::vector<Measure>& measures) {
  for (const ClaimItem& item : clause.items) {
    for (const int verb : item.IndexesOf(Role::kVerb)) {
      const Measure measure{Measure::Kind::kKey, ClaimVerbs()[static_cast<size_t>(verb)],
                            item.text};
      if (measures.empty() && MeasureOf(record, measure)) measures.push_back(measure);
    }
  }
}

/// What "more" or "lowest" is about: the label next to it, behind it first.
void AddNamed(const ClaimClause& clause, size_t at, const ClaimRecord& record,
              ClaimComparison& comparison) {
  std::vector<size_t> order;
  for (size_t i = at + 1; i < std::min(clause.items.size(), at + kReach); ++i) order.push_back(i);
  for (size_t i = at; i > 0; --i) order.push_back(i - 1);
  for (const size_t i : order) {
    const ClaimItem& item = clause.items[i];
    if (item.Has(Role::kThan) && i > at) continue;
    std::vector<Measure>& measures = comparison.measures;
    if (item.Has(Role::kPrice) || item.Has(Role::kDearer) || item.Has(Role::kCheaper)) {
      measures.push_back({Measure::Kind::kPrice, {}, ""});
    } else if (item.Has(Role::kRating)) {
      measures.push_back({Measure::Kind::kRating, {}, ""});
    } else if (item.Has(Role::kReviews)) {
      measures.push_back({Measure::Kind::kReviews, {}, ""});
    } else {
      AddKey(item, record, measures);
    }
    if (measures.empty()) continue;
    if (item.Has(Role::kLow) && i > at) comparison.is_less = !comparison.is_less;
    return;
  }
  AddOfVerb(clause, record, comparison.measures);
}

/// "Twice", "more than half", "four times".
void ReadFactor(const ClaimClause& clause, size_t at, const ClaimRecord& record,
                ClaimComparison& found) {
  const ClaimItem& item = clause.items[at];
  found.factor = item.Has(Role::kTwice) ? 2 : 0.5;
  if (item.Has(Role::kTimes)) {
    const bool has_number = at > 0 && clause.items[at - 1].kind == ClaimItem::Kind::kNumber;
    found.factor = has_number ? clause.items[at - 1].quantity.value : -1;
    found.factor_at = at - 1;
  }
  for (size_t i = at; i > 0 && at - i < 3; --i) {
    const ClaimItem& before = clause.items[i - 1];
    const bool is_more = before.Has(Role::kMore) || before.Has(Role::kOver) ||
                         before.Has(Role::kDearer) || before.Has(Role::kHigher);
    const bool is_less = before.Has(Role::kLess) || before.Has(Role::kUnder) ||
                         before.Has(Role::kCheaper) || before.Has(Role::kLower);
    if (before.Has(Role::kAbout)) found.factor_bound = ClaimBound::kAbout;
    if (is_more) found.factor_bound = ClaimBound::kOver;
    if (is_less) found.factor_bound = ClaimBound::kUnder;
  }
  AddNamed(clause, at, record, found);
  if (!found.measures.empty()) return;
  for (size_t i = at + 1; i < clause.items.size(); ++i) {
    if (clause.items[i].kind != ClaimItem::Kind::kNumber) continue;
    for (const ClaimKey& key : record.keys) {
      if (!key.is_number() || key.quantities[0].base != clause.items[i].quantity.base) continue;
      found.measures.push_back({Measure::Kind::kKey, {}, key.name});
      return;
    }
  }
}

/// "Longer" is a word of many properties: those of the label next to it, else all of them.
void AddProperties(const ClaimClause& clause, size_t at, const ClaimRecord& record,
                   const std::vector<int>& properties, ClaimComparison& comparison) {
  for (size_t i = 0; i < clause.items.size(); ++i) {
    if (i == at || !clause.items[i].Has(Role::kLabel)) continue;
    const auto keys = KeysOfLabel(record, clause.items[i]);
    for (const int property : properties) {
      for (const ClaimKey* key : record.KeysOf({property}, "")) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
        AddKey(clause.items[i], record, comparison.measures);
        if (!comparison.measures.empty()) return;
      }
    }
  }
  std::vector<int> of_verbs;
  for (const ClaimItem& item : clause.items) {
    for (const int verb : item.IndexesOf(Role::kVerb)) {
      const auto& own = ClaimVerbs()[static_cast<size_t>(verb)];
      of_verbs.insert(of_verbs.end(), own.begin(), own.end());
    }
  }
  std::vector<const ClaimKey*> seen;
  for (const int property : properties) {
    const bool is_of_verb =
        of_verbs.empty() || std::find(of_verbs.begin(), of_verbs.end(), property) != of_verbs.end();
    if (!is_of_verb) continue;
    const Measure measure{Measure::Kind::kKey, {property}, ""};
    const auto keys = record.KeysOf({property}, "");
    const bool is_new = !keys.empty() && std::find(seen.begin(), seen.end(), keys[0]) == seen.end();
    if (!is_new || !MeasureOf(record, measure)) continue;
    seen.push_back(keys[0]);
    comparison.measures.push_back(measure);
  }
}

Truth CompareBy(const Measure& measure, const ClaimComparison& comparison,
                const ClaimRecord& subject, const std::vector<const ClaimRecord*>& others,
                const ClaimQuantity* difference) {
  const auto own = MeasureOf(subject, measure);
  if (!own || others.empty()) return Truth::kUnknown;
  const double factor = comparison.factor;
  const ClaimBound bound = comparison.factor_bound;
  const bool is_less = comparison.is_less, is_strict = !comparison.is_superlative;
  if (factor < 0) return Truth::kUnknown;
  for (const ClaimRecord* other : others) {
    const auto theirs = MeasureOf(*other, measure);
    if (!theirs) return Truth::kUnknown;
    if (factor > 0) {
      const double limit = factor * *theirs;
      const bool holds = bound == ClaimBound::kEqual ? std::abs(*own - limit) <= kFactor * *own
                                                     : MeetsBound(*own, bound, limit);
      if (!holds) return Truth::kFalse;
      continue;
    }
    const double more = is_less ? *theirs - *own : *own - *theirs;
    if (more < 0 || (is_strict && more == 0)) return Truth::kFalse;
    if (difference == nullptr) continue;
    const double wanted = difference->value;
    const double exact =
        difference->is_money() ? kCents : kDifference * std::max(std::abs(wanted), 0.5);
    const double rounding = comparison.is_about ? kAbout * std::abs(more) : exact;
    // The record may leave the unit out.
    const bool is_same =
        std::abs(more - wanted) <= rounding || std::abs(more - difference->stated) <= kDifference;
    if (!is_same) return Truth::kFalse;
  }
  return Truth::kTrue;
}

}  // namespace

std::optional<ClaimComparison> FindClaimComparison(const ClaimClause& clause, size_t at,
                                                   const ClaimRecord& record) {
  const ClaimItem& item = clause.items[at];
  ClaimComparison found;
  found.is_superlative = IsSuperlativeForm(clause, at);
  using MeasureKind = Measure::Kind;
  constexpr std::array<std::pair<Role, std::pair<MeasureKind, bool>>, 5> kFixed = {
      {{Role::kCheaper, {MeasureKind::kPrice, true}},
       {Role::kDearer, {MeasureKind::kPrice, false}},
       {Role::kBetterRated, {MeasureKind::kRating, false}},
       {Role::kWorseRated, {MeasureKind::kRating, true}},
       {Role::kMoreReviewed, {MeasureKind::kReviews, false}}}};
  for (const auto& [role, by] : kFixed) {
    if (!item.Has(role)) continue;
    found.measures.push_back({by.first, {}, ""});
    found.is_less = by.second;
    return found;
  }
  const auto lower = item.IndexesOf(Role::kLower), higher = item.IndexesOf(Role::kHigher);
  if (item.Has(Role::kTwice) || item.Has(Role::kHalf) || item.Has(Role::kTimes)) {
    ReadFactor(clause, at, record, found);
    return found;
  }
  if (item.Has(Role::kBest)) {
    if (clause.Has(Role::kRating)) found.measures.push_back({MeasureKind::kRating, {}, ""});
    return found;
  }
  const bool is_generic = item.Has(Role::kMore) || item.Has(Role::kLess) ||
                          item.Has(Role::kHighest) || item.Has(Role::kLowest);
  if (is_generic) {
    found.is_less = item.Has(Role::kLess) || item.Has(Role::kLowest);
    found.is_superlative =
        found.is_superlative || item.Has(Role::kHighest) || item.Has(Role::kLowest);
    AddNamed(clause, at, record, found);
    if (!found.measures.empty()) return found;
  }
  if (!lower.empty() || !higher.empty()) {
    found.is_less = higher.empty();
    AddProperties(clause, at, record, found.is_less ? lower : higher, found);
    return found;
  }
  return is_generic ? std::optional(found) : std::nullopt;
}

std::vector<ClaimMeasure> FindMeasuresOf(const ClaimRecord& record, const ClaimQuantity& quantity) {
  using MeasureKind = Measure::Kind;
  std::vector<Measure> found;
  for (const MeasureKind kind :
       {MeasureKind::kPrice, MeasureKind::kRating, MeasureKind::kReviews}) {
    const Measure measure{kind, {}, ""};
    if (IsOfMeasure(record, measure, quantity)) found.push_back(measure);
  }
  for (const ClaimKey& key : record.keys) {
    const Measure measure{MeasureKind::kKey, {}, key.name};
    if (IsOfMeasure(record, measure, quantity)) found.push_back(measure);
  }
  return found;
}

ClaimTruth CompareClaim(const ClaimComparison& comparison, const ClaimRecord& subject,
                        const std::vector<const ClaimRecord*>& others,
                        const ClaimQuantity* difference) {
  Truth truth = Truth::kUnknown;
  for (const Measure& measure : comparison.measures) {
    const Truth each = CompareBy(measure, comparison, subject, others, difference);
    if (each == Truth::kFalse) return each;
    if (each == Truth::kTrue) truth = each;
  }
  return truth;
}

}  // namespace emptor::services
