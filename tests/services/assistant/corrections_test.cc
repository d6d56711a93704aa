// Messages that correct the one before.
#include "services/assistant/reading/corrections.h"

#include <gtest/gtest.h>

#include <string>

#include "services/assistant/dialogue/shown_products.h"

namespace emptor::services {
namespace {

NamedGoods Goods(const std::string& text) {
  const bool is_fridge = text.find("fridge") != std::string::npos ||
                         text.find("frigo") != std::string::npos ||
                         text.find("冰箱") != std::string::npos;
  return {.is_goods = is_fridge || text.find("mop") != std::string::npos, .is_topic = is_fridge};
}

TEST(CorrectionsTest, WhatIsRejectedIsNotWanted) {
  EXPECT_EQ(WithoutRejected("no, not a fridge, a freezer for the garage", Goods),
            "a freezer for the garage");
  EXPECT_EQ(WithoutRejected("a freezer please, not a fridge", Goods), "a freezer please");
  EXPECT_EQ(WithoutRejected("pas un frigo mais un congélateur", Goods), "un congélateur");
  EXPECT_EQ(WithoutRejected("不是冰箱，冷柜", Goods), "冷柜");
}

TEST(CorrectionsTest, WhatRejectsNoGoodsStaysAsItIs) {
  for (const std::string message : {"not too big, please", "a broom, not a mop", "not a fridge",
                                    "no, thanks", "not blue, red"}) {
    EXPECT_EQ(WithoutRejected(message, Goods), message);
  }
}

TEST(CorrectionsTest, ABareNumberCountsWhatItCountedBefore) {
  ConversationTurn turn;
  turn.question = "a table for 6 people";
  EXPECT_EQ(WithoutRestating("I said six", {turn}), "6 people");
  EXPECT_EQ(WithoutRestating("I said eight", {turn}), "I said eight");
  EXPECT_EQ(WithoutRestating("six", {turn}), "six");
}

// ---- Products that were shown

std::optional<catalog::Product> Record(const std::string& id) {
  catalog::Product product;
  product.id = id;
  product.title = id == "a"   ? "Brindle Harbor Lantern"
                  : id == "b" ? "Brindle Meadow Lantern"
                              : "Ostrava Folding Saw";
  product.price = catalog::Money{id == "a" ? 3000 : id == "b" ? 2000 : 1500, "USD"};
  product.attributes = {{"colour", id == "a" ? "red" : "green"}};
  return product;
}

std::string Named(const std::string& text) {
  return FindNamedShown({"a", "b", "c"}, {.text = FoldedMessage(text), .language = "en"}, Record);
}

TEST(ShownProductsTest, WordsNameOneThatHasMostOfThem) {
  EXPECT_EQ(Named("the harbor lantern"), "a");
  EXPECT_EQ(Named("the saw"), "c");
  EXPECT_EQ(Named("the brindle"), "") << "two are";
  EXPECT_EQ(Named("the red one"), "a");
  EXPECT_EQ(Named("the cheapest one"), "c");
  EXPECT_EQ(Named("the trumpet"), "");
}

TEST(ShownProductsTest, EachTopicHasAProductInFocus) {
  const auto turn = [](const std::string& type, std::vector<std::string> shown) {
    ConversationTurn made;
    made.search_text = type;
    made.type = ProductType{type, {}, {type}, true};
    made.shown_products = std::move(shown);
    return made;
  };
  std::vector<ConversationTurn> turns = {turn("tent", {"t"}), turn("lantern", {"a", "b"}),
                                         turn("saw", {"c"})};
  EXPECT_EQ(FocusOfTopics(turns, false), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(FocusOfTopics(turns, true), (std::vector<std::string>{"t", "a", "c"}));
  turns[1].winner = "b";
  EXPECT_EQ(FocusOfTopics(turns, false), (std::vector<std::string>{"b", "c"}));
}

}  // namespace
}  // namespace emptor::services
