// Whether answers are judged as a shopper would: made-up records, answers right and wrong by a
// word.
#include "services/eval/answer_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/eval/answer_truth.h"
#include "services/eval/answer_words.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

catalog::Product Kettle(const std::string& id, int64_t cents, const std::string& noise) {
  catalog::Product product;
  product.id = id;
  product.title = "Torvane Kettle " + id;
  product.brand = "Torvane";
  product.categories = {"Kitchen > Kettles"};
  product.price = catalog::Money{cents, "USD"};
  product.attributes = {{"capacity", "1.7 l"}, {"keep warm", "no"}};
  if (!noise.empty()) product.attributes.push_back({"noise level", noise});
  return product;
}

GoldRecords Records() {
  return GoldRecords(
      {Kettle("K1", 4999, "72 dB"), Kettle("K2", 5999, "65 dB"), Kettle("K3", 6999, "")},
      {{"kettle", {.title = {"kettle"}}}}, 0);
}

CaseConversation Conversation(const std::string& expect, bool has_first_turn = false) {
  const std::string first =
      has_first_turn ? R"({"say":"kettles","kind":"find","expect":{}},)" : std::string();
  const auto cases = ParseCases(R"({"id":"t","turns":[)" + first +
                                R"({"say":"?","kind":"find","expect":)" + expect + "}]}");
  EXPECT_TRUE(cases.ok()) << cases.status();
  return cases.ok() ? cases->front() : CaseConversation{.turns = {{}, {}}};
}

ShownAnswer Answer(const std::string& text, std::vector<std::string> cards = {}) {
  ShownAnswer answer{.cards = std::move(cards), .text = text};
  for (size_t i = 0; i < answer.cards.size(); ++i) {
    answer.cited[static_cast<int>(i) + 1] = answer.cards[i];
  }
  return answer;
}

/// The checks that fail.
std::vector<std::string> Failed(const std::string& expect, const ShownAnswer& answer) {
  const GoldRecords records = Records();
  std::vector<std::string> checks;
  for (const Failure& failure : JudgeAnswer(Conversation(expect), {answer}, records).failures) {
    checks.push_back(failure.check);
  }
  return checks;
}

/// After an answer that showed K1, K2, K3.
std::vector<std::string> FailedLater(const std::string& expect, const ShownAnswer& answer) {
  const GoldRecords records = Records();
  const std::vector<ShownAnswer> answers = {Answer("Here they are.", {"K1", "K2", "K3"}), answer};
  std::vector<std::string> checks;
  for (const Failure& failure :
       JudgeAnswer(Conversation(expect, true), answers, records).failures) {
    checks.push_back(failure.check);
  }
  return checks;
}

TEST(AnswerJudgeTest, CardsMeetTheConditions) {
  const std::string expect =
      R"({"cards":{"where":[{"type":"kettle"},{"key":"price","max":6000}]}})";
  EXPECT_THAT(Failed(expect, Answer("Here is the one for you.", {"K1", "K2"})), IsEmpty());
  EXPECT_THAT(Failed(expect, Answer("Here is the one for you.", {"K1", "K3"})),
              ElementsAre("cards"));
  EXPECT_THAT(Failed(expect, Answer("I could not find it.")), ElementsAre("cards"));
  EXPECT_THAT(Failed(R"({"cards":{"none":true}})", Answer("The policy is this.", {"K1"})),
              ElementsAre("cards"));
}

TEST(AnswerJudgeTest, FactsAreThoseOfTheRecord) {
  const std::string expect =
      R"({"about":[{"card":2}],"fact":{"key":"attr.noise level"},"cards":{"only":"about"}})";
  const std::vector<std::string> cards = {"K2"};
  EXPECT_THAT(FailedLater(expect, Answer("The [Torvane](/p/K2) is at 65 dB.", cards)), IsEmpty());
  EXPECT_THAT(FailedLater(expect, Answer("The [Torvane](/p/K2) is at 72 dB.", cards)),
              ElementsAre("fact", "truth"));
  EXPECT_THAT(FailedLater(expect, Answer("The [Torvane](/p/K1) is at 72 dB.", {"K1"})),
              ElementsAre("cards", "about", "fact"));
  EXPECT_THAT(FailedLater(expect, Answer("The listing does not say that.", cards)),
              ElementsAre("fact"));
}

