// Parses numbers and amounts of money in a query: "$49.99", "2 hundred euros", "EUR 50".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/query/query_tokens.h"

namespace emptor::retrieval {

struct Amount {
  double value = 0;
  std::string currency;  // ISO 4217; empty: none given
  size_t end = 0;        // the token after the amount
};

/// Reads a number ("300", "1.5k", "two hundred") with a currency before or after it. "$", "¥" and
/// "pounds" mean `shop_currency` if it has that name.
std::optional<Amount> ReadAmount(const std::vector<QueryToken>& tokens, size_t at,
                                 std::string_view shop_currency);

/// True when the number that ends before token `at` has neither a unit nor a noun: the sentence
/// ends there or continues with a function word, a colour or a negation.
bool NothingMeasuredAt(const std::vector<QueryToken>& tokens, size_t at);

}  // namespace emptor::retrieval
