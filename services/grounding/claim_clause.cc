// Claims one after another; negations turn them round.
#include "services/grounding/claim_clause.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "services/grounding/claim_carrier.h"
#include "services/grounding/claim_clause_comparison.h"
#include "services/grounding/claim_type_names.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;
using Truth = ClaimTruth;

constexpr std::array kStateRoles = {Role::kInStock, Role::kOutOfStock, Role::kPreorder,
                                    Role::kBackorder, Role::kOnSale};
constexpr std::array kContentRoles = {Role::kConcept,   Role::kLabel, Role::kLow, Role::kHigh,
                                      Role::kYesDegree, Role::kValue, Role::kType};

template <typename Roles>
bool HasAny(const ClaimItem& item, const Roles& roles) {
  return std::any_of(roles.begin(), roles.end(), [&](Role role) { return item.Has(role); });
}

class Clause {
 public:
  Clause(const ClaimScope& scope, int record, const ClaimContext& context)
      : scope_(scope),
        items_(scope.clause.items),
        context_(context),
        record_(context.names.records[static_cast<size_t>(record)]),
        index_(record),
        atoms_(scope.clause, record_),
        done_(items_.size(), false),
        comparisons_(scope, record, context, done_) {
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].Has(Role::kFiller)) continue;
      if (IsNothing(scope.clause, i)) continue;
      if (items_[i].Has(Role::kNot)) is_denied_ = !is_denied_;
      const bool begins = items_[i].Has(Role::kNo) && !items_[i].Has(Role::kNot);
      if (begins && no_from_ == std::string::npos) no_from_ = i;
    }
    // "No tiene ninguna luz" denies once.
    if (is_denied_ && context.language != "en") no_from_ = std::string::npos;
    result_.is_denied = is_denied_ || no_from_ != std::string::npos;
  }

  ClauseResult Run() {
    for (size_t i = 0; i < items_.size(); ++i) Compare(i);
    for (size_t i = 0; i < items_.size(); ++i) Number(i);
    for (size_t i = 0; i < items_.size(); ++i) State(i);
    for (size_t i = 0; i < items_.size(); ++i) Same(i);
    for (size_t i = 0; i < items_.size(); ++i) ValueOf(i);
    for (size_t i = 0; i < items_.size(); ++i) Attribute(i);
    Words();
    // "It is not a kettle": nothing that could be denied was found.
    if (result_.is_denied && !result_.has_claims) {
      result_.has_claims = true;
      result_.truth = Truth::kUnknown;
      result_.rule = ClaimRule::kValue;
    }
    return std::move(result_);
  }

 private:
  bool DeniedAt(size_t i) const {
    bool denied = is_denied_ != (no_from_ != std::string::npos && i > no_from_);
    if (i + 1 < items_.size() && items_[i + 1].Has(Role::kHyphenLess)) denied = !denied;
    return denied;
  }

  void Add(size_t i, Truth truth, ClaimRule rule) {
    result_.has_claims = true;
    done_[i] = true;
    if (DeniedAt(i)) truth = NotClaim(truth);
    if (truth == Truth::kTrue) return;
    if (result_.rule == ClaimRule::kNone) {
      result_.rule = rule;
      result_.claim = items_[i].text;
    }
    result_.truth = std::min(result_.truth, truth);
  }

  void State(const std::string& key, bool is_best = false) {
    result_.stated.push_back({context_.numbers[static_cast<size_t>(index_)], key, is_best});
  }
  void StateKeys(const ClaimItem& item) {
    const auto keys = KeysOfLabel(record_, item);
    for (const auto* list : {&record_.product->attributes, &record_.product->options}) {
      for (const catalog::Attribute& each : *list) {
        const std::string name = JoinClaimWords(ClaimWordsOf(each.name, "en"));
        if (!keys.empty() && keys[0]->name == name) State(each.name);
      }
    }
  }

  void Compare(size_t i) {
    const auto reading = comparisons_.Read(i, DeniedAt(i));
    if (!reading) return;
    const bool states = reading->truth == Truth::kTrue && reading->of_price;
    if (states) State("price", reading->is_superlative);
    Add(i, reading->truth, ClaimRule::kComparison);
  }

  /// "Lighter than the L80 with 2 kg", "8.9 kg against 4.8 kg".
  bool IsOfOthers(size_t i) const {
    for (size_t at = 0; at < i; ++at) {
      if (items_[at].segment != items_[i].segment) continue;
      const bool is_bound = at + 1 == i && BoundOf(scope_.clause, i) != ClaimBound::kEqual;
      if (items_[at].Has(Role::kThan) && !items_[at].Has(Role::kFiller) && !is_bound) return true;
    }
    return false;
  }

  /// "The lightest of the three": how many there are.
  bool IsOfSet(size_t i) {
    if (!comparisons_.IsSetAt(i)) return false;
    done_[i] = true;
    return true;
  }
  void Number(size_t i) {
    const ClaimItem& item = items_[i];
    if (item.kind != Kind::kNumber || done_[i] || i == scope_.counted) return;
    if (IsOfOthers(i)) {
      Truth truth = Truth::kTrue;
      for (const ClaimRecord* other : comparisons_.Others(/*is_superlative=*/false)) {
        truth = std::min(truth, ClaimAtoms(scope_.clause, *other).Number(i));
      }
      return Add(i, truth, ClaimRule::kNumber);
    }
    if (IsOfSet(i)) return;
    Truth truth = atoms_.Number(i);
    if (truth != Truth::kTrue && IsSavedOverOther(i)) truth = Truth::kTrue;
    Add(i, truth, ClaimRule::kNumber);
    if (item.quantity.is_money()) State("price");
    for (size_t label = 0; label < items_.size(); ++label) {
      if (atoms_.is_bound(label)) StateKeys(items_[label]);
      if (items_[label].Has(Role::kRating)) State("rating");
      if (items_[label].Has(Role::kReviews)) State("reviews");
    }
  }

  /// "Going for the TT40 saves $78": by so much the only other product costs more.
  bool IsSavedOverOther(size_t i) const {
    constexpr size_t kReach = 3;
    constexpr double kCents = 0.005;
    const ClaimQuantity& wanted = items_[i].quantity;
    if (!wanted.is_money() || !record_.price || record_.was_price) return false;
    if (wanted.base != "$" + record_.currency || scope_.clause.Has(Role::kOnSale)) return false;
    if (!atoms_.IsNear(i, Role::kSaving, kReach)) return false;
    const auto others = comparisons_.Others(/*is_superlative=*/false);
    return others.size() == 1 && others[0]->price &&
           std::abs(*others[0]->price - *record_.price - wanted.value) < kCents;
  }

  void State(size_t i) {
    const ClaimItem& item = items_[i];
    if (item.kind != Kind::kPhrase || item.Has(Role::kFiller) || done_[i]) return;
    // "It has not been rated", "nobody has reviewed it".
    const bool is_rating = item.Has(Role::kRating) || item.Has(Role::kReviews);
    const bool is_denied = DeniedAt(i) || scope_.clause.Has(Role::kNothing);
    const bool is_plain = is_rating && std::none_of(items_.begin(), items_.end(), [](auto& each) {
                            return IsClaimComparison(each) || HasAny(each, kContentRoles);
                          });
    if ((is_plain || is_denied) && !HasNumber() && (is_rating || item.Has(Role::kPrice))) {
      const bool has = is_rating ? record_.product->rating.has_value() : record_.price.has_value();
      Add(i, AsClaimTruth(has), ClaimRule::kNumber);
    }
    using catalog::Availability;
    constexpr std::array<std::pair<Role, Availability>, 4> kStates = {
        {{Role::kInStock, Availability::kInStock},
         {Role::kOutOfStock, Availability::kOutOfStock},
         {Role::kPreorder, Availability::kPreorder},
         {Role::kBackorder, Availability::kBackorder}}};
    for (const auto& [role, availability] : kStates) {
      if (!item.Has(role)) continue;
      Add(i, AsClaimTruth(record_.product->availability == availability), ClaimRule::kStock);
      State("availability");
    }
    if (item.Has(Role::kOnSale)) {
      Add(i, AsClaimTruth(IsOnSale(i)), ClaimRule::kSale);
      State("sale");
    }
  }

  /// "More than the reduced K70": said of the other product.
  bool IsOnSale(size_t i) const {
    if (i + 1 < items_.size() && items_[i + 1].kind == Kind::kProduct) {
      std::vector<int> objects = items_[i + 1].products;
      std::erase_if(objects, [&](int each) {
        return std::find(scope_.objects.begin(), scope_.objects.end(), each) ==
               scope_.objects.end();
      });
      if (!objects.empty()) {
        return std::all_of(objects.begin(), objects.end(), [&](int each) {
          return context_.names.records[static_cast<size_t>(each)].was_price.has_value();
        });
      }
    }
    return record_.was_price.has_value();
  }

  bool HasNumber() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const ClaimItem& item) { return item.kind == Kind::kNumber; });
  }

  /// "The same capacity", "as heavy as".
  void Same(size_t i) {
    if (!items_[i].Has(Role::kSame) || items_[i].Has(Role::kFiller)) return;
    const auto others = comparisons_.Others(/*is_superlative=*/false);
    Truth truth = Truth::kUnknown;
    for (size_t at = 0; at < items_.size() && truth == Truth::kUnknown; ++at) {
      const auto measure = MeasureAt(at);
      // "Paperbacks of the same length": a value is not what is the same.
      if (!measure || others.empty() || items_[at].Has(Role::kValue)) continue;
      const auto own = MeasureOf(record_, *measure);
      const auto is_same = [&](const ClaimRecord* other) {
        return own && MeasureOf(*other, *measure) == own;
      };
      const auto keys = record_.KeysOf(measure->properties, measure->label);
      const auto is_same_text = [&](const ClaimRecord* other) {
        const auto theirs = other->KeysOf(measure->properties, measure->label);
        return !keys.empty() && !theirs.empty() && keys[0]->text == theirs[0]->text;
      };
      truth = AsClaimTruth(std::all_of(others.begin(), others.end(), [&](const ClaimRecord* other) {
        return is_same(other) || is_same_text(other);
      }));
      done_[at] = true;
    }
    Add(i, truth, ClaimRule::kComparison);
  }

  std::optional<ClaimMeasure> MeasureAt(size_t at) const {
    const ClaimItem& item = items_[at];
    if (item.Has(Role::kPrice)) return ClaimMeasure{ClaimMeasure::Kind::kPrice, {}, ""};
    if (item.Has(Role::kRating)) return ClaimMeasure{ClaimMeasure::Kind::kRating, {}, ""};
    std::vector<int> properties;
    for (const Role role : {Role::kLabel, Role::kLow, Role::kHigh}) {
      for (const int each : item.IndexesOf(role)) properties.push_back(each);
    }
    if (properties.empty() || record_.KeysOf(properties, item.text).empty()) return std::nullopt;
    return ClaimMeasure{ClaimMeasure::Kind::kKey, properties, item.text};
  }

  bool IsOpen(size_t i) const {
    return !done_[i] && !atoms_.is_bound(i) && !items_[i].Has(Role::kFiller);
  }

  void ValueOf(size_t i) {
    const ClaimItem& item = items_[i];
    if (!IsOpen(i) || !item.Has(Role::kValue) || item.Has(Role::kVerb)) return;
    const bool names_key = item.Has(Role::kLabel) && !KeysOfLabel(record_, item).empty();
    if (names_key) return;
    // "Removable" next to "battery" is of a key "removable battery", before any other key.
    Truth truth = atoms_.ValueInName(i);
    if (truth == Truth::kUnknown) truth = atoms_.Value(i);
    if (truth == Truth::kUnknown && IsOfOtherKey(item)) truth = Truth::kFalse;
    if (truth == Truth::kUnknown && HasAny(item, kContentRoles) && item.meanings.size() > 1) return;
    for (size_t label = 0; label < items_.size(); ++label) {
      if (atoms_.is_bound(label)) StateKeys(items_[label]);
    }
    Add(i, truth, ClaimRule::kValue);
  }

  /// A value that another record has for a key, where this one has another value for it.
  bool IsOfOtherKey(const ClaimItem& item) const {
    const auto values = item.IndexesOf(Role::kValue);
    return std::any_of(values.begin(), values.end(), [&](int index) {
      if (index >= 0) return false;
      const std::string& name = context_.names.own_keys[static_cast<size_t>(-index - 1)];
      return std::any_of(record_.keys.begin(), record_.keys.end(),
                         [&](const ClaimKey& key) { return key.name == name; });
    });
  }

  void Attribute(size_t i) {
    const ClaimItem& item = items_[i];
    if (!IsOpen(i) || item.kind != Kind::kPhrase) return;
    const bool is_value =
        item.Has(Role::kLabel) && item.Has(Role::kValue) && !KeysOfLabel(record_, item).empty();
    if (item.Has(Role::kType) && !is_value) {
      if (IsTypeOfSubject(i)) {
        done_[i] = true;
        return;
      }
    }
    Truth truth = Truth::kUnknown;
    if (item.Has(Role::kLabel) && !atoms_.IsDegreeOnly(item)) truth = atoms_.Label(i);
    if (truth == Truth::kUnknown && item.Has(Role::kYesDegree)) truth = atoms_.Degree(i);
    if (truth == Truth::kUnknown) return;
    StateKeys(item);
    Add(i, truth, ClaimRule::kValue);
  }

  /// "The bottle" is what the product is; "it comes with a bottle" is not.
  bool IsTypeOfSubject(size_t i) const {
    if (!IsOfClaimType(record_, items_[i], context_.language)) return false;
    if (i == 0 || !items_[i - 1].Has(Role::kArticle)) return true;
    return !IsIndefinite(items_[i - 1]) || i < 2 || items_[i - 2].Has(Role::kAffirm) ||
           items_[i - 2].Has(Role::kNot) || items_[i - 2].kind == Kind::kProduct;
  }

  /// A part with a value of its own: a "wireless" subwoofer is not built in.
  bool IsDescribed(size_t i) const {
    if (i >= items_.size()) return false;
    const auto keys = KeysOfLabel(record_, items_[i]);
    return std::any_of(keys.begin(), keys.end(), [](const ClaimKey* key) {
      const bool is_built_in = key->text.find("built in") != std::string::npos;
      return !key->is_boolean() && !key->is_number() && !is_built_in;
    });
  }

  /// What is left must stand in the words of the record.
  void Words() {
    const bool holds = result_.has_claims && result_.truth == Truth::kTrue;
    std::vector<size_t> affirmed, denied;
    for (size_t i = 0; i < items_.size(); ++i) {
      const ClaimItem& item = items_[i];
      if (!IsOpen(i) || i == scope_.counted) continue;
      const bool is_of_bound =
          item.Has(Role::kLabel) && KeysOfLabel(record_, item).empty() && atoms_.IsLikeBound(item);
      const bool is_type = !DeniedAt(i) && IsTypeOfSubject(i);
      const bool carries =
          holds && !DeniedAt(i) && IsCarrierVerb(scope_.clause, i, context_.language);
      if (is_of_bound || item.Has(Role::kVerb) || is_type || carries) continue;
      if (item.Has(Role::kBuiltIn) && IsDescribed(i + 1))
        Add(i, Truth::kUnknown, ClaimRule::kValue);
      const bool is_content =
          item.kind == Kind::kWord || (item.kind == Kind::kPhrase && HasAny(item, kContentRoles) &&
                                       !item.Has(Role::kHyphenLess));
      if (!is_content) {
        if (item.Has(Role::kUnless)) Add(i, Truth::kUnknown, ClaimRule::kUnknownWord);
        continue;
      }
      (DeniedAt(i) ? denied : affirmed).push_back(i);
    }
    for (const auto* list : {&affirmed, &denied}) {
      if (list->empty()) continue;
      const bool is_denied = list == &denied;
      if (atoms_.Words(*list, is_denied) == Truth::kTrue) {
        result_.has_claims = true;
        continue;
      }
      for (const size_t i : *list) {
        const bool is_known = !is_denied && atoms_.Words({i}, false) == Truth::kTrue;
        if (is_known) continue;
        result_.has_claims = true;
        result_.truth = std::min(result_.truth, Truth::kUnknown);
        if (result_.rule != ClaimRule::kNone) continue;
        const bool is_name = items_[i].kind == Kind::kWord && items_[i].is_capitalized;
        result_.rule = is_name ? ClaimRule::kName : ClaimRule::kUnknownWord;
        result_.claim = items_[i].text;
      }
    }
  }

  const ClaimScope& scope_;
  const std::vector<ClaimItem>& items_;
  const ClaimContext& context_;
  const ClaimRecord& record_;
  const int index_;
  ClaimAtoms atoms_;
  std::vector<bool> done_;
  ClauseComparisons comparisons_;
  bool is_denied_ = false;
  size_t no_from_ = std::string::npos;
  ClauseResult result_;
};

}  // namespace

