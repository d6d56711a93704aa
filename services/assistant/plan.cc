// Decisions by the records.
#include "services/assistant/plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/asked_words.h"
#include "services/assistant/attribute_binding.h"
#include "services/assistant/cues.h"
#include "services/assistant/fact_questions.h"
#include "services/assistant/key_ranking.h"

namespace emptor::services {
namespace {

using catalog::Product;
using Kind = Statement::Kind;
using View = std::string_view;

constexpr const char* kBrandKey = "brand";
constexpr size_t kMaxRecommended = 3;
constexpr size_t kMaxReasons = 3;      // facts of a recommendation
constexpr size_t kMaxDifferences = 5;  // of compared products
constexpr size_t kMaxFacts = 4;        // of one product in an answer
constexpr size_t kMaxTitleWords = 2;   // that a question asks for

class Planner {
 public:
  explicit Planner(const PlanInput& input)
      : input_(input),
        question_(input.part == nullptr ? input.question : *input.part),
        message_(question_) {
    for (size_t i = 0; i < input.sources.size(); ++i) {
      if (input.sources[i].product() != nullptr) numbers_.push_back(static_cast<int>(i) + 1);
    }
    shown_ = TypeSchema::Learn(Products());
  }

  std::vector<Statement> Run() {
    if (numbers_.empty()) return {};
    if (PlanCount() || PlanTotal() || PlanSaving() || PlanBest()) return std::move(plan_);
    if (!input_.about_shown) {
      Recommend();
      return std::move(plan_);
    }
    if (PlanSeveral()) return std::move(plan_);
    const std::string key = KeyAsked();
    if (input_.understanding.Has(Intent::kProductComparison) && numbers_.size() > 1 &&
        key.empty()) {
      for (const int n : numbers_) {
        const bool is_rated = ProductOf(n).rating.has_value();
        plan_.push_back({.kind = Kind::kRecommend, .source = n, .key = is_rated ? "rating" : ""});
      }
      PlanDifferences();
      return std::move(plan_);
    }
    for (const int n : numbers_) {
      if (plan_.size() < kMaxRecommended) PlanFact(n, key);
    }
    return std::move(plan_);
  }

 private:
  const Product& ProductOf(int n) const {
    return *input_.sources[static_cast<size_t>(n) - 1].product();
  }

  std::vector<const Product*> Products() const {
    std::vector<const Product*> products;
    for (const int n : numbers_) products.push_back(&ProductOf(n));
    return products;
  }

  std::optional<double> NumberAt(int n, const std::string& key) const {
    return NumberOf(ProductOf(n), key, input_.now_unix, input_.market);
  }

  const SchemaKey* KeyNamed(const FoldedMessage& question) const {
    return KeyOfQuestion(question, shown_, input_.schema, AsksYesNo());
  }

  /// "Rating and how many reviews?": a statement for each part that asks for another fact.
  bool PlanSeveral() {
    if (numbers_.size() != 1) return false;
    std::vector<Statement> facts;
    const FoldedMessage title(ProductOf(numbers_[0]).title);
    for (const std::string& part : SplitQuestions(input_.question)) {
      // The parts may be those of a title: "the Gale Shoes, Mint".
      const FoldedMessage folded(part);
      if (title.Has(folded.text())) continue;
      PlanInput input = input_;
      input.part = &part;
      Planner planner(input);
      const std::string key = planner.KeyAsked();
      if (key.empty() && !planner.AsksYesNo()) continue;
      planner.PlanFact(numbers_[0], key);
      for (Statement& fact : planner.plan_) {
        const bool says =
            fact.kind != Kind::kRecommend && fact.kind != Kind::kNotStated && fact.key != "title";
        const bool is_new = std::none_of(facts.begin(), facts.end(), [&](const Statement& each) {
          return each.key == fact.key;
        });
        if (says && is_new && facts.size() < kMaxFacts) facts.push_back(std::move(fact));
      }
    }
    if (facts.size() < 2) return false;
    plan_ = std::move(facts);
    return true;
  }

  /// What sets the products apart: attributes that all of them state, and not alike; those that
  /// people ask about by many words come first, numbers before text.
  void PlanDifferences() {
    std::vector<const SchemaKey*> keys = KeysThatDiffer(Products(), shown_);
    if (keys.size() > kMaxDifferences) keys.resize(kMaxDifferences);
    for (const SchemaKey* key : keys) {
      plan_.push_back({.kind = Kind::kCompare, .key = key->name, .sources = numbers_});
    }
  }

