// Messages to customer service that no phrase decides, and policies in the course of a
// conversation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/query_understanding.h"

namespace emptor::services {
namespace {

Understanding Read(const std::string& message, std::vector<ConversationTurn> turns = {}) {
  UnderstandingInput input;
  input.message = message;
  input.turns = std::move(turns);
  return Understand(input);
}

ConversationTurn AfterPolicy(const std::string& question) {
  ConversationTurn turn;
  turn.question = turn.policy_question = question;
  turn.language = "en";
  return turn;
}

TEST(DeskReadingTest, AnActIsGuessedWhereNoPhraseDecides) {
  EXPECT_EQ(Read("not a bot please, somebody who works there").desk, DeskAct::kHuman);
  EXPECT_EQ(Read("what is it that you actually sell").desk, DeskAct::kCatalog);
  EXPECT_TRUE(Read("how long till it reaches my town").asks_policy);
  EXPECT_FALSE(Read("do you sell submarines?").asks_policy);
  EXPECT_TRUE(Read("do you sell my data?").asks_policy);
}

TEST(DeskReadingTest, BothPartsOfAQuestionMayBeAboutAPolicy) {
  const Understanding both = Read("do you ship to Canada and how long does it take");
  EXPECT_TRUE(both.asks_policy);
  EXPECT_FALSE(both.lacks_subject);
}

TEST(DeskReadingTest, WhatTheRecordTellsIsNoQuestionToCustomerService) {
  catalog::Product washer;
  washer.id = "w1";
  washer.title = "Torvane Washer W1";
  washer.attributes = {{"add garment (pause) function", "no"}, {"bluetooth", "yes"}};
  ConversationTurn shown;
  shown.question = shown.search_text = "washers";
  shown.shown_products = shown.listed_products = {"w1"};
  shown.language = "en";
  UnderstandingInput input;
  input.turns = {shown};
  input.record_of = [&](const std::string&) { return std::optional<catalog::Product>(washer); };
  for (const char* message :
       {"can i add clothes after it started", "can i connect my phone by bluetooth"}) {
    input.message = message;
    const Understanding read = Understand(input);
    EXPECT_FALSE(read.asks_policy) << message;
    EXPECT_EQ(read.desk, DeskAct::kNone) << message;
  }
}

TEST(DeskReadingTest, TalkAfterAnAnswerAsksForNothing) {
  ConversationTurn shown;
  shown.question = shown.search_text = "kettles";
  shown.shown_products = shown.listed_products = {"k1", "k2"};
  shown.language = "en";
  for (const char* message :
       {"Thank you, you are very kind", "my cat is called Biscuit lol", "merci, c'est bien gentil",
        "jaja mi gato se comió el último", "gracias guapa jaja", "merci, vous êtes très aimable"}) {
    EXPECT_EQ(Read(message, {shown}).desk, DeskAct::kThanks) << message;
  }
  for (const char* message : {"thanks, how much is the second one?", "lol which is the cheapest",
                              "thanks, do you have it in red"}) {
    EXPECT_NE(Read(message, {shown}).desk, DeskAct::kThanks) << message;
  }
}

TEST(DeskReadingTest, AFragmentIsAboutWhatWasShown) {
  ConversationTurn shown;
  shown.question = "whey protein";
  shown.language = "en";
  shown.shown_products = shown.listed_products = {"a", "b"};
  for (const char* message : {"price?", "cheaper?", "battery?"}) {
    EXPECT_EQ(Read(message, {shown}).desk, DeskAct::kNone) << message;
  }
  EXPECT_EQ(Read("will the price drop soon", {shown}).desk, DeskAct::kForecast);
}

TEST(DeskReadingTest, AWishThatMentionsAPolicyIsForGoods) {
  EXPECT_FALSE(
      Read("we are on the 4th floor without elevator, need something to push her around in")
          .asks_policy);
  EXPECT_TRUE(Read("do you deliver to the 4th floor").asks_policy);
}

TEST(DeskReadingTest, WhoWantsGoodsAndNothingElseIsInNoDanger) {
  const ShopProfile profile;
  for (const char* message : {"i want a tv", "I want a pc", "i want a desk please"}) {
    UnderstandingInput input;
    input.message = message;
    input.profile = &profile;
    EXPECT_EQ(Understand(input).desk, DeskAct::kNone) << message;
  }
  EXPECT_EQ(Read("i want to die").desk, DeskAct::kCrisis);
}

TEST(DeskReadingTest, AWishAboutEverydayLifeIsNoCryForHelp) {
  for (const char* message :
       {"do i have to build it myself", "would i be able to assemble it myself",
        "my back is killing me, i sit 9 hrs a day", "I want to play records",
        "I want to learn guitar", "I want to run", "I want to cook rice", "i just want to relax",
        "I want to sharpen knives", "ich möchte tanzen", "quiero coser"}) {
    EXPECT_NE(Read(message).desk, DeskAct::kCrisis) << message;
  }
  for (const char* message :
       {"life has no meaning", "tired of living", "i want to leave this world",
        "i wish i could fall asleep forever", "i cant live like this", "nobody would miss me"}) {
    EXPECT_EQ(Read(message).desk, DeskAct::kCrisis) << message;
  }
}

TEST(DeskReadingTest, ThanksBeforeARequestAreNotAllOfIt) {
  ConversationTurn shown;
  shown.question = shown.search_text = "kettles";
  shown.shown_products = shown.listed_products = {"k1"};
  shown.language = "en";
  const Understanding read = Read("thx, put that one in the cart", {shown});
  EXPECT_EQ(read.desk, DeskAct::kNone);
  EXPECT_FALSE(read.asks_policy);
  EXPECT_TRUE(read.Has(Intent::kCartAction));
}

TEST(DeskReadingTest, WhatAPersonTakesOverMayNameGoods) {
  EXPECT_EQ(Read("my new kettle came with a broken lid and nobody answers, i am furious").desk,
            DeskAct::kComplaint);
  EXPECT_EQ(Read("a kettle with a lid").desk, DeskAct::kNone);
}

TEST(DeskReadingTest, WhoOrdersGoodsHasNoTroubleWithAnOrder) {
  EXPECT_EQ(Read("ok order both").desk, DeskAct::kNone);
  EXPECT_TRUE(Read("ok order both").Has(Intent::kCartAction));
  EXPECT_EQ(Read("my order never came, i am waiting for two weeks").desk, DeskAct::kOrder);
}

TEST(DeskReadingTest, APhraseAboutAPolicyDoesNotHideWhoIsAskedFor) {
  EXPECT_EQ(Read("je veux parler à quelqu'un du service client").desk, DeskAct::kHuman);
}

TEST(DeskReadingTest, PricesOfOtherShopsAreNotKnown) {
  for (const char* message : {"is it cheaper on ebay", "was kostet das bei Kaufland",
                              "Fnac le vend moins cher", "淘宝上多少钱"}) {
    EXPECT_EQ(Read(message).desk, DeskAct::kElsewhere) << message;
  }
  EXPECT_NE(Read("an ebay gift card").desk, DeskAct::kElsewhere);
}

TEST(DeskReadingTest, TheQuestionBeforeNarrowsAPolicy) {
  const Understanding asked =
      Read("do i have to send it back?", {AfterPolicy("the mug arrived shattered")});
  ASSERT_TRUE(asked.policy);
  EXPECT_EQ(asked.policy->name, "damaged on arrival");
}

TEST(DeskReadingTest, GoodsInFocusNarrowAPolicy) {
  ConversationTurn turn;
  turn.question = turn.search_text = "a wardrobe";
  turn.language = "en";
  turn.type = ProductType{"wardrobe", {}, {"wardrobe"}, true};
  turn.shown_products = turn.cited_products = {"w"};
  const Understanding asked = Read("how much is shipping", {turn});
  ASSERT_TRUE(asked.policy.has_value());
  EXPECT_EQ(asked.policy->name, "large item delivery");
  EXPECT_TRUE(asked.is_policy_narrowed);
}

TEST(DeskReadingTest, AFragmentGoesOnAboutThePolicy) {
  const auto turns = {AfterPolicy("do you ship to Canada")};
  const Understanding on = Read("and with the fast option?", turns);
  EXPECT_TRUE(on.asks_policy);
  EXPECT_EQ(on.policy_question, "do you ship to Canada");
  const Understanding own = Read("is there a loyalty program", turns);
  EXPECT_TRUE(own.asks_policy);
  EXPECT_EQ(own.policy_question, "is there a loyalty program");
}

TEST(DeskReadingTest, AMessageMayBeAboutGoodsAndAPolicy) {
  const Understanding both = Read("show me a red kettle under 60, and do you ship to Canada?");
  EXPECT_FALSE(both.asks_policy);
  EXPECT_THAT(both.policy_part, ::testing::HasSubstr("do you ship to Canada"));
  EXPECT_EQ(both.filter.max_price, 6000);
  EXPECT_EQ(Read("do you ship to Canada?").policy_part, "");
}

}  // namespace
}  // namespace emptor::services