TEST(AnswerJudgeTest, WhatTheRecordDoesNotSayIsAdmitted) {
  const std::string expect = R"({"about":[{"card":-1}],"fact":{"key":"attr.noise level"}})";
  EXPECT_THAT(FailedLater(expect, Answer("The record of [it](/p/K3) does not say.", {"K3"})),
              IsEmpty());
  EXPECT_THAT(FailedLater(expect, Answer("The noise of [it](/p/K3) is low.", {"K3"})),
              ElementsAre("fact"));
}

TEST(AnswerJudgeTest, YesAndNoAgreeWithTheRecord) {
  const std::string expect =
      R"({"about":[{"card":1}],"yes_no":{"key":"attr.keep warm","not":["no"]}})";
  EXPECT_THAT(FailedLater(expect, Answer("No, [it](/p/K1) does not keep water warm.")), IsEmpty());
  EXPECT_THAT(FailedLater(expect, Answer("[It](/p/K1) is without a keep warm function.")),
              IsEmpty());
  EXPECT_THAT(FailedLater(expect, Answer("Yes, [it](/p/K1) is able to keep it warm.")),
              ElementsAre("yes_no"));
  EXPECT_THAT(FailedLater(R"({"about":[{"card":3}],"yes_no":{"key":"attr.noise level","max":70}})",
                          Answer("Yes, [it](/p/K3) is quiet.")),
              ElementsAre("yes_no"));
}

TEST(AnswerJudgeTest, TheWinnerIsNamedFirst) {
  const std::string expect =
      R"({"winner":{"key":"attr.noise level","order":"min","among":"cards"}})";
  EXPECT_THAT(FailedLater(expect, Answer("[K2](/p/K2) is the quietest, before [K1](/p/K1).")),
              IsEmpty());
  EXPECT_THAT(FailedLater(expect, Answer("[K1](/p/K1) is it, the other is [K2](/p/K2).")),
              ElementsAre("winner"));
}

TEST(AnswerJudgeTest, TotalsLanguageWordsAndHandOffs) {
  EXPECT_THAT(FailedLater(R"({"total":[{"of":{"card":1},"quantity":2},{"of":{"card":2}}]})",
                          Answer("Together that is $159.97.", {"K1", "K2"})),
              IsEmpty());
  EXPECT_THAT(Failed(R"({"language":"de"})", Answer("The kettle is in the shop.")),
              ElementsAre("language"));
  EXPECT_THAT(Failed(R"({"says":[["30 days","thirty days"]],"never":["free"]})",
                     Answer("You have Thirty Days, it is free.")),
              ElementsAre("never"));
  ShownAnswer handed = Answer("A person of the team will take it from here.");
  EXPECT_THAT(Failed(R"({"handoff":"order"})", handed), ElementsAre("handoff"));
  handed.handoffs = {"order"};
  EXPECT_THAT(Failed(R"({"handoff":"order"})", handed), IsEmpty());
}

