// Names of types that demand a value as well, and goods whose words are those of policies.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/query_understanding.h"

namespace emptor::services {
namespace {

/// A shop of earbuds, wired and wireless, and of label printers.
class TypeDemandsTest : public ::testing::Test {
 protected:
  TypeDemandsTest() {
    for (const char* technology : {"Wired", "Wired", "Wireless"}) {
      catalog::Product product;
      product.title = "Torvane earbuds";
      product.attributes = {{"connectivity technology", technology}};
      earbuds_.push_back(product);
    }
    std::vector<const catalog::Product*> products;
    for (const catalog::Product& each : earbuds_) products.push_back(&each);
    schema_ = TypeSchema::Learn(products);
  }
  Understanding Read(const std::string& message, std::vector<ConversationTurn> turns = {}) {
    UnderstandingInput input;
    input.message = message;
    input.turns = std::move(turns);
    input.profile = &profile_;
    input.schema_of = [this](const ProductType&, const std::string&) { return &schema_; };
    input.is_sold = [](const ProductType&, const std::string&) { return true; };
    return Understand(input);
  }
  /// The message demands what the connectivity technology states as wireless.
  bool DemandsWireless(const std::string& message) {
    const Understanding understanding = Read(message);
    const auto& attributes = understanding.filter.attributes;
    const bool by_attribute = std::any_of(
        attributes.begin(), attributes.end(),
        [](const auto& each) { return each.values == std::vector<std::string>{"Wireless"}; });
    const bool by_word = std::any_of(understanding.words.begin(), understanding.words.end(),
                                     [](const auto& each) { return each.text != "earbud"; });
    return by_attribute || by_word;
  }

  ShopProfile profile_;
  std::vector<catalog::Product> earbuds_;
  TypeSchema schema_;
};

TEST_F(TypeDemandsTest, AValueInTheNameOfATypeIsDemanded) {
  EXPECT_TRUE(DemandsWireless("wireless earbuds"));
  EXPECT_FALSE(DemandsWireless("earbuds"));
}

TEST_F(TypeDemandsTest, AValueThatNothingHasIsMissing) {
  for (catalog::Product& each : earbuds_) each.attributes[0].value = "Wired";
  std::vector<const catalog::Product*> products;
  for (const catalog::Product& each : earbuds_) products.push_back(&each);
  schema_ = TypeSchema::Learn(products);
  const Understanding understanding = Read("wireless earbuds");
  ASSERT_EQ(understanding.missing.size(), 1u);
  EXPECT_EQ(understanding.missing[0].text, "wireless");
}

TEST_F(TypeDemandsTest, AFollowUpKeepsAWordThatNoRecordMeetsWithItsOwn) {
  for (size_t i = 0; i < earbuds_.size(); ++i) {
    earbuds_[i].title = i == 0 ? "Torvane earbuds foldable" : "Torvane earbuds ribbed";
    earbuds_[i].attributes.clear();
  }
  std::vector<const catalog::Product*> products;
  for (const catalog::Product& each : earbuds_) products.push_back(&each);
  schema_ = TypeSchema::Learn(products);
  ConversationTurn turn;
  turn.question = turn.search_text = "foldable earbuds";
  turn.type = FindProductType("earbuds", "en", profile_);
  turn.words = {DemandOf("foldable")};
  turn.shown_products = turn.listed_products = {"1"};
  turn.language = "en";
  const Understanding own = Read("ribbed ones", {turn});
  ASSERT_TRUE(own.follows_up);
  ASSERT_EQ(own.words.size(), 2U);
  EXPECT_EQ(own.words[0].text, "ribbed");
  EXPECT_EQ(own.words[1].text, "foldable");
  const Understanding unheard = Read("only quellin", {turn});
  EXPECT_TRUE(unheard.follows_up);
  ASSERT_EQ(unheard.missing.size(), 1U);
  EXPECT_EQ(unheard.missing[0].text, "quellin");
}

TEST_F(TypeDemandsTest, WhatGoesWithTheTopicIsNoNewType) {
  ConversationTurn turn;
  turn.question = turn.search_text = "earbuds";
  turn.type = FindProductType("earbuds", "en", profile_);
  turn.shown_products = turn.listed_products = {"1"};
  turn.language = "en";
  EXPECT_EQ(Read("with a lunch box", {turn}).type->name, turn.type->name);
  EXPECT_EQ(Read("chocolate flavour", {turn}).type->name, turn.type->name);
  EXPECT_EQ(Read("a lunch box", {turn}).type->name, "lunch box");
}

TEST_F(TypeDemandsTest, GoodsBeforeAWordOfAPolicyAreGoods) {
  EXPECT_FALSE(Read("looking for a label printer that can do shipping labels").asks_policy);
  EXPECT_TRUE(Read("how long does shipping take").asks_policy);
  EXPECT_TRUE(Read("do you have free shipping for a label printer").asks_policy);
}

}  // namespace
}  // namespace emptor::services
