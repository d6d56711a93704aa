// Later messages that are about other goods than the conversation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "services/assistant/assistant.h"
#include "tests/services/assistant/shop_talk.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMiceAndBraces =
    R"({"id":"mo1","title":"Pixalor Nimble Mouse MO90","categories":["Computing > Mice"],"price":{"amount":1499,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
{"id":"mo2","title":"Gridlow Comet Mouse MO50","categories":["Computing > Mice"],"price":{"amount":3199,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
{"id":"k1","title":"Tynor Knee Brace with Open Patella","categories":["Health > Braces"],"price":{"amount":2995,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
{"id":"k2","title":"Strauss Knee Support Strap, Free Size","categories":["Health > Braces"],"price":{"amount":3195,"currency":"USD"},"availability":"in_stock","locale":"en-US"}
)";

class AnswerTopicsTest : public testing::ShopTalkTest {
 protected:
  AnswerTopicsTest() : ShopTalkTest(kMiceAndBraces) {}
};

TEST_F(AnswerTopicsTest, GoodsThatLackTheWordsGiveWayToThoseThatHaveThem) {
  Ask("mice");
  EXPECT_THAT(Ask("also knee support, one with the open patella, size L i think")->text,
              AllOf(HasSubstr("Knee"), Not(HasSubstr("Mouse"))));
}

TEST_F(AnswerTopicsTest, WordsThatNoOtherGoodsHaveKeepTheTopic) {
  Ask("mice");
  EXPECT_THAT(Ask("one with a titanium case")->text,
              AllOf(HasSubstr("Mouse"), Not(HasSubstr("Knee"))));
}

}  // namespace
}  // namespace emptor::services
