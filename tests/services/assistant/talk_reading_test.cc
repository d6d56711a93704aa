// Turns of a shopper who talks: advice, what was meant, a topic again, another value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/plan/plan.h"
#include "services/assistant/reading/query_understanding.h"
#include "tests/services/assistant/shown_turn.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::SchemaOf;
using testing::TurnOn;

catalog::Product Lamp(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.price = catalog::Money{4999, "USD"};
  product.availability = catalog::Availability::kInStock;
  product.attributes = std::move(attributes);
  return product;
}

/// A shop of desk lamps (d1, d2, d3) and floor lamps (f1, f2).
class TalkReadingTest : public ::testing::Test {
 protected:
  TalkReadingTest() {
    profile_.categories = {{"Lighting > Desk Lamps", 3}, {"Lighting > Floor Lamps", 2}};
    desk_schema_ = SchemaOf(desk_);
    floor_schema_ = SchemaOf(floor_);
  }

  ConversationTurn OnDesk() {
    return TurnOn("desk lamp", "Lighting > Desk Lamps", {"d1", "d2", "d3"});
  }
  ConversationTurn OnFloor() {
    ConversationTurn turn = TurnOn("floor lamp", "Lighting > Floor Lamps", {"f1", "f2"});
    turn.type->words = {"floor lamp", "lamp"};
    return turn;
  }
  ConversationTurn About(ConversationTurn turn, const std::string& id) {
    turn.shown_products = turn.cited_products = {id};
    return turn;
  }

  UnderstandingInput InputOf(const std::string& message, std::vector<ConversationTurn> turns) {
    UnderstandingInput input;
    input.message = message;
    input.turns = std::move(turns);
    input.profile = &profile_;
    input.schema_of = [this](const ProductType& type, const std::string&) {
      return type.name == "floor lamp" ? &floor_schema_ : &desk_schema_;
    };
    input.record_of = [this](const std::string& id) -> std::optional<catalog::Product> {
      const auto& records = id.front() == 'f' ? floor_ : desk_;
      catalog::Product product = records[static_cast<size_t>(id.back() - '1')];
      product.id = id;
      return product;
    };
    return input;
  }
  Understanding Read(const std::string& message, std::vector<ConversationTurn> turns) {
    return Understand(InputOf(message, std::move(turns)));
  }

  void Rate(size_t at, double value) { desk_[at].rating = catalog::Rating{value, 20}; }

  ShopProfile profile_;
  std::vector<catalog::Product> desk_ = {
      Lamp("Haldris Beam Desk Lamp, Brass", {{"brightness", "400 lm"}, {"color", "brass"}}),
      Lamp("Haldris Page Desk Lamp, Black", {{"brightness", "600 lm"}, {"color", "black"}}),
      Lamp("Glowick Heron Desk Lamp, White", {{"brightness", "900 lm"}, {"color", "white"}})};
  std::vector<catalog::Product> floor_ = {
      Lamp("Haldris Willow Floor Lamp", {{"brightness", "1200 lm"}, {"height", "150 cm"}}),
      Lamp("Lumenby Dusk Floor Lamp", {{"brightness", "800 lm"}, {"height", "120 cm"}})};
  TypeSchema desk_schema_, floor_schema_;
};

TEST_F(TalkReadingTest, AdviceRanksTheListByRatingElseByPrice) {
  for (const char* message :
       {"which would you take?", "ok which one do you recommend", "what would you pick",
        "welchen würdest du nehmen", "laquelle me conseillez-vous", "¿cuál me recomiendas?",
        "你推荐哪个"}) {
    const Understanding unrated = Read(message, {OnDesk()});
    ASSERT_TRUE(unrated.rank.has_value()) << message;
    EXPECT_EQ(unrated.rank->key, "price") << message;
    EXPECT_THAT(unrated.referenced_products, ElementsAre("d1", "d2", "d3")) << message;
  }
  Rate(0, 4.1);
  Rate(2, 4.6);
  const Understanding rated = Read("which would you take?", {OnDesk(), About(OnDesk(), "d2")});
  ASSERT_TRUE(rated.rank.has_value());
  EXPECT_EQ(rated.rank->key, "rating");
  EXPECT_THAT(rated.referenced_products, ElementsAre("d1", "d2", "d3"));
}

