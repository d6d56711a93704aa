// Numbers, values, labels and words against one record.
#include "services/grounding/claim_atoms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;
using Truth = ClaimTruth;

constexpr double kRoughly = 0.02;       // "about"
constexpr double kCents = 0.005;        // amounts are equal
constexpr double kRatingStep = 0.0501;  // ratings are shown with one decimal
constexpr double kMaxRating = 5;
constexpr size_t kBoundWords = 3;  // between a bound and its number

bool Equal(double a, double b) { return std::abs(a - b) < kCents; }

bool HoldsWord(const std::string& text, const std::string& words) {
  return text.find(" " + words + " ") != std::string::npos;
}

/// The value of the lexicon or of the record, in any of its words.
bool KeyHolds(const ClaimKey& key, const ClaimItem& item) {
  for (const int value : item.IndexesOf(Role::kValue)) {
    if (std::find(key.values.begin(), key.values.end(), value) != key.values.end()) return true;
    if (value < 0) continue;
    if (HoldsWord(key.text + key.name + " ", item.text)) return true;
    for (const std::string& words : ClaimValues()[static_cast<size_t>(value)]) {
      if (HoldsWord(key.text, words)) return true;
    }
  }
  return HoldsWord(key.text, item.text);
}

bool TextHolds(const ClaimText& text, const ClaimItem& item) {
  return std::any_of(item.content.begin(), item.content.end(), [&](const std::string& name) {
    return std::find(text.content.begin(), text.content.end(), name) != text.content.end();
  });
}

}  // namespace

