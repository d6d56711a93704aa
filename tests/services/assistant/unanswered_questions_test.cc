// Questions without an answer: masked, bounded, grouped, and gone with their conversation.
#include "services/assistant/dialogue/unanswered_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "services/assistant/dialogue/conversation_store.h"

namespace emptor::services {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

UnansweredQuestion Asked(const std::string& text, int64_t at,
                         UnansweredKind kind = UnansweredKind::kNoPage,
                         const std::string& conversation = "c") {
  UnansweredQuestion question;
  question.kind = kind;
  question.text = text;
  question.conversation_id = conversation;
  question.answer_id = "a_" + std::to_string(at);
  question.asked_unix = at;
  return question;
}

void Note(UnansweredQuestions& questions, UnansweredQuestion question) {
  questions.Note(MaskedQuestion(std::move(question)));
}

TEST(UnansweredQuestionsTest, GroupsEqualQuestionsOfAKindMostAskedFirst) {
  UnansweredQuestions questions(std::chrono::seconds(1000));
  Note(questions, Asked("Do you ship to Iceland?", 1));
  Note(questions, Asked("a submarine", 2, UnansweredKind::kNotSold));
  Note(questions, Asked("a submarine", 3, UnansweredKind::kNothingFound));
  Note(questions, Asked("do you ship  to iceland", 4));
  const auto groups = questions.List(10, 10);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].count, 2u);
  EXPECT_EQ(groups[0].last.text, "do you ship  to iceland");
  EXPECT_EQ(groups[0].last.answer_id, "a_4");
  EXPECT_EQ(groups[1].last.kind, UnansweredKind::kNothingFound) << "the latest of those asked once";
  EXPECT_EQ(groups[2].last.kind, UnansweredKind::kNotSold);
  EXPECT_THAT(questions.List(1, 10), SizeIs(1));
}

TEST(UnansweredQuestionsTest, KeepsNothingThatIdentifiesAPersonAndNoLongText) {
  UnansweredQuestions questions(std::chrono::seconds(1000));
  Note(questions, Asked("write to ann@example.com or call +44 20 7946 0958", 1));
  EXPECT_EQ(questions.List(1, 1)[0].last.text, "write to <email> or call <number>");
  // A number at the place where the text is cut is masked as a whole.
  const std::string before(MaskedQuestion::kMaxTextBytes - 5, 'x');
  Note(questions, Asked(before + " 0123456789", 2));
  std::string text;
  for (const auto& group : questions.List(10, 2)) text += group.last.text + "\n";
  EXPECT_EQ(text.find("012"), std::string::npos) << text;
  Note(questions, Asked(std::string(1000, 'y'), 3));
  for (const auto& group : questions.List(10, 3)) {
    EXPECT_LE(group.last.text.size(), MaskedQuestion::kMaxTextBytes);
  }
}

TEST(UnansweredQuestionsTest, DropsTheOldestBeyondItsBoundAndThoseThatEnded) {
  UnansweredQuestions questions(std::chrono::seconds(100));
  const auto count = static_cast<int64_t>(UnansweredQuestions::kMaxQuestions);
  for (int64_t i = 0; i <= count; ++i) Note(questions, Asked("q" + std::to_string(i), 50 + i % 2));
  const auto groups = questions.List(5000, 60);
  EXPECT_THAT(groups, SizeIs(UnansweredQuestions::kMaxQuestions));
  for (const auto& group : groups) EXPECT_NE(group.last.text, "q0");
  EXPECT_THAT(questions.List(5000, 149), SizeIs(UnansweredQuestions::kMaxQuestions));
  for (const auto& group : questions.List(5000, 150)) EXPECT_EQ(group.last.asked_unix, 51);
  EXPECT_THAT(questions.List(5000, 151), IsEmpty());
  // One kind pushes out no other.
  Note(questions, Asked("a page", 200));
  for (int64_t i = 0; i <= count; ++i) {
    Note(questions, Asked("k" + std::to_string(i), 201, UnansweredKind::kEmptySearch));
  }
  EXPECT_THAT(questions.List(5000, 202), SizeIs(UnansweredQuestions::kMaxQuestions + 1));
}

TEST(UnansweredQuestionsTest, AnErasedConversationTakesItsQuestionsAlong) {
  const auto counters = std::make_shared<ConversationCounters>();
  ConversationStore store(
      {}, [] { return std::chrono::steady_clock::now(); }, nullptr, counters);
  const auto mine = store.Open("session-1");
  store.NoteUnanswered(mine, Asked("mine", 1));
  store.NoteUnanswered(store.Open("session-2"), Asked("other", 1));
  store.NoteUnanswered({},
                       Asked("of a client that keeps its turns", 1, UnansweredKind::kNotStated));
  EXPECT_THAT(store.unanswered().List(10, 1), SizeIs(3));
  ASSERT_TRUE(store.Erase(mine.id).ok());
  // An answer that ends after the erasure brings nothing back.
  store.NoteUnanswered(mine, Asked("late", 2));
  for (const auto& group : store.unanswered().List(10, 2)) {
    EXPECT_NE(group.last.conversation_id, "session-1");
  }
  EXPECT_EQ(counters->unanswered[static_cast<size_t>(UnansweredKind::kNoPage)].load(), 3u);
  EXPECT_EQ(counters->unanswered[static_cast<size_t>(UnansweredKind::kNotStated)].load(), 1u);
}

TEST(UnansweredQuestionsTest, AQuestionOfAnErasedConversationIsNoneOfTheNextOneWithItsId) {
  ConversationStore store({}, [] { return std::chrono::steady_clock::now(); });
  const auto erased = store.Open("session-1");
  ASSERT_TRUE(store.Erase("session-1").ok());
  const auto next = store.Open("session-1");
  store.NoteUnanswered(erased, Asked("late", 1));
  EXPECT_THAT(store.unanswered().List(10, 1), IsEmpty());
  store.NoteUnanswered(next, Asked("of the next one", 2));
  EXPECT_THAT(store.unanswered().List(10, 2), SizeIs(1));
}

TEST(UnansweredQuestionsTest, ThoseOfAConversationThatWasPushedOutCanBeErased) {
  ConversationLimits limits;
  limits.conversations = 1;
  ConversationStore store(limits, [] { return std::chrono::steady_clock::now(); });
  store.NoteUnanswered(store.Open("session-1"), Asked("mine", 1));
  const auto other = store.Open("session-2");
  EXPECT_TRUE(store.HoldsAnything("session-1", ""));
  ASSERT_TRUE(store.Erase("session-1").ok());
  EXPECT_FALSE(store.HoldsAnything("session-1", ""));
  EXPECT_THAT(store.unanswered().List(10, 1), IsEmpty());
  store.NoteUnanswered({}, Asked("of no conversation", 1));
  EXPECT_FALSE(store.HoldsAnything("", ""));
}

TEST(UnansweredQuestionsTest, OnesThatEndedGoWithTheNextThatIsNoted) {
  UnansweredQuestions questions(std::chrono::seconds(100));
  Note(questions, Asked("a submarine", 1, UnansweredKind::kNotSold, "old"));
  Note(questions, Asked("a page", 100, UnansweredKind::kNoPage, "new"));
  EXPECT_TRUE(questions.HasOf("old"));
  Note(questions, Asked("another page", 101, UnansweredKind::kNoPage, "new"));
  EXPECT_FALSE(questions.HasOf("old"));
  EXPECT_TRUE(questions.HasOf("new"));
}

}  // namespace
}  // namespace emptor::services
