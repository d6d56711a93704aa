// Ranges of one message that bound the same quantity.
#include "services/assistant/reading/range_joins.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using retrieval::NumericRange;

TEST(RangeJoinsTest, TheOtherSideIsAddedInTheUnitOfTheRange) {
  NumericRange range{.unit = "cm", .min = 40};
  EXPECT_TRUE(JoinRange({.unit = "m", .max = 1.5, .max_open = true}, range));
  EXPECT_EQ(range.max, 150);
  EXPECT_TRUE(range.max_open);
  EXPECT_FALSE(JoinRange({.unit = "m", .max = 2}, range)) << "it has that side";
  NumericRange weight{.unit = "kg", .min = 4};
  EXPECT_FALSE(JoinRange({.unit = "m", .max = 2}, weight)) << "another dimension";
}

TEST(RangeJoinsTest, ANumberInsideOfAboutIsNoQuantityOfItsOwn) {
  const NumericRange about{.unit = "m2", .min = 22.5, .max = 27.5};
  EXPECT_TRUE(IsAbout(about));
  EXPECT_FALSE(IsAbout({.unit = "m2", .min = 20, .max = 60}));
  std::vector<NumericRange> exact = {{.unit = "m2", .min = 25, .max = 25},
                                     {.unit = "m2", .min = 80, .max = 80},
                                     {.unit = "kg", .min = 25, .max = 25}};
  EraseHeld({about}, exact);
  EXPECT_EQ(exact.size(), 2u);
}

}  // namespace
}  // namespace emptor::services
