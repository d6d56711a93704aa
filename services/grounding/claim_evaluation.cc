// Subjects, quantifiers, answers and denials.
#include "services/grounding/claim_evaluation.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "services/grounding/claim_clause.h"
#include "services/grounding/claim_naming.h"
#include "services/grounding/claim_shape.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;
using Truth = ClaimTruth;

enum class Quantifier { kEach, kNone, kCount };

class Evaluator {
 public:
  Evaluator(const std::vector<ClaimClause>& clauses, const ClaimContext& context)
      : clauses_(clauses), context_(context) {
    for (const ClaimClause& clause : clauses) {
      of_shop_ = of_shop_ || clause.Has(Role::kShop);
      for (const ClaimItem& item : clause.items) {
        for (const int product : item.products) AddTo(mentioned_, product);
      }
    }
  }

  ClaimVerdict Run() {
    verdict_.is_entailed = true;
    ReadAnswer();
    if (IsClaimDenial(clauses_)) {
      CheckDenial();
      verdict_.is_denial = true;
    } else {
      for (size_t i = begin_; i < clauses_.size() && verdict_.is_entailed; ++i) ReadClause(i);
      if (verdict_.is_entailed && condition_ != nullptr) ReadCondition(DefaultSubjects());
      if (verdict_.is_entailed && verdict_.answer) CheckAnswer();
    }
    const int last = subjects_.empty() ? -1 : subjects_.back();
    verdict_.subject = last < 0 ? 0 : context_.numbers[static_cast<size_t>(last)];
    return std::move(verdict_);
  }

 private:
  static void AddTo(std::vector<int>& list, int each) {
    if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
  }
  int count() const { return static_cast<int>(context_.names.records.size()); }
  std::vector<int> Everything() const {
    std::vector<int> all(static_cast<size_t>(count()));
    for (int i = 0; i < count(); ++i) all[static_cast<size_t>(i)] = i;
    return all;
  }

  void Fail(ClaimRule rule, const std::string& claim) {
    verdict_.is_entailed = false;
    verdict_.rule = rule;
    verdict_.claim = claim;
  }

  /// "Yes, ...", "Nein."
  void ReadAnswer() {
    if (clauses_.empty() || clauses_[0].items.size() != 1) return;
    const ClaimItem& first = clauses_[0].items[0];
    if (first.Has(Role::kYes)) verdict_.answer = true;
    if (first.Has(Role::kNoAnswer)) verdict_.answer = false;
    if (verdict_.answer) begin_ = 1;
  }

  void CheckAnswer() {
    std::vector<int> subjects = subjects_.empty() ? DefaultSubjects() : subjects_;
    for (const int subject : subjects) {
      const Truth truth = TruthOfQuestion(subject, context_);
      const bool agrees = truth == Truth::kUnknown ? *verdict_.answer != is_denied_
                                                   : AsClaimTruth(*verdict_.answer) == truth;
      if (!agrees || (truth == Truth::kUnknown && begin_ == clauses_.size())) {
        return Fail(ClaimRule::kPolarity, *verdict_.answer ? "yes" : "no");
      }
    }
  }

  /// "The listing does not say how heavy it is": no key of the record is about it.
  void CheckDenial() {
    subjects_ = mentioned_;
    for (const ClaimClause& clause : clauses_) {
      for (const ClaimItem& item : clause.items) {
        if (item.kind == Kind::kSource) AddSource(item, subjects_);
      }
    }
    if (subjects_.empty()) subjects_ = DefaultSubjects();
    for (const int subject : subjects_) {
      bool names = false;
      if (!IsSilent(clauses_, subject, names)) return;
      if (names) continue;
      if (!IsSilent(context_.question, subject, names)) return;
      if (!names) return Fail(ClaimRule::kDenial, "");
    }
  }

