// Later messages of a conversation: what was shown is taken, chosen, compared, or asked what it can
// do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/words/story_words.h"
#include "tests/services/assistant/power_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using LaterTurnsTest = testing::PowerShopTest;

std::string TypeOf(const Understanding& understanding) {
  return understanding.type ? understanding.type->name : "";
}

TEST_F(LaterTurnsTest, WhatIsTakenIsNoPartOfTheNextRequest) {
  for (const char* each : {"passt, und noch einen Laptop", "sounds good. and i need a laptop",
                           "parfait, il me faut aussi un ordinateur portable",
                           "perfecto, necesito también un portátil", "不错，再来个笔记本电脑"}) {
    const Understanding read = Read(each, {OnOneBank()});
    EXPECT_EQ(TypeOf(read), "laptop") << each;
    EXPECT_THAT(read.referenced_products, IsEmpty()) << each;
  }
}

TEST_F(LaterTurnsTest, AbilityIsAskedOfWhatWasShown) {
  for (const char* each : {"能充笔记本吗", "可以给笔记本电脑充电吗", "¿puede cargar un portátil?",
                           "peut charger un ordinateur portable ?",
                           "kann man da einen laptop laden?", "can it charge a laptop?"}) {
    const Understanding read = Read(each, {OnOneBank()});
    EXPECT_EQ(TypeOf(read), "power bank") << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("p2")) << each;
  }
  for (const char* each : {"你们有笔记本电脑吗", "¿pueden recomendarme un portátil?"}) {
    EXPECT_EQ(TypeOf(Read(each, {OnOneBank()})), "laptop") << each;
  }
}

TEST_F(LaterTurnsTest, TheQuestionBehindAChoiceIsAboutWhatIsChosen) {
  const Understanding read =
      Read("the cheaper one is fine. does it charge a laptop at night", {OnBanks()});
  EXPECT_EQ(TypeOf(read), "power bank");
  EXPECT_TRUE(read.asks_fact_of_best);
  EXPECT_EQ(read.fact_question, "does it charge a laptop at night");
}

TEST_F(LaterTurnsTest, WhatRanksFirstIsASideOfAComparison) {
  for (const char* each : {"whats the difference between the cheapest and the most expensive",
                           "was ist der unterschied zwischen dem günstigsten und dem teuersten",
                           "最便宜的和最贵的差在哪"}) {
    const Understanding read = Read(each, {OnBanks()});
    EXPECT_THAT(read.referenced_products, ElementsAre("p1", "p2")) << each;
    EXPECT_TRUE(read.compares_shown) << each;
    EXPECT_FALSE(read.rank.has_value()) << each;
    EXPECT_TRUE(read.Has(Intent::kProductComparison)) << each;
  }
  const Understanding that =
      Read("whats the difference between that and the lightest", {OnOneBank()});
  EXPECT_THAT(that.referenced_products, ElementsAre("p2", "p1"));
}

TEST_F(LaterTurnsTest, OneThatWasNotShownIsSearched) {
  for (const char* each : {"is the sonaro one any better", "the solar one, price"}) {
    const Understanding read = Read(each, {OnBanks()});
    EXPECT_TRUE(read.follows_up) << each;
    EXPECT_THAT(read.referenced_products, IsEmpty()) << each;
    ASSERT_EQ(read.words.size(), 1u) << each;
  }
  // One that was shown answers itself.
  EXPECT_THAT(Read("the slim one, price", {OnBanks()}).referenced_products, ElementsAre("p1"));
}

TEST_F(LaterTurnsTest, PartsAreAskedOfWhatWasShown) {
  for (const char* each :
       {"do i have to buy a cable for it", "laptop is in the box?", "does it need a laptop",
        "muss ich extra ein kabel kaufen?", "il faut acheter un câble ?", "¿trae un portátil?",
        "包含笔记本电脑吗", "which port does the cable use"}) {
    const Understanding read = Read(each, {OnOneBank()});
    EXPECT_EQ(TypeOf(read), "power bank") << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("p2")) << each;
    EXPECT_EQ(read.not_sold, "") << each;
  }
  EXPECT_EQ(TypeOf(Read("do i need a laptop too, which do you sell?", {OnOneBank()})), "laptop");
}