  bool PlanTotal() {
    const int count = CountAsked(message_);
    // "Does it hold 12 bottles" counts no purchase, "the most total storage" sums nothing.
    const std::vector<int>& quantities = input_.understanding.quantities;
    const bool has_parts = quantities.size() == numbers_.size() && !quantities.empty() &&
                           !input_.understanding.Has(Intent::kCartAction);
    const bool asks = (HasCue(message_, Cue::kTotal) && !input_.understanding.rank) ||
                      (count > 1 && HasCue(message_, Cue::kPrice)) ||
                      (has_parts && HasCue(message_, Cue::kPlus)) ||
                      (has_parts && quantities.size() == 1 && HasCue(message_, Cue::kPrice));
    if (!asks || !input_.about_shown) return false;
    Statement total{.kind = Kind::kTotal};
    for (size_t i = 0; has_parts && i < numbers_.size(); ++i) {
      total.sources.insert(total.sources.end(), static_cast<size_t>(quantities[i]), numbers_[i]);
    }
    // "Two of them" are two of the first one, not one each of all.
    if (has_parts) {
      // Each as often as its part says.
    } else if (numbers_.size() == 1 || count > 1) {
      numbers_.resize(1);
      total.sources.assign(static_cast<size_t>(count), numbers_[0]);
    } else {
      total.sources = numbers_;
    }
    const bool known = std::all_of(total.sources.begin(), total.sources.end(),
                                   [&](int n) { return NumberAt(n, "price").has_value(); });
    if (!known || total.sources.size() < 2) return false;
    plan_.push_back(std::move(total));
    for (const int n : numbers_)
      plan_.push_back({.kind = Kind::kState, .source = n, .key = "price"});
    return true;
  }

  bool PlanCount() {
    if (!input_.counted) return false;
    plan_.push_back({.kind = Kind::kCount, .number = *input_.counted});
    Recommend();
    return true;
  }

  /// "How much do I save": what sets the price apart from the list price.
  bool PlanSaving() {
    if (!input_.about_shown || !HasCue(message_, Cue::kSaving)) return false;
    const auto payable =
        catalog::ComputePayablePrice(ProductOf(numbers_[0]), input_.now_unix, input_.market);
    if (!payable.price || !payable.was_price) return false;
    plan_.push_back({.kind = Kind::kSaving, .source = numbers_[0]});
    plan_.push_back({.kind = Kind::kState, .source = numbers_[0], .key = "was_price"});
    return true;
  }

  bool PlanBest() {
    std::optional<RankedKey> rank = input_.understanding.rank;
    if (!rank && input_.about_shown && numbers_.size() > 1) rank = ResolveRank(message_, shown_);
    if (!rank || input_.understanding.asks_fact_of_best) return false;
    std::vector<std::pair<double, int>> ranked;
    for (const int n : numbers_) {
      if (const auto number = NumberAt(n, rank->key)) {
        ranked.emplace_back(rank->is_least ? *number : -*number, n);
      }
    }
    if (ranked.empty()) return false;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    // Of the whole shop, what comes before the asked place was left out by the search.
    const size_t first = input_.understanding.ranks_all ? 0 : static_cast<size_t>(rank->place) - 1;
    if (first >= ranked.size()) return false;
    plan_.push_back({.kind = Kind::kBest,
                     .source = ranked[first].second,
                     .key = rank->key,
                     .is_least = rank->is_least,
                     .place = rank->place});
    const size_t stated = rank->count > 0 ? static_cast<size_t>(rank->count) : kMaxRecommended;
    for (size_t i = first + 1; i < ranked.size() && i < first + stated; ++i) {
      plan_.push_back(
          {.kind = Kind::kState, .source = ranked[i].second, .key = rank->key, .is_ranked = true});
    }
    return true;
  }

  void Recommend() {
    std::vector<std::string> keys = input_.understanding.keys_asked;
    if (const SchemaKey* key = KeyNamed(message_); keys.empty() && key != nullptr) {
      keys.push_back(key->name);
    }
    for (const int n : numbers_) {
      if (plan_.size() >= kMaxRecommended) return;
      Statement line{.kind = Kind::kRecommend, .source = n};
      // What is advised is chosen among what fits by its rating.
      const auto& type = input_.understanding.type;
      if (type && type->is_advised && ProductOf(n).rating) line.key = "rating";
      for (const std::string& key : keys) {
        if (line.keys.size() < kMaxReasons && ValueOf(ProductOf(n), key) != nullptr) {
          line.keys.push_back(key);
        }
      }
      plan_.push_back(std::move(line));
    }
  }

