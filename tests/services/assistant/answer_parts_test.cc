// Messages of several acts, and products that are pointed at by price, over a real store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/assistant.h"
#include "services/assistant/reading/message_parts.h"
#include "services/assistant/search/price_pointers.h"
#include "services/assistant/trace_replay.h"
#include "tests/services/assistant/shop_talk.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class AnswerPartsTest : public testing::ShopTalkTest {
 protected:
  AnswerPartsTest() : ShopTalkTest(testing::kMiceAndMonitor) {}
};

TEST_F(AnswerPartsTest, AChoiceIsNotedBeforeOtherGoodsAreShown) {
  Ask("monitors");
  const auto told = Ask("ok the vexmere. also a mouse under 20");
  EXPECT_THAT(told->text, AllOf(HasSubstr("Noted: "), HasSubstr("Vexmere Vista Monitor M70"),
                                HasSubstr("$529.99"), HasSubstr("Pixalor Nimble Mouse MO90")));
  EXPECT_THAT(told->text, Not(HasSubstr("Gridlow")));
  // The second part goes on counting.
  ASSERT_THAT(told->cards, SizeIs(2));
  EXPECT_EQ(told->cards[0].n, 1);
  EXPECT_EQ(told->cards[1].n, 2);
  EXPECT_THAT(told->text, HasSubstr("(/p/mo1) costs $14.99 and is in stock [2]"));
}

TEST_F(AnswerPartsTest, TheSumIsOfWhatWasChosen) {
  Ask("monitors");
  Ask("the velsar. plus a mouse");
  Ask("i'll take the gridlow");
  const auto told = Ask("total?");
  EXPECT_THAT(told->text, AllOf(HasSubstr("$320.99"), HasSubstr("Velsar View Monitor V27"),
                                HasSubstr("Gridlow Comet Mouse MO50")));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"monitor", "m27"}, ChosenProduct{"mouse", "mo2"}));
}

TEST_F(AnswerPartsTest, AnotherChoiceOfATopicTakesThePlaceOfTheFirst) {
  Ask("monitors");
  Ask("ok the velsar. and a mouse");
  const auto told = Ask("no, i'll take the vexmere monitor. and a kettle");
  const std::vector<ChosenProduct> chosen = Turns().back().chosen;
  ASSERT_FALSE(chosen.empty());
  EXPECT_EQ(chosen.front().id, "m32")
      << chosen.size() << " of " << chosen.front().topic << ", " << chosen.back().topic << "\n"
      << told->text;
}

TEST_F(AnswerPartsTest, WhatNobodyKnowsIsNoChoice) {
  Ask("monitors");
  const auto told = Ask("ok the 999 one. also a mouse");
  EXPECT_THAT(told->text, Not(HasSubstr("Noted")));
}

TEST_F(AnswerPartsTest, TwoRequestsAreAnsweredBoth) {
  const auto told = Ask("a monitor and a mouse under 20");
  EXPECT_THAT(told->text, AllOf(HasSubstr("Monitor"), HasSubstr("Pixalor Nimble Mouse MO90")));
  ASSERT_EQ(told->cards.size(), 3U);
  // Numbers of cards are those of the text, and none is left out.
  for (size_t i = 0; i < told->cards.size(); ++i)
    EXPECT_EQ(told->cards[i].n, static_cast<int>(i) + 1);
  EXPECT_THAT(Ask("how much is the first one")->text, HasSubstr("Monitor"));
}

TEST_F(AnswerPartsTest, ATotalAndAPolicyAreAnsweredBoth) {
  Ask("monitors");
  Ask("ok the velsar. and a mouse under 20");
  const auto told = Ask("what is that together? and how long does shipping take?");
  EXPECT_THAT(told->text, AllOf(HasSubstr("$303.99"), HasSubstr("3 to 5 business days")));
}

TEST_F(AnswerPartsTest, AProductIsPointedAtByItsPrice) {
  Ask("mice");
  EXPECT_THAT(Ask("the 32 one, how heavy is it")->text,
              AllOf(HasSubstr("Gridlow Comet Mouse MO50"), HasSubstr("90 g")));
  // Of the topic, though it was not shown.
  Ask("velsar monitor");
  EXPECT_THAT(Ask("what about the vexmere for 530")->text, HasSubstr("Vexmere Vista Monitor M70"));
}

