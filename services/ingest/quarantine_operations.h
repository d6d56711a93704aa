// What an operator does about quarantine, from options as text to an answer as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {

using OperationOptions = std::vector<std::pair<std::string, std::string>>;

/// {"shop","total","records":[{"kind":"product","id","title","reason"}]}; option limit (100, at
/// most 1000). Errors: kNotFound (no such shop), kInvalidArgument, of the store.
absl::StatusOr<std::string> ListQuarantine(ShopDirectory& shops, const std::string& shop,
                                           const OperationOptions& options);

/// Lets a record out: options id, kind (product, unless it is "document").
/// {"shop","id","released":true}. Errors: as above; kFailedPrecondition (not in quarantine).
absl::StatusOr<std::string> ReleaseRecord(ShopDirectory& shops, const std::string& shop,
                                          const OperationOptions& options);

}  // namespace emptor::services
