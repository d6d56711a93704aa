// The published names for what a message asks for.
#pragma once

#include <string_view>
#include <vector>

#include "retrieval/query/query_tokens.h"

namespace emptor::services {

/// The published intents of Google's conversational commerce, and two of Emptor at the end.
enum class Intent {
  kSimpleProductSearch,
  kIntentRefinement,
  kProductDetails,
  kProductComparison,
  kBestProduct,
  kDealsAndCoupons,
  kStoreRelevant,
  kRetailSupport,
  kOrderSupport,
  kCartAction,
  kSmallTalk,
};
/// Wire name: "PRODUCT_DETAILS".
std::string_view ToString(Intent intent);

/// Never empty; the leading one first. `points_back`: the message refers to products that were
/// shown; `refines`: it changes the search before it. Pure.
std::vector<Intent> FindIntents(const std::vector<retrieval::QueryToken>& tokens, bool points_back,
                                bool refines);

}  // namespace emptor::services
