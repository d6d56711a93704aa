#include "services/assistant/reading/message_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

/// A shop of eight categories, and a conversation that has shown monitors.
class MessagePartsTest : public ::testing::Test {
 protected:
  MessagePartsTest() {
    for (const char* const each : {"Monitors", "Keyboards", "Mice", "Kettles", "Toasters",
                                   "Bike Helmets", "Puzzles", "Vacuum Filters"}) {
      profile_.categories[each] = 10;
    }
    ConversationTurn turn;
    turn.question = "a monitor";
    turn.search_text = "monitor";
    turn.shown_products = turn.listed_products = {"m1", "m2", "m3"};
    turn.type = FindProductType("monitor", "en", profile_);
    turns_.push_back(turn);
  }

  /// Choices stand in angle brackets.
  std::vector<std::string> Split(const std::string& message, const std::string& language = "en") {
    std::vector<std::string> texts;
    for (const MessagePart& part : SplitMessage({message, language, turns_, profile_})) {
      texts.push_back(part.is_choice ? "<" + part.text + ">" : part.text);
    }
    return texts;
  }

  ShopProfile profile_;
  std::vector<ConversationTurn> turns_;
};

TEST_F(MessagePartsTest, AChoiceEndsATurnBeforeOtherGoods) {
  EXPECT_THAT(Split("the octavane. also a wireless keyboard"),
              ElementsAre("<the octavane>", "also a wireless keyboard"));
  EXPECT_THAT(Split("ok the 429 one then, and a keyboard in white"),
              ElementsAre("<the 429 one>", "and a keyboard in white"));
  EXPECT_THAT(Split("I'll take the second one. And a mouse under 20 please"),
              ElementsAre("<the second one>", "And a mouse under 20 please"));
  EXPECT_THAT(Split("nah too big. the octavane. plus a kettle"),
              ElementsAre("<the octavane>", "plus a kettle"));
  EXPECT_THAT(Split("ich nehm das grüne, dazu noch einen wasserkocher", "de"),
              ElementsAre("<das grüne>", "dazu noch einen wasserkocher"));
  EXPECT_THAT(Split("je prends le noir. et une bouilloire", "fr"),
              ElementsAre("<le noir>", "et une bouilloire"));
  EXPECT_THAT(Split("me llevo el primero. y un teclado", "es"),
              ElementsAre("<el primero>", "y un teclado"));
  EXPECT_THAT(Split("就要666的。再来个鼠标", "zh"), ElementsAre("<666的>", "再来个鼠标"));
}

TEST_F(MessagePartsTest, OtherGoodsEndTheQuestionBefore) {
  EXPECT_THAT(Split("is it loud? and do you have a kettle"),
              ElementsAre("is it loud?", "and do you have a kettle"));
  EXPECT_THAT(
      Split("a wireless keyboard that is quiet, and a mouse with silent clicks under 20"),
      ElementsAre("a wireless keyboard that is quiet", "and a mouse with silent clicks under 20"));
}

TEST_F(MessagePartsTest, ASumAndAPolicyAreTwoTurns) {
  EXPECT_THAT(Split("what does that make together? can I send it back after opening it?"),
              ElementsAre("what does that make together?", "can I send it back after opening it?"));
}

TEST_F(MessagePartsTest, OneActStaysWhole) {
  for (const char* const message :
       {"which one is the brightest", "does it turn, and is it heavy?", "a monitor with two stands",
        "the cheaper of those - is it curved", "something with speakers, and in white",
        "can the second one, the white one, hang on a wall", "a kettle and toaster set?",
        "planner plus that pen, both wrapped. total?",
        "sorry, cat on keyboard. need a monitor in black", "how much for both, each wrapped"}) {
    EXPECT_THAT(Split(message), ElementsAre(message)) << message;
  }
}

TEST_F(MessagePartsTest, NothingIsChosenBeforeAnythingWasShown) {
  turns_.clear();
  EXPECT_THAT(Split("ok the black one. also a mouse"),
              ElementsAre("ok the black one. also a mouse"));
}

TEST_F(MessagePartsTest, KeepsTheRestOfALongMessage) {
  const auto parts = Split("a keyboard. a mouse. a kettle. a toaster. a puzzle");
  ASSERT_EQ(parts.size(), kMaxMessageParts);
  EXPECT_EQ(parts.back(), "a kettle. a toaster. a puzzle");
}

TEST_F(MessagePartsTest, ReadsAnyText) {
  for (const std::string& message :
       {std::string(), std::string(" "), std::string("..."), std::string("?!? ok, "),
        std::string(4000, '.'), std::string("\xff\xfe. ok the \xc3"), std::string(2000, ',')}) {
    EXPECT_FALSE(SplitMessage({message, "en", turns_, profile_}).empty());
  }
}

}  // namespace
}  // namespace emptor::services
