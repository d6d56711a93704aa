// Answers of a conversation over a real store: what was shown is compared and summed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "services/assistant/assistant.h"
#include "tests/services/assistant/shop_talk.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMore =
    R"({"id":"b1","title":"Campenby Puzzle Old Mill","brand":"Campenby","categories":["Toys > Puzzles"],"price":{"amount":1500,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
{"id":"b2","title":"Campenby Puzzle Harbor","brand":"Campenby","categories":["Toys > Puzzles"],"price":{"amount":2000,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
{"id":"wrap","kind":"faq","title":"Can you wrap my order as a gift?","text":"Yes. Tick Gift wrap in the cart for $3.95 an item.","locale":"en-US"}
)";

class LaterAnswersTest : public testing::ShopTalkTest {
 protected:
  LaterAnswersTest() : ShopTalkTest(kMore) {}
  std::string Ask(const std::string& message) { return ShopTalkTest::Ask(message)->text; }
};

TEST_F(LaterAnswersTest, AComparisonStatesTheValuesOfBoth) {
  Ask("kettles");
  const std::string told = Ask("how is the first one different from the second");
  EXPECT_THAT(told, AllOf(HasSubstr("1.7 liters"), HasSubstr("1.0 liters"), HasSubstr("$49.99"),
                          HasSubstr("$39.99")));
}

TEST_F(LaterAnswersTest, GoodsThatAreSearchedJoinTheSum) {
  Ask("Torvane Glide Kettle K20");
  const std::string told = Ask("how much is it with a monitor");
  EXPECT_THAT(told, AllOf(HasSubstr("$338.99"), HasSubstr("$49.99"), HasSubstr("$289.00")));
}

TEST_F(LaterAnswersTest, WithoutTheGoodsThatAreAddedThereIsNoSum) {
  Ask("Torvane Glide Kettle K20");
  EXPECT_THAT(Ask("how much is it with a toaster"), Not(HasSubstr("Together")));
}

TEST_F(LaterAnswersTest, WrappingIsChargedForEachItem) {
  Ask("puzzles");
  const std::string told = Ask("gift wrap the first and the second, what do i pay");
  EXPECT_THAT(told, AllOf(HasSubstr("$35.00"), HasSubstr("$42.90"), HasSubstr("$3.95 an item")));
}

TEST_F(LaterAnswersTest, AMessageOfTheGreatestLengthIsSearched) {
  std::string message;
  while (message.size() + 20 < 4090) message += "can I wrap it as a gift? ";
  EXPECT_THAT(Ask(message), HasSubstr("Gift wrap"));
  EXPECT_THAT(Ask(message), HasSubstr("Gift wrap")) << "in a conversation, too";
}

TEST_F(LaterAnswersTest, TheTotalOfOneIsItsPrice) {
  Ask("Torvane Glide Kettle K20");
  EXPECT_THAT(Ask("whats the total"), HasSubstr("$49.99"));
}

}  // namespace
}  // namespace emptor::services