  /// Empty: no attribute of these products is asked about by name.
  /// The words of a product's name ask for nothing: "noise cancelling headphones".
  std::string KeyAsked() const {
    FoldedMessage question = message_;
    for (const int n : numbers_) question = WithoutName(question, ProductOf(n));
    if (HasCue(question, Cue::kStock)) return "availability";
    if (HasCue(message_, Cue::kReviews)) return "reviews";
    if (HasCue(message_, Cue::kListPrice)) return "was_price";
    // "Which brand does it fit" asks for no maker.
    const bool has_brand = !ProductOf(numbers_[0]).brand.empty();
    if (has_brand && HasCue(message_, Cue::kMaker) && !HasCue(message_, Cue::kFitting)) {
      return kBrandKey;
    }
    if (const SchemaKey* key = KeyNamed(question)) return key->name;
    // "How much torque does the Torque Drill have".
    for (const SchemaKey& key : shown_.keys()) {
      if (message_.Has("how much " + key.folded) || message_.Has("what " + key.folded))
        return key.name;
    }
    if (HasCue(message_, Cue::kPrice)) return "price";
    if (!input_.understanding.inherited_key.empty()) return input_.understanding.inherited_key;
    if (HasCue(message_, Cue::kRating)) return "rating";
    return "";
  }

  bool AsksYesNo() const { return AsksYesOrNo(question_, message_); }

  /// "And the 4 litre one, HSS40?": the product is named, and nothing is asked of it.
  bool NamesOnly(int n) const {
    const bool asks = HasCue(message_, Cue::kYesNo) || HasCue(message_, Cue::kDetail) ||
                      HasCue(message_, Cue::kWh) || !QuestionAfterSelection(question_).empty();
    const FoldedMessage rest = WithoutName(message_, ProductOf(n));
    const bool is_named = rest.word_count() < message_.word_count();
    return !asks && is_named && input_.understanding.inherited_key.empty() &&
           !HasOtherWords(n, rest);
  }

  void PlanFact(int n, const std::string& key) {
    if (key.empty() && !AsksOfPrice() && NamesOnly(n)) {
      plan_.push_back({.kind = Kind::kRecommend, .source = n});
      return;
    }
    const bool is_live = IsLive(key);
    if (const auto answer = is_live && !AsksOfPrice() ? std::nullopt : PolarityOf(n)) {
      plan_.push_back(*answer);
      return;
    }
    if (const auto answer = key.empty() ? PolarityOfBrand(n) : std::nullopt) {
      plan_.push_back(*answer);
      return;
    }
    if (key.empty()) {
      const bool asks = input_.understanding.Has(Intent::kProductDetails) &&
                        !input_.understanding.Has(Intent::kCartAction);
      plan_.push_back({.kind = asks ? Kind::kNotStated : Kind::kRecommend, .source = n});
      return;
    }
    Statement fact{.kind = Kind::kState, .source = n, .key = is_live ? key : OwnKey(n, key)};
    if (key == "availability" && AsksYesNo()) {
      const bool is_there = ProductOf(n).availability == catalog::Availability::kInStock;
      fact.kind = is_there ? Kind::kAffirm : Kind::kDeny;
    }
    if (is_live && !IsKnown(n, key)) fact.kind = Kind::kNotStated;
    if (!is_live) fact.kind = KindOfAttribute(n, fact.key);
    plan_.push_back(std::move(fact));
  }

  /// Of several products, one may state what is asked for by another name.
  std::string OwnKey(int n, const std::string& key) const {
    if (numbers_.size() == 1 || ValueOf(ProductOf(n), key) != nullptr) return key;
    const TypeSchema schema = TypeSchema::Learn({&ProductOf(n)});
    const auto own = RankKeys(WithoutName(message_, ProductOf(n)), schema);
    const auto named =
        std::find_if(own.begin(), own.end(), [](const KeyMatch& each) { return each.is_named; });
    return named == own.end() ? key : named->key->name;
  }

  bool IsKnown(int n, const std::string& key) const {
    if (key == "rating" || key == "reviews") return ProductOf(n).rating.has_value();
    if (key == kBrandKey) return !ProductOf(n).brand.empty();
    const auto payable = catalog::ComputePayablePrice(ProductOf(n), input_.now_unix, input_.market);
    if (key == "price") return payable.price.has_value();
    return key != "was_price" || payable.was_price.has_value();
  }

