// Price bounds in a shopper's words: "under $50", "zwischen 20 und 40 Euro", "300元以下".
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
  std::vector<bool>
      used;  // tokens that were read as part of a bound, and those that were used before
};

/// Reads the first bound of each side: "over 50 and under 100" gives both. A number without a
/// currency counts as a price only beside words of comparison and when no unit or noun follows it:
/// "under 300" is a price, "under 300 g", "27 inch" and "more than 4 ports" are not.
/// `shop_currency` stands for amounts that name none and for "$" and "¥" where the shop uses such a
/// currency. Pure. Tokens that are `used` already are no part of it.
PriceWords ReadPriceWords(const std::vector<QueryToken>& tokens, std::string_view shop_currency,
                          std::vector<bool> used);

}  // namespace emptor::retrieval
