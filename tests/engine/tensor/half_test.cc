#include "engine/tensor/half.h"

#include <cmath>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(HalfTest, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<Half>(bits);
    const float value = HalfToFloat(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(value)))) << bits;
    } else {
      ASSERT_EQ(FloatToHalf(value), half) << value;
    }
  }
}

TEST(HalfTest, RoundsToTheNearerNeighbourAndTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = HalfToFloat(static_cast<Half>(bits));
    const float high = HalfToFloat(static_cast<Half>(bits + 1));
    const float middle = low + (high - low) / 2;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, low)), bits);
    ASSERT_EQ(FloatToHalf(middle), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, high)), bits + 1);
  }
}

TEST(HalfTest, TooLargeBecomesInfinity) {
  EXPECT_EQ(FloatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-INFINITY), 0xfc00);
}

}  // namespace
}  // namespace emptor::engine
