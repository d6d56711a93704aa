// Rankings as TREC run files: query id, Q0, record id, rank, score, name of the run.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::retrieval {

/// One record of a ranking.
struct RankedId {
  std::string id;
  double score = 0;

  friend bool operator==(const RankedId&, const RankedId&) = default;
};

/// Best first, by query id.
struct Run {
  std::string name;
  std::map<std::string, std::vector<RankedId>> rankings;
};

/// As trec_eval, orders by score and ignores the rank column; ties keep the order of the lines.
/// Text is UTF-8. Errors: kInvalidArgument `run:17: ...`: fewer or more than
/// six columns, a score that is no finite number, a record twice for a query.
absl::StatusOr<Run> ParseRun(std::string_view text);

/// Reads back as the same run. An empty name is written as "run". REQUIRES: no blanks in names and
/// ids; scores fall along each ranking.
std::string WriteRun(const Run& run);

}  // namespace emptor::retrieval