TEST_F(LaterTurnsTest, WhetherAPartIsIncludedIsAskedByItsName) {
  ConversationTurn asked = OnOneBank();
  asked.asked_key = "cable type";
  const Understanding read = Read("are they included?", {asked});
  EXPECT_THAT(read.referenced_products, ElementsAre("p2"));
  EXPECT_EQ(read.inherited_key, "cables included");
  EXPECT_EQ(read.fact_question, "cables included?");
}

TEST_F(LaterTurnsTest, AConditionNamesNoOtherGoods) {
  EXPECT_EQ(TypeOf(Read("with a laptop cable", {OnBanks()})), "power bank");
  EXPECT_EQ(TypeOf(Read("mit laptop-kabel", {OnBanks()})), "power bank");
  const Understanding battery = Read("battery", {OnLaptop()});
  EXPECT_EQ(TypeOf(battery), "laptop");
  EXPECT_THAT(battery.referenced_products, ElementsAre("l1"));
}

TEST_F(LaterTurnsTest, TheQuestionBehindAStoryIsNoPolicy) {
  const Understanding read =
      Read("i dont want my kid on the internet. does it need wifi", {OnOneBank()});
  EXPECT_FALSE(read.asks_policy);
  EXPECT_THAT(read.referenced_products, ElementsAre("p2"));
}

TEST_F(LaterTurnsTest, APolicyThatIsDeniedIsNone) {
  EXPECT_FALSE(Read("a power bank without installation or assembly", {}).asks_policy);
  EXPECT_TRUE(Read("do you offer assembly of a power bank without extra cost", {}).asks_policy);
}

TEST_F(LaterTurnsTest, AnotherOneIsSearched) {
  const Understanding read = Read("is there also a solar one that is light", {OnOneBank()});
  EXPECT_TRUE(read.follows_up);
  EXPECT_THAT(read.referenced_products, IsEmpty());
}

TEST_F(LaterTurnsTest, HowSomebodyTravelsNamesNoGoods) {
  for (const char* each : {"on part en train, la plus légère", "vamos en avion, el más ligero"}) {
    EXPECT_EQ(TypeOf(Read(each, {OnBanks()})), "power bank") << each;
  }
}

TEST_F(LaterTurnsTest, SeveralOfThoseJoinASum) {
  const Understanding read =
      Read("prefer two the same. how much for the laptop and 2 of those together",
           {OnLaptop(), OnOneBank()});
  EXPECT_THAT(read.referenced_products, ElementsAre("l1", "p2"));
  EXPECT_THAT(read.quantities, ElementsAre(1, 2));
  EXPECT_THAT(Read("how much for the laptop and 2 of those", {OnLaptop(), OnOneBank()}).quantities,
              ElementsAre(1, 2));
}

TEST_F(LaterTurnsTest, AServiceAddsToThePriceOfWhatIsInFocus) {
  for (const char* each : {"how much with wrapping", "how much is it with gift wrapping?",
                           "was kostet er mit Geschenkverpackung",
                           "combien avec un paquet cadeau ?", "加上礼品包装多少钱"}) {
    const Understanding read = Read(each, {OnOneBank()});
    EXPECT_FALSE(read.policy_part.empty()) << each;
    EXPECT_FALSE(read.asks_policy) << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("p2")) << each;
  }
}

TEST_F(LaterTurnsTest, HowMuchOfAUnitAsksForAQuantity) {
  EXPECT_EQ(Read("how much mah", {OnOneBank()}).message, "how many mah");
  EXPECT_EQ(Read("and how much gb?", {OnOneBank()}).message, "and how many gb?");
  EXPECT_EQ(Read("how much is it", {OnOneBank()}).message, "how much is it");
}

TEST_F(LaterTurnsTest, AComparisonOfExtremesAsksForNoPolicy) {
  for (const char* each : {"quelle différence entre le moins cher et le plus cher ?",
                           "¿qué diferencia hay entre el más barato y el más caro?"}) {
    const Understanding read = Read(each, {OnBanks()});
    EXPECT_FALSE(read.asks_policy) << each;
    EXPECT_THAT(read.referenced_products, ElementsAre("p1", "p2")) << each;
  }
}

