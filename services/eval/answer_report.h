// The report of an answer evaluation: tables, JSON lines, an HTML page of the failures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/eval/conversation_runner.h"

namespace emptor::services {

/// Share of right answers, from 0 to 1, over all turns, sealed ones included.
double ShareRight(const std::vector<JudgedTurn>& turns);

/// Lines for a terminal: totals, open and sealed cases apart; a line for each kind, language and
/// check; times. `failures`: also each failed open turn, with what it said.
std::string AnswerReportText(const std::vector<JudgedTurn>& turns, bool failures);

/// One JSON object a turn: id, turn, kind, right, checks that failed. Of a sealed turn no text.
std::string AnswerReportJson(const std::vector<JudgedTurn>& turns);

/// What differs between two files of AnswerReportJson: totals, and the open turns that became right
/// or wrong. Errors: kInvalidArgument.
absl::StatusOr<std::string> DiffAnswerReports(std::string_view before, std::string_view after);

/// One page: the tables, and every failed open turn in its conversation.
std::string AnswerReportHtml(const std::vector<JudgedTurn>& turns);

}  // namespace emptor::services