ClauseResult EvaluateClause(const ClaimScope& scope, int record, const ClaimContext& context) {
  return Clause(scope, record, context).Run();
}

ClaimTruth TruthOfQuestion(int record, const ClaimContext& context) {
  Truth truth = Truth::kUnknown;
  for (const ClaimClause& clause : context.question) {
    const ClaimScope scope{clause, {}, {}};
    const ClauseResult result = EvaluateClause(scope, record, context);
    const bool is_word = result.rule == ClaimRule::kUnknownWord || result.rule == ClaimRule::kName;
    if (!result.has_claims || is_word) continue;
    if (result.truth != Truth::kTrue) return result.truth;
    truth = Truth::kTrue;
  }
  return truth;
}

bool IsNothing(const ClaimClause& clause, size_t at) {
  const ClaimItem& item = clause.items[at];
  if (!item.Has(Role::kNothing)) return false;
  return !item.Has(Role::kNo) || at == 0;
}

bool IsClaimItem(const ClaimItem& item) {
  if (item.kind == Kind::kNumber || item.kind == Kind::kWord) return true;
  if (item.kind != Kind::kPhrase || item.Has(Role::kFiller)) return false;
  return HasAny(item, kStateRoles) || IsClaimComparison(item) || HasAny(item, kContentRoles) ||
         item.Has(Role::kSame) || item.Has(Role::kUnless);
}

}  // namespace emptor::services
