// What questions ask in words that no data sheet has, and what an answer says of it.
#include "services/assistant/schema/fact_senses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/plan/phrasing.h"
#include "services/assistant/plan/plan.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

catalog::Product ProductOf(std::vector<catalog::Attribute> attributes,
                           const std::string& title = "Torvane Thing T1") {
  catalog::Product product;
  product.id = "T1";
  product.title = title;
  product.price = catalog::Money{4999, "USD"};
  product.rating = catalog::Rating{4.4, 312};
  product.attributes = std::move(attributes);
  return product;
}

/// The name of the attribute that answers; "!" before one that says the opposite, "-": none can.
std::string KeyOf(const std::string& question, std::vector<catalog::Attribute> attributes,
                  bool asks_yes_no = true) {
  const auto fact =
      FindAskedFact(FoldedMessage(question), ProductOf(std::move(attributes)), asks_yes_no, "");
  if (!fact) return "";
  if (fact->key.empty()) return "-";
  return (fact->is_opposite ? "!" : "") + fact->key;
}

std::vector<Statement> PlanOf(const std::string& question, const catalog::Product& product) {
  const std::vector<Source> sources = {{product}};
  Understanding understanding;
  understanding.language = "en";
  understanding.intents = {Intent::kProductDetails};
  return PlanAnswer({understanding, sources, question, true, 0, {}});
}

Statement FirstOf(const std::string& question, const catalog::Product& product) {
  const auto plan = PlanOf(question, product);
  return plan.empty() ? Statement() : plan.front();
}

TEST(FactSensesTest, IdeasStandInAnyOrderAndInFiveLanguages) {
  const std::vector<catalog::Attribute> leash = {{"length", "5 m"}, {"reflective", "yes"}};
  EXPECT_EQ(KeyOf("can you see it at night", leash), "reflective");
  EXPECT_EQ(KeyOf("at night will cars see it", leash), "reflective");
  const std::vector<catalog::Attribute> fan = {{"speeds", "3"}, {"oscillation", "yes"}};
  EXPECT_EQ(KeyOf("does it swing from side to side", fan), "oscillation");
  EXPECT_EQ(KeyOf("schwenkt der auch", fan), "oscillation");
  EXPECT_EQ(KeyOf("il oscille ?", fan), "oscillation");
  EXPECT_EQ(KeyOf("gira de lado a lado", fan), "oscillation");
  EXPECT_EQ(KeyOf("会摇头吗", fan), "oscillation");
}

TEST(FactSensesTest, AnAttributeMaySayTheOpposite) {
  const std::vector<catalog::Attribute> mat = {{"non-slip", "yes"}};
  EXPECT_EQ(KeyOf("is it slippery", mat), "!non-slip");
  EXPECT_EQ(KeyOf("is it non slip", mat), "non-slip");
  EXPECT_EQ(FirstOf("is it slippery?", ProductOf(mat)).kind, Statement::Kind::kDeny);
}

TEST(FactSensesTest, ADenialThatIsPartOfTheSenseTurnsNothing) {
  const auto player = ProductOf({{"built-in phono stage", "yes"}});
  EXPECT_EQ(FirstOf("can i use it without an amplifier?", player).kind, Statement::Kind::kAffirm);
  EXPECT_EQ(FirstOf("do i need an amplifier with it?", player).kind, Statement::Kind::kDeny);
}

TEST(FactSensesTest, ALimitOfWeightIsNotTheWeight) {
  EXPECT_EQ(KeyOf("what is the weight limit", {{"weight", "1.2 kg"}}, false), "-");
  EXPECT_EQ(
      KeyOf("what is the weight limit", {{"weight", "1 kg"}, {"load capacity", "80 kg"}}, false),
      "load capacity");
  EXPECT_EQ(FirstOf("what is the weight limit", ProductOf({{"weight", "1.2 kg"}})).kind,
            Statement::Kind::kNotStated);
}

TEST(FactSensesTest, AnAmountIsAskedOfAnAttributeOfItsDimension) {
  EXPECT_EQ(KeyOf("how long does it take to charge",
                  {{"charging type", "fast"}, {"charging time", "3 h"}}, false),
            "charging time");
  EXPECT_EQ(KeyOf("how often do i have to charge it", {{"battery life", "14 days"}}, false),
            "battery life");
}

TEST(FactSensesTest, WhatGoodsCanDoIsNotWhatComesWithThem) {
  const std::vector<catalog::Attribute> screen = {{"vesa mounting", "yes"}};
  EXPECT_EQ(KeyOf("can i hang it on the wall", screen), "vesa mounting");
  EXPECT_EQ(KeyOf("does it come with a wall mount in the box", screen), "");
}

TEST(FactSensesTest, ValuesSayWhetherAThingIsThere) {
  EXPECT_EQ(SaysThere("included"), true);
  EXPECT_EQ(SaysThere("not included"), false);
  EXPECT_EQ(SaysThere("none"), false);
  EXPECT_EQ(SaysThere("2 m"), std::nullopt);
  const auto tree = ProductOf({{"wall strap", "included"}});
  const Statement strap = FirstOf("does it come with something to fix it to the wall?", tree);
  EXPECT_EQ(strap.kind, Statement::Kind::kAffirm);
  EXPECT_EQ(strap.key, "wall strap");
}

TEST(FactSensesTest, OfTwoAlternativesTheOneThatTheRecordHasAnswers) {
  const Statement layout = FirstOf("daily or weekly?", ProductOf({{"layout", "weekly"}}));
  EXPECT_EQ(layout.key, "layout");
  const Statement titled =
      FirstOf("is it soft or firm?", ProductOf({}, "Torvane Cotton Mattress, Firm"));
  EXPECT_EQ(titled.key, "title");
  EXPECT_THAT(titled.words, ::testing::ElementsAre("firm"));
}

TEST(FactSensesTest, StarsOfATitleAreNoRating) {
  const Statement stars =
      FirstOf("how many stars does it have", ProductOf({}, "Torvane 7 kg 5 Star Washer"));
  EXPECT_EQ(stars.key, "title");
  EXPECT_EQ(FirstOf("how many stars does it have", ProductOf({})).key, "rating");
}

TEST(FactSensesTest, ATitleThatDeniesAWordAnswersNo) {
  const auto nuts = ProductOf({}, "Torvane Pistachios, Non Fried, Sugar Free");
  EXPECT_EQ(FirstOf("are they fried?", nuts).kind, Statement::Kind::kDeny);
  EXPECT_NE(FirstOf("are they sugar free?", nuts).kind, Statement::Kind::kDeny);
}

TEST(FactSensesTest, OfTwoPartsTheOneThatIsNotStatedIsSaid) {
  const auto plan =
      PlanOf("how heavy is it and who designed it", ProductOf({{"weight", "1.2 kg"}}));
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].key, "weight");
  EXPECT_EQ(plan[1].kind, Statement::Kind::kNotStated);
  EXPECT_TRUE(plan[1].is_rest);
}

}  // namespace
}  // namespace emptor::services
