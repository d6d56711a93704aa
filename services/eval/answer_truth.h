// Statements of an answer that contradict a record. For judging alone: it shares nothing with what
// the assistant checks its own answers by.
#pragma once

#include <string>
#include <vector>

#include "services/eval/gold_records.h"
#include "services/eval/shown_answer.h"

namespace emptor::services {

/// One line for each false statement: "states $9.99, which no product here costs". Checked are
/// amounts of money, measures, labelled values, superlatives among the cards, comparisons of two
/// products, price bounds, stock, sales, and denials ("does not say its weight"). What it cannot
/// read it takes for true: the count is a lower bound. `question` may hold amounts of its own.
std::vector<std::string> FindFalseStatements(const ShownAnswer& answer, const std::string& question,
                                             const GoldRecords& records);

/// Facts that the answer states: amounts, measures, labelled values.
int CountFacts(const ShownAnswer& answer, const GoldRecords& records);

}  // namespace emptor::services