  bool IsSilent(const std::vector<ClaimClause>& clauses, int subject, bool& names) {
    const ClaimRecord& record = context_.names.records[static_cast<size_t>(subject)];
    for (const ClaimClause& clause : clauses) {
      ClaimAtoms atoms(clause, record);
      for (size_t i = 0; i < clause.items.size(); ++i) {
        const ClaimItem& item = clause.items[i];
        const bool is_live =
            (item.Has(Role::kPrice) && record.price) ||
            ((item.Has(Role::kRating) || item.Has(Role::kReviews)) && record.product->rating);
        if (is_live) {
          Fail(ClaimRule::kDenial, item.text);
          return false;
        }
        const bool is_part = IsClaimItem(item) && !item.Has(Role::kSilent);
        if (!is_part || item.kind == Kind::kNumber) continue;
        if (item.Has(Role::kType)) {
          const auto types = item.IndexesOf(Role::kType);
          if (std::any_of(types.begin(), types.end(),
                          [&](int t) { return record.types.contains(t); }))
            continue;
        }
        names = true;
        const bool is_stated =
            !KeysOfLabel(record, item).empty() || atoms.Words({i}, false) == Truth::kTrue;
        if (!is_stated) continue;
        Fail(ClaimRule::kDenial, item.text);
        return false;
      }
    }
    return true;
  }

  std::vector<int> DefaultSubjects() const {
    if (context_.previous >= 0) return {context_.previous};
    return Everything();
  }

  void AddSource(const ClaimItem& item, std::vector<int>& list) const {
    const auto& numbers = context_.numbers;
    const auto found = std::find(numbers.begin(), numbers.end(), item.source);
    if (found != numbers.end()) AddTo(list, static_cast<int>(found - numbers.begin()));
  }

  /// The products that a clause names.
  struct Named {
    std::vector<int> own, objects, cited;  // objects: behind "than"
  };

  /// Nothing where a name is of no product.
  std::optional<Named> ReadNames(const ClaimClause& clause) {
    Named found;
    bool is_behind = false;
    int segment = 0;
    for (const ClaimItem& item : clause.items) {
      // "With 72 dB against 78 dB, the K80 ...": the name is not behind "against".
      if (std::exchange(segment, item.segment) != item.segment) is_behind = false;
      const bool are_others = item.Has(Role::kOthers) && !item.Has(Role::kFiller);
      if (are_others) named_ = Unmentioned();
      if (item.kind == Kind::kProduct) named_ = item.products;
      is_behind = is_behind || item.Has(Role::kThan) || item.Has(Role::kUnlike) ||
                  item.Has(Role::kTwice) || item.Has(Role::kHalf) || item.Has(Role::kTimes);
      if (item.kind == Kind::kSource) AddSource(item, found.cited);
      for (const int other : is_behind&& are_others ? named_ : std::vector<int>()) {
        AddTo(found.objects, other);
      }
      if (item.kind != Kind::kProduct) continue;
      if (item.products.empty()) {
        Fail(ClaimRule::kReference, item.text);
        return std::nullopt;
      }
      if (IsNamedBeside(clause, item)) continue;
      if (item.is_type && IsBehindOf(clause, item) && !found.own.empty()) {
        found.objects = item.products;
        std::erase_if(found.objects, [&](int each) { return each == found.own[0]; });
        continue;
      }
      const bool is_object = is_behind && !IsBeneficiary(clause, item);
      for (const int product : item.products) AddTo(is_object ? found.objects : found.own, product);
    }
    if (MixesNames(clause)) {
      Fail(ClaimRule::kName, clause.items[0].text);
      return std::nullopt;
    }
    // "X的核心数是Y的两倍": the other product stands before "twice".
    const bool is_before = context_.language == "zh" && found.own.size() == 2 &&
                           found.objects.empty() &&
                           (clause.Has(Role::kTwice) || clause.Has(Role::kTimes));
    if (is_before) {
      found.objects = {found.own[1]};
      found.own.pop_back();
    }
    // "X长20米，是Y的2倍".
    const bool is_of_before = context_.language == "zh" && found.own.size() == 1 &&
                              found.objects.empty() && subjects_.size() == 1 &&
                              subjects_ != found.own &&
                              (clause.Has(Role::kTwice) || clause.Has(Role::kTimes));
    if (is_of_before) {
      found.objects = found.own;
      found.own = subjects_;
    }
    Narrow(found.cited, found.own);
    return found;
  }

