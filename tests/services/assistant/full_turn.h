// A turn in which no member has its default.
#pragma once

#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services::testing {

inline ConversationTurn FullTurn() {
  retrieval::Filter filter{.min_price = 100,
                           .max_price = 25000,
                           .currency = "EUR",
                           .brands = {"Torvane"},
                           .categories = {"Kitchen > Kettles"},
                           .availability = {catalog::Availability::kInStock},
                           .locale = "de"};
  filter.region = "AT";
  filter.excluded_brands = {"Velsar"};
  filter.excluded_categories = {"Toys"};
  filter.colors = {"red"};
  filter.excluded_colors = {"blue"};
  filter.conditions = {catalog::Condition::kRefurbished};
  filter.location = "vienna-1";
  filter.min_rating = 4.5;
  filter.item_group = "g1";
  filter.attributes = {{"material", {"steel", "glass"}}};
  filter.ranges = {{.attribute = "capacity", .unit = "l", .min = 1.5, .max_open = true}};
  filter.excluded_terms = {"bluetooth"};
  ConversationTurn turn{"Wie laut ist er?", "kettle", filter,
                        {"k20", "k80"},     {"k20"},  {"k20", "k80"}};
  turn.language = "de";
  turn.first_list = {"k80", "m27"};
  turn.winner = "k20";
  turn.asked_key = "noise level";
  turn.type = ProductType{"kettle", {"Kitchen > Kettles"}, {"kettle"}, true, true};
  turn.words = {
      {"double door", {{"doubl", "door"}, {"two", "door"}}, StatedQuantity{"ml", 250000, 350000}}};
  turn.min_reviews = 100;
  turn.ranks_all = true;
  turn.policy_question = "returns?";
  turn.compared_products = {"k20", "m27"};
  turn.page_product_id = "k80";
  return turn;
}

}  // namespace emptor::services::testing
