// Decisions by the records.
#include "services/assistant/plan/plan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using catalog::Product;
using Kind = Statement::Kind;
using View = std::string_view;

constexpr size_t kMaxRecommended = 3;
constexpr size_t kMaxReasons = 3;  // facts of a recommendation
constexpr size_t kMaxFacts = 4;    // of one product in an answer
constexpr size_t kMaxFactsOfSeveral = 8;

}  // namespace

Planner::Planner(const PlanInput& input)
    : input_(input),
      question_(input.part == nullptr ? input.question : *input.part),
      message_(question_) {
  for (size_t i = 0; i < input.sources.size(); ++i) {
    const int n = static_cast<int>(i) + 1;
    if (input.sources[i].product() != nullptr && n != input.shop_best) numbers_.push_back(n);
  }
  shown_ = TypeSchema::Learn(Products());
}

std::vector<Statement> Planner::Run() {
  if (numbers_.empty()) return {};
  if (PlanMissing() || PlanCount() || PlanEach() || PlanTotal() || PlanPriceDifference() ||
      PlanSaving() || PlanWhether() || PlanBest()) {
    return std::move(plan_);
  }
  if (!input_.about_shown) {
    Recommend();
    return std::move(plan_);
  }
  if (!input_.understanding.unsold_side.empty()) {
    Recommend();
    return std::move(plan_);
  }
  // The sides of a comparison ask for no fact by themselves.
  const bool is_pair = input_.understanding.compares_shown;
  const std::string key = is_pair ? KeyCompared() : KeyAsked();
  if (!(is_pair && key.empty()) && PlanSeveral()) return std::move(plan_);
  if (input_.understanding.Has(Intent::kProductComparison) && key.empty()) {
    PlanComparison();
    return std::move(plan_);
  }
  for (const int n : numbers_) {
    if (plan_.size() < kMaxRecommended) PlanFact(n, key);
  }
  return std::move(plan_);
}

const Product& Planner::ProductOf(int n) const {
  return *input_.sources[static_cast<size_t>(n) - 1].product();
}

const TypeSchema& Planner::SchemaOf(int n) const {
  const auto known = schemas_.find(n);
  if (known != schemas_.end()) return known->second;
  return schemas_.emplace(n, TypeSchema::Learn({&ProductOf(n)})).first->second;
}

std::vector<const Product*> Planner::Products() const {
  std::vector<const Product*> products;
  for (const int n : numbers_) products.push_back(&ProductOf(n));
  return products;
}

std::optional<double> Planner::NumberAt(int n, const std::string& key) const {
  return NumberOf(ProductOf(n), key, input_.now_unix, input_.market);
}

const SchemaKey* Planner::KeyNamed(const FoldedMessage& question) const {
  return KeyOfQuestion(question, shown_, input_.schema, AsksYesNo());
}

bool Planner::PlanSeveral() {
  std::vector<Statement> facts;
  size_t asked = 0;
  bool has_rest = false;
  for (const int n : numbers_) {
    const size_t before = facts.size();
    has_rest = AddFacts(n, facts);
    asked = std::max(asked, facts.size() - before);
  }
  // "Does it toast bagels and how heavy is it", of which the record tells one.
  const bool is_half = asked == 1 && has_rest && numbers_.size() == 1;
  if (asked < 2 && !is_half) return false;
  plan_ = std::move(facts);
  if (is_half) plan_.push_back({.kind = Kind::kNotStated, .source = numbers_[0], .is_rest = true});
  return true;
}

bool Planner::AddFacts(int n, std::vector<Statement>& facts) const {
  bool has_rest = false;
  const FoldedMessage title(ProductOf(n).title);
  const size_t before = facts.size();
  for (const std::string& part : SplitQuestions(input_.question)) {
    // The parts may be those of a title: "the Gale Shoes, Mint".
    const FoldedMessage folded(part);
    if (title.Has(folded.text())) continue;
    PlanInput input = input_;
    input.part = &part;
    Planner planner(input);
    const std::string key = planner.KeyAsked();
    if (key.empty() && !planner.AsksYesNo() && !HasCue(folded, Cue::kWh)) continue;
    planner.PlanFact(n, key);
    for (Statement& fact : planner.plan_) {
      const bool says =
          fact.kind != Kind::kRecommend && fact.kind != Kind::kNotStated && fact.key != "title";
      // "Can the other one, the second, take a memory card" asks nothing in its first part.
      has_rest |=
          fact.kind == Kind::kNotStated && !TellingWords(planner.WithoutReference(n)).empty();
      const bool is_new =
          std::none_of(facts.begin() + static_cast<std::ptrdiff_t>(before), facts.end(),
                       [&](const Statement& each) { return each.key == fact.key; });
      const size_t most = numbers_.size() == 1 ? kMaxFacts : kMaxFactsOfSeveral;
      if (says && is_new && facts.size() < most) facts.push_back(std::move(fact));
    }
  }
  return has_rest;
}