  void ReadClause(size_t at) {
    const ClaimClause& clause = Completed(clauses_[at]);
    const std::vector<int> named_before = named_;
    std::optional<Named> found = ReadNames(clause);
    if (!found) return;
    auto& [own, objects, cited] = *found;
    is_unlike_ = is_unlike_ || (clause.Has(Role::kUnlike) && !objects.empty());
    const bool names = !own.empty() || !objects.empty();
    if (!names && ClaimBeginsWith(clause, Role::kRelative)) own = named_before;
    const bool of_all = clause.Has(Role::kAll) || clause.Has(Role::kBoth) ||
                        clause.Has(Role::kNothing) || clause.Has(Role::kOfThem);
    const bool denies =
        clause.Has(Role::kNothing) || clause.Has(Role::kNot) || clause.Has(Role::kNo);
    const bool is_live =
        clause.Has(Role::kPrice) || clause.Has(Role::kRating) || clause.Has(Role::kReviews);
    const bool states = std::any_of(clause.items.begin(), clause.items.end(), IsClaimItem) ||
                        (is_live && (denies || !HasClaimNumber(clause))) ||
                        (of_all && IsClaimOfBrand(clause));
    if (states && !names && own.empty() && !of_all && DefersCondition(at)) return;
    if (states && !names && own.empty() && !of_all && subjects_.empty() && context_.previous < 0) {
      own = FindNamedLater(clauses_, begin_, at);
    }
    if (!own.empty() && condition_ != nullptr) {
      // "If you want a timer, the K70 is not for you" is not read.
      if (denies || clause.Has(Role::kUnless)) return Fail(ClaimRule::kValue, clause.items[0].text);
      is_only_ = IsExclusiveClaim(clause);
      ReadCondition(own);
      if (!states) return;
    }
    if (!states && own.empty() && clause.Has(Role::kOthers)) own = Unmentioned();
    if (!states && clause.Has(Role::kOfThem) && IsTypeAlone(clause)) {
      among_ = own;
      return;
    }
    if (!states && IsElliptic(at) && !own.empty()) return ReadElliptic(clause, own);
    if (!states) {
      for (const int product : own) AddTo(pending_, product);
      if (!objects.empty()) objects_ = objects;
      // "The K80 has a timer and the K70, while ...": the rest of a list, not of what follows.
      const bool ends_list = at + 1 == clauses_.size() || clause.Has(Role::kBut);
      if (ends_list && stating_ != nullptr) ReadAgain();
      return;
    }
    for (const int product : std::exchange(pending_, {})) AddTo(own, product);
    if (own.empty()) own = cited;
    if (!objects.empty()) objects_ = objects;
    Quantify(clause, own);
    if (objects_.empty() && own.size() == 1) {
      for (const int each : among_) {
        if (each != own[0]) AddTo(objects_, each);
      }
    }
    ReadFor(clause, own);
    if (is_unlike_ && verdict_.is_entailed) CheckUnlike(clause);
  }

  /// "Unlike the K95, the K80 has a timer": the K95 has none.
  void CheckUnlike(const ClaimClause& clause) {
    const ClaimScope scope{clause, {}, {}};
    for (const int other : objects_) {
      const Truth truth = EvaluateClause(scope, other, context_).truth;
      if (truth == Truth::kTrue) Fail(ClaimRule::kQuantifier, "unlike");
    }
  }

  /// The products that the sentence does not name.
  std::vector<int> Unmentioned() const {
    std::vector<int> others;
    for (const int each : Everything()) {
      if (std::find(mentioned_.begin(), mentioned_.end(), each) == mentioned_.end()) {
        others.push_back(each);
      }
    }
    return others;
  }

  /// "If you want a timer, take the K80": it is said of the product that follows.
  bool DefersCondition(size_t at) {
    if (!ClaimBeginsWith(clauses_[at], Role::kCondition)) return false;
    const auto next = clauses_.begin() + static_cast<ptrdiff_t>(at) + 1;
    const bool is_named = next < clauses_.end() &&
                          std::any_of(next->items.begin(), next->items.end(),
                                      [](const auto& item) { return item.kind == Kind::kProduct; });
    if (is_named) condition_ = &clauses_[at];
    return is_named;
  }

  void ReadCondition(const std::vector<int>& own) {
    const ClaimClause& condition = *std::exchange(condition_, nullptr);
    if (WeighsInClaim(condition)) return Fail(ClaimRule::kComparison, condition.items[0].text);
    quantifier_ = Quantifier::kEach;
    counted_ = std::string::npos;
    ReadFor(condition, own);
  }

