// The check of answers itself, on answers written by hand.
#include "tests/integration/shop_questions.h"

#include <gtest/gtest.h>

namespace emptor::testing {
namespace {

using catalog::JsonValue;

JsonValue Json(const std::string& text) {
  auto json = catalog::ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *std::move(json) : JsonValue();
}

ShopQuestion Question(const std::string& kind, std::vector<std::string> ids,
                      const std::string& field, const std::string& value) {
  return {"q", kind, "?", "en-US", std::move(ids), field, Json(value)};
}

/// An answer of that text which shows the products a, b and c.
Answer Saying(const std::string& text) {
  Answer answer;
  answer.text = text;
  for (const char* id : {"a", "b", "c"}) {
    answer.products.push_back(Json(std::string("{\"id\":\"") + id + "\"}"));
  }
  return answer;
}

/// a costs $18.99 and is rated 4.2, b $1,509.00 and 4.4; c is not in the shop.
JsonValue Record(const std::string& id) {
  if (id == "a") return Json(R"({"price":{"amount":1899},"rating":{"value":4.2}})");
  if (id == "b") return Json(R"({"price":{"amount":150900},"rating":{"value":4.4}})");
  return {};
}

bool IsRight(const ShopQuestion& question, const std::string& text) {
  return FindMistake(question, Saying(text), Record).empty();
}

TEST(ShopQuestionsTest, ReadsAllWithWhatTheyExpect) {
  const auto questions = ReadShopQuestions();
  ASSERT_EQ(questions.size(), 100u);
  EXPECT_EQ(questions[0].ids, std::vector<std::string>{"coffee-maker-hobbrook-cm50"});
  EXPECT_EQ(questions[0].field, "attr.capacity");
  EXPECT_EQ(questions[0].value.as_string(), "10 cups");
}

TEST(ShopQuestionsTest, AttributeNeedsNameAndValueOfTheRightProduct) {
  const auto question = Question("attribute", {"a"}, "attr.width", "\"33 cm\"");
  EXPECT_TRUE(IsRight(question, "The \"width\" of the [A](/p/a) is 33 cm [1]."));
  EXPECT_TRUE(IsRight(question, "[A](/p/a): width 33 cm, $18.99, in stock [1]."));
  EXPECT_FALSE(IsRight(question, "The \"width\" of the [B](/p/b) is 33 cm [1]."));
  EXPECT_FALSE(IsRight(question, "The \"width\" of the [A](/p/a) is 133 cm [1]."));
  EXPECT_FALSE(IsRight(question, "The \"height\" of the [A](/p/a) is 33 cm [1]."));
  EXPECT_FALSE(IsRight(question, "[A, width 33 cm](/p/a): $18.99, in stock [1]."));
  EXPECT_FALSE(IsRight(question, "The width of [A](/p/a) is not listed [1]. Others: 33 cm."));
  EXPECT_FALSE(IsRight(question, "orange orange orange"));
  EXPECT_FALSE(IsRight(question, ""));
}

TEST(ShopQuestionsTest, ANumberIsNotTheBeginningOfAnother) {
  const auto question = Question("attribute", {"a"}, "attr.version", "\"5\"");
  EXPECT_TRUE(IsRight(question, "[A](/p/a): version 5, in stock [1]."));
  EXPECT_FALSE(IsRight(question, "[A](/p/a): version 5.2, in stock [1]."));
}

TEST(ShopQuestionsTest, PriceIsTheFormattedAmount) {
  const auto question = Question("price", {"b"}, "price", "150900");
  EXPECT_TRUE(IsRight(question, "The [B](/p/b) costs $1,509.00 [1]."));
  EXPECT_FALSE(IsRight(question, "The [B](/p/b) costs $1,509 [1]."));
  EXPECT_FALSE(IsRight(question, "The [A](/p/a) costs $1,509.00 [1]."));
  auto chinese = question;
  chinese.locale = "zh-CN";
  EXPECT_TRUE(IsRight(chinese, "[B](/p/b)：US$1,509.00，有货 [1]。"));
  EXPECT_FALSE(IsRight(chinese, "[B](/p/b)：$1,509.00，有货 [1]。"));
}

TEST(ShopQuestionsTest, YesAndNoAgreeWithTheRecord) {
  const auto no = Question("yesno", {"a"}, "attr.packable", "\"no\"");
  EXPECT_TRUE(IsRight(no, "No, the [A](/p/a) lists \"packable\" as no [1]."));
  EXPECT_FALSE(IsRight(no, "Yes, the [A](/p/a) lists \"packable\" as no [1]."));
  EXPECT_FALSE(IsRight(no, "No, the [A](/p/a) lists \"waterproof rating\" as 5000 mm [1]."));
  const auto stock = Question("stock", {"a"}, "availability", "\"out_of_stock\"");
  EXPECT_TRUE(IsRight(stock, "No, the [A](/p/a) is out of stock [1]."));
  EXPECT_FALSE(IsRight(stock, "Yes, the [A](/p/a) is out of stock [1]."));
  EXPECT_FALSE(IsRight(stock, "The [A](/p/a) is in stock [1]."));
}

TEST(ShopQuestionsTest, RatingIsTheMean) {
  const auto question = Question("rating", {"a"}, "rating", "4.0");
  EXPECT_TRUE(IsRight(question, "The [A](/p/a) is rated 4.0 from 16 reviews [1]."));
  EXPECT_FALSE(IsRight(question, "The [A](/p/a) is rated 4.1 from 40 reviews [1]."));
}

TEST(ShopQuestionsTest, ComparisonStatesBothAndNamesTheBetter) {
  const auto cheaper = Question("compare", {"a", "b"}, "price", "\"a\"");
  EXPECT_TRUE(IsRight(cheaper, "[A](/p/a) is cheaper at $18.99 [1]. [B](/p/b): $1,509.00 [2]."));
  EXPECT_TRUE(IsRight(cheaper, "[A](/p/a): $18.99 [1]. [B](/p/b): $1,509.00 [2]."));
  EXPECT_FALSE(IsRight(cheaper, "[B](/p/b) is cheaper at $1,509.00 [2]. [A](/p/a): $18.99 [1]."));
  EXPECT_FALSE(IsRight(cheaper, "[A](/p/a) is cheaper at $18.99 [1]."));
  EXPECT_FALSE(IsRight(cheaper, "[A](/p/a): $1,509.00 [1]. [B](/p/b): $18.99 [2]."));
  const auto rated = Question("compare", {"a", "b"}, "rating", "\"b\"");
  EXPECT_TRUE(IsRight(rated, "[A](/p/a) is rated 4.2 [1]. [B](/p/b) is rated 4.4 [2]."));
  EXPECT_FALSE(IsRight(rated, "[A](/p/a) costs $18.99 [1]. [B](/p/b) costs $1,509.00 [2]."));
}

TEST(ShopQuestionsTest, RecommendationLeadsWithAnExpectedProductWithinTheBudget) {
  const auto question = Question("recommend", {"a"}, "q:budget", "2000");
  EXPECT_TRUE(IsRight(question, "I recommend the [A](/p/a) at $18.99 [1]."));
  EXPECT_FALSE(IsRight(question, "I recommend the [A](/p/a) [1]. Or the [B](/p/b) [2]."));
  EXPECT_FALSE(IsRight(question, "I recommend the [C](/p/c) [1]."));
  EXPECT_FALSE(IsRight(question, "I recommend the first one."));
}

TEST(ShopQuestionsTest, FaqIsTheQuotedEntry) {
  const auto question = Question("faq", {"faq-x"}, "answer", "null");
  Answer answer = Saying("Three days. [1]");
  EXPECT_NE(FindMistake(question, answer, Record), "");
  answer.events = {{"1", "citation", R"({"passage_id":"faq-x#answer","quote":"Three days."})"}};
  EXPECT_EQ(FindMistake(question, answer, Record), "");
  answer.text = "Four days. [1]";
  EXPECT_NE(FindMistake(question, answer, Record), "");
  answer.text = "Three days. [1]";
  answer.events[0].data = R"({"passage_id":"faq-y#answer","quote":"Three days."})";
  EXPECT_NE(FindMistake(question, answer, Record), "");
}

TEST(ShopQuestionsTest, AnExpectedProductIsShown) {
  const auto question = Question("attribute", {"d"}, "attr.width", "\"33 cm\"");
  EXPECT_FALSE(IsRight(question, "The \"width\" of the [D](/p/d) is 33 cm [1]."));
}

}  // namespace
}  // namespace emptor::testing
