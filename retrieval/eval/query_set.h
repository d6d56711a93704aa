// Queries with graded relevance judgments.
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
  std::string id;  // without white space, as TREC files require
  std::string text;
  Grades grades;
};

/// Sorted by id; ids are distinct.
using QuerySet = std::vector<EvalQuery>;

/// Parses judgments in one of two forms, detected by the first line:
///   TSV   query text <tab> record id <tab> grade, with or without a heading
///   qrels query id, anything, record id, grade between blanks or tabs (TREC)
/// A query of TSV gets QueryIdOf(text) as its id; one of qrels has an empty text until SetTexts.
/// Grades are decimal numbers from -100 to 100. Blank lines are skipped; "\r" before "\n" is not
/// part of a line. Errors: kInvalidArgument `judgments:17: expected ..., found ...`: a malformed
/// row, text that is not UTF-8, two grades of one record for one query.
absl::StatusOr<QuerySet> ParseJudgments(std::string_view text);

/// Sets the texts of queries from lines of id <tab> text. Ids without judgments are skipped.
/// Errors: kInvalidArgument `queries:17: ...`; a query of `queries` without a text.
absl::Status SetTexts(std::string_view lines, QuerySet& queries);

/// The judgments as qrels lines. Grades are written such that they read back equal.
std::string WriteQrels(const QuerySet& queries);

/// The text with white space, '%' and control bytes as "%20": readable, without blanks, one to one.
std::string QueryIdOf(std::string_view text);

/// The fold of a query: FNV-1a (64 bit) of its text modulo `folds`. Independent of the machine and
/// of the other queries. REQUIRES: folds > 0.
size_t FoldOf(std::string_view text, size_t folds);

}  // namespace emptor::retrieval
