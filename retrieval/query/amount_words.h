// Numbers and amounts of money in a shopper's words: "$49.99", "2 hundred euros", "EUR 50".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/query/query_tokens.h"

namespace emptor::retrieval {

struct Amount {
  double value = 0;
  std::string currency;  // ISO 4217; empty: not said
  size_t end = 0;        // token behind it
};

/// Reads a number ("300", "1.5k", "two hundred") with the currency before or behind it.
/// `shop_currency` stands for "$", "¥", "pounds" where the shop uses a currency of that name.
std::optional<Amount> ReadAmount(const std::vector<QueryToken>& tokens, size_t at,
                                 std::string_view shop_currency);

/// True where a number that ends before token `at` is not that of a unit or of things: the sentence
/// ends or goes on with a small word, a colour or a negation.
bool NothingMeasuredAt(const std::vector<QueryToken>& tokens, size_t at);

}  // namespace emptor::retrieval
