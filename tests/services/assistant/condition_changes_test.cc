// Conditions that are lifted, replaced or joined by a follow-up.
#include "services/assistant/reading/condition_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Lifted ReadLift(const char* message) { return ReadLifted(FoldedMessage(message)); }

TEST(ConditionChangesTest, ReadsWhatIsLifted) {
  EXPECT_TRUE(ReadLift("any brand").brand);
  EXPECT_TRUE(ReadLift("Farbe egal").colour);
  EXPECT_TRUE(ReadLift("price doesn't matter").price);
  EXPECT_EQ(ReadLift("it doesn't have to be black").text, "black");
  EXPECT_TRUE(ReadLift("only black ones").empty());
}

TEST(ConditionChangesTest, LiftsTheConditionThatIsNamed) {
  retrieval::Filter filter;
  filter.brands = {"Dell"};
  filter.colors = {"black"};
  filter.attributes = {{"panel", {"IPS"}}};
  LiftFrom(ReadLift("muss nicht von Dell sein"), filter);
  EXPECT_THAT(filter.brands, IsEmpty());
  EXPECT_THAT(filter.colors, ElementsAre("black"));
  LiftFrom(ReadLift("any colour"), filter);
  EXPECT_THAT(filter.colors, IsEmpty());
  LiftFrom(ReadLift("doesn't have to be IPS"), filter);
  EXPECT_THAT(filter.attributes, IsEmpty());
}

TEST(ConditionChangesTest, AlternativesJoinOrAreNoLongerExcluded) {
  retrieval::Filter before, said;
  before.brands = {"Logitech"};
  said.brands = {"HP"};
  AddAlternatives(before, said);
  EXPECT_THAT(said.brands, ElementsAre("HP", "Logitech"));

  before = {};
  before.excluded_brands = {"HP"};
  said.brands = {"HP"};
  AddAlternatives(before, said);
  EXPECT_THAT(before.excluded_brands, IsEmpty());
  EXPECT_THAT(said.brands, IsEmpty());
}

TEST(ConditionChangesTest, WordsOfOneDimensionExcludeEachOther) {
  EXPECT_TRUE(AreAlternatives(DemandOf("men"), DemandOf("women"), nullptr));
  EXPECT_TRUE(AreAlternatives(DemandOf("black"), DemandOf("blue"), nullptr));
  EXPECT_FALSE(AreAlternatives(DemandOf("black"), DemandOf("women"), nullptr));
  EXPECT_FALSE(AreAlternatives(DemandOf("mesh"), DemandOf("leather"), nullptr));
}

TEST(ConditionChangesTest, WordsThatOftenStandAndNeverTogetherExcludeOneAnother) {
  std::vector<catalog::Product> products(24);
  for (size_t i = 0; i < products.size(); ++i) {
    products[i].title = i % 2 == 0 ? "Torvane powder, vanilla" : "Quellin powder, cocoa";
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : products) pointers.push_back(&each);
  const RecordWords words = RecordWords::Learn(pointers);
  EXPECT_TRUE(ExcludeOneAnother(DemandOf("vanilla"), DemandOf("cocoa"), words, 24));
  EXPECT_FALSE(ExcludeOneAnother(DemandOf("vanilla"), DemandOf("mint"), words, 24));
  EXPECT_FALSE(ExcludeOneAnother(DemandOf("torvane"), DemandOf("cocoa"), words, 24)) << "a maker";
}

TEST(ConditionChangesTest, JoinsAlternativesOfWords) {
  std::vector<WordCondition> before = {DemandOf("black"), DemandOf("mesh")};
  std::vector<WordCondition> said = {DemandOf("blue")};
  JoinAlternatives(nullptr, before, said);
  EXPECT_THAT(said, IsEmpty());
  EXPECT_THAT(before[0].any_of, SizeIs(2));
  EXPECT_THAT(before[1].any_of, SizeIs(1));
}

}  // namespace
}  // namespace emptor::services
