// Tables of translated queries.
#include "retrieval/eval/translations.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::retrieval {
namespace {

using ::testing::HasSubstr;

QuerySet Queries() { return *ParseJudgments("red lamp\t1\t2\nred lamp\t2\t0\nmouse\t3\t1\n"); }

TEST(TranslationsTest, TranslatedQueriesKeepTheirJudgments) {
  QuerySet queries = Queries();
  ASSERT_TRUE(TranslateQueries("en\tde\nred lamp\trote Lampe\nunjudged\tx\n", "de", queries).ok());
  ASSERT_EQ(queries.size(), 1u);
  EXPECT_EQ(queries[0].text, "rote Lampe");
  EXPECT_EQ(queries[0].id, QueryIdOf("red lamp"));
  EXPECT_EQ(queries[0].grades.size(), 2u);
}

TEST(TranslationsTest, TheJudgedLanguageSelectsTheSameQueries) {
  QuerySet queries = Queries();
  ASSERT_TRUE(TranslateQueries("en\tde\nmouse\tMaus\n", "en", queries).ok());
  ASSERT_EQ(queries.size(), 1u);
  EXPECT_EQ(queries[0].text, "mouse");
}

TEST(TranslationsTest, RefusalsNameTheLine) {
  const auto error = [](std::string_view table, std::string_view language) {
    QuerySet queries = Queries();
    return std::string(TranslateQueries(table, language, queries).message());
  };
  EXPECT_EQ(error("", "de"), "translations: expected a table, found nothing");
  EXPECT_EQ(error("en\tde\n", "fr"), "translations:1: expected a column \"fr\"");
  EXPECT_EQ(error("en\tde\nmouse\n", "de"), "translations:2: expected 2 columns, found 1");
  EXPECT_EQ(error("en\tde\nmouse\t\n", "de"), "translations:2: expected a text");
  EXPECT_THAT(error("en\tde\nother\tx\n", "de"), HasSubstr("none of a judged query"));
}

}  // namespace
}  // namespace emptor::retrieval
