// Quantities in text, and colours in scripts that write without blanks.
#include "retrieval/text/measure.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "retrieval/text/colors.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<double> Millimetres(std::string_view text) {
  std::vector<double> values;
  for (const Measure& measure : FindMeasures(text, 8)) {
    if (measure.base == "mm") values.push_back(measure.value);
  }
  return values;
}

TEST(MeasureTest, APrepositionIsNoInch) {
  for (const char* text : {"AKG K 326 In-Ear Headphones", "2-in-1 laptop", "2 in 1 laptop",
                           "Hybrid (2-in-1)", "2in1 tablet", "set of 3 in-line skates"}) {
    EXPECT_THAT(Millimetres(text), IsEmpty()) << text;
  }
  for (const char* text : {"2 in x 4 m", "screen 2-in.", "2 in", "2in (wide)", "2-in-wide", "2\"",
                           "2 inch in 1 box"}) {
    EXPECT_THAT(Millimetres(text), Contains(50.8)) << text;
  }
}

TEST(MeasureTest, AQuantityMayBeTheWholeOfAText) {
  for (const char* text : {"27 inch", "27-inch", "27\"", "27″", "27in", "27 zoll"}) {
    const auto measure = ParseMeasure(text);
    ASSERT_TRUE(measure.has_value()) << text;
    EXPECT_EQ(measure->base, "mm") << text;
    EXPECT_DOUBLE_EQ(measure->value, 685.8) << text;
  }
  for (const char* text : {"", "27", "inch", "27 inch monitor", "a 27 inch", "27 inch 2",
                           "1/2 inch", "27 \"", "wifi", "27 inches wide"}) {
    EXPECT_FALSE(ParseMeasure(text).has_value()) << text;
  }
}

TEST(MeasureTest, ConvertsAQuantityToTheUnitsOfOtherCatalogs) {
  EXPECT_THAT(SameQuantities({"ml", 2000}, "ml"), ElementsAre("2l"));
  EXPECT_THAT(SameQuantities({"ml", 1700}, "l"), ElementsAre("1700ml"));
  const auto inches = SameQuantities({"mm", 685.8}, "inch");
  EXPECT_THAT(inches, Contains("68.6cm"));
  EXPECT_THAT(inches, Contains("69cm"));
  EXPECT_THAT(inches, Not(Contains("27inch")));
  EXPECT_THAT(SameQuantities({"mm", 686}, "cm"), Contains("27inch"));
  EXPECT_THAT(SameQuantities({"mb", 1e6}, "tb"), ElementsAre("1000gb"));
  EXPECT_THAT(SameQuantities({"hz", 60}, "hz"), IsEmpty());
  EXPECT_THAT(SameQuantities({"g", 0}, "g"), IsEmpty());
  EXPECT_THAT(SameQuantities({"mm", 1e300}, "m"), IsEmpty());
}

TEST(ColorsTest, AreFoundInRunsWithoutBlanks) {
  EXPECT_THAT(ColorsIn("白色运动鞋 男"), ElementsAre("white"));
  EXPECT_THAT(ColorsIn("黑色和红色的鞋"), ElementsAre("black", "red"));
  EXPECT_THAT(ColorsIn("黒いケトル"), ElementsAre("black"));
  EXPECT_THAT(ColorsIn("彩色铅笔"), IsEmpty());
  EXPECT_THAT(ColorsIn("schwarzes Kleid, weiß"), ElementsAre("black", "white"));
}

}  // namespace
}  // namespace emptor::retrieval
