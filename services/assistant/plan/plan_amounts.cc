// Answers about amounts: whether the product meets one, and what one piece costs.
#include <algorithm>
#include <utility>

#include "catalog/feed/amount.h"
#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/amount_verdict.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/title_values.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

/// "For $3.95 an item": the amount before words that say for what it is charged.
std::optional<catalog::Money> FeePerItem(const std::string& text, const std::string& currency) {
  const auto& per_item = CuePhrases(Cue::kPerItem);
  const std::vector<std::string> words = SplitWords(text);
  for (size_t i = 0; i < words.size(); ++i) {
    const auto amount = catalog::ParseAmount(words[i], {.currency = currency});
    if (!amount.ok() || amount->currency != currency) continue;
    std::string behind;
    for (size_t k = i + 1; k < words.size(); ++k) behind += words[k] + " ";
    const std::string folded(FoldedMessage(behind).text());
    const bool is_fee = std::any_of(per_item.begin(), per_item.end(), [&](const auto& phrase) {
      return (folded + " ").starts_with(phrase + (IsWideText(phrase) ? "" : " "));
    });
    if (is_fee) return *amount;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Statement> Planner::PolarityOfAmount(int n, const FoldedMessage& question) const {
  const catalog::Product& product = ProductOf(n);
  if (const auto age = ReadAge(question)) {
    const auto least = MinAgeOf(product);
    for (const catalog::Attribute& each : product.attributes) {
      const FoldedMessage name(each.name);
      if (least && name.Has("age") && !name.Has("max")) return Answer(*age >= *least, n, each.name);
    }
  }
  const auto verdict = JudgeAmount(question_, question, product, input_.units);
  if (!verdict) return std::nullopt;
  if (verdict->holds) return Answer(*verdict->holds, n, verdict->key);
  return Statement{.kind = Kind::kState, .source = n, .key = verdict->key};
}

bool Planner::PlanTotalOfOne() {
  const FoldedMessage rest = message_.Without(FindCue(message_, Cue::kTotal));
  const std::vector<std::string> said = TellingWords(rest);
  const bool says_more = std::any_of(said.begin(), said.end(), [](const std::string& word) {
    return !IsStruckOut(word) && !IsOrdinaryWord(word);
  });
  const bool asks_only = HasCue(message_, Cue::kTotal) && numbers_.size() == 1 &&
                         (HasCue(message_, Cue::kPrice) || !says_more);
  if (!asks_only || KeyNamed(rest) != nullptr) return false;
  plan_.push_back({.kind = Kind::kState, .source = numbers_[0], .key = "price"});
  return true;
}

std::optional<catalog::Money> Planner::WrappingFee() const {
  if (!HasCue(FoldedMessage(input_.understanding.policy_part), Cue::kWrapping)) {
    return std::nullopt;
  }
  const auto& price = ProductOf(numbers_[0]).price;
  for (const Source& each : input_.sources) {
    if (each.document() == nullptr || !price) continue;
    if (auto fee = FeePerItem(each.document()->text, price->currency)) return fee;
  }
  return std::nullopt;
}

bool Planner::PlanPriceDifference() {
  if (!input_.about_shown || numbers_.size() != 2 || !HasCue(message_, Cue::kPriceDifference)) {
    return false;
  }
  const auto first = NumberAt(numbers_[0], "price"), second = NumberAt(numbers_[1], "price");
  if (!first || !second) return false;
  const bool is_dearer = *first >= *second;
  plan_.push_back({.kind = Kind::kPriceDifference,
                   .sources = {numbers_[is_dearer ? 0 : 1], numbers_[is_dearer ? 1 : 0]}});
  for (const int n : numbers_) plan_.push_back({.kind = Kind::kState, .source = n, .key = "price"});
  return true;
}

bool Planner::PlanUnitPrices() {
  struct UnitPrice {
    double amount;
    Statement said;
  };
  std::vector<UnitPrice> prices;
  std::vector<Statement> unknown;
  for (const int n : numbers_) {
    const auto price = ReadPriceOf(message_, ProductOf(n));
    const auto amount = NumberAt(n, "price");
    if (!price || !amount) {
      unknown.push_back({.kind = Kind::kState, .source = n, .key = "price"});
      continue;
    }
    Statement said{.kind = Kind::kEach,
                   .source = n,
                   .words = {price->unit, price->count},
                   .share = price->share};
    prices.push_back({*amount * price->share, std::move(said)});
  }
  if (prices.size() < 2) return false;
  std::stable_sort(prices.begin(), prices.end(),
                   [](const auto& a, const auto& b) { return a.amount < b.amount; });
  for (UnitPrice& each : prices) {
    plan_.push_back({.kind = Kind::kState, .source = each.said.source, .key = "price"});
    plan_.push_back(std::move(each.said));
  }
  std::move(unknown.begin(), unknown.end(), std::back_inserter(plan_));
  return true;
}

bool Planner::PlanEach() {
  if (!input_.about_shown || numbers_.empty()) return false;
  if (numbers_.size() > 1) return PlanUnitPrices();
  const int n = numbers_.front();
  const auto price = ReadPriceOf(message_, ProductOf(n));
  if (!price || !NumberAt(n, "price")) return false;
  plan_.push_back({.kind = Kind::kEach,
                   .source = n,
                   .words = {price->unit, price->count},
                   .share = price->share});
  plan_.push_back({.kind = Kind::kState, .source = n, .key = "price"});
  return true;
}

}  // namespace emptor::services