ClaimTruth NotClaim(ClaimTruth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

std::optional<double> MeasureOf(const ClaimRecord& record, const ClaimMeasure& measure) {
  using MeasureKind = ClaimMeasure::Kind;
  if (measure.kind == MeasureKind::kPrice) return record.price;
  if (measure.kind == MeasureKind::kRating || measure.kind == MeasureKind::kReviews) {
    if (!record.product->rating) return std::nullopt;
    return measure.kind == MeasureKind::kRating
               ? record.product->rating->value
               : static_cast<double>(record.product->rating->count);
  }
  for (const ClaimKey* key : record.KeysOf(measure.properties, measure.label)) {
    if (key->is_number()) return key->quantities[0].value;
    if (key->is_no) return 0;
  }
  return std::nullopt;
}

bool IsOfMeasure(const ClaimRecord& record, const ClaimMeasure& measure,
                 const ClaimQuantity& quantity) {
  using MeasureKind = ClaimMeasure::Kind;
  const auto own = MeasureOf(record, measure);
  if (!own) return false;
  if (measure.kind == MeasureKind::kPrice) {
    return (quantity.is_money() || quantity.base.empty()) && Equal(*own, quantity.value);
  }
  if (measure.kind != MeasureKind::kKey) {
    const bool is_plain = quantity.base.empty() || quantity.base == "star";
    return is_plain && std::abs(*own - quantity.value) < kRatingStep;
  }
  for (const ClaimKey* key : record.KeysOf(measure.properties, measure.label)) {
    if (!key->is_number()) continue;
    const ClaimQuantity& first = key->quantities[0];
    const bool is_plain = first.base.empty() || quantity.base.empty();
    return SameClaimQuantity(first, quantity) || (is_plain && Equal(first.stated, quantity.stated));
  }
  return false;
}

ClaimBound BoundOf(const ClaimClause& clause, size_t at) {
  constexpr std::array<std::pair<Role, ClaimBound>, 5> kBounds = {
      {{Role::kAtLeast, ClaimBound::kAtLeast},
       {Role::kAtMost, ClaimBound::kAtMost},
       {Role::kOver, ClaimBound::kOver},
       {Role::kUnder, ClaimBound::kUnder},
       {Role::kAbout, ClaimBound::kAbout}}};
  for (const auto& [role, bound] : kBounds) {
    if (at + 1 < clause.items.size() && clause.items[at + 1].Has(role) &&
        (at + 2 >= clause.items.size() ||
         (clause.items[at + 2].kind != Kind::kNumber &&
          (bound == ClaimBound::kAtLeast || bound == ClaimBound::kAtMost)))) {
      return bound;
    }
    // "From 72 to 118 cm" names both ends.
    const bool begins_range = bound == ClaimBound::kAtLeast && at + 1 < clause.items.size() &&
                              clause.items[at + 1].Has(Role::kRange);
    for (size_t i = at; i > 0 && at - i < kBoundWords && !begins_range; --i) {
      const ClaimItem& item = clause.items[i - 1];
      if (item.Has(role)) return bound;
      if (item.kind == Kind::kNumber || item.kind == Kind::kProduct) break;
    }
  }
  if (clause.Has(Role::kEnough)) return ClaimBound::kAtLeast;
  // "Heavier than 1 kg", "weniger als 20 dB".
  if (at < 2 || !clause.items[at - 1].Has(Role::kThan)) return ClaimBound::kEqual;
  for (size_t i = at - 1; i > 0 && at - i < kBoundWords + 1; --i) {
    const ClaimItem& item = clause.items[i - 1];
    for (const Role role : {Role::kMore, Role::kHigher, Role::kDearer, Role::kBetterRated}) {
      if (item.Has(role)) return ClaimBound::kOver;
    }
    for (const Role role : {Role::kLess, Role::kLower, Role::kCheaper, Role::kWorseRated}) {
      if (item.Has(role)) return ClaimBound::kUnder;
    }
  }
  return ClaimBound::kEqual;
}

bool MeetsBound(double value, ClaimBound bound, double limit) {
  const double rounding = 1e-6 * std::max(std::abs(limit), 1.0);
  switch (bound) {
    case ClaimBound::kAtLeast:
      return value >= limit - rounding;
    case ClaimBound::kAtMost:
      return value <= limit + rounding;
    case ClaimBound::kOver:
      return value > limit + rounding;
    case ClaimBound::kUnder:
      return value < limit - rounding;
    case ClaimBound::kAbout:
      return std::abs(value - limit) <= kRoughly * std::abs(value) + rounding;
    default:
      return std::abs(value - limit) <= rounding;
  }
}

ClaimAtoms::ClaimAtoms(const ClaimClause& clause, const ClaimRecord& record)
    : clause_(clause), record_(record), bound_(clause.items.size(), false) {}

bool ClaimAtoms::IsDegreeOnly(const ClaimItem& item) const {
  return item.Has(Role::kLow) || item.Has(Role::kHigh);
}

ClaimTruth ClaimAtoms::Number(size_t at) {
  const ClaimItem& item = clause_.items[at];
  if (item.quantity.is_money()) return Money(at);
  if (item.quantity.base == "%" && (HasRole(Role::kOnSale) || HasRole(Role::kSaving))) {
    return Discount(at);
  }
  const bool is_of_rating =
      HasRole(Role::kRating) || HasRole(Role::kBetterRated) || HasRole(Role::kWorseRated);
  const bool is_rating =
      (is_of_rating && item.quantity.value <= kMaxRating && !LabelFor(at, /*of_number=*/true)) ||
      IsNear(at, Role::kRating, kBoundWords) || IsNear(at, Role::kReviews, kBoundWords) ||
      item.quantity.base == "star";
  if (is_rating && (item.quantity.base.empty() || item.quantity.base == "star")) return Rating(at);
  const ClaimBound bound = BoundOf(clause_, at);
  const auto label = LabelFor(at, /*of_number=*/true);
  const bool is_counted = bound == ClaimBound::kEqual && IsCountOfKey(at);
  if (is_counted && (!label || OfKeys(at, KeysAt(*label), bound) != Truth::kTrue)) {
    bound_[at + 1] = true;
    return Truth::kTrue;
  }
  if (!label) return HasForeignLabel() ? Truth::kUnknown : OfAnyKey(at, bound);
  const bool is_taken = bound_[*label];
  bound_[*label] = true;
  BindLike(*label);
  const Truth truth = OfKeys(at, KeysAt(*label), bound);
  // "20 hours of battery, 290 grams": the label belongs to the number before.
  const bool is_open = is_taken || clause_.items[*label].Has(Role::kVerb);
  if (truth == Truth::kUnknown && is_open) return OfAnyKey(at, bound);
  // "Its six shelves carry 30 kg": shelves are those of the six.
  const bool is_of_other = truth == Truth::kFalse && is_taken && bound == ClaimBound::kEqual &&
                           OfAnyKey(at, bound) == Truth::kTrue;
  return is_of_other ? Truth::kTrue : truth;
}

ClaimTruth ClaimAtoms::OfKeys(size_t at, const std::vector<const ClaimKey*>& keys,
                              ClaimBound bound) const {
  const ClaimQuantity& wanted = clause_.items[at].quantity;
  Truth truth = Truth::kUnknown;
  for (const ClaimKey* key : keys) {
    for (const ClaimQuantity& each : key->quantities) {
      // "4 ports" of "4"; the record may leave the unit to the name of the key.
      const bool is_plain = each.base.empty() || wanted.base.empty();
      if (each.base != wanted.base && !is_plain && !SameClaimQuantity(each, wanted)) continue;
      // "6.82 kg" of "weight: 6820".
      const bool is_base = each.base.empty() && IsKeyOfBase(*key, wanted.base) &&
                           bound == ClaimBound::kEqual && Equal(each.stated, wanted.value);
      if (is_base) return Truth::kTrue;
      const double limit = each.base.empty() ? wanted.stated : wanted.value;
      // "From 6 years" of "10 years and up" is another age.
      const bool is_same = bound == ClaimBound::kEqual || key->is_least;
      const bool holds = is_same ? SameClaimQuantity(each, wanted) ||
                                       (is_plain && Equal(each.stated, wanted.stated))
                                 : MeetsBound(each.value, bound, limit);
      if (holds) return Truth::kTrue;
      truth = Truth::kFalse;
    }
  }
  return truth;
}

ClaimTruth ClaimAtoms::OfAnyKey(size_t at, ClaimBound bound) const {
  const ClaimQuantity& wanted = clause_.items[at].quantity;
  bool any = false, all = true;
  const bool has_unit = HoldsUnit(wanted.unit);
  for (const ClaimKey& key : record_.keys) {
    bool is_of_unit = false, any_of_key = false, all_of_key = true;
    for (const ClaimQuantity& each : key.quantities) {
      if (each.base != wanted.base || each.base.empty()) continue;
      // Inches are not meant where it is in millimeters.
      if (has_unit && each.unit != wanted.unit) continue;
      const bool holds = bound == ClaimBound::kEqual ? SameClaimQuantity(each, wanted)
                                                     : MeetsBound(each.value, bound, wanted.value);
      is_of_unit = true;
      any_of_key = any_of_key || holds;
      all_of_key = all_of_key && holds;
    }
    if (!is_of_unit) continue;
    // An end of "40 to 150 cm" is a number of its key; a bound is one of both ends.
    const bool holds = bound == ClaimBound::kEqual ? any_of_key : all_of_key;
    any = any || any_of_key;
    all = all && holds;
  }
  // Of several keys in one unit it is not known which one is meant, but in a list.
  if (any && (all || (bound == ClaimBound::kEqual && IsList()))) return Truth::kTrue;
  if (any) return Truth::kUnknown;
  if (bound != ClaimBound::kEqual) return Truth::kFalse;
  // In the words of the title or the description, with the word behind the number.
  for (const ClaimText& text : record_.texts) {
    const bool holds =
        std::any_of(text.quantities.begin(), text.quantities.end(),
                    [&](const auto& each) { return SameClaimQuantity(each, wanted); });
    if (!holds) continue;
    if (text.is_denied && !text.is_prose) return Truth::kFalse;  // "3g: no"
    if (!wanted.base.empty() || IsNextInText(at, text)) return Truth::kTrue;
    for (size_t i = at + 1; i < std::min(at + 3, clause_.items.size()); ++i) {
      if (TextHolds(text, clause_.items[i])) return Truth::kTrue;
    }
  }
  return bound == ClaimBound::kEqual && IsOfOneKey(wanted) ? Truth::kTrue : Truth::kUnknown;
}

/// "2 units" of a key "units in box".
bool ClaimAtoms::IsCountOfKey(size_t at) const {
  const ClaimQuantity& wanted = clause_.items[at].quantity;
  if (!wanted.base.empty() || at + 1 >= clause_.items.size()) return false;
  return std::any_of(record_.keys.begin(), record_.keys.end(), [&](const ClaimKey& key) {
    return key.is_number() && key.quantities[0].base.empty() &&
           Equal(key.quantities[0].stated, wanted.stated) &&
           NamesNoun(key.name, clause_.items[at + 1].text);
  });
}

/// The record leaves the unit out, but no other key holds this rare number.
bool ClaimAtoms::IsOfOneKey(const ClaimQuantity& wanted) const {
  constexpr double kRare = 100;
  const bool is_rare = wanted.stated >= kRare || wanted.stated != std::floor(wanted.stated);
  if (!is_rare || wanted.is_money()) return false;
  // "500 VA" of the title is no "500 W".
  for (const ClaimText& text : record_.texts) {
    for (const ClaimQuantity& each : text.quantities) {
      const bool is_other = !each.base.empty() && each.base != wanted.base;
      if (is_other && Equal(each.stated, wanted.stated)) return false;
    }
  }
  const auto& words = ClaimKeyWords(wanted.base);
  int count = 0;
  for (const ClaimKey& key : record_.keys) {
    const bool is_of_unit = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return HoldsWord(" " + key.name + " ", word);
    });
    if (!is_of_unit) continue;
    count += std::any_of(key.quantities.begin(), key.quantities.end(), [&](const auto& each) {
      return each.base.empty() && Equal(each.stated, wanted.stated);
    });
  }
  return count == 1;
}