TEST_F(AnswerPartsTest, TheSameQuestionIsAskedOfAnother) {
  Ask("mice");
  Ask("how heavy is the gridlow");
  EXPECT_THAT(Ask("and the pixalor?")->text, AllOf(HasSubstr("Pixalor"), HasSubstr("75 g")));
}

TEST_F(AnswerPartsTest, WhatASumNamesIsLookedForPieceByPiece) {
  Ask("monitors");
  Ask("mice");
  EXPECT_THAT(Ask("the vexmere and the torvane glide, what do they come to")->text,
              AllOf(HasSubstr("$579.98"), HasSubstr("Vexmere Vista Monitor M70"),
                    HasSubstr("Torvane Glide Kettle K20")));
  EXPECT_THAT(Ask("the 529.99 monitor and the gridlow, total?")->text, HasSubstr("$561.98"));
  // What the shop does not have is no piece: a search finds something for any words.
  EXPECT_THAT(Ask("the grinder and the gridlow, what do they come to")->text,
              Not(HasSubstr("Together")));
  // A price and a part of the product add up nothing.
  EXPECT_THAT(Ask("what was the price of the gridlow again, and does it come with a bag")->text,
              Not(HasSubstr("Together")));
}

TEST(PiecesOfSumTest, NamesAsTheyWereTyped) {
  EXPECT_THAT(PiecesOfSum("What do the NEC NP610 and that screen come to together?"),
              ElementsAre("the NEC NP610", "that screen"));
  EXPECT_THAT(PiecesOfSum("the $98.95 mount and that cable, total"),
              ElementsAre("the $98.95 mount", "that cable"));
  for (const char* const message : {"total?", "both together", "is it loud and heavy", "",
                                    "2 of the first and a mouse, total"}) {
    EXPECT_LT(PiecesOfSum(message).size(), 2U) << message;
  }
}

TEST_F(AnswerPartsTest, TheStateIsThatOfTwoTurns) {
  Ask("monitors");
  Ask("the velsar. also a mouse");
  const std::vector<ConversationTurn> turns = Turns();
  ASSERT_THAT(turns, SizeIs(3));
  EXPECT_EQ(turns[1].winner, "m27");
  EXPECT_EQ(turns[2].type->name, "mouse");
}

TEST_F(AnswerPartsTest, ATraceOfSeveralPartsIsReplayed) {
  Ask("monitors");
  const auto told = Ask("the velsar. also a mouse under 20");
  const auto replay = ReplayTrace(*traces_.back(), shop_.shop().reader());
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_TRUE(replay->is_same_text) << replay->text << "\n" << told->text;
}

TEST_F(AnswerPartsTest, AClientsHistoryMakesTheSameState) {
  AssistRequest request;
  request.is_stored = false;
  request.history = {{"monitors", ""}, {"ok the velsar. also a mouse under 20", ""}};
  request.message = "total?";
  const auto told = testing::AskAndWait(*assistant_, std::move(request));
  EXPECT_THAT(told->text, HasSubstr("$303.99"));
}

TEST(PricePointersTest, AmountsThatTellAProductApart) {
  using Pointers = std::vector<PricePointer>;
  const struct {
    const char* message;
    Pointers pointers;
  } kCases[] = {
      {"the 170 one", {{17000, true}}},
      {"the kensington for 35, has it got a laser", {{3500, true}}},
      {"le noir à 34,49 alors", {{3449, false}}},
      {"braucht der für 191 nen abluftschlauch", {{19100, true}}},
      {"la de 31,95 cuánto mide", {{3195, false}}},
      {"114.95的那个能不能在淋浴下用", {{11495, false}}},
      {"666的呢", {{66600, true}}},
      {"difference between the 31.95 and the 33.95", {{3195, false}, {3395, false}}},
      {"the lg for 17,490", {{1749000, true}}},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(FindPricePointers(each.message), each.pointers) << each.message;
  }
  for (const char* const message :
       {"under 20", "a mouse for 20", "2 of the second", "the 128 gb one", "the 5m ones",
        "up to 35.50", "the second one", "unter 99,90", "moins de 34,49", "27 inch", "the 7\" one",
        "in 12 hours", "", "0", "99999999999999999999", "the 1.7 l one"}) {
    EXPECT_THAT(FindPricePointers(message), IsEmpty()) << message;
  }
}

}  // namespace
}  // namespace emptor::services
