// Answers by what attributes mean, and by values that exclude one another.
#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/contrasts.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_meaning.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr double kMinNameShare = 0.5;  // of a name that a yes, or a fact without one, needs

}  // namespace

std::optional<Statement> Planner::PolarityOfContrast(int n) const {
  if (HasCue(message_, Cue::kThan) || HasCue(message_, Cue::kNegation)) return std::nullopt;
  const auto contrast = FindContrast(WithoutReference(n), ProductOf(n));
  if (!contrast) return std::nullopt;
  if (!contrast->holds) {
    return Statement{.kind = Kind::kState, .source = n, .key = contrast->key};
  }
  return Answer(*contrast->holds, n, contrast->key);
}

std::optional<Statement> Planner::StatedByMeaning(int n) const {
  // "SFP+" is more than "SFP".
  if (question_.find('+') != std::string::npos) return std::nullopt;
  const AskedMeaning asked(Affirmed(WithoutName(message_, ProductOf(n))),
                           input_.understanding.language, ProductOf(n).title);
  const TypeSchema& own = SchemaOf(n);
  for (const SaidByAttribute& each : FindSaid(asked, message_, ProductOf(n), own, AsksYesNo())) {
    if (auto statement = StatementOf(n, each)) return statement;
  }
  return std::nullopt;
}

std::optional<Statement> Planner::StatementOf(int n, const SaidByAttribute& said) const {
  const std::string& value = *ValueOf(ProductOf(n), said.name);
  const std::string folded = retrieval::FoldWords(value);
  const bool is_boolean = MeansYes(folded) || MeansNo(folded);
  const bool says_most = said.share >= kMinNameShare;
  const Statement fact{.kind = Kind::kState, .source = n, .key = said.name};
  if (!AsksYesNo()) {
    if (is_boolean || (!says_most && !said.is_in_value)) return std::nullopt;
    return fact;
  }
  const bool denies = HasCue(message_, Cue::kNegation);
  if (is_boolean) {
    // No "wireless charging" does not say that it cannot be charged.
    const bool is_decided = MeansNo(folded) ? said.share >= 1 : says_most;
    if (!is_decided || denies) return std::nullopt;
    return Answer(MeansYes(folded), n, said.name);
  }
  const TypeSchema& own = SchemaOf(n);
  const SchemaKey* const key = own.Find(said.name);
  const auto number = retrieval::ParsePlainNumber(value);
  if (number && key != nullptr && IsCount(*key) && said.share >= 1 && !denies) {
    return Answer(*number > 0, n, said.name);
  }
  if (said.is_in_value && !denies && !number) return Answer(true, n, said.name);
  return says_most ? std::make_optional(fact) : std::nullopt;
}

FoldedMessage Planner::Affirmed(const FoldedMessage& question) const {
  const FoldedMessage::Span without = FindCue(question, Cue::kNegation);
  if (AsksYesNo() || !without.found() || without.begin == 0) return question;
  return FoldedMessage::FromFolded(std::string(question.text().substr(0, without.begin - 1)));
}

bool Planner::PlanByMeaning(int n) {
  auto statement = StatedByMeaning(n);
  if (!statement) return false;
  plan_.push_back(std::move(*statement));
  return true;
}

bool Planner::SaysAll(int n, const std::string& key) const {
  const std::string* const value = ValueOf(ProductOf(n), key);
  const AskedMeaning asked(Affirmed(WithoutReference(n)), input_.understanding.language,
                           ProductOf(n).title);
  return asked.empty() || (value != nullptr && asked.IsSaidBy(key + " " + *value));
}

bool Planner::IsOffTopic(int n, const std::string& name) const {
  const FoldedMessage question = WithoutReference(n);
  const SchemaKey* const key = shown_.Find(name);
  if (key == nullptr || IsWideText(question.text()) || SaysAll(n, name)) return false;
  const auto beyond_title = [&](std::vector<std::string> words) {
    const FoldedMessage title(ProductOf(n).title);
    std::erase_if(words, [&](const std::string& word) { return title.Has(word); });
    return words.size();
  };
  const size_t unanswered = beyond_title(
      UnansweredWords(question, *key, *ValueOf(ProductOf(n), name), input_.understanding.language));
  // The lexicon knows the question for this attribute; "cigarette lighter" is not "lighter".
  const auto is_known = [&](const std::vector<std::string>& phrases) {
    const FoldedMessage::Span span = question.FindLongest(phrases);
    return span.found() &&
           (unanswered <= 1 ||
            question.text().substr(span.begin, span.size()).find(' ') != std::string_view::npos);
  };
  if (is_known(key->phrases) || is_known(key->part_phrases) || is_known(key->yes)) return false;
  // "How long will it run when the power is out" may ask for a time or for a length.
  const bool is_ambiguous = ReadAskedFor(question).dimensions.size() > 1;
  const size_t asked = beyond_title(TellingWords(question));
  if (!AsksYesNo()) return is_ambiguous && unanswered > 1 && unanswered >= asked;
  // Most of "measure heart rate" is what the "heart rate sensor type" says.
  return unanswered > 0 && 2 * unanswered >= asked;
}

std::optional<Statement> Planner::PolarityOfTitleWords(int n) const {
  constexpr std::string_view kFor = " for ";
  const bool is_open = HasCue(message_, Cue::kThan) || HasCue(message_, Cue::kNegation) ||
                       HasCue(message_, Cue::kFitting) || HasCue(message_, Cue::kOr) ||
                       message_.HasAny(ActPhrases());
  if (is_open || !ProductOf(n).attributes.empty()) return std::nullopt;
  // What the goods are for is no part of them.
  const std::string title(FoldedMessage(ProductOf(n).title).text());
  const bool asks_purpose = HasCue(message_, Cue::kPurpose);
  const std::string goods = asks_purpose ? title : title.substr(0, title.find(kFor));
  const AskedMeaning asked(WithoutReference(n), input_.understanding.language, "");
  const bool has_all = !asked.empty() && asked.IsSaidBy(goods) &&
                       !HasCue(FoldedMessage::FromFolded(goods), Cue::kNegation);
  return has_all ? std::make_optional(Answer(true, n, "title")) : std::nullopt;
}

}  // namespace emptor::services