bool ClaimAtoms::HoldsUnit(int unit) const {
  return std::any_of(record_.keys.begin(), record_.keys.end(), [unit](const ClaimKey& key) {
    return std::any_of(key.quantities.begin(), key.quantities.end(),
                       [unit](const auto& each) { return each.unit == unit; });
  });
}

/// Products and numbers with nothing that says what they are.
bool ClaimAtoms::IsList() const {
  return std::all_of(clause_.items.begin(), clause_.items.end(), [](const ClaimItem& item) {
    return item.kind == Kind::kProduct || item.kind == Kind::kSource ||
           item.kind == Kind::kNumber || item.Has(Role::kFiller) || item.Has(Role::kAnd);
  });
}

/// "USB 2.0": the text has the word before the number.
bool ClaimAtoms::IsNextInText(size_t at, const ClaimText& text) const {
  if (at == 0 || clause_.items[at - 1].kind == Kind::kNumber) return false;
  const std::string& before = clause_.items[at - 1].text;
  const std::string last = before.substr(before.rfind(' ') + 1);
  return std::any_of(text.quantities.begin(), text.quantities.end(), [&](const auto& each) {
    return SameClaimQuantity(each, clause_.items[at].quantity) && each.begin > 0 &&
           text.words[each.begin - 1] == last;
  });
}

