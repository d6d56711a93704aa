// Samples about texts: documents, words, and what the screen finds.
#pragma once

#include <vector>

#include "services/observability/metrics.h"
#include "services/shop/shop_reader.h"
#include "services/shop/text_counters.h"

namespace emptor::services {

/// Over the shops that are open.
struct TextSums {
  DocumentStats documents;
  retrieval::ShopWords::Stats words;

  void Add(const ShopReader& shop);
};

/// `counters`: since the start, over all shops.
std::vector<Sample> TextSamples(const TextSums& sums, const TextCounters& counters);

}  // namespace emptor::services
