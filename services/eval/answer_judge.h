// Whether an answer is right: the checks of its case, its language, and no false statement.
#pragma once

#include <string>
#include <vector>

#include "services/eval/answer_cases.h"
#include "services/eval/gold_records.h"
#include "services/eval/shown_answer.h"

namespace emptor::services {

/// A check that does not hold: "cards", "fact: of kettle-1: noise level is \"72 dB\"".
struct Failure {
  std::string check;  // the member of `expect`, "language", "truth", "error"
  std::string what;
};

struct Verdict {
  std::vector<Failure> failures;  // empty: the answer is right
  int facts = 0;
  int false_statements = 0;
  bool wrong_card = false;  // a card violates `where`, or there is one where none may be
  /// It says that it does not know, or found nothing, where the record or the shop has it.
  bool false_denial = false;
  bool is_right() const { return failures.empty(); }
};

/// Judges the answer to the last turn of `answers`; those before it resolve references. Pure.
/// REQUIRES: 0 < answers.size() <= conversation.turns.size().
Verdict JudgeAnswer(const CaseConversation& conversation, const std::vector<ShownAnswer>& answers,
                    const GoldRecords& records);

}  // namespace emptor::services
