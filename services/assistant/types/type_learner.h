// Which products of a shop are of a type: the products of its categories, or those whose titles
// name it, without accessories and homonyms.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/assistant/types/type_catalog.h"

namespace emptor::services {

/// What the shop tells of its goods as a whole.
struct OverviewLookup {
  std::function<std::shared_ptr<const ProductKinds>()> kinds;
  std::function<std::shared_ptr<const GoodsNames>()> names;
  std::function<std::shared_ptr<const Departments>()> departments;
};

/// Reads the products of the type and learns its table; an empty locale is any. An error is that of
/// the store.
absl::StatusOr<std::shared_ptr<const TypeTable>> LearnType(const ShopReader& shop,
                                                           const ProductType& type,
                                                           const std::string& locale,
                                                           const OverviewLookup& overview);

/// Whether one of the best hits for a name of the type is of it.
absl::StatusOr<bool> FindsAnyOf(const ShopReader& shop, const ProductType& type,
                                const std::string& locale, const OverviewLookup& overview);

}  // namespace emptor::services