TEST_F(LaterTurnsTest, OneThatTheShopMayNotHaveIsNamedAsMissing) {
  const Understanding read = Read("the wooden one, price", {OnBanks()});
  EXPECT_TRUE(read.follows_up);
  EXPECT_THAT(read.referenced_products, IsEmpty());
  ASSERT_EQ(read.missing.size(), 1u);
  EXPECT_EQ(read.missing[0].text, "wooden");
}

TEST_F(LaterTurnsTest, AHastyQuestionIsAboutWhatWasShown) {
  const std::pair<const char*, size_t> questions[] = {
      {"hot till when, all", 2}, {"warm or only pretty? and dry", 2}, {"cable in box or no", 2}};
  for (const auto& [message, count] : questions) {
    const Understanding read = Read(message, {OnBanks()});
    EXPECT_EQ(read.referenced_products.size(), count) << message;
    EXPECT_FALSE(read.follows_up) << message;
    EXPECT_THAT(read.rules->referenced_products, IsEmpty()) << message << ": the rules search";
  }
  EXPECT_THAT(Read("slim one, yes or no for a plane", {OnBanks()}).referenced_products,
              ElementsAre("p1"));
}

TEST(StoryWordsTest, FormsOfWordsOfAStoryDemandNothing) {
  for (const char* each : {"starts", "wifes", "needs", "husbands"}) {
    EXPECT_TRUE(IsStoryWord(each)) << each;
  }
  EXPECT_FALSE(IsStoryWord("glass"));
}

TEST_F(LaterTurnsTest, WhetherOneOfTheListIsMoreIsAskedOfTheList) {
  const Understanding whether = Read("is the second one cheaper?", {OnBanks()});
  EXPECT_TRUE(whether.asks_whether);
  EXPECT_THAT(whether.referenced_products, ElementsAre("p2", "p1"));
  ConversationTurn on_three = OnBanks();
  on_three.shown_products = on_three.cited_products = on_three.listed_products = {"p1", "p2", "p3"};
  const Understanding ranked = Read("is it lighter?", {on_three});
  ASSERT_TRUE(ranked.rank);
  EXPECT_EQ(ranked.rank->key, "weight");
  EXPECT_FALSE(ranked.asks_whether);
  EXPECT_THAT(ranked.referenced_products, UnorderedElementsAre("p1", "p2", "p3"));
  EXPECT_FALSE(Read("is there a lighter one?", {on_three}).rank);
}

TEST_F(LaterTurnsTest, AWordOfTheTopicsNameMeansTheTopic) {
  for (const char* each : {"which of the banks is lighter", "a bit cheaper banks with usb-c"}) {
    EXPECT_EQ(TypeOf(Read(each, {OnBanks()})), "power bank") << each;
  }
}

TEST_F(LaterTurnsTest, TheCheaperOfTheTwoIsOneOfTheLatestTwo) {
  ConversationTurn first = OnBanks(), second = OnBanks();
  first.shown_products = first.cited_products = first.listed_products = {"p1"};
  second.shown_products = second.cited_products = second.listed_products = {"p3"};
  const Understanding read = Read("no, mejor la más barata de las dos", {first, second});
  EXPECT_THAT(read.referenced_products, UnorderedElementsAre("p1", "p3"));
}

TEST_F(LaterTurnsTest, WhatIsToldOfSomebodyIsDemandedOfNoRecord) {
  const Understanding read =
      Read("my son has asthma and travels, we need a power bank with usb-c", {});
  EXPECT_THAT(read.missing, IsEmpty());
  const Understanding demand = Read("a power bank, wooden", {});
  EXPECT_EQ(demand.missing.size(), 1u);
}

TEST_F(LaterTurnsTest, ChineseQuestionsAtTheEndAreAskedOfWhatWasShown) {
  const Understanding read = Read("套子能拆下来洗吗", {OnOneBank()});
  EXPECT_THAT(read.referenced_products, ElementsAre("p2"));
}

TEST_F(LaterTurnsTest, WhatStandsBeforeOnesIsNoGoods) {
  EXPECT_NE(TypeOf(Read("the short ones are too weak", {OnBanks()})), "short");
}

}  // namespace
}  // namespace emptor::services
