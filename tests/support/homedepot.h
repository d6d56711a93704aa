// The homedepot data set (54,667 titles, graded relevance) as catalog records and judged queries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::testing {

/// Products with id and title. Errors: kNotFound when the data is absent, kDataLoss.
absl::StatusOr<std::vector<catalog::Product>> ReadHomedepotProducts();

/// Mean ratings from 1 (irrelevant) to 3 (perfect) by product, by query.
using RatingsByQuery = std::map<std::string, std::map<std::string, double>>;
absl::StatusOr<RatingsByQuery> ReadHomedepotRatings();

}  // namespace emptor::testing
