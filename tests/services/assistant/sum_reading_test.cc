// Sums of what was shown and of goods that join it, in five languages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/services/assistant/power_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SumReadingTest : public testing::PowerShopTest {
 protected:
  /// A laptop, then power banks of which p2 was asked about.
  std::vector<ConversationTurn> TwoKinds() { return {OnLaptop(), OnOneBank()}; }
};

TEST_F(SumReadingTest, OneOfEachKindThatWasTalkedAbout) {
  for (const char* each :
       {"one of each, how much", "i take one each, whats the total?", "je eins, was kostet das",
        "un de chaque, ça fait combien ?", "uno de cada, ¿cuánto es todo?", "各一个一共多少钱"}) {
    const Understanding read = Read(each, TwoKinds());
    EXPECT_THAT(read.referenced_products, ElementsAre("l1", "p2")) << each;
    EXPECT_THAT(read.quantities, ElementsAre(1, 1)) << each;
  }
  // Of one kind, one of each of the list.
  EXPECT_THAT(Read("one of each, how much", {OnBanks()}).referenced_products,
              ElementsAre("p1", "p2"));
}

TEST_F(SumReadingTest, WhatIsPaidIsASumAndNoPolicy) {
  for (const char* each :
       {"laptop plus power bank, what would i pay", "the laptop and that, what do i owe",
        "laptop und powerbank, was zahle ich",
        "l'ordinateur portable et la batterie externe, total",
        "el portátil y la batería externa, ¿cuánto pago?", "笔记本和充电宝总共多少"}) {
    const Understanding read = Read(each, TwoKinds());
    EXPECT_FALSE(read.asks_policy) << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("l1", "p2")) << each;
  }
}

TEST_F(SumReadingTest, AWordOfTheQuestionNamesAKindInChinese) {
  ConversationTurn bank = OnBanks();
  bank.question = "再要个小电源";
  EXPECT_THAT(Read("笔记本和电源一共多少", {OnLaptop(), bank}).referenced_products,
              ElementsAre("l1", "p1"));
}

TEST_F(SumReadingTest, WhereSomethingCheapWasAskedForTheCheapestIsMeant) {
  ConversationTurn cheap = testing::TurnOn("power bank", "Power > Power Banks", {"p2", "p3", "p1"});
  for (const char* question : {"and a cheap power bank", "noch eine günstige powerbank dazu"}) {
    cheap.question = question;
    EXPECT_THAT(Read("whats the total", {OnLaptop(), cheap}).referenced_products,
                ElementsAre("l1", "p1"))
        << question;
  }
}

TEST_F(SumReadingTest, OneOfAnEarlierListIsNamedByItsOwnWords) {
  const std::vector<ConversationTurn> turns = {
      testing::TurnOn("power bank", "Power > Power Banks", {"p3", "p1"}),
      testing::TurnOn("power bank", "Power > Power Banks", {"p2", "p1"}), OnLaptop()};
  EXPECT_THAT(
      Read("the sonaro power bank from before plus that, total?", turns).referenced_products,
      ElementsAre("p3", "l1"));
}

TEST_F(SumReadingTest, GoodsThatWereNotShownJoinWhatIsInFocus) {
  for (const char* each :
       {"how much is it with a power bank", "both together with a power bank, what do i pay",
        "was kostet der zusammen mit einer powerbank", "combien avec une batterie externe ?",
        "¿cuánto sale con una batería externa?", "再加一个充电宝，一共多少钱"}) {
    const Understanding read = Read(each, {OnLaptop()});
    EXPECT_EQ(read.added_goods.size(), 1u) << each;
    EXPECT_THAT(read.summed_products, ElementsAre("l1")) << each;
  }
}

TEST_F(SumReadingTest, AFeatureOrOtherGoodsJoinNothing) {
  for (const char* each : {"how much is one with a power bank", "how much is a laptop",
                           "a laptop with a power bank under 500"}) {
    EXPECT_THAT(Read(each, {OnLaptop()}).added_goods, IsEmpty()) << each;
  }
}

TEST_F(SumReadingTest, WrappingIsAServiceOnTopOfASum) {
  for (const char* each : {"wrap the laptop and that power bank, what do i pay",
                           "laptop und powerbank als geschenk verpackt, was macht das zusammen",
                           "l'ordinateur portable et la batterie externe en paquet cadeau, total ?",
                           "el portátil y la batería externa envueltos, ¿cuánto pago?",
                           "笔记本和充电宝礼品包装，一共多少钱"}) {
    const Understanding read = Read(each, TwoKinds());
    EXPECT_FALSE(read.policy_part.empty()) << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("l1", "p2")) << each;
  }
  EXPECT_TRUE(Read("wrap it please", TwoKinds()).policy_part.empty()) << "asks for no price";
}

}  // namespace
}  // namespace emptor::services
