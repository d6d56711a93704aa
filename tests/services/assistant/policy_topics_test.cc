// Topics of questions that use no phrase of the lexicon, and of the entries that answer them.
#include "services/assistant/reading/policy_topics.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

std::string NearestTo(const std::string& message) {
  const auto topic = NearestPolicyTopic(message);
  return topic ? topic->name : "";
}

TEST(NearestPolicyTopicTest, FindsATopicByItsWords) {
  EXPECT_EQ(NearestTo("could i pay a bit each month in installment parts"), "instalments");
  EXPECT_EQ(NearestTo("zzz qqq"), "");
}

TEST(NarrowPolicyTopicTest, WordsOfTheMessageOrTheGoodsNarrowATopic) {
  const auto narrowed = [](const std::string& topic, const std::string& said) {
    const auto found = NarrowPolicyTopic({topic, ""}, FoldedMessage(said));
    return found ? found->name : std::string();
  };
  EXPECT_EQ(narrowed("delivery time", "wie lange nach Irland"), "international shipping");
  EXPECT_EQ(narrowed("shipping cost", "what does it cost wardrobe"), "large item delivery");
  EXPECT_EQ(narrowed("shipping cost", "what does it cost for a mug"), "");
  EXPECT_EQ(narrowed("repair service", "my sofa"), "");
  EXPECT_EQ(narrowed("return window", "if i open it"), "return opened item");
  EXPECT_EQ(narrowed("return window", "if i open it and get a rash"), "non-returnable items")
      << "a narrowed topic is narrowed again";
  EXPECT_EQ(narrowed("international shipping", "can you ship to hawaii"), "po box");
  EXPECT_EQ(narrowed("return window", "do i have to send it back it came broken"),
            "damaged on arrival");
}

TEST(FindPolicyTopicTest, ArrivalIsAskedInManyWords) {
  const auto topic_of = [](const std::string& message) {
    const auto found = FindPolicyTopic(FoldedMessage(message));
    return found ? found->name : std::string();
  };
  for (const char* each :
       {"will it reach today?", "kommt es heute noch an", "llega hoy?", "今天能到吗"}) {
    EXPECT_EQ(topic_of(each), "express delivery") << each;
  }
  EXPECT_EQ(topic_of("will it reach me by friday"), "delivery time");
  for (const char* each : {"do i need to be home", "muss ich zuhause sein", "送货时需要在家吗"}) {
    EXPECT_EQ(topic_of(each), "not at home") << each;
  }
  EXPECT_EQ(topic_of("will it come assembled"), "assembly and installation service");
  const auto far =
      NarrowPolicyTopic({"delivery time", ""}, FoldedMessage("when would it arrive in Honolulu"));
  ASSERT_TRUE(far);
  EXPECT_EQ(far->name, "po box");
}

TEST(TopicsNearTest, AQuestionIsNearerToTheEntryThatAnswersIt) {
  const TopicVector asked = TopicsNear("will u take google pay");
  const double right = TopicSimilarity(asked, TopicsNear("Which mobile wallets do you accept?"));
  const double wrong = TopicSimilarity(asked, TopicsNear("How do I wash wool and down?"));
  EXPECT_GT(right, 0.3);
  EXPECT_LT(wrong, 0.1);
}

TEST(TopicsNearTest, AnswersInAnotherLanguageAreNear) {
  const TopicVector asked = TopicsNear("Wie lange kann ich etwas zurückgeben?");
  EXPECT_GT(TopicSimilarity(asked, TopicsNear("How long do I have to return an item?")), 0.5);
}

TEST(AddTopicsTest, TheQuestionBeforeAddsToAShortOne) {
  const TopicVector before = TopicsNear("can i return it");
  const TopicVector own = TopicsNear("who pays the postage");
  const TopicVector both = AddTopics(own, before, 0.4);
  EXPECT_GT(TopicSimilarity(both, before), TopicSimilarity(own, before));
  EXPECT_GT(TopicSimilarity(both, own), TopicSimilarity(both, before));
  EXPECT_TRUE(AddTopics({}, {}, 1).empty());
}

}  // namespace
}  // namespace emptor::services
