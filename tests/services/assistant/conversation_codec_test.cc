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
  const ConversationHead head{"owner", "title", 1600000000, 1700000000, 7};
  const auto read = DecodeConversation(EncodeConversation({"shop-a", head, {turn, {}}}));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->shop, "shop-a");
  EXPECT_EQ(read->head.owner, "owner");
  EXPECT_EQ(read->head.title, "title");
  EXPECT_EQ(read->head.created_unix, 1600000000);
  EXPECT_EQ(read->head.used_unix, 1700000000);
  EXPECT_EQ(read->head.answers, 7u);
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

TEST(ConversationCodecTest, AnswersAndFeedbackComeBack) {
  const ConversationAnswer answer{"a_1",
                                  "question",
                                  1,
                                  2,
                                  "text",
                                  "code",
                                  "none",
                                  "de-DE",
                                  "EUR",
                                  {{1, "k20", "why"}},
                                  {{2, "", "p1", "quote", "title", 3}}};
  const auto read = DecodeAnswer(EncodeAnswer("shop-a", answer));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->shop, "shop-a");
  EXPECT_EQ(EncodeAnswer("shop-a", read->value), EncodeAnswer("shop-a", answer));
  EXPECT_EQ(read->value.cards[0].product_id, "k20");
  EXPECT_EQ(read->value.citations[0].page, 3);
  const AnswerFeedback feedback{"a_1", "c_1", 5, true, "wrong", "comment"};
  const auto back = DecodeFeedback(EncodeFeedback("shop-a", feedback));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(EncodeFeedback("shop-a", back->value), EncodeFeedback("shop-a", feedback));
  EXPECT_TRUE(back->value.is_up);
  for (const char* bytes : {"", "\xff", "x"}) {
    EXPECT_TRUE(absl::IsDataLoss(DecodeAnswer(bytes).status()));
    EXPECT_TRUE(absl::IsDataLoss(DecodeFeedback(bytes).status()));
  }
}

TEST(ConversationCodecTest, ATitleIsTheBeginningOfAQuestion) {
  EXPECT_EQ(TitleOf("  a\n kettle\t"), "a kettle");
  EXPECT_EQ(TitleOf(""), "");
  const std::string title =
      TitleOf("which of the kettles that you sell is the most quiet one at night please");
  EXPECT_EQ(title, "which of the kettles that you sell is the most quiet one at…");
  const std::string chinese =
      TitleOf(std::string(400, 'x').replace(1, 300, std::string(100 * 3, '\xe8')));
  EXPECT_LE(chinese.size(), 64u);
}

TEST(ConversationCodecTest, RefusesDamageAndNewerVersions) {
  const std::string good = EncodeConversation({"shop-a", {}, {FullTurn()}});
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
  EXPECT_EQ(DecodeConversation(EncodeConversation({"s", {}, many})).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::services
