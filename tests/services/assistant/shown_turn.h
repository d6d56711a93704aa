// Turns of a conversation that showed goods.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services::testing {

/// After "kettles", which showed the list: all of it was shown, cited and may be pointed at.
inline ConversationTurn TurnOn(const std::string& name, const std::string& category,
                               std::vector<std::string> list) {
  ConversationTurn turn;
  turn.question = turn.search_text = name + "s";
  turn.language = "en";
  turn.type = ProductType{name, {category}, {name}, true};
  turn.filter.categories = {category};
  turn.shown_products = turn.cited_products = turn.first_list = turn.listed_products =
      std::move(list);
  return turn;
}

/// What records state.
inline TypeSchema SchemaOf(const std::vector<catalog::Product>& records) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : records) pointers.push_back(&each);
  return TypeSchema::Learn(pointers);
}

}  // namespace emptor::services::testing