  /// "The K70 has 4 ports, the K80 2": ports as well.
  const ClaimClause& Completed(const ClaimClause& clause) {
    const auto is_bare = [](const ClaimItem& item) {
      return item.kind == Kind::kNumber && item.quantity.base.empty();
    };
    const auto& items = clause.items;
    const auto number = std::find_if(items.begin(), items.end(), is_bare);
    const bool has_product = std::any_of(items.begin(), items.end(), [](const ClaimItem& item) {
      return item.kind == Kind::kProduct;
    });
    if (stating_ == nullptr || number == items.end() || !has_product) return clause;
    const bool is_next = number != items.begin() && (number - 1)->kind == Kind::kProduct;
    if (!is_next && std::count_if(items.begin(), items.end(), IsClaimItem) != 1) return clause;
    const ClaimItem* label = LabelOfLastNumber(*stating_);
    if (label == nullptr) {
      auto whole = WithUnitOf(*stating_, clause, static_cast<size_t>(number - items.begin()));
      return whole ? completed_.emplace_back(*std::move(whole)) : clause;
    }
    ClaimClause& whole = completed_.emplace_back(clause);
    whole.items.insert(whole.items.begin() + (number - items.begin()) + 1, *label);
    return whole;
  }

  /// "The K80 [2]" is that one of two with this name; another number is a wrong citation.
  void Narrow(const std::vector<int>& cited, std::vector<int>& own) {
    if (cited.empty() || own.empty()) return;
    std::vector<int> both;
    for (const int product : own) {
      if (std::find(cited.begin(), cited.end(), product) != cited.end()) both.push_back(product);
    }
    if (both.empty()) return Fail(ClaimRule::kReference, "[n]");
    if (both.size() == cited.size()) own = std::move(both);
  }

  void Quantify(const ClaimClause& clause, std::vector<int>& own) {
    quantifier_ = Quantifier::kEach;
    counted_ = std::string::npos;
    is_only_ = IsExclusiveClaim(clause);
    const bool has_own = !own.empty();
    for (size_t i = 0; i < clause.items.size(); ++i) {
      const ClaimItem& item = clause.items[i];
      const bool counts = item.kind == Kind::kNumber && item.quantity.base.empty() &&
                          i + 1 < clause.items.size() && clause.items[i + 1].Has(Role::kOfThem);
      const bool is_brand = IsClaimOfBrand(clause);
      // "Two are from Sony".
      const bool begins =
          i == 0 && is_brand && item.kind == Kind::kNumber && item.quantity.base.empty();
      if ((begins || counts || item.Has(Role::kOne)) && (!has_own || is_brand)) {
        quantifier_ = Quantifier::kCount;
        counted_ = i;
        wanted_ = item.kind == Kind::kNumber ? static_cast<int>(item.quantity.value) : 1;
        own = Everything();
      }
      if (has_own && !is_brand && IsNothing(clause, i)) quantifier_ = Quantifier::kNone;
      if ((has_own && !is_brand) || item.Has(Role::kFiller)) continue;
      if (item.Has(Role::kOthers)) {
        if (!objects_.empty() && objects_ == Unmentioned()) continue;  // behind "than"
        own = Unmentioned();
      } else if (IsNothing(clause, i)) {
        quantifier_ = Quantifier::kNone;
        own = subjects_.size() > 1 ? subjects_ : Everything();
      } else if (item.Has(Role::kAll) || (item.Has(Role::kBoth) && subjects_.size() != 2)) {
        own = Everything();
      }
    }
    const bool is_pair = clause.Has(Role::kBoth) && !has_own && own.size() > 2;
    if (is_pair) NarrowToLabels(clause, context_.names.records, own);
    if (own.empty()) own = subjects_;
    if (own.empty()) own = Winner(clause);
    if (own.empty()) own = DefaultSubjects();
  }

  /// "The cheapest costs $20": the subject is the one that ranks first.
  std::vector<int> Winner(const ClaimClause& clause) const {
    if (context_.previous >= 0) return {};
    for (size_t i = 0; i < clause.items.size(); ++i) {
      for (int record = 0; record < count(); ++record) {
        const auto& own = context_.names.records[static_cast<size_t>(record)];
        const auto comparison = FindClaimComparison(clause, i, own);
        if (!comparison || !comparison->is_superlative || comparison->measures.empty()) continue;
        std::vector<const ClaimRecord*> others;
        for (int other = 0; other < count(); ++other) {
          if (other != record) {
            others.push_back(&context_.names.records[static_cast<size_t>(other)]);
          }
        }
        if (CompareClaim(*comparison, own, others, nullptr) == Truth::kTrue) return {record};
      }
    }
    return {};
  }