ClaimTruth ClaimAtoms::Money(size_t at) {
  const ClaimQuantity& wanted = clause_.items[at].quantity;
  if (!record_.price || wanted.base != "$" + record_.currency) return Truth::kUnknown;
  const double price = *record_.price;
  for (size_t i = at; i > 0 && at - i < kBoundWords; --i) {
    const ClaimItem& item = clause_.items[i - 1];
    if (item.kind == Kind::kNumber) break;
    const bool is_reduction =
        HasRole(Role::kOnSale) && i == at && (item.text == "um" || item.text == "by");
    if (is_reduction) {
      return AsClaimTruth(record_.was_price && Equal(*record_.was_price - price, wanted.value));
    }
    if (!item.Has(Role::kWasPrice)) continue;
    return AsClaimTruth(record_.was_price && Equal(*record_.was_price, wanted.value));
  }
  if (IsNear(at, Role::kSaving, 2)) {
    return AsClaimTruth(record_.was_price && Equal(*record_.was_price - price, wanted.value));
  }
  if (HasRole(Role::kOnSale) && !HasRole(Role::kWasPrice)) {
    const auto is_amount = [](const ClaimItem& item) {
      return item.kind == Kind::kNumber && item.quantity.is_money();
    };
    const auto& items = clause_.items;
    const bool is_first_of_two = std::find_if(items.begin() + static_cast<ptrdiff_t>(at) + 1,
                                              items.end(), is_amount) != items.end();
    if (is_first_of_two) {
      return AsClaimTruth(record_.was_price && Equal(*record_.was_price, wanted.value));
    }
  }
  const ClaimBound bound = BoundOf(clause_, at);
  if (bound == ClaimBound::kEqual) return AsClaimTruth(Equal(price, wanted.value));
  return AsClaimTruth(MeetsBound(price, bound, wanted.value));
}

