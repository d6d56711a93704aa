// What a message asks for: intents, filters, a search text, and which earlier products it means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "retrieval/query/vocabulary.h"
#include "services/assistant/comparison.h"
#include "services/assistant/dialogue.h"
#include "services/assistant/product_types.h"
#include "services/assistant/service_desk.h"

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

struct UnderstandingInput {
  std::string message;
  std::vector<ConversationTurn> turns;    // oldest first
  std::string page_product_id;            // the product page the shopper looks at, or empty
  retrieval::QueryVocabulary vocabulary;  // what the shop's catalog knows, and its currency
  const ShopProfile* profile = nullptr;   // its categories; null: types are not read
};

struct Understanding {
  std::vector<Intent> intents;  // never empty; the leading one first
  /// "en", "de", "fr", "es", "zh" or "ja": of the message, else of the turn before, else English.
  std::string language;
  DeskAct desk = DeskAct::kNone;  // not kNone: the service desk answers, and nothing is searched
  bool asks_policy = false;       // of the shop: its documents answer
  retrieval::Filter filter;
  std::optional<catalog::Money> budget;
  std::string search_text;  // without the words that became filters
  /// Earlier products that the message refers to ("the second one", "it"), best first.
  std::vector<std::string> referenced_products;
  std::optional<Comparison> comparison;  // with these: "cheaper", "lighter than the first"
  bool follows_up = false;               // search_text and filter build on the turn before
  std::optional<ProductType> type;       // that the message names

  bool Has(Intent intent) const;
  /// True when an answer needs products from the catalog.
  bool needs_products() const;
};

/// Pure: equal inputs give equal results. Rules only, no model.
Understanding Understand(const UnderstandingInput& input);

}  // namespace emptor::services
