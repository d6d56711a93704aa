// What a shop answers to readers, as JSON: the same for every interface.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/api/comparison.h"
#include "services/api/request_codec.h"
#include "services/shop/product_search.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct AnswerContext {
  std::string_view shop;  // its name: cursors are of one shop
  std::string_view base_url;
  int64_t now_unix = 0;
};

struct SearchAnswer {
  ProductSearchResult result;
  catalog::Market market;  // whose prices are shown
  int64_t now_unix = 0;    // when they are payable
  std::string json;        // search_reply.h
};
/// A page of a search. Errors: kInvalidArgument (the cursor), those of the search and the store.
absl::StatusOr<SearchAnswer> AnswerSearch(const ShopReader& shop, SearchBody body,
                                          const AnswerContext& context);

struct ProductAnswer {
  ShownProduct shown;
  std::string json;  // reply_codec.h, WriteProductReply
};
/// One record. Errors: kNotFound, "id: ..."; those of the store.
absl::StatusOr<ProductAnswer> AnswerProduct(const ShopReader& shop, std::string_view id,
                                            const catalog::Market& market,
                                            const AnswerContext& context);

struct ComparisonAnswer {
  std::vector<ShownProduct> products;
  std::vector<ComparisonRow> rows;
  std::string json;  // {"products":[...],"rows":[{"name","values","differs"}]}
};
/// Records next to each other. Amounts in the rows are written for `locale`. Errors: kNotFound,
/// "ids[1]: ..."; those of the store.
absl::StatusOr<ComparisonAnswer> AnswerComparison(const ShopReader& shop,
                                                  std::span<const std::string> ids,
                                                  const catalog::Market& market,
                                                  std::string_view locale,
                                                  const AnswerContext& context);

}  // namespace emptor::services
