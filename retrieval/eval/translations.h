// Translations of judged queries, for cross-lingual search.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "retrieval/eval/query_set.h"

namespace emptor::retrieval {

/// Keeps the queries that `table` translates, with their judgments, and sets their texts to those
/// of a language. `table` has columns between tabs; its first line names their languages, and the
/// first column has the text as it is judged. Errors: kInvalidArgument `translations:17: ...` (a
/// row of another width, an empty text), or no such language, or no query of the table is judged.
absl::Status TranslateQueries(std::string_view table, std::string_view language, QuerySet& queries);

}  // namespace emptor::retrieval
