// What two runs of an answer evaluation have in common, and which answers changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

/// An open turn that is right in one run only.
struct ChangedAnswer {
  std::string turn;                 // "el-7#2"
  std::string question;             // empty: the files are older than this member
  std::string before, after;        // what was said
  std::vector<std::string> checks;  // that failed in the run in which it is wrong
};

/// Sealed turns count in the totals alone.
struct AnswerDiff {
  size_t shared = 0, right_before = 0, right_after = 0;  // turns of both runs
  std::vector<ChangedAnswer> became_right, became_wrong;
};

/// Compares two files of AnswerReportJson. Errors: kInvalidArgument with the line.
absl::StatusOr<AnswerDiff> CompareAnswerReports(std::string_view before, std::string_view after);

/// Lines for a terminal.
std::string AnswerDiffText(const AnswerDiff& diff);

}  // namespace emptor::services
