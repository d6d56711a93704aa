// Every member of a turn comes back; damaged and newer bytes are refused.
#include "services/assistant/dialogue/conversation_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/assistant/full_turn.h"

namespace emptor::services {
namespace {

using testing::FullTurn;
using ::testing::HasSubstr;

TEST(ConversationCodecTest, EveryMemberComesBack) {
  const ConversationTurn turn = FullTurn();
  const auto read = DecodeConversation(EncodeConversation({"shop-a", 1700000000, {turn, {}}}));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->shop, "shop-a");
  EXPECT_EQ(read->used_unix, 1700000000);
  ASSERT_EQ(read->turns.size(), 2u);
  const ConversationTurn& back = read->turns[0];
  EXPECT_EQ(back.filter, turn.filter);
  EXPECT_EQ(read->turns[1].filter, retrieval::Filter());
  EXPECT_FALSE(read->turns[1].type.has_value());
  EXPECT_EQ(back.question, turn.question);
  EXPECT_EQ(back.search_text, turn.search_text);
  EXPECT_EQ(back.shown_products, turn.shown_products);
  EXPECT_EQ(back.cited_products, turn.cited_products);
  EXPECT_EQ(back.listed_products, turn.listed_products);
  EXPECT_EQ(back.language, turn.language);
  EXPECT_EQ(back.first_list, turn.first_list);
  EXPECT_EQ(back.winner, turn.winner);
  EXPECT_EQ(back.asked_key, turn.asked_key);
  EXPECT_EQ(back.policy_question, turn.policy_question);
  EXPECT_EQ(back.compared_products, turn.compared_products);
  EXPECT_EQ(back.page_product_id, turn.page_product_id);
  ASSERT_TRUE(back.type.has_value());
  EXPECT_EQ(back.type->name, turn.type->name);
  EXPECT_EQ(back.type->categories, turn.type->categories);
  EXPECT_EQ(back.type->words, turn.type->words);
  EXPECT_TRUE(back.type->is_whole && back.type->is_advised);
}

TEST(ConversationCodecTest, RefusesDamageAndNewerVersions) {
  const std::string good = EncodeConversation({"shop-a", 1700000000, {FullTurn()}});
  for (const std::string& bytes : {std::string(), std::string("\xff\xff\xff"), good.substr(1),
                                   good.substr(0, good.size() - 3), std::string(2u << 20, 'x')}) {
    EXPECT_EQ(DecodeConversation(bytes).status().code(), absl::StatusCode::kDataLoss);
  }
  std::string newer = good;
  newer[1] = 2;  // the version is the first field
  const absl::Status refused = DecodeConversation(newer).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("version 2, this build reads up to 1"));
  std::vector<ConversationTurn> many(kMaxStoredTurns + 1);
  EXPECT_EQ(DecodeConversation(EncodeConversation({"s", 1, many})).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::services
