// The bestbuy_retrotech data set (48,194 products of a department store, half with descriptions) as
// catalog records: the size of a real shop, without judgments.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::testing {

/// All products, in the order of the data set; where a UPC comes again its id gets "-2", "-3".
/// They have no price, image or attributes. Errors: kNotFound when the data is absent, kDataLoss.
absl::StatusOr<std::vector<catalog::Product>> ReadBestBuyProducts();

}  // namespace emptor::testing
