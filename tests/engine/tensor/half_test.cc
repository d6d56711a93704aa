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

TEST(BFloat16Test, EveryValueSurvivesTheWayToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto value = static_cast<BFloat16>(bits);
    const float wide = BFloat16ToFloat(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(BFloat16ToFloat(FloatToBFloat16(wide))));
    } else {
      ASSERT_EQ(FloatToBFloat16(wide), value);
    }
  }
}

TEST(BFloat16Test, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(FloatToBFloat16(1.00390625f), 0x3f80);                        // 1 + 2^-8: down to even
  EXPECT_EQ(FloatToBFloat16(1.01171875f), 0x3f82);                        // 1 + 3 * 2^-8: up
  EXPECT_EQ(FloatToBFloat16(std::nextafter(1.00390625f, 2.0f)), 0x3f81);  // above the tie
  EXPECT_EQ(FloatToBFloat16(3.4e38f), 0x7f80);                            // rounds to infinity
  EXPECT_EQ(FloatToBFloat16(-0.0f), 0x8000);
}

}  // namespace
}  // namespace emptor::engine
