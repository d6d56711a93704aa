// What a shopper settles on, changes and takes back, over a real store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "services/assistant/assistant.h"
#include "tests/services/assistant/shop_talk.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class AnswerChoicesTest : public testing::ShopTalkTest {
 protected:
  AnswerChoicesTest() : ShopTalkTest(testing::kMiceAndMonitor) {}

  /// A monitor of $289.00 and a mouse of $31.99.
  void Choose() {
    Ask("monitors");
    Ask("i'll take the velsar. and a mouse");
    Ask("i'll take the gridlow");
  }
};

TEST_F(AnswerChoicesTest, PiecesCountInTheSum) {
  Choose();
  EXPECT_THAT(Ask("make it 3")->text, AllOf(HasSubstr("Noted: 3 × Gridlow Comet Mouse MO50."),
                                            HasSubstr("$384.97"), HasSubstr("at $31.99")));
  EXPECT_THAT(Ask("whats the total")->text, HasSubstr("$384.97"));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"monitor", "m27"}, ChosenProduct{"mouse", "mo2", 3}));
}

TEST_F(AnswerChoicesTest, PiecesOfOneProductAreASum) {
  Ask("mice");
  EXPECT_THAT(Ask("two of the gridlow please")->text, HasSubstr("$63.98"));
  EXPECT_THAT(Ask("total?")->text, HasSubstr("$63.98"));
}

TEST_F(AnswerChoicesTest, GoodsAreTakenBack) {
  Choose();
  const auto answer = Ask("i dont want the mouse anymore");
  EXPECT_THAT(answer->text, AllOf(HasSubstr("Taken off: Gridlow Comet Mouse MO50."),
                                  HasSubstr("$289.00"), Not(HasSubstr("$320.99"))));
  EXPECT_THAT(Turns().back().chosen, ElementsAre(ChosenProduct{"monitor", "m27"}));
  EXPECT_THAT(Ask("drop the monitor too")->text, HasSubstr("Nothing is left on your list."));
  EXPECT_THAT(Turns().back().chosen, IsEmpty());
  EXPECT_THAT(Ask("whats the total")->text, HasSubstr("Nothing is left on your list."));
}

TEST_F(AnswerChoicesTest, SomePiecesAreTakenBack) {
  Choose();
  Ask("make it 3");
  EXPECT_THAT(Ask("drop one of the mice")->text,
              AllOf(HasSubstr("Taken off: 1 × Gridlow"), HasSubstr("$352.98")));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"monitor", "m27"}, ChosenProduct{"mouse", "mo2", 2}));
}

TEST_F(AnswerChoicesTest, OneTakesThePlaceOfAnother) {
  Choose();
  EXPECT_THAT(Ask("swap the mouse for the pixalor")->text,
              AllOf(HasSubstr("Taken off: Gridlow"), HasSubstr("$303.99")));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"monitor", "m27"}, ChosenProduct{"mouse", "mo1"}));
}

TEST_F(AnswerChoicesTest, TwoOfATopicAreChosenTogether) {
  Ask("mice");
  EXPECT_THAT(Ask("i'll take both")->text, HasSubstr("$46.98"));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"mouse", "mo1"}, ChosenProduct{"mouse", "mo2"}));
}

TEST_F(AnswerChoicesTest, WhatIsChosenIsListed) {
  Choose();
  const auto answer = Ask("what do i have so far?");
  EXPECT_THAT(answer->text, AllOf(HasSubstr("Velsar View Monitor V27"),
                                  HasSubstr("Gridlow Comet Mouse MO50"), HasSubstr("$320.99")));
  EXPECT_EQ(answer->cards.size(), 2U);
}

TEST_F(AnswerChoicesTest, AChangeAndWhatFollowsItAreAnsweredBoth) {
  Choose();
  const auto sum = Ask("drop the mouse, what's the total")->text;
  EXPECT_THAT(sum, AllOf(HasSubstr("Taken off"), HasSubstr("$289.00"), Not(HasSubstr("$31.99"))));
  EXPECT_THAT(Ask("make it 2. and how long does shipping take?")->text,
              AllOf(HasSubstr("$578.00"), HasSubstr("3 to 5 business days")));
}

