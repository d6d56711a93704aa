// Judgments, query texts and runs as files: what is read, what is refused and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "retrieval/eval/query_set.h"
#include "retrieval/eval/trec_run.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(QuerySetTest, ReadsTabSeparatedJudgmentsWithOrWithoutAHeading) {
  for (const std::string heading : {"", "query\tdocid\trating\n"}) {
    const auto set =
        ParseJudgments(heading + "usb hub\tp1\t3\r\nusb hub\tp2\t0.5\n\nkettle\tp1\t-1");
    ASSERT_TRUE(set.ok()) << set.status();
    ASSERT_EQ(set->size(), 2u);
    EXPECT_EQ((*set)[0].id, "kettle");
    EXPECT_EQ((*set)[1].id, "usb%20hub");
    EXPECT_EQ((*set)[1].text, "usb hub");
    EXPECT_THAT((*set)[1].grades, ElementsAre(Pair("p1", 3), Pair("p2", 0.5)));
  }
}

TEST(QuerySetTest, ReadsQrelsAndTheirTexts) {
  auto set = ParseJudgments("q1 0 p1 2\nq2\t0\tp2\t1\n");
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)[0].text, "");
  EXPECT_THAT(std::string(SetTexts("q1\tkettle\n", *set).message()),
              HasSubstr("text for query q2"));
  ASSERT_TRUE(SetTexts("q1\tkettle\nq2\tusb hub\nq9\tunjudged\n", *set).ok());
  EXPECT_EQ((*set)[1].text, "usb hub");
}

TEST(QuerySetTest, QrelsReadBackEqual) {
  const auto set = ParseJudgments("usb hub\tp1\t2.33\n50% off\tp2\t1\n");
  ASSERT_TRUE(set.ok()) << set.status();
  const auto again = ParseJudgments(WriteQrels(*set));
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->size(), set->size());
  for (size_t i = 0; i < set->size(); ++i) {
    EXPECT_EQ((*again)[i].id, (*set)[i].id);
    EXPECT_EQ((*again)[i].grades, (*set)[i].grades);
  }
}

TEST(QuerySetTest, RefusalsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"a\tp1\t1\na\tp1\n", "judgments:2: expected query, record id and grade"},
      {"a\tp1\t1\na\tp2\tx\n", "judgments:2: expected a grade within ±100, found \"x\""},
      {"a\tp1\t1\na\tp2\tnan\n", "judgments:2: expected a grade"},
      {"a\tp1\t1\na\tp2\t1e9\n", "judgments:2: expected a grade"},
      {"a\tp1\t1\na\tp1\t2\n", "judgments:2: expected one grade of p1"},
      {"q1 0 p1\n", "judgments:1: expected query id, 0, record id and grade, found 3"},
      {"a\tp1\t1\n \tp1\t1\n", "judgments:2: expected a query"},
      {"a\tp1\t1\na\t\t1\n", "judgments:2: expected a record id"},
      {"query\tproduct id\tgrade\na\tp 1\t1\n",
       "judgments:2: expected a record id without blanks and %, found \"p 1\""},
      {"a\tp1\t1\na\xFF\tp1\t1\n", "judgments:2: expected UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    const auto set = ParseJudgments(text);
    EXPECT_EQ(set.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(set.status().message()), HasSubstr(message));
  }
  EXPECT_TRUE(ParseJudgments("a\tp1\t1\na\tp1\t1\n").ok()) << "the same judgment again";
  EXPECT_TRUE(ParseJudgments("")->empty());
}

TEST(QuerySetTest, FoldsDependOnTheTextAlone) {
  // FNV-1a of "a" is 0xaf63dc4c8601ec8c, of "" the offset 0xcbf29ce484222325.
  EXPECT_EQ(FoldOf("a", 5), 0xaf63dc4c8601ec8cu % 5);
  EXPECT_EQ(FoldOf("", 7), 0xcbf29ce484222325u % 7);
  std::vector<int> counts(5);
  for (int i = 0; i < 1000; ++i) ++counts[FoldOf("query " + std::to_string(i), 5)];
  for (const int count : counts) EXPECT_GT(count, 150);
}

TEST(TrecRunTest, ScoresDecideAndTiesKeepTheirOrder) {
  const auto run = ParseRun(
      "q1 Q0 p1 1 0.5 mine\nq1 Q0 p2 2 0.75 mine\nq1\tQ0\tp3\t3\t0.5\tmine\r\nq2 Q0 p1 1 -3 "
      "mine\n");
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->name, "mine");
  EXPECT_THAT(run->rankings.at("q1"),
              ElementsAre(RankedId{"p2", 0.75}, RankedId{"p1", 0.5}, RankedId{"p3", 0.5}));
  EXPECT_THAT(run->rankings.at("q2"), ElementsAre(RankedId{"p1", -3}));
}

TEST(TrecRunTest, ReadsBackEqual) {
  const retrieval::Run run = {"mine",
                              {{"q1", {{"p2", 0.1f}, {"p1", 1.0 / 3}}}, {"q2", {{"p1", 0}}}}};
  // 0.1f as a double is above 0.1.
  const retrieval::Run sorted = {"mine",
                                 {{"q1", {{"p1", 1.0 / 3}, {"p2", 0.1f}}}, {"q2", {{"p1", 0}}}}};
  const auto again = ParseRun(WriteRun(run));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->name, run.name);
  EXPECT_EQ(again->rankings, sorted.rankings);
}

TEST(TrecRunTest, RefusalsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"q1 Q0 p1 1 0.5\n", "run:1: expected query id, Q0, record id, rank, score and name"},
      {"q1 Q0 p1 1 high mine\n", "run:1: expected a score, found \"high\""},
      {"q1 Q0 p1 1 inf mine\n", "run:1: expected a score"},
      {"q1 Q0 p1 1 1 m\nq1 Q0 p1 2 0 m\n", "run:2: expected each record once for a query"},
      {"q1 Q0 p\xC3 1 1 m\n", "run:1: expected UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    const auto run = ParseRun(text);
    EXPECT_EQ(run.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(run.status().message()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace emptor::retrieval