  static bool IsLive(const std::string& key) {
    return key == "price" || key == "was_price" || key == "availability" || key == "rating" ||
           key == "reviews" || key == kBrandKey;
  }

  bool AsksOfPrice() const {
    const retrieval::Filter& filter = input_.understanding.filter;
    return filter.has_price() || filter.min_rating || HasCue(message_, Cue::kSale) ||
           input_.understanding.min_reviews;
  }

  static Statement Answer(bool holds, int n, std::string key) {
    return {.kind = holds ? Kind::kAffirm : Kind::kDeny, .source = n, .key = std::move(key)};
  }

  /// "Is it below 800", "is it on sale", "is the first one a Samsung".
  std::optional<Statement> PolarityOfLive(int n) const {
    const retrieval::Filter& filter = input_.understanding.filter;
    const Product& product = ProductOf(n);
    const auto payable = catalog::ComputePayablePrice(product, input_.now_unix, input_.market);
    if (HasCue(message_, Cue::kSale) && payable.price) {
      return Answer(payable.was_price.has_value(), n, payable.was_price ? "sale" : "price");
    }
    const bool is_comparable = payable.price && payable.price->currency == filter.currency;
    if (filter.has_price() && is_comparable) {
      const int64_t amount = payable.price->amount;
      return Answer((!filter.min_price || amount >= *filter.min_price) &&
                        (!filter.max_price || amount <= *filter.max_price),
                    n, "price");
    }
    if (input_.understanding.min_reviews && product.rating) {
      return Answer(product.rating->count >= *input_.understanding.min_reviews, n, "reviews");
    }
    if (filter.min_rating && product.rating) {
      return Answer(product.rating->value >= *filter.min_rating, n, "rating");
    }
    return std::nullopt;
  }

  /// "Is the first one a Samsung". A brand that only names the product is not asked about.
  std::optional<Statement> PolarityOfBrand(int n) const {
    const std::vector<std::string>& brands = input_.understanding.filter.brands;
    const Product& product = ProductOf(n);
    if (brands.empty() || input_.understanding.referenced_products.empty() || !AsksYesNo()) {
      return std::nullopt;
    }
    const FoldedMessage title(product.title);
    const bool is_of_brand = std::any_of(brands.begin(), brands.end(), [&](const auto& brand) {
      return product.brand == brand || title.Has(retrieval::FoldWords(brand));
    });
    return Answer(is_of_brand, n, "title");
  }

  /// The polarity is the record's: the condition that the question states holds or does not.
  std::optional<Statement> PolarityOf(int n) const {
    if (!AsksYesNo()) return std::nullopt;
    if (const auto live = PolarityOfLive(n)) return live;
    // The name of the product asks for nothing: "is the Running Shoes, Mint light".
    FoldedMessage question = WithoutName(message_, ProductOf(n));
    if (const auto answer = PolarityOfChoice(n, question)) return answer;
    std::vector<retrieval::NumericRange> ranges = input_.understanding.filter.ranges;
    const TypeSchema& schema = input_.schema == nullptr ? shown_ : *input_.schema;
    const BoundConditions bound = BindConditions(question, input_.understanding.language, schema,
                                                 {}, ranges, {}, ConditionUse::kQuestion);
    for (const retrieval::AttributeCondition& each : bound.attributes) {
      const std::string* const value = ValueOf(ProductOf(n), each.name);
      if (value == nullptr || !Answers(question, schema, each.name, ListOf(each.values) + *value))
        continue;
      const bool holds =
          std::find(each.values.begin(), each.values.end(), *value) != each.values.end();
      return Answer(holds, n, each.name);
    }
    return PolarityOfTitle(n, question);
  }

  /// "A drawer instead of a basket": no where the record has the basket. Else the drawer alone is
  /// asked for.
  std::optional<Statement> PolarityOfChoice(int n, FoldedMessage& question) const {
    const FoldedMessage::Span instead = FindCue(question, Cue::kInsteadOf);
    if (!instead.found()) return std::nullopt;
    const auto other = FoldedMessage::FromFolded(std::string(question.text().substr(instead.end)));
    const SchemaKey* const key = KeyNamed(question);
    const std::string* const value = key == nullptr ? nullptr : ValueOf(ProductOf(n), key->name);
    if (value != nullptr && other.Has(FoldedMessage(*value).text())) {
      return Answer(false, n, key->name);
    }
    question = FoldedMessage::FromFolded(std::string(question.text().substr(0, instead.begin)));
    return std::nullopt;
  }

