// Statements about several products, and answers that are neither yes nor no.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/plan/phrasing.h"
#include "services/assistant/plan/plan.h"

namespace emptor::services {
namespace {

using Kind = Statement::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

catalog::Product Lamp(const std::string& id, int64_t price,
                      std::vector<catalog::Attribute> attributes = {}) {
  catalog::Product product;
  product.id = id;
  product.title = id;
  product.price = catalog::Money{price, "USD"};
  product.availability = catalog::Availability::kInStock;
  product.attributes = std::move(attributes);
  return product;
}

/// The plan of an answer about products that were shown.
class SetPlanTest : public ::testing::Test {
 protected:
  SetPlanTest() {
    asked_.language = "en";
    asked_.intents = {Intent::kProductDetails};
  }
  std::vector<Statement> PlanOf(std::vector<catalog::Product> products, std::string question) {
    question_ = std::move(question);
    sources_.clear();
    for (catalog::Product& each : products) sources_.push_back({std::move(each)});
    return PlanAnswer(Input());
  }
  PlanInput Input() const { return {asked_, sources_, question_, true, 0, {}}; }
  std::string TextOf(const std::vector<Statement>& plan) {
    return WriteStatements(plan, Input(), "en-US");
  }

  Understanding asked_;
  std::vector<Source> sources_;
  std::string question_;
};

TEST_F(SetPlanTest, AYesOrNoBetweenTwoHasBothValues) {
  asked_.rank = RankedKey{"price", true};
  asked_.asks_whether = true;
  auto plan = PlanOf({Lamp("Glow", 1500), Lamp("Beam", 2500)}, "is the Glow cheaper than the Beam");
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].kind, Kind::kAffirm);
  EXPECT_EQ(plan[1].kind, Kind::kState);
  EXPECT_EQ(plan[1].source, 2);
  plan = PlanOf({Lamp("Glow", 2500), Lamp("Beam", 2500)}, "is the Glow cheaper than the Beam");
  EXPECT_EQ(plan[0].kind, Kind::kDeny) << "equal is not cheaper";
}

TEST_F(SetPlanTest, ANumberOfUnknownUnitIsNoReason) {
  PlanOf({Lamp("Glow", 900, {{"internal memory", "16384"}, {"hdmi ports", "2"}})}, "a laptop");
  Statement recommended{.kind = Kind::kRecommend, .source = 1};
  recommended.keys = {"internal memory", "hdmi ports"};
  const std::string text = TextOf({recommended});
  EXPECT_THAT(text, HasSubstr("(hdmi ports [1:attr.hdmi ports])"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("internal memory")));
}

TEST_F(SetPlanTest, EqualAndUnknownValuesRankNothing) {
  asked_.rank = RankedKey{"rating", false, true};
  auto plan = PlanOf({Lamp("Glow", 1500), Lamp("Beam", 2500)}, "which has the best rating");
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].kind, Kind::kNoneState);
  EXPECT_THAT(TextOf(plan), HasSubstr("rated yet"));
  asked_.rank = RankedKey{"price", true, true};
  plan = PlanOf({Lamp("Glow", 900), Lamp("Beam", 900)}, "which one is cheapest");
  EXPECT_EQ(plan[0].kind, Kind::kSame);
}

TEST_F(SetPlanTest, AChoiceIsAnsweredByTheValue) {
  const auto lamp = Lamp("Glow", 900, {{"mount", "wall"}});
  auto plan = PlanOf({lamp}, "is it for the wall or the ceiling?");
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].kind, Kind::kState);
  EXPECT_EQ(plan[0].key, "mount");
  plan = PlanOf({lamp}, "is this new or refurbished");
  EXPECT_EQ(plan[0].key, "condition");
  EXPECT_THAT(TextOf(plan), HasSubstr("condition new"));
}

