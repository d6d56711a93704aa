// Answers by the senses of questions (schema/fact_senses), and the one of two alternatives that a
// record has.
#include <algorithm>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/amount_verdict.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxAlternativeBytes = 40;  // of a value that is one of two

}  // namespace

std::optional<Statement> Planner::StatedBySense(int n, const AskedFact& fact) const {
  const std::string& value = *ValueOf(ProductOf(n), fact.key);
  const std::string folded = retrieval::FoldWords(value);
  const Statement stated{.kind = Kind::kState, .source = n, .key = fact.key};
  const bool is_boolean = MeansYes(folded) || MeansNo(folded);
  if (!AsksYesNo()) return stated;
  const bool denies = HasCue(message_, Cue::kNegation);
  const bool turns = fact.is_opposite != denies;
  if (is_boolean) return Answer(MeansYes(folded) != turns, n, fact.key);
  const auto amount =
      JudgeAmount(question_, WithoutName(message_, ProductOf(n)), ProductOf(n), input_.units);
  if (amount && amount->key == fact.key && amount->holds) {
    return Answer(*amount->holds, n, fact.key);
  }
  if (const auto is_there = SaysThere(value)) return Answer(*is_there != turns, n, fact.key);
  const TypeSchema& own = SchemaOf(n);
  const SchemaKey* const key = own.Find(fact.key);
  const auto number = retrieval::ParsePlainNumber(value);
  if (number && key != nullptr && IsCount(*key) && !turns &&
      retrieval::FindMeasures(question_, 1).empty()) {
    return Answer(*number > 0, n, fact.key);
  }
  return stated;
}

bool Planner::PlanBySense(int n, const std::string& key, bool is_all) {
  if (HasCue(message_, Cue::kThan)) return false;
  const auto fact = FindAskedFact(WithoutReference(n), ProductOf(n), AsksYesNo(), key);
  if (!fact) return false;
  if (fact->key.empty()) {
    plan_.push_back({.kind = Kind::kNotStated, .source = n});
    return true;
  }
  if (is_all && !fact->answers_all) return false;
  auto statement = StatedBySense(n, *fact);
  if (!statement) return false;
  // A value may decide what its attribute leaves open: "mineral filters?", "ok for a newborn".
  if (statement->kind == Kind::kState && AsksYesNo()) {
    auto decided = PolarityOf(n);
    if (decided && decided->key == fact->key) statement = std::move(decided);
  }
  const bool states = statement->kind == Kind::kState;
  plan_.push_back(std::move(*statement));
  if (states && numbers_.size() == 1) AddSiblings(n, fact->key);
  return true;
}

bool Planner::PlanByAlternative(int n) {
  const FoldedMessage question = WithoutReference(n);
  const FoldedMessage::Span either = FindCue(question, Cue::kOr);
  if (!either.found()) return false;
  const auto words_of = [](std::string_view text) {
    std::vector<std::string> words = SplitWords(text);
    std::erase_if(words, [](const std::string& word) {
      return IsStruckOut(word) || HasCue(FoldedMessage::FromFolded(word), Cue::kDeterminer);
    });
    return words;
  };
  const auto before = words_of(question.text().substr(0, either.begin));
  const auto behind = words_of(question.text().substr(either.end));
  if (before.empty() || behind.empty()) return false;
  const std::string &left = before.back(), &right = behind.front();
  // "Left", of "left or right": the one that the text has, where it has not both.
  const auto one_of = [&](std::string_view text) -> std::string {
    const FoldedMessage said(text);
    if (said.Has(left) == said.Has(right)) return "";
    return said.Has(left) ? left : right;
  };
  const catalog::Product& product = ProductOf(n);
  for (const catalog::Attribute& each : product.attributes) {
    if (each.value.size() > kMaxAlternativeBytes || one_of(each.value).empty()) continue;
    plan_.push_back({.kind = Kind::kState, .source = n, .key = each.name});
    return true;
  }
  if (std::string word = one_of(product.title); !word.empty()) {
    plan_.push_back(
        {.kind = Kind::kState, .source = n, .key = "title", .words = {std::move(word)}});
    return true;
  }
  return false;
}

}  // namespace emptor::services
