// Products that a message names, whatever their type.
#include "services/assistant/search/shop_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/search/named_pair.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kGoods =
    R"({"id":"fc","title":"Orvik Case for Zelmi Note 11, Black","price":{"amount":900,"currency":"USD"},"availability":"in_stock"}
{"id":"n11","title":"Zelmi Note 11 Phone, 64 GB","price":{"amount":20000,"currency":"USD"},"availability":"in_stock"}
{"id":"r3","title":"Zelmi Raspiri 330 Neckband","price":{"amount":3000,"currency":"USD"},"availability":"in_stock"}
{"id":"r3p","title":"Zelmi Raspiri 330 Pro Neckband","price":{"amount":4000,"currency":"USD"},"availability":"in_stock"}
)";

class ShopNamesTest : public ::testing::Test {
 protected:
  ShopNamesTest() { shop_.Import(kGoods); }

  Understanding Said(const std::string& message) const {
    Understanding said;
    said.intents = {Intent::kSimpleProductSearch};
    said.language = "en";
    said.message = message;
    return said;
  }

  std::vector<std::string> Named(const std::string& message) {
    auto found = FindShopName(shop_.shop().reader(), Said(message));
    EXPECT_TRUE(found.ok()) << found.status();
    std::vector<std::string> ids;
    for (const catalog::Product& each : *found) ids.push_back(each.id);
    return ids;
  }

  NamedPair Pair(const std::string& message) {
    auto table = FindNameCandidates(shop_.shop().reader(), TextsOfSides(message), "");
    EXPECT_TRUE(table.ok()) << table.status();
    const Understanding said = Said(message);
    const std::vector<ConversationTurn> turns;
    auto pair = FindNamedPair({shop_.shop().reader(), *table, said, turns, 0, {}, true});
    EXPECT_TRUE(pair.ok()) << pair.status();
    return pair.ok() ? *std::move(pair) : NamedPair();
  }

  testing::TestShop shop_;
};

TEST_F(ShopNamesTest, ATitleThatBeginsWithTheNameIsTheProduct) {
  EXPECT_THAT(Named("zelmi note 11"), ElementsAre("n11"));
  EXPECT_THAT(Named("zelmi raspiri 330 pro"), ElementsAre("r3p"));
  EXPECT_THAT(Named("how much is the zelmi raspiri 330 pro"), ElementsAre("r3p"));
}

TEST_F(ShopNamesTest, WhatTheTitleLacksIsASearch) {
  EXPECT_THAT(Named("zelmi note 12x"), IsEmpty());
  EXPECT_THAT(Named("zelmi phone"), IsEmpty()) << "a maker and a type";
  EXPECT_THAT(Named("waterproof zelmi raspiri 330"), IsEmpty());
}

TEST_F(ShopNamesTest, SidesOfAComparisonMayBeOfAnyType) {
  EXPECT_THAT(Pair("zelmi note 11 vs zelmi raspiri 330 pro").ids, ElementsAre("n11", "r3p"));
}

TEST_F(ShopNamesTest, ASideThatIsNotSoldIsSaid) {
  const NamedPair pair = Pair("zelmi raspiri 330 pro vs zelmi raspiri 999");
  EXPECT_THAT(pair.ids, ElementsAre("r3p"));
  EXPECT_EQ(pair.unsold, "zelmi raspiri 999");
  EXPECT_EQ(Pair("zelmi raspiri 330 pro vs kd5n").unsold, "kd5n");
}

}  // namespace
}  // namespace emptor::services
