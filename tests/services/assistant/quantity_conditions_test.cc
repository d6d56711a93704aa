// Which attribute a quantity of a message is about, and what is demanded of the whole record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {
namespace {

using retrieval::NumericRange;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TypeSchema LearnedFrom(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  return TypeSchema::Learn(pointers);
}

catalog::Product RecordOf(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

/// Laptops of a catalog that names no units: memory in GB, of old ones in MB.
TypeSchema OldAndNewLaptops() {
  const auto laptop = [](const std::string& title, const std::string& memory,
                         const std::string& storage, const std::string& grams) {
    return RecordOf(title, {{"internal memory", memory},
                            {"total storage capacity", storage},
                            {"weight", grams},
                            {"package weight", "3" + grams},
                            {"wi-fi standards", "802.11b,802.11g"},
                            {"product type", "Notebook"}});
  };
  return LearnedFrom({laptop("Quellin A Notebook 16 GB 512 GB SSD", "16", "512", "1400"),
                      laptop("Quellin B Notebook 8 GB 256 GB SSD", "8", "256", "1900"),
                      laptop("Quellin C Notebook 8 GB 512 GB SSD", "8", "512", "1200"),
                      laptop("Quellin D Notebook 4 GB 128 GB", "4096", "128", "2400")});
}

std::map<std::string, std::vector<std::string>> BoundTo(
    const std::string& message, const TypeSchema& schema,
    std::vector<retrieval::NumericRange> ranges) {
  std::map<std::string, std::vector<std::string>> bound;
  const BoundConditions conditions =
      BindConditions(FoldedMessage(message), "en", schema, {"laptop", "notebook"}, ranges);
  for (const auto& each : conditions.attributes) bound[each.name] = each.values;
  return bound;
}

TEST(QuantityConditionsTest, UnitsOfPlainNumbersComeFromTitles) {
  const auto bound = BoundTo("laptop with at least 8 gb", OldAndNewLaptops(),
                             {{.unit = "gb", .min = 8, .max = 20}});
  ASSERT_TRUE(bound.contains("internal memory"));
  EXPECT_THAT(bound.at("internal memory"), UnorderedElementsAre("8", "16"))
      << "4096 are megabytes, as a title says 4 GB";
}

TEST(QuantityConditionsTest, EachQuantityGoesToTheAttributeNamedNextToIt) {
  const auto bound =
      BoundTo("16 gb ram and 512 gb storage", OldAndNewLaptops(),
              {{.unit = "gb", .min = 16, .max = 16}, {.unit = "gb", .min = 512, .max = 512}});
  ASSERT_TRUE(bound.contains("internal memory"));
  ASSERT_TRUE(bound.contains("total storage capacity"));
  EXPECT_THAT(bound.at("internal memory"), ElementsAre("16"));
  EXPECT_THAT(bound.at("total storage capacity"), ElementsAre("512"));
}

TEST(QuantityConditionsTest, WhatStandsBehindWithIsNotNextToTheQuantity) {
  const auto monitor = [](const std::string& inches) {
    return RecordOf("Monitor", {{"display diagonal", inches},
                                {"height adjustment", "130"},
                                {"height adjustment 2", "70"}});
  };
  const TypeSchema schema = LearnedFrom({monitor("27"), monitor("24"), monitor("22")});
  const auto bound = BoundTo("27 inch display with height adjustable stand", schema,
                             {{.unit = "in", .min = 27, .max = 27}});
  EXPECT_THAT(bound.at("display diagonal"), ElementsAre("27"));
}

TEST(QuantityConditionsTest, ANormIsNoLength) {
  const auto cable = [](const std::string& metres) {
    return RecordOf("Network cable",
                    {{"cabling technology", "10/100/1000Base-T(X)"}, {"cable length", metres}});
  };
  const TypeSchema schema = LearnedFrom({cable("10"), cable("3"), cable("5")});
  const auto bound =
      BoundTo("network cabling 10 metre", schema, {{.unit = "m", .min = 10, .max = 10}});
  EXPECT_FALSE(bound.contains("cabling technology"));
  EXPECT_THAT(bound.at("cable length"), ElementsAre("10"));
}

TEST(QuantityConditionsTest, AnAttributeOfFewRecordsIsNotMeantWhereACommonOneStatesTheQuantity) {
  std::vector<catalog::Product> laptops(10, RecordOf("Laptop", {{"weight", "1400"}}));
  laptops.push_back(RecordOf("Laptop", {{"weight", "1900"}, {"battery weight", "200"}}));
  const auto bound = BoundTo("laptop that weighs 200 g", LearnedFrom(laptops),
                             {{.unit = "g", .min = 200, .max = 200}});
  EXPECT_FALSE(bound.contains("battery weight"));
}

TEST(QuantityConditionsTest, AWeightIsNoMemoryThoughMemoryIsNamed) {
  const auto bound =
      BoundTo("ram and under 1.5 kg", OldAndNewLaptops(), {{.unit = "kg", .max = 1.5}});
  ASSERT_TRUE(bound.contains("weight"));
  EXPECT_THAT(bound.at("weight"), UnorderedElementsAre("1200", "1400"))
      << "neither memory, nor the digits of a norm, nor the box";
  EXPECT_EQ(bound.size(), 1u);
}

TEST(QuantityConditionsTest, WhatNamesTheTypeIsNoCondition) {
  EXPECT_THAT(BoundTo("a notebook please", OldAndNewLaptops(), {}), IsEmpty());
}

TEST(QuantityConditionsTest, WholeInchesAreRounded) {
  const Interval ten = RoundedSize("mm", 254);
  EXPECT_LT(ten.min, 10.0 * 25.4);
  EXPECT_GT(ten.max, 10.4 * 25.4);
  EXPECT_LT(RoundedSize("mm", 27 * 25.4).max, 28 * 25.4);
  const Interval exact = RoundedSize("mm", 15.6 * 25.4);
  EXPECT_EQ(exact.min, exact.max);
}

TEST(QuantityConditionsTest, AnExactSizeThatNoRecordHasIsMissing) {
  const TypeSchema schema = LearnedFrom({RecordOf("Quellin Dishwasher A", {{"width", "598 mm"}}),
                                         RecordOf("Quellin Dishwasher B", {{"width", "448 mm"}})});
  const auto bind = [&](double mm) {
    const NumericRange exact{.unit = "mm", .min = mm, .max = mm};
    std::vector<NumericRange> ranges;
    return BindConditions(FoldedMessage("wide"), "en", schema, {"dishwasher"}, ranges, {exact});
  };
  const BoundConditions next = bind(520);
  ASSERT_EQ(next.attributes.size(), 1u) << "the next greater one is offered";
  EXPECT_THAT(next.attributes[0].values, ElementsAre("598 mm"));
  ASSERT_EQ(next.missing.size(), 1u);
  EXPECT_EQ(next.missing[0].unit, "mm");
  EXPECT_THAT(bind(598).missing, IsEmpty());
  EXPECT_EQ(bind(900).missing.size(), 1u) << "none is as wide";
}

TEST(QuantityConditionsTest, AMissingQuantityIsToldInTheWordsOfTheMessage) {
  const auto text = [](const std::string& message, double mm) {
    const auto demand = DemandOf(NumericRange{.unit = "mm", .min = mm, .max = mm}, message);
    return demand ? demand->text : "";
  };
  EXPECT_EQ(text("I need a dishwasher, 45 cm wide", 450), "45 cm");
  EXPECT_EQ(text("27-inch, 2 m cable", 2000), "2 m");
  EXPECT_EQ(text("half a metre", 500), "500 mm");
}

TEST(QuantityConditionsTest, TheUnitInTheNameOfAnAttributeDoesNotNameIt) {
  const TypeSchema monitors = LearnedFrom({RecordOf("Monitor A", {{"set depth (inch)", "2.3"}})});
  const SchemaKey* const depth = monitors.Find("set depth (inch)");
  ASSERT_NE(depth, nullptr);
  EXPECT_THAT(depth->words, ElementsAre("set", "depth"));
  EXPECT_THAT(depth->phrases, ::testing::Not(::testing::Contains("inch")));
}

TEST(QuantityConditionsTest, AQuantityThatNoAttributeStatesIsDemandedOfTitles) {
  const TypeSchema fans = LearnedFrom({RecordOf("Torvane Ceiling Fan 1200mm White", {}),
                                       RecordOf("Torvane Ceiling Fan 600 mm Brown", {}),
                                       RecordOf("Airolane Fan 48 inch", {})});
  std::vector<retrieval::NumericRange> ranges = {{.unit = "mm", .min = 1200, .max = 1200}};
  const BoundConditions bound =
      BindConditions(FoldedMessage("ceiling fan 1200 mm"), "en", fans, {"fan"}, ranges);
  ASSERT_EQ(bound.unstated.size(), 1u);
  EXPECT_TRUE(ranges.empty());
  EXPECT_THAT(fans.words().Find({"1200 mm", {}, StatedQuantity{"mm", 1150, 1250}}),
              ElementsAre(0, 2));
  EXPECT_TRUE(Meets("Fan 1.2 m", {"", {}, StatedQuantity{"mm", 1150, 1250}}));
  EXPECT_FALSE(Meets("Fan 600 mm", {"", {}, StatedQuantity{"mm", 1150, 1250}}));
}

TEST(QuantityConditionsTest, AValueThatRecordsStateInSeveralPlacesIsDemandedOfAll) {
  const TypeSchema shirts = LearnedFrom({RecordOf("Shirt A", {{"outer shell", "Cotton"}}),
                                         RecordOf("Shirt B", {{"inside", "Cotton"}}),
                                         RecordOf("Cotton Shirt C", {{"inside", "Linen"}}),
                                         RecordOf("Shirt D", {{"outer shell", "Linen"}})});
  std::vector<retrieval::NumericRange> ranges;
  const BoundConditions bound =
      BindConditions(FoldedMessage("a cotton shirt"), "en", shirts, {"shirt"}, ranges);
  EXPECT_TRUE(bound.attributes.empty());
  ASSERT_EQ(bound.demanded.size(), 1u);
  EXPECT_THAT(shirts.words().Find(bound.demanded[0]), ElementsAre(0, 1, 2));
}

TEST(QuantityConditionsTest, AnAttributeInheritsTheWordsOfItsLastPart) {
  const TypeSchema projectors =
      LearnedFrom({RecordOf("Projector A", {{"projector brightness", "3500"}}),
                   RecordOf("Projector B", {{"projector brightness", "150"}})});
  std::vector<retrieval::NumericRange> ranges;
  const BoundConditions bound = BindConditions(FoldedMessage("at least 3000 lumens"), "en",
                                               projectors, {"projector"}, ranges);
  ASSERT_EQ(bound.attributes.size(), 1u);
  EXPECT_THAT(bound.attributes[0].values, ElementsAre("3500"));
}

TEST(QuantityConditionsTest, AnAttributeDoesNotInheritTheWishesOfItsLastPart) {
  const TypeSchema routers = LearnedFrom({RecordOf("Router A", {{"switching capacity", "16"}}),
                                          RecordOf("Router B", {{"switching capacity", "3.2"}})});
  const SchemaKey* const key = routers.Find("switching capacity");
  ASSERT_NE(key, nullptr);
  EXPECT_TRUE(key->high.empty()) << "a big house wants none";
}

/// Both are lengths, of the hose and across it.
TypeSchema Hoses() {
  const auto hose = [](const std::string& title, const std::string& length) {
    return RecordOf(title, {{"diameter", "15 mm"}, {"length", length}});
  };
  return LearnedFrom({hose("Hose A", "15 m"), hose("Hose B", "25 m"), hose("Hose C", "40 m")});
}

TEST(QuantityConditionsTest, AQuantityIsAboutAnAttributeThatStatesSuchSizes) {
  const NumericRange meters{.unit = "m", .min = 25, .max = 25};
  EXPECT_THAT(BoundTo("a hose of 25 m", Hoses(), {meters}),
              ElementsAre(::testing::Pair("length", ElementsAre("25 m"))));
}

TEST(QuantityConditionsTest, AWordThatQualifiesAnotherAttributeIsNotThatOfTheQuantity) {
  const auto monitor = [](const std::string& title, const std::string& inches,
                          const std::string& height) {
    return RecordOf(title, {{"display diagonal", inches + " in"},
                            {"height", height + " mm"},
                            {"refresh rate", "144 Hz"}});
  };
  const TypeSchema monitors =
      LearnedFrom({monitor("Monitor A", "27", "420"), monitor("Monitor B", "52", "686"),
                   monitor("Monitor C", "24", "380")});
  const NumericRange inches{.unit = "inch", .min = 27, .max = 27};
  EXPECT_THAT(BoundTo("monitor, 27 inch, high refresh rate", monitors, {inches}),
              ::testing::Contains(::testing::Pair("display diagonal", ElementsAre("27 in"))));
}

TEST(QuantityConditionsTest, AHoseThatReachesFartherThanAboutThatFarDoes) {
  const NumericRange about{.unit = "m", .min = 27, .max = 33};
  EXPECT_THAT(BoundTo("a hose for about 30 m of garden", Hoses(), {about}),
              ElementsAre(::testing::Pair("length", ElementsAre("40 m"))));
}

TEST(QuantityConditionsTest, WhatIsMadeForALargerAreaDoesForAboutThatArea) {
  const TypeSchema purifiers =
      LearnedFrom({RecordOf("Purifier A", {{"room size", "20 square meters"}}),
                   RecordOf("Purifier B", {{"room size", "35 square meters"}})});
  const NumericRange about{.unit = "m2", .min = 22.5, .max = 27.5};
  EXPECT_THAT(BoundTo("for about 25 m2", purifiers, {about}),
              ElementsAre(::testing::Pair("room size", ElementsAre("35 square meters"))));
}

TEST(QuantityConditionsTest, AlternativesAreOneDemand) {
  const TypeSchema tools =
      LearnedFrom({RecordOf("Philips Straightener", {}), RecordOf("Havells Straightener", {}),
                   RecordOf("Nova Straightener", {})});
  const auto words = ReadWordConditions(FoldedMessage("philips or havells"), "en", tools.words());
  ASSERT_EQ(words.size(), 1u);
  EXPECT_THAT(tools.words().Find(words[0]), ElementsAre(0, 1));
}

TEST(QuantityConditionsTest, TheHeadOfANameIsWithoutWhatQualifiesIt) {
  const FoldedMessage message("a colour laser printer");
  const auto head = HeadOfName(message, {"printer", "laser printer", "colour laser printer"});
  EXPECT_EQ(message.text().substr(head.begin, head.size()), "printer");
}

}  // namespace
}  // namespace emptor::services
