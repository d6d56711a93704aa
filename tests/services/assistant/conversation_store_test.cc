// Conversations in memory: their ids, their limits, their erasure.
#include "services/assistant/dialogue/conversation_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace emptor::services {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ConversationStoreTest, ForgetsTheIdleAndTheOldest) {
  auto now = std::chrono::steady_clock::time_point{};
  ConversationStore store({2, 3, std::chrono::seconds(60)}, [&] { return now; });
  const std::string first = store.Open("").id;
  const std::string second = store.Open("").id;
  EXPECT_EQ(store.Open(first).id, first);
  const std::string third = store.Open("").id;  // the second was unused longest
  EXPECT_NE(store.Open(second).id, second);
  EXPECT_LE(store.size(), 2u);
  now += std::chrono::seconds(61);
  EXPECT_NE(store.Open(third).id, third);
}

TEST(ConversationStoreTest, KeepsTheLastTurns) {
  ConversationStore store({10, 2, std::chrono::seconds(60)},
                          [] { return std::chrono::steady_clock::now(); });
  const auto conversation = store.Open("");
  for (const char* question : {"a", "b", "c"}) {
    ConversationTurn turn;
    turn.question = question;
    EXPECT_TRUE(store.Append(conversation, turn));
  }
  const auto turns = store.Open(conversation.id).turns;
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0].question, "b");
}

TEST(ConversationStoreTest, AClientMayChooseTheIdOfItsConversation) {
  ConversationStore store({10, 3, std::chrono::seconds(60)},
                          [] { return std::chrono::steady_clock::now(); });
  const auto begun = store.Open("session-17");
  EXPECT_EQ(begun.id, "session-17");
  ConversationTurn turn;
  turn.question = "kettles";
  EXPECT_TRUE(store.Append(begun, turn));
  EXPECT_THAT(store.Open("session-17").turns, SizeIs(1));
  EXPECT_THAT(store.Open("session-18").turns, IsEmpty());
  const std::string ours = "c_00112233445566778899aabbccddeeff";  // expired, or of another shop
  EXPECT_NE(store.Open(ours).id, ours);
}

TEST(ConversationStoreTest, ALateAnswerIsNoPartOfTheConversationAfterAnErasure) {
  ConversationStore store({10, 3, std::chrono::seconds(60)},
                          [] { return std::chrono::steady_clock::now(); });
  const auto erased = store.Open("session-17");
  ASSERT_TRUE(store.Erase("session-17").ok());
  const auto next = store.Open("session-17");
  EXPECT_FALSE(store.Append(erased, ConversationTurn{}));
  EXPECT_TRUE(store.Append(next, ConversationTurn{}));
  EXPECT_THAT(store.Open("session-17").turns, SizeIs(1));
}

}  // namespace
}  // namespace emptor::services