TEST_F(AnswerChoicesTest, WhatIsAskedNextToAChangeIsAnswered) {
  Choose();
  EXPECT_THAT(Ask("two of those. how many buttons does one have")->text,
              AllOf(HasSubstr("Noted: 2 × Gridlow"), HasSubstr("does not say")));
  // Of several that were shown, "those" says not which.
  Ask("mice");
  EXPECT_THAT(Ask("make it 2 of those")->text, Not(HasSubstr("Noted: 2 × Pixalor")));
}

TEST_F(AnswerChoicesTest, WhatWasNotShownIsNotChosenInPassing) {
  Ask("mice");
  const auto answer = Ask("i'll take the gridlow and the kettle");
  EXPECT_THAT(answer->text, Not(HasSubstr("Noted: 1 × Torvane")));
}

TEST_F(AnswerChoicesTest, MoreIsAdded) {
  Choose();
  Ask("make it 3");
  EXPECT_THAT(Ask("i'll take 2 more")->text, HasSubstr("Noted: 5 × Gridlow"));
  EXPECT_THAT(Ask("one more please")->text, HasSubstr("Noted: 6 × Gridlow"));
  EXPECT_THAT(Ask("add 2 more of those")->text, HasSubstr("Noted: 8 × Gridlow"));
}

TEST_F(AnswerChoicesTest, WhatNamesNoGoodsTakesNothingBack) {
  Choose();
  Ask("make it 3");
  EXPECT_THAT(Ask("drop the price")->text, Not(HasSubstr("Taken off")));
  EXPECT_THAT(Ask("forget the price")->text, Not(HasSubstr("Taken off")));
  EXPECT_THAT(Turns().back().chosen,
              ElementsAre(ChosenProduct{"monitor", "m27"}, ChosenProduct{"mouse", "mo2", 3}));
}

TEST_F(AnswerChoicesTest, AChangeAndACountAreTwoActs) {
  Choose();
  const auto answer = Ask("drop the monitor and make it 2");
  EXPECT_THAT(answer->text, AllOf(HasSubstr("Taken off: Velsar"), HasSubstr("2 × ")));
  EXPECT_THAT(Turns().back().chosen, ElementsAre(ChosenProduct{"mouse", "mo2", 2}));
}

TEST_F(AnswerChoicesTest, WhatComesForAnotherIsListedOnceUnderItsOwnKind) {
  Ask("mice");
  Ask("i'll take both");
  EXPECT_THAT(Ask("swap the first for the second")->text, HasSubstr("Taken off"));
  ASSERT_EQ(Turns().back().chosen.size(), 1U);
  EXPECT_EQ(Turns().back().chosen.front().quantity, 2);
  Ask("swap the mouse for the velsar monitor");
  EXPECT_THAT(Turns().back().chosen, ElementsAre(ChosenProduct{"monitor", "m27", 2}));
  EXPECT_THAT(Ask("drop the mouse")->text, Not(HasSubstr("Taken off: Velsar")));
}

TEST_F(AnswerChoicesTest, WhatTheShopNoLongerHasLeavesTheList) {
  Choose();
  Ask("make it 2");
  shop_.Import(R"({"id":"m27","deleted":true})"
               "\n");
  EXPECT_THAT(Ask("what do i have so far")->text,
              AllOf(HasSubstr("no longer sold here"), HasSubstr("$63.98")));
}

TEST_F(AnswerChoicesTest, ACountThatASumSaysComesFirst) {
  Ask("mice");
  Ask("i'll take both");
  Ask("3 of the first and one of the second");
  EXPECT_THAT(Ask("how much is one of the first and one of the second")->text, HasSubstr("$46.98"));
}

TEST_F(AnswerChoicesTest, AnEmptyListBeginsWithItsWords) {
  Ask("mice");
  Ask("2 of the gridlow");
  Ask("remove everything");
  EXPECT_EQ(Ask("what do i have so far")->text, "Nothing is left on your list.");
}

TEST_F(AnswerChoicesTest, WithoutAChoiceNothingIsTakenBack) {
  Ask("monitors");
  EXPECT_THAT(Ask("without the monitor")->text, Not(HasSubstr("Taken off")));
}

}  // namespace
}  // namespace emptor::services