TEST(AnswerTruthTest, FindsWhatContradictsARecord) {
  const GoldRecords records = Records();
  const auto find = [&](const std::string& text) {
    return FindFalseStatements(Answer(text, {"K1", "K2", "K3"}), "under $60", records).size();
  };
  EXPECT_EQ(find("[K1](/p/K1) costs $49.99, noise level 72 dB."), 0u);
  EXPECT_EQ(find("[K1](/p/K1) costs $39.99."), 1u);
  EXPECT_EQ(find("[K1](/p/K1) runs at 60 dB."), 1u);
  EXPECT_EQ(find("[K1](/p/K1): noise level: 65 dB."), 2u) << "as a measure, and under its label";
  EXPECT_EQ(find("[K1](/p/K1) is the cheapest."), 0u);
  EXPECT_EQ(find("[K2](/p/K2) is the cheapest."), 1u);
  EXPECT_EQ(find("[K2](/p/K2) is cheaper than [K1](/p/K1)."), 1u);
  EXPECT_EQ(find("[K2](/p/K2) is $10.00 dearer than [K1](/p/K1)."), 0u) << "a difference";
  EXPECT_EQ(find("[K3](/p/K3) costs $69.99, which is under $60."), 1u);
  EXPECT_EQ(find("[K1](/p/K1) is on sale."), 1u);
  const std::string counted =
      "\n2 × [K1](/p/K1) at $49.99 each.\n3 × [K2](/p/K2) at $59.99 each."
      "\n4 × [K3](/p/K3) at $69.99 each.";
  EXPECT_EQ(find("Together that is $559.91." + counted), 0u);
  EXPECT_EQ(find("Together that is $659.91." + counted), 1u);
  EXPECT_EQ(find("The listing of [K1](/p/K1) does not say its noise level."), 1u);
}

TEST(AnswerWordsTest, OfEquallyFrequentLanguagesTheExpectedOneIsFound) {
  const std::string tie = "Es para le pour";
  EXPECT_EQ(LanguageOfAnswer(tie, "fr"), "fr");
  EXPECT_EQ(LanguageOfAnswer(tie, "es"), "es");
  EXPECT_EQ(LanguageOfAnswer(tie, "de"), "es") << "it has fewer words of German";
  EXPECT_EQ(LanguageOfAnswer("Quellin K2", "de"), "") << "no word of any language";
  EXPECT_EQ(LanguageOfAnswer("The kettle is in stock.", "de"), "en");
}

TEST(AnswerWordsTest, TheNameOfAProductIsOfNoLanguage) {
  const ShownAnswer answer{
      .text = "**Ja.** [The Kettle of the House and You](/p/K1) ist leise [1].\n[2]"};
  EXPECT_EQ(TextWithoutNames(answer), "Ja.  ist leise .\n");
  EXPECT_EQ(LanguageOfAnswer(PlainText(answer), "de"), "en");
  EXPECT_EQ(LanguageOfAnswer(TextWithoutNames(answer), "de"), "de");
  EXPECT_EQ(TextWithoutNames({.text = "[open"}), "[open") << "nothing closes it";
  EXPECT_EQ(TextWithoutNames({.text = ""}), "");
}

TEST(AnswerJudgeTest, AGermanSentenceAroundAnEnglishTitleIsGerman) {
  const std::string expect = R"({"language":"de"})";
  EXPECT_THAT(Failed(expect, Answer("[The Kettle of the House](/p/K1) ist leise.")),
              ::testing::Not(::testing::Contains("language")));
  EXPECT_THAT(Failed(expect, Answer("It is the kettle of the house.")),
              ::testing::Contains("language"));
}