TEST_F(SetPlanTest, WhatIsLackingTurnsTheAnswer) {
  const auto plan = [&](const std::string& value, const std::string& question) {
    return PlanOf({Lamp("Balm", 900, {{"paraben free", value}, {"gluten-free", value}})}, question);
  };
  EXPECT_EQ(plan("no", "does it contain paraben?")[0].kind, Kind::kAffirm);
  EXPECT_EQ(plan("yes", "does it contain paraben?")[0].kind, Kind::kDeny);
  EXPECT_EQ(plan("yes", "is it paraben free?")[0].kind, Kind::kAffirm);
  EXPECT_EQ(plan("no", "is it paraben free?")[0].kind, Kind::kDeny);
  EXPECT_EQ(plan("no", "is there gluten in it?")[0].kind, Kind::kAffirm);
}

TEST_F(SetPlanTest, TheDifferenceOfTwoPricesIsComputed) {
  const auto plan = PlanOf({Lamp("Glow", 1500), Lamp("Beam", 4200)}, "how much more is the second");
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0].kind, Kind::kPriceDifference);
  EXPECT_THAT(plan[0].sources, ElementsAre(2, 1)) << "the dearer one first";
  EXPECT_TRUE(IsComputed(plan[0]));
  EXPECT_THAT(TextOf({plan[0]}), HasSubstr("$27.00"));
  const auto same = PlanOf({Lamp("Glow", 1500), Lamp("Beam", 1500)}, "price difference?");
  EXPECT_EQ(TextOf({same[0]}), "Both cost the same.");
}

TEST_F(SetPlanTest, OfASideThatIsNotSoldOnlyTheOtherIsTold) {
  asked_.unsold_side = "beam b9";
  const auto plan = PlanOf({Lamp("Glow", 1500)}, "glow vs beam b9");
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].kind, Kind::kRecommend);
  EXPECT_EQ(WriteUnsoldSide(asked_), "Sorry, we do not sell beam b9.\n");
}

TEST_F(SetPlanTest, AListOfOneHasNoSecond) {
  asked_.lacks_place = true;
  const auto plan = PlanOf({Lamp("Glow", 900)}, "and the second one?");
  EXPECT_EQ(plan[0].kind, Kind::kOnlyShown);
  EXPECT_THAT(TextOf(plan), HasSubstr("only"));
}

TEST_F(SetPlanTest, TitlesTellWhatNoAttributeDoes) {
  asked_.intents = {Intent::kProductComparison};
  const auto plan =
      PlanOf({Lamp("Cedar Fan 4 Star with Remote", 900), Lamp("Cedar Fan 5 Star Silent", 1200)},
             "what sets these two apart");
  ASSERT_EQ(plan.size(), 4u);
  EXPECT_EQ(plan[2].kind, Kind::kOnlyIn);
  EXPECT_THAT(plan[2].words, ElementsAre("4 Star", "Remote"));
  EXPECT_THAT(plan[3].words, ElementsAre("5 Star", "Silent"));
}

TEST_F(SetPlanTest, PricesOfAUnitComeTheLowestFirst) {
  auto plan = PlanOf({Lamp("Rice 5kg Pack", 1000), Lamp("Rice 20 kg Sack", 3000), Lamp("Rice", 10)},
                     "which is cheaper per kg");
  ASSERT_EQ(plan.size(), 5u);
  EXPECT_EQ(plan[0].source, 2);
  EXPECT_EQ(plan[1].kind, Kind::kEach);
  EXPECT_EQ(TextOf({plan[1]}), "That is $1.50 per kg, of 20 kg.");
  EXPECT_EQ(TextOf({plan[3]}), "That is $2.00 per kg, of 5 kg.");
  EXPECT_EQ(plan[4].source, 3);
  EXPECT_EQ(plan[4].kind, Kind::kState);
  // One amount alone compares nothing.
  plan = PlanOf({Lamp("Rice 5kg Pack", 1000), Lamp("Rice", 10)}, "which is cheaper per kg");
  EXPECT_NE(plan.front().kind, Kind::kEach);
}

}  // namespace
}  // namespace emptor::services
