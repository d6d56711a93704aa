// Frequencies of rotary embedding: whole models of each kind are in model_logits_test.cc.
#include <cmath>
#include <numbers>

#include "engine/model/model_config.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

void ExpectNear(const std::vector<double>& got, const std::vector<double>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6 * want[i]) << i;
}

TEST(RopeTest, PlainFrequenciesFallGeometrically) {
  ExpectNear(RopeFrequencies({.dims = 4, .base = 10000}, nullptr), {1, 0.01});
  const float factors[] = {1, 4};
  ExpectNear(RopeFrequencies({.dims = 4, .base = 10000}, factors), {1, 0.0025});
}

TEST(RopeTest, LinearDividesAll) {
  ExpectNear(RopeFrequencies(
                 {.dims = 4, .base = 10000, .scaling = RopeConfig::Scaling::kLinear, .factor = 4},
                 nullptr),
             {0.25, 0.0025});
}

TEST(RopeTest, Llama3KeepsShortWavesAndDividesLongOnes) {
  // Llama 3.1: of 64 pairs the first keep their frequency, the last are divided by 8.
  const RopeConfig plain = {.dims = 128, .base = 500000};
  RopeConfig rope = plain;
  rope.scaling = RopeConfig::Scaling::kLlama3;
  rope.factor = 8;
  rope.original_context = 8192;
  const auto before = RopeFrequencies(plain, nullptr);
  const auto after = RopeFrequencies(rope, nullptr);
  for (size_t i = 0; i < after.size(); ++i) {
    const double wave = 2 * std::numbers::pi / before[i];
    if (wave < 8192 / 4.0) {
      EXPECT_EQ(after[i], before[i]) << i;
    }
    if (wave > 8192) {
      EXPECT_DOUBLE_EQ(after[i], before[i] / 8) << i;
    }
    EXPECT_LE(after[i], before[i]);
    EXPECT_GE(after[i], before[i] / 8);
  }
}

TEST(RopeTest, YarnIsThatOfThePaper) {
  // Qwen's setting for 131072 positions: between pairs 23 and 40 the scaling sets in.
  const RopeConfig plain = {.dims = 128, .base = 1e6};
  RopeConfig rope = plain;
  rope.scaling = RopeConfig::Scaling::kYarn;
  rope.factor = 4;
  rope.original_context = 32768;
  const auto before = RopeFrequencies(plain, nullptr);
  const auto after = RopeFrequencies(rope, nullptr);
  for (size_t i = 0; i <= 23; ++i) EXPECT_DOUBLE_EQ(after[i], before[i]) << i;
  for (size_t i = 40; i < 64; ++i) EXPECT_DOUBLE_EQ(after[i], before[i] / 4) << i;
  const double kept = 1 - (30 - 23) / 17.0;
  EXPECT_NEAR(after[30], before[30] * (kept + (1 - kept) / 4), 1e-12);
  EXPECT_FLOAT_EQ(YarnAttentionFactor(4), 1.1386294f);
  EXPECT_FLOAT_EQ(YarnAttentionFactor(1), 1);
}

}  // namespace
}  // namespace emptor::engine
