// The pages of evaluations: what they show, that they hide sealed cases, and that no text is
// markup.
#include "services/eval/answer_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/eval/answer_report.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CaseConversation ConversationOf(std::string id, bool is_sealed) {
  CaseConversation conversation;
  for (int i = 0; conversation.id.empty() || conversation.is_sealed() != is_sealed; ++i) {
    conversation.id = id + std::to_string(i);
  }
  CaseTurn turn;
  turn.say = "any <b>kettles</b> of " + id + "?";
  turn.kind = "find";
  turn.expect.language = "en";
  conversation.turns = {turn};
  return conversation;
}

JudgedTurn TurnOf(const CaseConversation& conversation, const std::string& text, bool is_right) {
  JudgedTurn turn;
  turn.conversation = &conversation;
  turn.answer.text = text;
  turn.answer.answer_step = "code";
  turn.answer.cards = {"k1"};
  if (!is_right) turn.verdict.failures = {{"cards", "k1 is no \"kettle\""}};
  return turn;
}

TEST(AnswerPageTest, ShowsTablesAndTheConversationsThatFailed) {
  const auto wrong = ConversationOf("wrong", false), right = ConversationOf("right", false);
  const std::string page =
      AnswerPage({TurnOf(wrong, "Here <script>", false), TurnOf(right, "All good.", true)});
  EXPECT_THAT(page, HasSubstr("1 of 2 answers are right (50 %)"));
  EXPECT_THAT(page, HasSubstr("<tr><td>find</td><td>1</td><td>2</td>"));
  EXPECT_THAT(page,
              HasSubstr("<tr><td>cards</td><td>1</td><td class=\"words\">products are shown"));
  EXPECT_THAT(page, AllOf(HasSubstr("Here &lt;script&gt;"), Not(HasSubstr("<script>"))));
  EXPECT_THAT(page, HasSubstr("<b>cards</b>: k1 is no &quot;kettle&quot;"));
  const std::string linked = AnswerPage({TurnOf(wrong, "The [K<1>](/p/k1) [1] and [2](x", false)});
  EXPECT_THAT(linked, HasSubstr("The <b>K&lt;1&gt;</b> [1] and [2](x"));
  EXPECT_THAT(page, Not(HasSubstr("All good."))) << "its conversation has no failure";
}

TEST(AnswerPageTest, OfSealedConversationsOnlyTotalsAreShown) {
  const auto sealed = ConversationOf("secret", true);
  const std::string page = AnswerPage({TurnOf(sealed, "Hidden words.", false)});
  EXPECT_THAT(page, HasSubstr("<tr><td>sealed</td><td>0</td><td>1</td>"));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("Hidden")), Not(HasSubstr("secret"))));
}

TEST(AnswerPageTest, ComparesTwoRuns) {
  const auto first = ConversationOf("first", false), second = ConversationOf("second", false),
             sealed = ConversationOf("secret", true);
  const std::string before =
      AnswerReportJson({TurnOf(first, "Old <i>answer</i>", false), TurnOf(second, "Fine.", true),
                        TurnOf(sealed, "Hidden.", false)});
  const std::string after =
      AnswerReportJson({TurnOf(first, "New answer", true), TurnOf(second, "Broken.", false),
                        TurnOf(sealed, "Hidden.", true)});
  const auto diff = CompareAnswerReports(before, after);
  ASSERT_TRUE(diff.ok()) << diff.status();
  EXPECT_EQ(diff->shared, 3u);
  EXPECT_EQ(diff->right_before, 1u);
  EXPECT_EQ(diff->right_after, 2u);
  ASSERT_EQ(diff->became_right.size(), 1u);
  ASSERT_EQ(diff->became_wrong.size(), 1u);
  EXPECT_THAT(AnswerDiffText(*diff), HasSubstr(second.id + "#1: cards"));
  const std::string page = AnswerDiffPage(*diff);
  EXPECT_THAT(page, AllOf(HasSubstr("Old &lt;i&gt;answer&lt;/i&gt;"), HasSubstr("New answer")));
  EXPECT_THAT(page, AllOf(HasSubstr("Fine."), HasSubstr("Broken."), HasSubstr("It fails: cards")));
  EXPECT_THAT(page, Not(HasSubstr("Hidden")));
}

TEST(AnswerPageTest, RefusesWhatIsNoReport) {
  EXPECT_FALSE(CompareAnswerReports("{}", "").ok());
  EXPECT_FALSE(CompareAnswerReports("", R"({"turn":"a#1"})").ok());
}

}  // namespace
}  // namespace emptor::services