  /// "The K80 has a timer, but the K70 does not."
  bool IsElliptic(size_t at) const {
    if (stating_ == nullptr || at == 0 || objects_ != std::vector<int>()) return false;
    const bool denies = clauses_[at].Has(Role::kNot);
    const bool turns =
        clauses_[at - 1].items.back().Has(Role::kBut) || clauses_[at].Has(Role::kAffirm);
    return denies || (WasDenied() && turns);
  }
  bool WasDenied() const { return stating_->Has(Role::kNot) || stating_->Has(Role::kNo); }

  void ReadElliptic(const ClaimClause& clause, const std::vector<int>& own) {
    const bool is_same = clause.Has(Role::kNot) == WasDenied();
    const ClaimScope scope{*stating_, objects_, mentioned_, std::string::npos, of_shop_};
    for (const int each : own) {
      const Truth truth = EvaluateClause(scope, each, context_).truth;
      if (truth != AsClaimTruth(is_same)) return Fail(ClaimRule::kValue, clause.items[0].text);
    }
    subjects_ = own;
  }

  /// "Under $700 you get the L35 and the L80": the rest of a list is about the same.
  void ReadAgain() {
    const std::vector<int> rest = std::exchange(pending_, {});
    if (rest.empty()) return;
    if (objects_.empty()) return ReadFor(*stating_, rest);
    objects_ = rest;
    ReadFor(*stating_, std::vector<int>(subjects_));
  }

  void ReadFor(const ClaimClause& clause, const std::vector<int>& own) {
    const ClaimClause* const before = subjects_ == own ? stating_ : nullptr;
    subjects_ = own;
    stating_ = &clause;
    const ClaimScope scope{clause, objects_, mentioned_, counted_, of_shop_, before};
    int holding = 0;
    ClauseResult failed;
    for (const int subject : own) {
      ClauseResult result = EvaluateClause(scope, subject, context_);
      is_denied_ = is_denied_ || result.is_denied;
      if (IsClaimOfBrand(clause) &&
          !IsOfBrand(clause, context_.names.records[static_cast<size_t>(subject)])) {
        result.truth = Truth::kFalse;
        result.rule = ClaimRule::kName;
      }
      if (result.truth == Truth::kTrue) {
        ++holding;
        verdict_.stated.insert(verdict_.stated.end(), result.stated.begin(), result.stated.end());
      }
      const bool is_wrong = quantifier_ == Quantifier::kNone ? result.truth != Truth::kFalse
                                                             : result.truth != Truth::kTrue;
      if (is_wrong && failed.rule == ClaimRule::kNone) failed = std::move(result);
    }
    if (quantifier_ == Quantifier::kCount) {
      if (holding != wanted_) Fail(ClaimRule::kQuantifier, "");
    } else if (failed.truth != Truth::kTrue || failed.rule != ClaimRule::kNone) {
      Fail(failed.rule, failed.claim);
    } else if (quantifier_ == Quantifier::kNone && holding > 0) {
      Fail(ClaimRule::kQuantifier, "");
    }
    if (is_only_ && verdict_.is_entailed) CheckOnly(scope, own);
  }

  void CheckOnly(const ClaimScope& scope, const std::vector<int>& own) {
    if (static_cast<int>(own.size()) == count()) return;
    for (int other = 0; other < count(); ++other) {
      if (std::find(own.begin(), own.end(), other) != own.end()) continue;
      const ClauseResult result = EvaluateClause(scope, other, context_);
      if (result.truth == Truth::kTrue) return Fail(ClaimRule::kQuantifier, "only");
    }
  }

  const std::vector<ClaimClause>& clauses_;
  const ClaimContext& context_;
  std::vector<int> mentioned_, subjects_, pending_, objects_;
  std::vector<int> named_;                  // the products named last
  std::vector<int> among_;                  // "of the two games"
  std::deque<ClaimClause> completed_;       // clauses with a label of the one before
  const ClaimClause* condition_ = nullptr;  // waits for its product
  const ClaimClause* stating_ = nullptr;    // the last clause that stated something
  size_t begin_ = 0;
  bool of_shop_ = false, is_denied_ = false, is_only_ = false, is_unlike_ = false;
  Quantifier quantifier_ = Quantifier::kEach;
  size_t counted_ = std::string::npos;
  int wanted_ = 0;
  ClaimVerdict verdict_;
};

}  // namespace

ClaimVerdict EvaluateClaims(const std::vector<ClaimClause>& clauses, const ClaimContext& context) {
  return Evaluator(clauses, context).Run();
}

}  // namespace emptor::services
