// The icecat_chorus data set (19,406 electronics products, human judgments) as catalog records.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::testing {

/// All products, in the order of the data set, such that each passes the strict importer: control
/// characters become blanks, over-long texts are cut, names of attributes made readable
/// ("attr_t_pallet_size__eu_" is "pallet size (eu)"). Errors: kNotFound when the data is absent,
/// kDataLoss.
absl::StatusOr<std::vector<catalog::Product>> ReadIcecatProducts();

/// A human judgment: rating 0 (irrelevant) to 3 (ideal).
struct Judgment {
  std::string query;
  std::string product_id;
  int rating = 0;
};
absl::StatusOr<std::vector<Judgment>> ReadIcecatJudgments();

}  // namespace emptor::testing