  static std::string ListOf(const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& each : values) list += each + ", ";
    return list;
  }

  /// A yes or no needs an attribute that is named, or whose value is all that is asked
  /// for: "quick charge" does not say whether it can charge a laptop.
  bool Answers(const FoldedMessage& question, const TypeSchema& schema, const std::string& name,
               const std::string& values) const {
    const SchemaKey* const key = schema.Find(name);
    if (key == nullptr) return false;
    if (key->kind != SchemaKey::Kind::kBoolean) {
      return UnansweredWords(WithoutType(question), *key, values, input_.understanding.language)
          .empty();
    }
    // "Is a strap included": of the "carry strap" nothing else is asked.
    const FoldedMessage asked = WithoutType(question);
    const bool is_all = !TellingWords(asked).empty() &&
                        UnansweredWords(asked, *key, values, input_.understanding.language).empty();
    if (is_all) return true;
    // "Print photos without borders" is more than the "colour" that photos speak of.
    const std::vector<std::string> words_of_key = SplitWords(key->folded);
    const bool says_name = std::any_of(
        words_of_key.begin(), words_of_key.end(),
        [&](const std::string& word) { return question.Has(word) || question.Has(StemOf(word)); });
    if (!says_name && HasCue(question, Cue::kNegation)) return false;
    const auto matches = RankKeys(question, schema);
    return std::any_of(matches.begin(), matches.end(),
                       [&](const KeyMatch& each) { return each.key == key && each.is_named; });
  }

  /// "Are they reusable", "is it a Samsung": the title may say so, or name another maker.
  std::optional<Statement> PolarityOfTitle(int n, const FoldedMessage& question) const {
    // A title in another script cannot have these words.
    if (IsWideText(question.text())) return std::nullopt;
    const std::string& language = input_.understanding.language;
    const RecordWords own = RecordWords::Learn({&ProductOf(n)});
    const auto said = ReadWordConditions(WithoutType(message_), language, own);
    if (!said.empty() && said.size() <= kMaxTitleWords && !HasOtherWords(n, question)) {
      return Answer(true, n, "title");
    }
    const RecordWords& all = input_.schema == nullptr ? own : input_.schema->words();
    for (const std::string& word : TellingWords(question)) {
      if (all.IsMaker(word) && !Meets(ProductOf(n).title, DemandOf(word))) {
        return Answer(false, n, "title");
      }
    }
    return std::nullopt;
  }

  /// The question without what only names the type: "is this kettle cordless". "Has it got a
  /// heater" asks for one.
  FoldedMessage WithoutType(const FoldedMessage& question) const {
    const auto& type = input_.understanding.type;
    if (!type) return question;
    const FoldedMessage::Span name = question.FindLongest(type->words);
    std::string rest(question.text());
    if (name.found()) rest.erase(name.begin, name.size());
    FoldedMessage others(rest);
    return TellingWords(others).empty() ? question : others;
  }

  /// Words that neither the title nor the type holds.
  bool HasOtherWords(int n, const FoldedMessage& question) const {
    const std::vector<std::string> words = TellingWords(WithoutType(question));
    const std::string& title = ProductOf(n).title;
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return !Meets(title, DemandOf(word)); });
  }

  Kind KindOfAttribute(int n, const std::string& key) const {
    const std::string* const value = ValueOf(ProductOf(n), key);
    if (value == nullptr) return Kind::kNotStated;
    const std::string folded = retrieval::FoldWords(*value);
    if (!AsksYesNo() || (!MeansYes(folded) && !MeansNo(folded))) return Kind::kState;
    const FoldedMessage question = WithoutName(message_, ProductOf(n));
    if (!Answers(question, shown_, key, *value)) return Kind::kNotStated;
    return MeansNo(folded) ? Kind::kDeny : Kind::kAffirm;
  }

  const PlanInput& input_;
  const std::string& question_;  // or a part of it
  const FoldedMessage message_;
  std::vector<int> numbers_;  // of the products
  TypeSchema shown_;          // what they state
  std::vector<Statement> plan_;
};

}  // namespace

bool IsComputed(const Statement& statement) {
  return statement.kind == Kind::kTotal || statement.kind == Kind::kSaving ||
         statement.kind == Kind::kCount;
}

std::vector<Statement> PlanAnswer(const PlanInput& input) { return Planner(input).Run(); }

}  // namespace emptor::services