TEST(AnswerWordsTest, ReadsLanguagesPolaritiesAndAmounts) {
  EXPECT_EQ(LanguageOfAnswer("Der Wasserkocher ist nicht auf Lager."), "de");
  EXPECT_EQ(LanguageOfAnswer("La bouilloire est en stock pour vous."), "fr");
  EXPECT_EQ(LanguageOfAnswer("El hervidor tiene una capacidad para la familia."), "es");
  EXPECT_EQ(LanguageOfAnswer("这款水壶的容量是 1.7 升。"), "zh");
  EXPECT_EQ(LanguageOfAnswer("The kettle is in stock."), "en");
  EXPECT_EQ(PolarityOf("Nein, er ist laut."), Truth::kNo);
  EXPECT_EQ(PolarityOf("是的，支持。"), Truth::kYes);
  EXPECT_EQ(PolarityOf("不支持蓝牙。"), Truth::kNo);
  EXPECT_EQ(PolarityOf("La fiche ne précise pas le poids."), Truth::kUnknown);
  EXPECT_THAT(NumbersIn("$1,599.00 or 1.599,00 or 3,5 or 2.000"),
              ElementsAre(1599, 1599, 3.5, 2.0));
  EXPECT_THAT(NumbersIn("2\u202F199,00 \u20B9, 1\u00A0500, 12 345"),
              ElementsAre(2199, 1500, 12, 345));
  EXPECT_THAT(NumbersIn("10.494 o 1.750,5 o 2.5", NumberForm::kPointGroups),
              ElementsAre(10494, 1750.5, 2.5));
  EXPECT_TRUE(StatesValue("Er kostet 49,99 $.", "price", "4999"));
  EXPECT_TRUE(StatesValue("Elle coûte 2\u202F199,00 ₹.", "price", "219900"));
  EXPECT_TRUE(StatesValue("En la ficha se indica: 10.494 opiniones.", "reviews", "10494"));
  EXPECT_FALSE(StatesValue("En la ficha se indica: 11.494 opiniones.", "reviews", "10494"));
  EXPECT_FALSE(StatesValue("The listing says: 10.494 reviews.", "reviews", "10494"));
  EXPECT_FALSE(StatesValue("It is out of stock.", "availability", "in_stock"));
}

TEST(GoldRecordsTest, ConvertsUnitsAndKnowsWhatIsNotSaid) {
  EXPECT_EQ(NumberIn("1.2 kg", "g"), 1200);
  EXPECT_EQ(NumberIn("no number", "g"), std::nullopt);
  const GoldRecords records = Records();
  const CaseCondition quiet{
      .form = CaseCondition::Form::kRange, .key = "attr.noise level", .max = 70};
  EXPECT_EQ(records.Ask(*records.Find("K1"), quiet), Truth::kNo);
  EXPECT_EQ(records.Ask(*records.Find("K2"), quiet), Truth::kYes);
  EXPECT_EQ(records.Ask(*records.Find("K3"), quiet), Truth::kUnknown);
}

TEST(AnswerCasesTest, AMistakeIsNamedWithItsPlace) {
  const struct {
    const char *line, *message;
  } cases[] = {
      {R"({"id":"a","turns":[]})", "line 1: conversation: expected an id and turns"},
      {R"({"id":"a","turns":[{"say":"x","kind":"buy","expect":{}}]})", "kind: unknown value"},
      {R"({"id":"a","turns":[{"say":"x","kind":"find","expect":{"card":1}}]})",
       "expect: unknown member \"card\""},
      {R"({"id":"a","turns":[{"say":1,"kind":"find","expect":{}}]})",
       "say: expected a string, found an integer"},
      {R"({"id":"a","turns":[{"say":"x","kind":"find","expect":{"about":[{}]}}]})",
       "reference: expected id, card or best"},
      {"{", "line 1: byte"}};
  for (const auto& each : cases) {
    const auto parsed = ParseCases(each.line);
    ASSERT_FALSE(parsed.ok()) << each.line;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(each.message));
  }
  EXPECT_FALSE(ParseCaseTypes(R"({"kettle":{"titel":["x"]}})").ok());
}

TEST(AnswerCasesTest, ATypeThatIsUnknownOrAConditionThatNothingMeetsIsRefused) {
  const GoldRecords records = Records();
  EXPECT_THAT(
      std::string(
          records.Check({Conversation(R"({"cards":{"where":[{"type":"car"}]}})")}).message()),
      HasSubstr("t: turn 1: unknown type \"car\""));
  EXPECT_FALSE(
      records.Check({Conversation(R"({"cards":{"where":[{"key":"price","max":1}]}})")}).ok());
}

}  // namespace
}  // namespace emptor::services
