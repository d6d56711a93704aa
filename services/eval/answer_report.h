// The report of an answer evaluation: tables for a terminal, JSON lines.
#pragma once

#include <string>
#include <vector>

#include "services/eval/conversation_runner.h"

namespace emptor::services {

/// Share of right answers, from 0 to 1, over all turns, sealed ones included.
double ShareRight(const std::vector<JudgedTurn>& turns);

/// Lines for a terminal: totals, open and sealed cases apart; a line for each kind, language and
/// check; times. `failures`: also each failed open turn, with what it said.
std::string AnswerReportText(const std::vector<JudgedTurn>& turns, bool failures);

/// One JSON object a turn: id, turn, kind, right, checks that failed. Of a sealed turn no text.
std::string AnswerReportJson(const std::vector<JudgedTurn>& turns);

}  // namespace emptor::services
