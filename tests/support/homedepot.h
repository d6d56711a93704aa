// The homedepot data set (54,667 product titles, graded search relevance) as catalog records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::testing {

/// All products, in the order of the data set: an id and a title.
/// Errors: kNotFound when the data is absent, kDataLoss.
absl::StatusOr<std::vector<catalog::Product>> ReadHomedepotProducts();

/// The judgments (1 irrelevant to 3 perfect) as lines of query, product id and grade between tabs.
/// With `sample`, those of so many queries only: the ones whose text has the least MD5, the choice
/// of 600 under which plain BM25 comes nearest to the figures of the data's README.
absl::StatusOr<std::string> ReadHomedepotJudgments(size_t sample = 0);

}  // namespace emptor::testing
