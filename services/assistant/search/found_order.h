// The order of what a search found, by what the shopper can do with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/source.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Where some of the list meet the condition, they alone are the answer. Pure.
void KeepListed(const std::vector<std::string>& list, std::vector<FoundProduct>& found);

/// "I have a Nexon, need a cover": a name in a story, a word that no lexicon has, stands in the
/// titles of what is meant. Where some titles have one, these products alone stay. Pure.
void KeepNamed(const std::string& message, std::vector<FoundProduct>& found);

/// Of the products that are referred to the one that ranks first: a fact of it is asked for. Pure.
void KeepBest(const RankedKey& rank, int64_t now_unix, const catalog::Market& market,
              std::vector<Source>& products);

/// Those of the products that state what the rank goes by, the first first. Of equals, what is in
/// stock comes first, of equal ratings that of most reviews. Pure.
std::vector<FoundProduct> RankFound(const RankedKey& rank, int64_t now_unix,
                                    const catalog::Market& market, std::vector<FoundProduct> found);

/// Those whose price is reduced now. Pure.
void KeepReduced(int64_t now_unix, const catalog::Market& market, std::vector<FoundProduct>& found);

}  // namespace emptor::services
