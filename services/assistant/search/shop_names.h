// Products of the whole shop that a message names, whatever their type: "redmi note 11".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// What the whole shop finds for each of the texts, as a table of a type is: names are matched
/// against it where the topic is another one. Errors: those of the search and the store.
absl::StatusOr<TypeTable> FindNameCandidates(const ShopReader& shop,
                                             const std::vector<std::string>& texts,
                                             const std::string& locale);

/// A table of these products. Errors: those of the store.
absl::StatusOr<TypeTable> TableOfProducts(const ShopReader& shop,
                                          const std::vector<std::string>& ids);

/// Products whose titles begin with a name that the message says: a maker and a model or a line,
/// in a row, at most three of one name. Empty: the message names none, or says more that their
/// titles lack and asks nothing. Errors: those of the search and the store.
absl::StatusOr<std::vector<catalog::Product>> FindShopName(const ShopReader& shop,
                                                           const Understanding& understanding);

/// The type that the title names behind the name of the product; nothing: no type that is known.
std::optional<ProductType> TypeOfNamed(const std::string& title, const ShopProfile& profile);

}  // namespace emptor::services
