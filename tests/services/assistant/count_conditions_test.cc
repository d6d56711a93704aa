// Numbers and what they count, sizes in letters, ages, sides, models.
#include "services/assistant/reading/count_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/condition_words.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

catalog::Product ThingOf(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

TypeSchema SchemaOfThings(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  return TypeSchema::Learn(pointers);
}

std::vector<std::string> FirstValues(const std::vector<KeyCondition>& conditions) {
  return conditions.empty() ? std::vector<std::string>() : conditions.front().values;
}

TEST(CountConditionsTest, PersonsAreCountedInEveryLanguage) {
  const TypeSchema boats = SchemaOfThings({ThingOf("Boat A", {{"capacity", "2 people"}}),
                                           ThingOf("Boat B", {{"capacity", "3 people"}}),
                                           ThingOf("Boat C", {{"capacity", "5 people"}})});
  const std::vector<std::pair<std::string, std::string>> messages = {
      {"en", "a boat for a family of three"},
      {"de", "ein Boot für drei Personen"},
      {"fr", "un bateau pour 3 personnes"},
      {"es", "una barca para tres adultos"},
      {"zh", "能坐3人的船"},
      {"zh", "三人坐的船"}};
  for (const auto& [language, message] : messages) {
    EXPECT_THAT(FirstValues(FindCounts(FoldedMessage(message), language, boats)),
                ElementsAre("3 people"))
        << message;
  }
  EXPECT_THAT(FirstValues(FindCounts(FoldedMessage("a boat for 4 people"), "en", boats)),
              ElementsAre("5 people"))
      << "the next greater one";
}

TEST(CountConditionsTest, PiecesAreWantedUnlessAPackIsAskedFor) {
  const TypeSchema bulbs = SchemaOfThings({ThingOf("Bulb A", {{"quantity per pack", "2"}}),
                                           ThingOf("Bulb B", {{"quantity per pack", "4"}})});
  EXPECT_THAT(FindCounts(FoldedMessage("bulbs, 4 pieces"), "en", bulbs), IsEmpty());
}

TEST(CountConditionsTest, AnIntervalOfLettersHoldsASize) {
  const TypeSchema shirts = SchemaOfThings({ThingOf("Shirt A", {{"sizes", "XS to M"}}),
                                            ThingOf("Shirt B", {{"sizes", "S to XXL"}}),
                                            ThingOf("Shirt C", {{"sizes", "L, XL"}})});
  for (const char* message :
       {"a shirt in XL", "Hemd Größe XL", "chemise taille xl", "XL码的衬衫"}) {
    EXPECT_THAT(FirstValues(FindSizes(FoldedMessage(message), shirts)),
                UnorderedElementsAre("S to XXL", "L, XL"))
        << message;
  }
  EXPECT_THAT(FindSizes(FoldedMessage("a shirt with l shaped pocket"), shirts), IsEmpty());
}

TEST(CountConditionsTest, TitlesNameSizesInTheirOwnWay) {
  const auto meets = [](const char* message, const char* title) {
    const auto demand = FindSizeDemand(FoldedMessage(message));
    return demand && Meets(title, demand->condition);
  };
  EXPECT_TRUE(meets("jeans size 34", "Torvane Jeans (Slim_34)"));
  EXPECT_TRUE(meets("bat size 6", "Torvane Bat no 6"));
  EXPECT_TRUE(meets("shoes size 10", "Torvane Shoe - 10 UK"));
  EXPECT_FALSE(meets("bat size 6", "Torvane Bat, 6 months"));
  EXPECT_TRUE(meets("kurti xl size", "Torvane Kurti (Red_XL)"));
  EXPECT_TRUE(meets("kurti size 2xl", "Torvane Kurti XXL"));
  EXPECT_FALSE(FindSizeDemand(FoldedMessage("king size 2 pillow covers")));
  EXPECT_FALSE(FindSizeDemand(FoldedMessage("a bag of size 20 litre")));
}

TEST(CountConditionsTest, AnIntervalOfNumbersHoldsASize) {
  const TypeSchema boots = SchemaOfThings(
      {ThingOf("Boot A", {{"sizes", "US 5 to 9"}}), ThingOf("Boot B", {{"sizes", "US 8 to 12"}})});
  for (const char* message : {"boots in size 11", "Stiefel Größe 11", "botas talla 11"}) {
    EXPECT_THAT(FirstValues(FindSizes(FoldedMessage(message), boots)), ElementsAre("US 8 to 12"))
        << message;
  }
  EXPECT_THAT(FindSizes(FoldedMessage("boots size 45"), boots), IsEmpty());
  EXPECT_THAT(FindSizes(FoldedMessage("boots delivered in 9 days"), boots), IsEmpty());
}

TEST(CountConditionsTest, WhatBearsMoreBearsLess) {
  const TypeSchema racks = SchemaOfThings({ThingOf("Rack A", {{"load capacity", "40 kg"}}),
                                           ThingOf("Rack B", {{"load capacity", "90 kg"}})});
  std::vector<retrieval::NumericRange> ranges = {{.unit = "kg", .max = 60}};
  const auto bound =
      BindConditions(FoldedMessage("a rack for up to 60 kg"), "en", racks, {"rack"}, ranges);
  ASSERT_EQ(bound.attributes.size(), 1u);
  EXPECT_THAT(bound.attributes.front().values, ElementsAre("90 kg"));
}

TEST(CountConditionsTest, MoreThanIsNotEqual) {
  const TypeSchema tubs = SchemaOfThings(
      {ThingOf("Tub A", {{"capacity", "20 l"}}), ThingOf("Tub B", {{"capacity", "35 l"}})});
  std::vector<retrieval::NumericRange> ranges = {{.unit = "l", .min = 20, .min_open = true}};
  const auto bound =
      BindConditions(FoldedMessage("a tub of more than 20 l"), "en", tubs, {"tub"}, ranges);
  ASSERT_EQ(bound.attributes.size(), 1u);
  EXPECT_THAT(bound.attributes.front().values, ElementsAre("35 l"));
}

TEST(CountConditionsTest, WhatIsForOlderOnesSuitsNoYoungerOne) {
  const TypeSchema kits = SchemaOfThings({ThingOf("Kit A", {{"age", "5 years and up"}}),
                                          ThingOf("Kit B", {{"age", "12 years and up"}}),
                                          ThingOf("Kit C", {{"age", "18 months"}})});
  EXPECT_THAT(FirstValues(FindAges(FoldedMessage("a kit for my nephew, 7 years old"), kits)),
              UnorderedElementsAre("5 years and up", "18 months"));
  EXPECT_THAT(FindAges(FoldedMessage("a kit"), kits), IsEmpty());
}

TEST(CountConditionsTest, SidesAreOneTerm) {
  const auto term = [](const std::string& text) {
    const auto terms = FindCountedTerms(text);
    return terms.empty() ? std::string() : terms.front().term;
  };
  EXPECT_EQ(term("a rug of 200 x 140 cm"), "200x140");
  EXPECT_EQ(term("rug 140x200"), "200x140");
  EXPECT_EQ(term("rug 200 × 140"), "200x140");
  EXPECT_EQ(term("2 x 16 GB"), "");
  EXPECT_EQ(term("oil 10W-40"), "10w40");
  EXPECT_EQ(term("oil 10w40, 1 l"), "10w40");
  EXPECT_EQ(WithoutSides("labels 48 x 25 mm, 2 m tape").find("25"), std::string::npos);
  EXPECT_NE(WithoutSides("labels 48 x 25 mm, 2 m tape").find("2 m"), std::string::npos);
}

TEST(CountConditionsTest, SidesOfAttributesAreATermOfTheRecord) {
  const RecordWords words = [] {
    static const catalog::Product kCard =
        ThingOf("Card", {{"card width", "85"}, {"card height", "54"}});
    return RecordWords::Learn({&kCard});
  }();
  EXPECT_TRUE(words.Knows(DemandOf(FindCountedTerms("85 x 54 mm").front())));
  EXPECT_FALSE(words.Knows(DemandOf(FindCountedTerms("85 x 55 mm").front())));
}

TEST(CountConditionsTest, ModelsOfDescriptionsAreKnown) {
  static const catalog::Product kPad = [] {
    catalog::Product product = ThingOf("Brake pad", {});
    product.description = "Made for the Meteor X350 and the 1240 series.";
    return product;
  }();
  const RecordWords words = RecordWords::Learn({&kPad});
  EXPECT_TRUE(words.Knows(DemandOf("x350")));
  EXPECT_TRUE(words.Knows(DemandOf("1240")));
  EXPECT_FALSE(words.Knows(DemandOf("series"))) << "prose states no property";
  const auto demands = ReadWordConditions(FoldedMessage("something for a z900"), "en", words);
  ASSERT_EQ(demands.size(), 1u) << "an unknown model is demanded, so that the answer says so";
  EXPECT_EQ(demands.front().text, "z900");
}

TEST(CountConditionsTest, WhereGoodsAreUsedDemandsNothing) {
  const auto is_place = [](const std::string& message, const std::string& word) {
    const FoldedMessage folded(message);
    return IsPlacePurpose(folded, "office", folded.Find(word));
  };
  EXPECT_TRUE(is_place("a lamp for our office", "office"));
  EXPECT_TRUE(is_place("eine Lampe für das Büro", "buro"));
  EXPECT_FALSE(is_place("an office lamp", "office"));
}

TEST(CountConditionsTest, AValueOfFewRecordsIsDemandedOfTheWholeRecord) {
  std::vector<catalog::Product> cutters;
  for (int i = 0; i < 8; ++i) cutters.push_back(ThingOf("Electric cutter", {{"weight", "300 g"}}));
  cutters.push_back(ThingOf("Cutter pink", {{"weight", "300 g"}, {"kind", "Electric"}}));
  const TypeSchema schema = SchemaOfThings(cutters);
  std::vector<retrieval::NumericRange> ranges;
  const auto bound =
      BindConditions(FoldedMessage("an electric cutter"), "en", schema, {"cutter"}, ranges);
  EXPECT_THAT(bound.attributes, IsEmpty());
  ASSERT_EQ(bound.demanded.size(), 1u);
  EXPECT_EQ(schema.words().Find(bound.demanded.front()).size(), 9u);
}

TEST(CountConditionsTest, AreasAreMinima) {
  const TypeSchema heaters =
      SchemaOfThings({ThingOf("Heater A", {{"room size", "15 square meters"}}),
                      ThingOf("Heater B", {{"room size", "30 square meters"}}),
                      ThingOf("Heater C", {{"room size", "45 m2"}})});
  std::vector<retrieval::NumericRange> ranges;
  const auto bound = BindConditions(FoldedMessage("a heater for a room of 25 m2"), "en", heaters,
                                    {"heater"}, ranges, {{.unit = "m2", .min = 25, .max = 25}});
  ASSERT_EQ(bound.attributes.size(), 1u);
  EXPECT_THAT(bound.attributes.front().values, UnorderedElementsAre("30 square meters", "45 m2"));
}

}  // namespace
}  // namespace emptor::services
