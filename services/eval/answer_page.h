// Answer evaluations as HTML pages that need nothing else, for a merchant to read.
#pragma once

#include <string>
#include <vector>

#include "services/eval/answer_diff.h"
#include "services/eval/conversation_runner.h"

namespace emptor::services {

/// Totals, tables by kind, language, step and check, and every open conversation with a wrong
/// answer. Of sealed ones the totals alone.
std::string AnswerPage(const std::vector<JudgedTurn>& turns);

/// Totals of two runs, and the open answers that became right or wrong, both texts side by side.
std::string AnswerDiffPage(const AnswerDiff& diff);

}  // namespace emptor::services
