// Answers about amounts: whether the product meets one, and what one piece costs.
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/amount_verdict.h"
#include "services/assistant/schema/title_values.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {

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

bool Planner::PlanEach() {
  if (!input_.about_shown || numbers_.size() != 1) return false;
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