ClaimTruth ClaimAtoms::Discount(size_t at) const {
  if (!record_.was_price || !record_.price) return Truth::kFalse;
  const double percent = 100 * (1 - *record_.price / *record_.was_price);
  return AsClaimTruth(std::abs(percent - clause_.items[at].quantity.value) <= 0.5);
}

ClaimTruth ClaimAtoms::Rating(size_t at) {
  if (!record_.product->rating) return Truth::kUnknown;
  const catalog::Rating& rating = *record_.product->rating;
  const double wanted = clause_.items[at].quantity.value;
  const auto& items = clause_.items;
  // "From 176 customers" is no bound.
  const bool is_by = at > 0 && items[at - 1].Has(Role::kBy);
  const ClaimBound bound = is_by ? ClaimBound::kEqual : BoundOf(clause_, at);
  const bool is_next = (at + 1 < items.size() && items[at + 1].Has(Role::kReviews)) ||
                       (at + 2 < items.size() && items[at + 2].Has(Role::kReviews));
  const bool counts = wanted > kMaxRating || is_next || !IsNear(at, Role::kRating, kBoundWords);
  // "A rating of 185".
  if (wanted > kMaxRating && !is_next && !IsNear(at, Role::kReviews, 2)) return Truth::kFalse;
  const bool is_count =
      counts && clause_.items[at].quantity.base.empty() && IsNear(at, Role::kReviews, kBoundWords);
  const double value = is_count ? static_cast<double>(rating.count) : rating.value;
  if (bound != ClaimBound::kEqual) return AsClaimTruth(MeetsBound(value, bound, wanted));
  return AsClaimTruth(std::abs(value - wanted) < (is_count ? kCents : kRatingStep));
}

ClaimTruth ClaimAtoms::Value(size_t at) {
  const ClaimItem& item = clause_.items[at];
  if (const auto label = LabelFor(at, /*of_number=*/false)) {
    bound_[*label] = true;
    BindLike(*label);
    for (const ClaimKey* key : KeysAt(*label)) {
      if (KeyHolds(*key, item)) return Truth::kTrue;
    }
    return Truth::kFalse;
  }
  return ValueAnywhere(item);
}

/// The value stands in any key or in a text without a negation.
ClaimTruth ClaimAtoms::ValueAnywhere(const ClaimItem& item) const {
  for (const ClaimKey& key : record_.keys) {
    if (KeyHolds(key, item)) return Truth::kTrue;
    for (const int value : item.IndexesOf(Role::kValue)) {
      if (value < 0 || !key.is_boolean()) continue;
      const auto& words = ClaimValues()[static_cast<size_t>(value)];
      const bool is_key = std::find(words.begin(), words.end(), key.name) != words.end();
      if (is_key) return AsClaimTruth(key.is_yes);
    }
  }
  for (const ClaimText& text : record_.texts) {
    if (!text.is_denied && !text.is_prose && TextHolds(text, item)) return Truth::kTrue;
  }
  return Truth::kUnknown;
}

