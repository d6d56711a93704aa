// The questions of an evaluation: query texts with the grades that people gave to records.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/eval/metrics.h"

namespace emptor::retrieval {

struct EvalQuery {
  std::string id;  // without white space, as TREC files want it
  std::string text;
  Grades grades;
};

/// Sorted by id; ids are distinct.
using QuerySet = std::vector<EvalQuery>;

/// Reads judgments in either form, told apart by the first line:
///   TSV   query text <tab> record id <tab> grade, with or without a heading
///   qrels query id, anything, record id, grade between blanks or tabs (TREC)
/// A query of TSV gets QueryIdOf(text) as its id; one of qrels has an empty text until SetTexts.
/// Grades are decimal numbers from -100 to 100. Blank lines are skipped; "\r" before "\n" is no
/// part of a line. Errors: kInvalidArgument `judgments:17: what was expected, what found`: a row of
/// another form, text that is not UTF-8, a record that is judged twice for a query with two grades.
absl::StatusOr<QuerySet> ParseJudgments(std::string_view text);

/// Gives texts to queries: lines of id <tab> text. Ids that nobody has judged are passed over.
/// Errors: kInvalidArgument `queries:17: ...`; a query of `queries` that stays without text.
absl::Status SetTexts(std::string_view lines, QuerySet& queries);

/// The judgments as qrels lines. Grades are written such that they read back equal.
std::string WriteQrels(const QuerySet& queries);

/// The text with white space, '%' and control bytes as "%20": readable, without blanks, one to one.
std::string QueryIdOf(std::string_view text);

/// Which of `folds` a query belongs to: FNV-1a (64 bit) of its text, modulo `folds`. The same on
/// every machine, whatever other queries there are. REQUIRES: folds > 0.
size_t FoldOf(std::string_view text, size_t folds);

}  // namespace emptor::retrieval
