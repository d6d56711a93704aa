// What several products, or pieces of one, cost together, over a real store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/assistant.h"
#include "tests/services/assistant/shop_talk.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Mice of $14.99 and $31.99, and a monitor of $289.00.
class AnswerSumsTest : public testing::ShopTalkTest {
 protected:
  AnswerSumsTest() : ShopTalkTest(testing::kMiceAndMonitor) {}
};

TEST_F(AnswerSumsTest, PiecesAreCountedInManyWays) {
  Ask("mice");
  EXPECT_THAT(Ask("x12 of the first how much")->text, HasSubstr("$179.88"));
  Ask("the gridlow one");
  EXPECT_THAT(Ask("price for 5?")->text, HasSubstr("$159.95"));
}

TEST_F(AnswerSumsTest, GoodsOfSeveralListsAddUp) {
  Ask("monitors");
  Ask("and a mouse");
  EXPECT_THAT(Ask("what do the monitor and the mouse come to")->text, HasSubstr("$303.99"));
}

TEST_F(AnswerSumsTest, ASumIsHeldAgainstALimit) {
  Ask("monitors");
  Ask("and a mouse");
  EXPECT_THAT(Ask("what do both cost together, i have 300")->text,
              HasSubstr("Together that is $303.99, $3.99 above your limit of $300"));
  EXPECT_THAT(Ask("what do both cost together, my budget is 350")->text,
              HasSubstr("Together that is $303.99, within your limit of $350"));
}

TEST_F(AnswerSumsTest, CapacitiesCountNoPieces) {
  Ask("mice");
  EXPECT_THAT(Ask("how much is the first mouse for 4")->text, Not(HasSubstr("$59.96")));
}

TEST_F(AnswerSumsTest, BothAreOfTwoListsOfOneKind) {
  Ask("hello");
  Ask("pixalor mouse");
  Ask("the gridlow mouse");
  EXPECT_THAT(Ask("both total")->text, HasSubstr("$46.98"));
}

}  // namespace
}  // namespace emptor::services