TEST_F(TalkReadingTest, TheBrighterOfTwoThatWereAskedAbout) {
  const Understanding of_two =
      Read("which is cheaper?", {OnDesk(), About(OnDesk(), "d1"), About(OnDesk(), "d3")});
  EXPECT_THAT(of_two.referenced_products, ElementsAre("d1", "d3"));
  const Understanding of_list =
      Read("which is the cheapest?", {OnDesk(), About(OnDesk(), "d1"), About(OnDesk(), "d3")});
  EXPECT_THAT(of_list.referenced_products, ElementsAre("d1", "d2", "d3"));
}

TEST_F(TalkReadingTest, AComparativeOfAnyAttributeAsksForWhatLiesBeyondTheList) {
  for (const char* message :
       {"brighter", "anything brighter?", "a brighter one?", "more brightness please",
        "with a higher brightness?", "do you have something brighter", "gibt es eine hellere?",
        "plus lumineuse ?", "¿más brillante?", "有没有更亮的"}) {
    const Understanding brighter = Read(message, {OnDesk()});
    ASSERT_TRUE(brighter.comparison.has_value()) << message;
    EXPECT_EQ(brighter.comparison->key, "brightness") << message;
    EXPECT_TRUE(brighter.comparison->wants_more) << message;
    EXPECT_TRUE(brighter.follows_up) << message;
    EXPECT_THAT(brighter.referenced_products, ElementsAre("d1", "d2", "d3")) << message;
  }
  for (const char* message :
       {"which one is brighter", "is the second one brighter?", "brighter than 500 lm",
        "the brightest", "is it brighter than the first one?"}) {
    EXPECT_FALSE(Read(message, {OnDesk()}).comparison.has_value()) << message;
  }
}

TEST_F(TalkReadingTest, GoodsOnSaleAreSearchedWhateverWasShown) {
  for (const char* message :
       {"anything on sale?", "do you have one on sale", "gibt es etwas im angebot"}) {
    const Understanding sale = Read(message, {About(OnDesk(), "d2")});
    EXPECT_FALSE(sale.reduced.empty()) << message;
    EXPECT_TRUE(sale.follows_up) << message;
    EXPECT_THAT(sale.referenced_products, IsEmpty()) << message;
  }
  EXPECT_EQ(Read("desk lamps on sale", {}).reduced, "on sale");
  for (const char* message : {"is it on sale", "which of these are on sale"}) {
    EXPECT_THAT(Read(message, {OnDesk()}).reduced, IsEmpty()) << message;
  }
}

TEST_F(TalkReadingTest, WhatIsCheapIsPreferredUntilAnAmountSaysIt) {
  const Understanding cheap = Read("a cheap desk lamp", {});
  ASSERT_EQ(cheap.preferences.size(), 1u);
  EXPECT_EQ(cheap.preferences[0].key, "price");
  EXPECT_TRUE(cheap.preferences[0].is_least);
  EXPECT_EQ(Read("便宜的台灯", {}).preferences.size(), 1u) << "which ranks nothing";
  EXPECT_THAT(Read("a cheap desk lamp, under $40", {}).preferences, IsEmpty());
  EXPECT_THAT(Read("the cheapest desk lamp", {}).preferences, IsEmpty());
}

TEST_F(TalkReadingTest, GoodsBeforeForItFitWhatWasShown) {
  for (const char* message : {"floor lamp for it", "how much is a floor lamp for it"}) {
    const Understanding fitting = Read(message, {OnDesk()});
    EXPECT_EQ(fitting.fits_product, "d1") << message;
    ASSERT_TRUE(fitting.type.has_value()) << message;
    EXPECT_EQ(fitting.type->name, "floor lamp") << message;
  }
}

TEST_F(TalkReadingTest, AMakerAndALineOfTheTopicAreNoOtherType) {
  const Understanding named = Read("how bright is the haldris quorl floor lamp", {OnDesk()});
  ASSERT_TRUE(named.type.has_value());
  EXPECT_EQ(named.type->name, "floor lamp") << "no desk lamp of that line";
}

TEST_F(TalkReadingTest, AMakerThatNoRecordOfTheTopicHasIsNotSold) {
  EXPECT_EQ(Read("do you have anything from zentrix", {OnDesk()}).not_sold, "zentrix");
  EXPECT_EQ(Read("do you have one by zentrix?", {About(OnDesk(), "d1")}).not_sold, "zentrix");
  EXPECT_EQ(Read("do you have anything from haldris", {OnDesk()}).not_sold, "");
  EXPECT_EQ(Read("do you have anything from zentrix in black", {OnDesk()}).not_sold, "");
}