/// The item is the plain name of this key.
bool ClaimAtoms::IsPlainLabel(const ClaimKey& key, const ClaimItem& item) {
  if (key.name == item.text) return true;
  const auto indexes = item.IndexesOf(Role::kLabel);
  return std::any_of(indexes.begin(), indexes.end(), [&](int index) {
    if (index < 0) return false;
    const auto& labels = ClaimProperties()[static_cast<size_t>(index)].labels;
    return std::find(labels.begin(), labels.end(), item.text) != labels.end();
  });
}

ClaimTruth ClaimAtoms::Label(size_t at) const {
  const ClaimItem& item = clause_.items[at];
  Truth truth = Truth::kUnknown;
  for (const ClaimKey* key : KeysAt(at)) {
    if (key->is_less && key->is_boolean() && !item.Has(Role::kYesDegree)) {
      // "Fragrance" of "fragrance free: yes"; a word for both is not read.
      const std::string bare = key->name.substr(0, key->name.rfind(' '));
      if (SameClaimWord(item.text, bare)) return AsClaimTruth(key->is_no);
      continue;
    }
    if (key->is_no) return Truth::kFalse;
    const bool is_plain = IsPlainLabel(*key, item);
    // "Wireless" names the connection and is a value of it.
    if (item.Has(Role::kValue) && !key->is_boolean()) {
      if (KeyHolds(*key, item)) return Truth::kTrue;
      // "Waterproof" of "water resistance: IPX7" is neither so nor not so.
      truth = is_plain && key->text.starts_with(" ip") ? Truth::kUnknown : Truth::kFalse;
      continue;
    }
    if (is_plain || key->is_boolean()) truth = Truth::kTrue;
  }
  // An SSD is a value of another key than the capacity of the storage.
  if (truth != Truth::kFalse || !item.Has(Role::kType)) return truth;
  return AsClaimTruth(std::any_of(record_.keys.begin(), record_.keys.end(),
                                  [&](const ClaimKey& key) { return KeyHolds(key, item); }));
}

ClaimTruth ClaimAtoms::Degree(size_t at) const {
  for (const ClaimKey* key : KeysAt(at)) {
    if (key->is_yes) return Truth::kTrue;
    if (key->is_no) return Truth::kFalse;
    // "Removable insole" of "insole: removable".
    const std::string text = " " + clause_.items[at].text + " ";
    const bool is_value =
        key->text.size() > 2 && HoldsWord(text, key->text.substr(1, key->text.size() - 2));
    if (is_value) return Truth::kTrue;
  }
  return Truth::kUnknown;
}

/// Of a name that a lexicon takes for a label, the record must hold the word: "AMD".
bool ClaimAtoms::IsNamed(const ClaimItem& item, const ClaimText& text) const {
  if (!item.is_capitalized || item.Has(Role::kValue) || item.Has(Role::kType)) return true;
  if (item.text.find(' ') != std::string::npos) return true;
  return std::find(text.words.begin(), text.words.end(), item.text) != text.words.end();
}

ClaimTruth ClaimAtoms::Words(const std::vector<size_t>& items, bool is_denied) const {
  for (const size_t at : items) {
    if (!is_denied && IsDeniedByKey(clause_.items[at])) return Truth::kUnknown;
  }
  for (const ClaimText& text : record_.texts) {
    if (text.is_denied != is_denied) continue;
    const bool holds = std::all_of(items.begin(), items.end(), [&](size_t at) {
      const ClaimItem& item = clause_.items[at];
      return TextHolds(text, item) && IsNamed(item, text);
    });
    if (holds) return Truth::kTrue;
  }
  return Truth::kUnknown;
}

}  // namespace emptor::services
