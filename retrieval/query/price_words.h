// Parses price bounds in a query: "under $50", "zwischen 20 und 40 Euro", "300元以下".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "retrieval/query/query_tokens.h"

namespace emptor::retrieval {

struct PriceWords {
  std::optional<int64_t> min_price, max_price;  // minor units of `currency`, both inclusive
  std::string currency;
  std::optional<catalog::Money> budget;  // the amount that the shopper named as a limit
  std::vector<bool> used;                // [tokens] part of a bound, or used before
};

/// Reads the first bound of each side: "over 50 and under 100" gives both. A number without a
/// currency is a price only next to a comparison word and when neither unit nor noun follows it:
/// "under 300" is a price, "under 300 g", "27 inch" and "more than 4 ports" are not.
/// `shop_currency` applies to amounts without a currency, and to "$" and "¥" if it has that symbol.
/// Pure. Skips tokens that are `used` already.
PriceWords ReadPriceWords(const std::vector<QueryToken>& tokens, std::string_view shop_currency,
                          std::vector<bool> used);

}  // namespace emptor::retrieval