bool Planner::PlanTotal() {
  const int count = CountAsked(message_);
  // "Does it hold 12 bottles" counts no purchase, "the most total storage" sums nothing.
  const std::vector<int>& quantities = input_.understanding.quantities;
  const bool has_parts = quantities.size() == numbers_.size() && !quantities.empty() &&
                         !input_.understanding.Has(Intent::kCartAction);
  const bool lists = input_.understanding.lists_choices;
  const bool asks = lists || (HasCue(message_, Cue::kTotal) && !input_.understanding.rank) ||
                    (count > 1 && HasCue(message_, Cue::kPrice)) ||
                    (has_parts && (HasCue(message_, Cue::kPlus) || HasCue(message_, Cue::kPrice) ||
                                   HasPlusSign(input_.understanding.message)));
  if (!asks || !input_.about_shown) return false;
  Statement total{.kind = Kind::kTotal};
  for (size_t i = 0; has_parts && i < numbers_.size(); ++i) {
    total.sources.insert(total.sources.end(), static_cast<size_t>(quantities[i]), numbers_[i]);
  }
  // "Two of them" are two of the first one, not one each of all.
  if (has_parts) {
    // Each as often as its part says.
  } else if (!lists && (numbers_.size() == 1 || count > 1)) {
    numbers_.resize(1);
    total.sources.assign(static_cast<size_t>(count), numbers_[0]);
  } else {
    total.sources = numbers_;
  }
  const bool known = std::all_of(total.sources.begin(), total.sources.end(),
                                 [&](int n) { return NumberAt(n, "price").has_value(); });
  if (!known) return false;
  if (!lists) total.fee = WrappingFee();
  if (total.sources.size() < 2 && lists) {
    plan_.push_back({.kind = Kind::kState, .source = numbers_[0], .key = "price"});
    return true;
  }
  if (total.sources.size() < 2 && !total.fee) return PlanTotalOfOne();
  // "Both", where one of the two was not found.
  if (HasCue(message_, Cue::kBoth) && total.sources.size() > 2 && !has_parts) return false;
  for (const int n : numbers_) {
    const auto pieces = std::count(total.sources.begin(), total.sources.end(), n);
    plan_.push_back(
        {.kind = Kind::kState, .source = n, .key = "price", .number = static_cast<size_t>(pieces)});
  }
  plan_.insert(plan_.end() - static_cast<std::ptrdiff_t>(numbers_.size()), std::move(total));
  return true;
}

bool Planner::PlanCount() {
  if (!input_.counted) return false;
  plan_.push_back({.kind = Kind::kCount, .number = *input_.counted});
  Recommend();
  return true;
}

bool Planner::PlanSaving() {
  if (!input_.about_shown || !HasCue(message_, Cue::kSaving)) return false;
  const auto payable =
      catalog::ComputePayablePrice(ProductOf(numbers_[0]), input_.now_unix, input_.market);
  if (!payable.price || !payable.was_price) return false;
  plan_.push_back({.kind = Kind::kSaving, .source = numbers_[0]});
  plan_.push_back({.kind = Kind::kState, .source = numbers_[0], .key = "was_price"});
  if (input_.understanding.asks_fact_of_best) {
    plan_.push_back({.kind = Kind::kState, .source = numbers_[0], .key = "price"});
  }
  return true;
}

std::vector<Planner::Ranked> Planner::RankedBy(const RankedKey& rank) const {
  std::vector<Ranked> ranked;
  for (const int n : numbers_) {
    auto value = RankedValueOf(ProductOf(n), rank, input_.now_unix, input_.market);
    if (value) ranked.push_back({rank.is_least ? value->number : -value->number, n, *value});
  }
  return ranked;
}

Statement Planner::StatementOf(const Ranked& ranked, const RankedKey& rank, Kind kind) {
  Statement statement{.kind = kind, .source = ranked.n, .key = ranked.value.key};
  statement.is_least = rank.is_least;
  if (rank.is_of_type()) statement.label = rank.label;
  if (ranked.value.key == kTitleKey) statement.words = {ranked.value.text};
  return statement;
}

