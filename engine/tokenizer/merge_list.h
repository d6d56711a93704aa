// The merges of a vocabulary as a table.
#pragma once

#include "absl/status/status.h"
#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Fills the table with the vocabulary's merges, the first of a pair counts. Errors:
/// kInvalidArgument: a merge that is malformed or whose parts or result are not tokens.
absl::Status ReadMergeList(const Vocabulary& vocabulary, MergeTable& merges);

}  // namespace emptor::engine
