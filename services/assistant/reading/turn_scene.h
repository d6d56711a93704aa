// What a message may be about: the products of its conversation, and when each was shown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/shown_products.h"

namespace emptor::services {

struct TurnScene {
  struct Product {
    std::string id;
    std::vector<std::string> words;  // of its title, folded; see MatchedWords
    int64_t price = 0;               // in minor units; 0: none is known
  };
  /// Each once, those shown last first.
  std::vector<Product> products;
  /// What each turn came to, oldest first: the product that it ranked first, those that it speaks
  /// of, else its cards in their order. Numbers of `products`.
  std::vector<std::vector<size_t>> turns;

  bool empty() const { return products.empty(); }
  /// The last that showed anything; null: none did.
  const std::vector<size_t>* Latest() const;
  /// The last that showed several; null: none did.
  const std::vector<size_t>* LatestList() const;
};

/// Of the latest turns. `record_of` may be empty: then there is no scene. Pure but for it.
TurnScene MakeTurnScene(const std::vector<ConversationTurn>& turns, const RecordLookup& record_of);

}  // namespace emptor::services
