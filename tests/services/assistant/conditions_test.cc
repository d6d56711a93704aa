// Conditions in other words than records have: resolutions, bounds, names, counts, complaints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "retrieval/query/constraints.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/reading/condition_changes.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/resolution.h"
#include "services/assistant/words/condition_words.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

catalog::Product RecordOf(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

TypeSchema LearnedFrom(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  return TypeSchema::Learn(pointers);
}

TypeSchema Monitors() {
  const auto monitor = [](const std::string& title, const std::string& diagonal,
                          const std::string& resolution, const std::string& lift,
                          const std::string& interface) {
    return RecordOf(title, {{"display diagonal", diagonal},
                            {"display resolution", resolution},
                            {"height adjustment", lift},
                            {"device interface", interface}});
  };
  return LearnedFrom(
      {monitor("Quellin View A monitor", "24 in", "1920 x 1080", "0", "USB Type-A"),
       monitor("Quellin View B monitor", "27 in", "2560 x 1440", "130", "USB Type-C"),
       monitor("Quellin View C monitor", "32 in", "3840 x 2160", "100", "USB Type-C"),
       monitor("Quellin View D monitor", "27 in", "2560 x 1080", "70", "USB Type-A")});
}

BoundConditions Bind(const std::string& message, const TypeSchema& schema) {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.has_measure = [](const std::string&, const std::string&) { return true; };
  retrieval::QueryConstraints constraints = retrieval::ReadConstraints(message, vocabulary);
  return BindConditions(FoldedMessage(message), "en", schema, {"monitor"},
                        constraints.filter.ranges, ExactQuantities(message, constraints.filter));
}

std::map<std::string, std::vector<std::string>> BoundTo(const std::string& message,
                                                        const TypeSchema& schema) {
  std::map<std::string, std::vector<std::string>> bound;
  for (const auto& each : Bind(message, schema).attributes) bound[each.name] = each.values;
  return bound;
}

TEST(ConditionsTest, BothNumbersOfAResolutionCount) {
  const TypeSchema schema = Monitors();
  EXPECT_THAT(BoundTo("monitor with at least 2560x1440", schema)["display resolution"],
              UnorderedElementsAre("2560 x 1440", "3840 x 2160"));
  EXPECT_THAT(BoundTo("monitor 2560 x 1440 or better", schema)["display resolution"],
              UnorderedElementsAre("2560 x 1440", "3840 x 2160"));
  EXPECT_THAT(BoundTo("1920 by 1080 monitor", schema)["display resolution"],
              ElementsAre("1920 x 1080"));
  EXPECT_FALSE(FindResolution(FoldedMessage("photo paper 10 x 15")));
}

TEST(ConditionsTest, WhatCanBeAdjustedStatesByHowMuch) {
  EXPECT_THAT(BoundTo("monitor, height adjustable", Monitors())["height adjustment"],
              UnorderedElementsAre("130", "100", "70"));
}

TEST(ConditionsTest, BoundsOfOneAttributeAreJoinedOrContradict) {
  const TypeSchema schema = Monitors();
  EXPECT_THAT(
      BoundTo("monitor bigger than 25 inch but smaller than 30 inch", schema)["display diagonal"],
      ElementsAre("27 in"));
  EXPECT_TRUE(Bind("monitor bigger than 30 inch but smaller than 25 inch", schema).contradicts);
  EXPECT_TRUE(Bind("ein Monitor größer als 30 Zoll, aber kleiner als 25 Zoll", schema).contradicts);
  EXPECT_TRUE(Bind("un monitor más grande que 30 pulgadas y más pequeño que 25 pulgadas", schema)
                  .contradicts);
  EXPECT_FALSE(Bind("monitor bigger than 25 inch but smaller than 30 inch", schema).contradicts);
}

TEST(ConditionsTest, ARecordMayWriteAValueInMoreWords) {
  EXPECT_THAT(BoundTo("monitor with usb c", Monitors())["device interface"],
              ElementsAre("USB Type-C"));
}

TEST(ConditionsTest, ComparativesBehindAQuantityAreBounds) {
  const auto range = [](const std::string& message) {
    retrieval::QueryVocabulary vocabulary;
    vocabulary.has_measure = [](const std::string&, const std::string&) { return true; };
    const auto ranges = retrieval::ReadConstraints(message, vocabulary).filter.ranges;
    return ranges.empty() ? retrieval::NumericRange() : ranges.front();
  };
  EXPECT_EQ(range("monitor 144 Hz or faster").min, 144);
  EXPECT_FALSE(range("monitor 144 Hz or faster").max);
  EXPECT_EQ(range("hdmi cable, 5 m or longer").min, 5);
  EXPECT_EQ(range("laptop 2 kg or lighter").max, 2);
  EXPECT_EQ(range("Kabel 5 m oder länger").min, 5);
  EXPECT_EQ(range("un cable de 5 m o más largo").min, 5);
  EXPECT_EQ(range("三百升以下的冰箱").max, 300);
}

TEST(ConditionsTest, RatingsAreReadInAnyOrder) {
  const auto rating = [](const std::string& message) {
    return retrieval::ReadConstraints(message, {}).filter.min_rating;
  };
  EXPECT_EQ(rating("hair dryer 4+ stars"), 4);
  EXPECT_EQ(rating("4 stars and up"), 4);
  EXPECT_EQ(rating("rating above 4.5"), 4.5);
  EXPECT_EQ(rating("4 rating or higher"), 4);
  EXPECT_EQ(rating("3 stars or better? i mean customer stars, 4 and up"), 4);
  EXPECT_EQ(rating("电吹风,评分4分以上"), 4);
  EXPECT_EQ(rating("bewertet mit mindestens 4 Sternen"), 4);
  EXPECT_FALSE(rating("a hotel with 5 stars"));
}

TEST(ConditionsTest, AskingWhetherThereIsOneDeniesNothing) {
  const FoldedMessage asks("有没有无线耳机"), denies("没有无线的");
  EXPECT_FALSE(IsNegatedAt(asks, asks.Find("无线").begin));
  EXPECT_TRUE(IsNegatedAt(denies, denies.Find("无线").begin));
}

TEST(ConditionsTest, UnitsAndStruckWordsDemandNothing) {
  const FoldedMessage message("mug of");
  const FoldedMessage struck = message.Without(message.Find("mug"));
  // A title with the very letters that stand for what is struck.
  const catalog::Product record =
      RecordOf("Prestige mixer 750 watt " + std::string(struck.text()) + " litre", {});
  const RecordWords words = RecordWords::Learn({&record});
  EXPECT_THAT(ReadWordConditions(FoldedMessage("750 watt"), "en", words), IsEmpty());
  EXPECT_THAT(ReadWordConditions(struck, "en", words), IsEmpty());
}

TEST(ConditionsTest, ShortMakersAreRead) {
  std::vector<catalog::Product> records;
  for (const char* title : {"LG fridge A", "LG fridge B", "LG fridge C", "Godrej fridge D"}) {
    records.push_back(RecordOf(title, {}));
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : records) pointers.push_back(&each);
  const RecordWords words = RecordWords::Learn(pointers);
  EXPECT_EQ(ReadWordConditions(FoldedMessage("anything from lg"), "en", words).size(), 1);
  EXPECT_EQ(ReadWordConditions(FoldedMessage("有LG的吗"), "zh", words).size(), 1);
}

TEST(ConditionsTest, ATitleMayStateTheOpposite) {
  const std::vector<WordCondition> mens = {DemandOf("mens")};
  EXPECT_TRUE(
      FoldedMessage("Braun women's shaver pink").HasAny(AlternativesTo(mens.front(), mens)));
  EXPECT_FALSE(FoldedMessage("Braun shaver").HasAny(AlternativesTo(mens.front(), mens)));
  const std::vector<WordCondition> both = {DemandOf("mens"), DemandOf("women")};
  EXPECT_FALSE(
      FoldedMessage("Braun women's shaver pink").HasAny(AlternativesTo(mens.front(), both)));
}

TEST(ConditionsTest, TheOtherOneIsNotTheWinner) {
  ConversationTurn turn;
  turn.shown_products = turn.listed_products = {"a", "b"};
  turn.winner = "a";
  const auto tokens = retrieval::TokenizeQuery("and can the other one sterilize?");
  EXPECT_THAT(FindReferences(tokens, {turn}), ElementsAre("b"));
}

}  // namespace
}  // namespace emptor::services