TEST_F(TalkReadingTest, WhereNothingWasShownItIsNothing) {
  for (const char* message :
       {"is it waterproof", "how heavy is it?", "does it come in black", "compare the first two",
        "tell me more about the second one", "est-ce qu'il est étanche ?", "它防水吗"}) {
    EXPECT_TRUE(Read(message, {}).lacks_subject) << message;
    EXPECT_FALSE(Read(message, {OnDesk()}).lacks_subject) << message;
  }
  for (const char* message :
       {"is it a good desk lamp for reading", "is it possible to return things", "desk lamp",
        "it broke after two days", "how do i track it"}) {
    EXPECT_FALSE(Read(message, {}).lacks_subject) << message;
  }
}

TEST_F(TalkReadingTest, TheTopicWhoseNameSaysMostComesBack) {
  const Understanding back = Read("back to the desk lamps, the brightest?", {OnDesk(), OnFloor()});
  ASSERT_TRUE(back.type.has_value());
  EXPECT_EQ(back.type->name, "desk lamp");
  EXPECT_THAT(back.list, ElementsAre("d1", "d2", "d3"));
  ConversationTurn black = OnDesk();
  black.question = "in black";
  black.listed_products = black.shown_products = {"d2", "d3"};
  const Understanding named = Read("go back to the black ones", {black, OnDesk()});
  EXPECT_THAT(named.list, ElementsAre("d2", "d3"));
}

TEST_F(TalkReadingTest, ADescriptionAloneChoosesOneThatWasShown) {
  const Understanding meant = Read("no i meant the black one", {OnDesk(), About(OnDesk(), "d1")});
  EXPECT_THAT(meant.referenced_products, ElementsAre("d2"));
  EXPECT_FALSE(meant.follows_up);
}

TEST_F(TalkReadingTest, APlaceCountsInTheWholeListAfterAComparison) {
  ConversationTurn compared = About(OnDesk(), "d1");
  compared.shown_products = compared.cited_products = compared.compared_products = {"d1", "d2"};
  const Understanding third = Read("and the third?", {OnDesk(), compared});
  EXPECT_FALSE(third.lacks_place);
  EXPECT_THAT(third.referenced_products, ElementsAre("d3"));
}

TEST_F(TalkReadingTest, ItIsTheOneThatTheMessageNamesByItsPlace) {
  const Understanding second = Read("the second one, how much is it", {OnDesk()});
  EXPECT_THAT(second.referenced_products, ElementsAre("d2"));
  EXPECT_THAT(second.quantities, IsEmpty());
}

TEST_F(TalkReadingTest, AskedAgainTheQuestionBeforeIsAnswered) {
  ConversationTurn asked = About(OnDesk(), "d2");
  asked.question = "how bright is the second one";
  const Understanding again = Read("are you sure?", {OnDesk(), asked});
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.message, "how bright is the second one");
  EXPECT_THAT(again.referenced_products, ElementsAre("d2"));
  const Understanding cheaper = Read("too expensive", {OnDesk()});
  EXPECT_TRUE(cheaper.comparison.has_value());
  EXPECT_TRUE(cheaper.follows_up);
  EXPECT_EQ(Read("hm ok", {OnDesk()}).desk, DeskAct::kUndecided);
  EXPECT_EQ(Read("too pricey, anything in black?", {OnDesk()}).message, "anything in black?");
}

TEST_F(TalkReadingTest, ToTakeOneIsToPutItIntoTheCart) {
  for (const char* message : {"i'll take the second one", "ok add it", "ich nehme den zweiten",
                              "je prends le deuxième", "我要第二个"}) {
    EXPECT_TRUE(Read(message, {OnDesk()}).Has(Intent::kCartAction)) << message;
  }
}

TEST_F(TalkReadingTest, AProductThatIsChosenIsShown) {
  const UnderstandingInput input = InputOf("", {});
  for (const char* message :
       {"the second one", "no i meant the second one", "ok the second please", "the black one"}) {
    const Understanding chosen = Read(message, {OnDesk()});
    std::vector<Source> sources;
    sources.push_back({*input.record_of("d2")});
    const std::string question = message;
    const auto plan = PlanAnswer({chosen, sources, question, true, 0, {}});
    ASSERT_EQ(plan.size(), 1u) << message;
    EXPECT_EQ(plan[0].kind, Statement::Kind::kRecommend) << message;
  }
}

}  // namespace
}  // namespace emptor::services
