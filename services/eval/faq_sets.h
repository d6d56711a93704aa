// Labelled questions for `emptor eval faq`: public sets, and minimal pairs of our own.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/cache/faq_index.h"

namespace emptor::services {

struct FaqQuestion {
  std::string text;
  std::string entry;        // that answers it; of a pair: the other question
  bool answerable = false;  // by `entry`; false for a pair that asks different things
  std::string kind;         // of the difference, of minimal pairs
};

/// A FAQ and questions to it. Of pairs, each question is compared with its own entry alone.
struct FaqCollection {
  std::vector<retrieval::FaqPhrasings> entries;
  std::vector<FaqQuestion> questions;
};

/// Thresholds and weights are fitted on `fit`, figures come from `report`.
struct FaqTask {
  std::string name;
  FaqCollection fit, report;
  bool is_pairs = false;
  bool is_sealed = false;   // `report` is counted, never shown
  bool is_licensed = true;  // weights fitted on `fit` may be shipped
  double fit_weight = 1;    // of `fit` in shipped weights, next to other sets of any size
  bool fit_is_own = true;   // false: an earlier task of the set has the same `fit`
};

/// Reads a file of the data folder by its path in it; a name in .zst is decompressed.
using ReadDataFile = std::function<absl::StatusOr<std::string>(const std::string& path)>;

/// "hint3", "banking77", "clinc150", "qqp", "afqmc", "lcqmc", "minimal": the names of sets.
std::vector<std::string> FaqSetNames();

/// The tasks of a set. `read` reads files of the data folder, "minimal_pairs.jsonl" among them.
/// Errors: those of `read`; kInvalidArgument (unknown name, damaged file).
absl::StatusOr<std::vector<FaqTask>> ReadFaqTasks(std::string_view set, const ReadDataFile& read);

/// Fields of lines of comma-separated values: RFC 4180. Pure.
std::vector<std::vector<std::string>> ParseCsv(std::string_view text);

}  // namespace emptor::services
