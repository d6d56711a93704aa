// Products that a message sets against each other by their names: "bosch or bajaj, which is better
// rated", "the ember vs the pour".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct PairInput {
  const ShopReader& shop;
  const TypeTable& table;  // of the goods that are compared
  const Understanding& understanding;
  const std::vector<ConversationTurn>& turns;  // before the message
  int64_t now_unix = 0;
  catalog::Market market = {};
  bool of_shop = false;  // the table is that of no type: a side that is not sure names nothing
};

/// One product of each side, in the order of the message, and what ranks them.
struct NamedPair {
  std::vector<std::string> ids;           // fewer than two: no pair is named
  std::optional<RankedKey> rank = {};     // nothing: they are set side by side
  std::vector<std::string> lacking = {};  // names of further sides that no record of the type has
  /// "Galaxy a50", where the other side alone is sold; empty: no side is missing.
  std::string unsold = {};
  size_t unmatched = 0;  // words that name products and stand in the title of none of `ids`
};

/// Each side is resolved among all products of the type, shown before or not. Of several that a
/// side names (a maker, a colour of a line), one that was shown and is what the latest search asked
/// for, unless the best of each is wanted; then the one that meets most of it, its price last, then
/// one of goods like those of another side, then the best by the rank. "Vs the fx-82es"
/// and "compare it with the dot" set the product in focus against the one they name. Errors: those
/// of the store.
absl::StatusOr<NamedPair> FindNamedPair(const PairInput& input);

/// The names on both sides of what joins them, as texts to search. Pure.
std::vector<std::string> TextsOfSides(const std::string& message);

/// What a message means that compares the products of `pair` and asks for nothing else. Pure.
Understanding WithPair(Understanding understanding, NamedPair pair);

}  // namespace emptor::services
