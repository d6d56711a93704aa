// Which of a shop's products are of a type, read from the shop.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/assistant/types/departments.h"
#include "services/assistant/types/goods_names.h"
#include "services/assistant/types/product_kinds.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// What the shop tells of its goods as a whole.
struct OverviewLookup {
  std::function<std::shared_ptr<const ProductKinds>()> kinds;
  std::function<std::shared_ptr<const GoodsNames>()> names;
  std::function<std::shared_ptr<const Departments>()> departments;
};

/// Errors: those of the search and the store.
absl::StatusOr<std::shared_ptr<const TypeTable>> LearnType(const ShopReader& shop,
                                                           const ProductType& type,
                                                           const std::string& locale,
                                                           const OverviewLookup& overview);

/// Whether any product is of the type: cheaper than its table. Errors: as LearnType.
absl::StatusOr<bool> HasAnyOf(const ShopReader& shop, const ProductType& type,
                              const std::string& locale, const OverviewLookup& overview);

}  // namespace emptor::services
