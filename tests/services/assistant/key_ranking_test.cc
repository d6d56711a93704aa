// Which attribute a question is about.
#include "services/assistant/schema/key_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/dimensions.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TypeSchema Record(std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.attributes = std::move(attributes);
  return TypeSchema::Learn({&product});
}

/// The first key, with "?" where the question does not name it.
std::string FirstKey(const std::string& question, const TypeSchema& schema) {
  const auto keys = RankKeys(FoldedMessage(question), schema);
  if (keys.empty()) return "";
  return keys.front().key->name + (keys.front().is_named ? "" : "?");
}

TEST(KeyRankingTest, AMeasureIsAskedForByItsWords) {
  const TypeSchema projector = Record({{"lamp power", "300"},
                                       {"lamp type", "P-VIP"},
                                       {"projector brightness", "3100"},
                                       {"service life of light source", "2000"}});
  EXPECT_EQ(FirstKey("how many hours does the lamp live", projector),
            "service life of light source");
  EXPECT_EQ(FirstKey("wie hell ist er", projector), "projector brightness");
  EXPECT_EQ(FirstKey("which lamp type", projector), "lamp type");
  EXPECT_EQ(FirstKey("how many watts has the lamp", projector), "lamp power");
}

TEST(KeyRankingTest, AnAmountIsNoYesOrNo) {
  const TypeSchema iron = Record({{"steam boost function", "yes"},
                                  {"steam boost performance", "90"},
                                  {"water tank capacity", "0.3"}});
  EXPECT_EQ(FirstKey("how strong is the steam boost", iron), "steam boost performance");
  EXPECT_EQ(FirstKey("how much water goes in", iron), "water tank capacity");
}

TEST(KeyRankingTest, AWordOfTheNameIsEnoughWhereTheKeyStatesWhatIsAskedFor) {
  const TypeSchema fridge = Record({{"fridge net capacity", "153"},
                                    {"freezer net capacity", "82"},
                                    {"freezer number of shelves baskets", "4"},
                                    {"freezer position", "Bottom-placed"}});
  EXPECT_EQ(FirstKey("how many litres has the freezer", fridge), "freezer net capacity");
  EXPECT_EQ(FirstKey("how many shelves are in the freezer", fridge),
            "freezer number of shelves baskets");
}

TEST(KeyRankingTest, APartOfANameStandsForLongerNames) {
  const TypeSchema washer = Record({{"noise level (spin)", "76"}, {"package weight", "66000"}});
  EXPECT_EQ(FirstKey("how loud is it", washer), "noise level (spin)");
  const TypeSchema both = Record({{"package weight", "66000"}, {"weight", "61000"}});
  EXPECT_EQ(FirstKey("how heavy", both), "weight");
  EXPECT_EQ(FirstKey("how heavy is the package", both), "package weight");
}

TEST(KeyRankingTest, TheLastWordOfANameDoesNotNameTheKey) {
  const TypeSchema shaver =
      Record({{"chromed display", "yes"}, {"quick charge", "yes"}, {"backlight display", "no"}});
  EXPECT_EQ(FirstKey("does it have a display", shaver), "backlight display?");
  EXPECT_EQ(FirstKey("backlight", shaver), "backlight display");
  EXPECT_EQ(FirstKey("can it charge a laptop", shaver), "quick charge?");
}

TEST(KeyRankingTest, TheFirstNameOfAPropertyComesBeforeItsOthers) {
  const TypeSchema radio = Record({{"battery technology", "Alkaline"}, {"battery type", "AAA"}});
  EXPECT_EQ(FirstKey("what batteries does it take", radio), "battery type");
  EXPECT_EQ(FirstKey("was für Batterien braucht es", radio), "battery type");
}

TEST(DimensionsTest, TheLongestPhraseSaysWhatIsAskedFor) {
  const AskedFor hours = ReadAskedFor(FoldedMessage("how many hours does it run"));
  EXPECT_TRUE(hours.is_number);
  EXPECT_EQ(hours.dimensions.size(), 1U) << "it counts nothing";
  EXPECT_FALSE(ReadAskedFor(FoldedMessage("is it red")).is_number);
  EXPECT_TRUE(ReadAskedFor(FoldedMessage("which filter")).is_value);
  EXPECT_FALSE(ReadAskedFor(FoldedMessage("does it have a filter")).is_value);
}

TEST(DimensionsTest, AKeyStatesTheDimensionOfItsUnitOrOfItsName) {
  const TypeSchema schema = Record({{"lasts", "9 kg"},
                                    {"weight", "16"},
                                    {"width", "30"},
                                    {"material", "steel"},
                                    {"wi fi standards", "802.11a,802.11b,802.11g"}});
  const AskedFor mass = ReadAskedFor(FoldedMessage("how heavy"));
  EXPECT_EQ(FitOf(*schema.Find("lasts"), mass), DimensionFit::kSame);
  EXPECT_EQ(FitOf(*schema.Find("weight"), mass), DimensionFit::kSame);
  EXPECT_EQ(FitOf(*schema.Find("width"), mass), DimensionFit::kOther);
  EXPECT_EQ(FitOf(*schema.Find("material"), mass), DimensionFit::kUnknown);
  EXPECT_NE(FitOf(*schema.Find("wi fi standards"), mass), DimensionFit::kSame) << "no 802.11 g";
  EXPECT_EQ(FitOf(*schema.Find("width"), {}), DimensionFit::kUnknown);
}

std::string WithoutNameOf(const std::string& question, const std::string& title) {
  catalog::Product product;
  product.title = title;
  return std::string(WithoutName(FoldedMessage(question), product).text());
}

TEST(AskedWordsTest, ARunOfTheTitleNamesTheProductAndAWordOfItAsks) {
  const std::string title = "Corvey Mist 2500 series GC-25 steam iron";
  EXPECT_EQ(WithoutNameOf("Corvey Mist steam iron, how strong is the steam boost", title),
            "how strong is the steam boost");
  EXPECT_EQ(WithoutNameOf("does the mist 2500 series have steam", title), "does the have steam");
  EXPECT_EQ(WithoutNameOf("is it by Corvey", title), "is it by");
  EXPECT_EQ(WithoutNameOf("how heavy is it", title), "how heavy is it");
}

TEST(AskedWordsTest, WhatNeitherKeyNorValueSaysIsUnanswered) {
  const TypeSchema schema = Record({{"package type", "Box"}, {"frame", "steel"}});
  const auto unanswered = [&](const std::string& question, const std::string& key,
                              const std::string& values) {
    return UnansweredWords(FoldedMessage(question), *schema.Find(key), values, "en");
  };
  EXPECT_THAT(unanswered("does it come with a wall mount in the box", "package type", "Box"),
              ElementsAre("wall", "mount"));
  EXPECT_THAT(unanswered("is it in a box", "package type", "Box"), IsEmpty());
  EXPECT_THAT(unanswered("is the frame aluminium", "frame", "steel"), ElementsAre("aluminium"));
  EXPECT_THAT(unanswered("is the frame aluminium", "frame", "aluminum, steel"), IsEmpty());
}

}  // namespace
}  // namespace emptor::services
