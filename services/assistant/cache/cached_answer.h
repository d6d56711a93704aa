// What the cache holds of an answer: how it was chosen and phrased, and no fact of a product.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/search/retriever.h"
#include "services/shop/shop_changes.h"

namespace emptor::services {

/// What a choice of records was made from. A choice is the same as long as this holds.
struct ChoiceBasis {
  ShopChanges changes;  // before anything was read
  bool uses_prices = false;
  bool uses_faq = false;
  int64_t until_unix = 0;  // something may begin or end then without a change
  /// Members of the type's table, which is learned from the records now and then; 0: none is used.
  uint64_t table_fingerprint = 0;
};

/// Why a choice may no longer be the same.
enum class Outdated { kNo, kContent, kPrices, kFaq, kTime };

/// Pure.
Outdated CheckBasis(const ChoiceBasis& basis, const ShopChanges& now, int64_t now_unix);

/// True when prices decide which products are shown, or their order: a bound, "the cheapest",
/// "on sale", "something cheaper". Pure.
bool ChoiceUsesPrices(const Understanding& understanding, const Retrieved& retrieved);

/// Immutable once it is stored.
struct CachedAnswer {
  ChoiceBasis basis;
  std::chrono::steady_clock::time_point made;  // when its text was
  Understanding understanding;
  /// Its products have an id and nothing else: they are read again for each use.
  Retrieved retrieved;
  bool none_beyond = false;
  // Of a model's text; else code phrases the answer each time.
  bool is_of_model = false;
  std::string text;  // as the model wrote it: references in place of facts, not checked
  std::string prompt_hash;
  size_t prompt_sources = 0;
};

/// Bytes that it holds in memory: the struct and what its members own, as allocated.
size_t RetainedBytes(const CachedAnswer& answer);

}  // namespace emptor::services