bool Planner::PlanBest() {
  std::optional<RankedKey> rank = input_.understanding.rank;
  if (input_.understanding.compares_shown) return false;
  if (!rank && input_.about_shown && numbers_.size() > 1) rank = ResolveRank(message_, shown_);
  if (!rank || input_.understanding.asks_fact_of_best) return false;
  std::vector<Ranked> ranked = RankedBy(*rank);
  if (PlanUndecided(*rank, ranked)) return true;
  if (ranked.empty()) return false;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.order < b.order; });
  // Of the whole shop, what comes before the asked place was left out by the search.
  const size_t first = input_.understanding.ranks_all ? 0 : static_cast<size_t>(rank->place) - 1;
  if (first >= ranked.size()) return false;
  Statement best = StatementOf(ranked[first], *rank, Kind::kBest);
  best.place = rank->place;
  best.number = input_.understanding.ranks_all ? 0 : numbers_.size();
  plan_.push_back(std::move(best));
  if (AddFactsOfBest(ranked[first].n, ranked[first].value.key)) return true;
  const size_t stated = rank->count > 0 ? static_cast<size_t>(rank->count) : kMaxRecommended;
  for (size_t i = first + 1; i < ranked.size() && i < first + stated; ++i) {
    plan_.push_back(StatementOf(ranked[i], *rank, Kind::kState));
    plan_.back().is_ranked = true;
  }
  if (input_.shop_best) {
    const auto value =
        RankedValueOf(ProductOf(*input_.shop_best), *rank, input_.now_unix, input_.market);
    plan_.push_back(StatementOf({0, *input_.shop_best, value.value_or(RankedValue{0, rank->key})},
                                *rank, Kind::kBest));
    plan_.back().of_shop = true;
  }
  return true;
}

bool Planner::AddFactsOfBest(int n, const std::string& ranked_by) {
  if (!input_.about_shown) return false;
  std::vector<Statement> facts;
  for (const std::string& part : SplitQuestions(input_.question)) {
    const FoldedMessage folded(part);
    if (ResolveRank(folded, shown_) || HasCue(folded, Cue::kWhich) ||
        !(HasCue(folded, Cue::kWh) || HasCue(folded, Cue::kYesNo))) {
      continue;
    }
    PlanInput input = input_;
    input.part = &part;
    Planner planner(input);
    const std::string key = planner.KeyAsked();
    if (key.empty() || key == ranked_by) continue;
    planner.PlanFact(n, key);
    std::move(planner.plan_.begin(), planner.plan_.end(), std::back_inserter(facts));
  }
  std::move(facts.begin(), facts.end(), std::back_inserter(plan_));
  return !facts.empty();
}

void Planner::Recommend() {
  std::vector<std::string> keys = input_.understanding.keys_asked;
  if (const SchemaKey* key = KeyNamed(message_); keys.empty() && key != nullptr) {
    keys.push_back(key->name);
  }
  for (const int n : numbers_) {
    // What a product lacks is said also where its price would not be.
    const auto at = static_cast<size_t>(n) - 1;
    const bool has_remark = at < input_.remarks.size() && !input_.remarks[at].empty();
    if (plan_.size() >= kMaxRecommended && !has_remark) continue;
    Statement line{.kind = Kind::kRecommend, .source = n};
    // What is advised is chosen among what fits by its rating.
    const auto& type = input_.understanding.type;
    if (type && type->is_advised && ProductOf(n).rating) line.key = "rating";
    for (const std::string& key : keys) {
      const bool is_new = std::find(line.keys.begin(), line.keys.end(), key) == line.keys.end();
      const bool is_stated =
          ValueOf(ProductOf(n), key) != nullptr || (key == "was_price" && IsKnown(n, key));
      if (is_new && is_stated && line.keys.size() < kMaxReasons) {
        line.keys.push_back(key);
      }
    }
    plan_.push_back(std::move(line));
  }
}

bool IsComputed(const Statement& statement) {
  return statement.kind == Kind::kEach || statement.kind == Kind::kTotal ||
         statement.kind == Kind::kSaving || statement.kind == Kind::kPriceDifference ||
         statement.kind == Kind::kCount ||
         (statement.kind == Kind::kOnlyShown && statement.number > 1);
}

std::string KeyOfAll(const std::vector<Statement>& plan) {
  std::string key;
  for (const Statement& each : plan) {
    const std::string own = each.kind == Statement::Kind::kTotal ? "price" : each.key;
    if (&each != &plan.front() && own != key) return "";
    key = own;
  }
  return key;
}

std::vector<Statement> PlanAnswer(const PlanInput& input) { return Planner(input).Run(); }

}  // namespace emptor::services
