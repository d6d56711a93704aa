// Percentiles: exact, against the definition.
#include "engine/speed/statistics.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(PercentileTest, InterpolatesBetweenNeighbours) {
  const std::vector<double> samples = {1, 2, 4, 8};
  EXPECT_EQ(PercentileOfSorted(samples, 0), 1);
  EXPECT_EQ(PercentileOfSorted(samples, 0.5), 3);
  EXPECT_NEAR(PercentileOfSorted(samples, 0.9), 4 + 0.7 * 4, 1e-12);
  EXPECT_EQ(PercentileOfSorted(samples, 1), 8);
  EXPECT_EQ(PercentileOfSorted(samples, 7), 8);
  EXPECT_EQ(PercentileOfSorted({5}, 0.99), 5);
  EXPECT_EQ(PercentileOfSorted({}, 0.5), 0);
}

TEST(PercentileTest, IsExactOnAThousandAndOne) {
  std::vector<double> samples;
  for (int i = 0; i <= 1000; ++i) samples.push_back(i);
  for (const int share : {0, 1, 50, 90, 99, 100}) {
    EXPECT_NEAR(PercentileOfSorted(samples, share / 100.0), 10 * share, 1e-9);
  }
}

TEST(PercentileTest, AnInfiniteSampleDoesNotSpoilTheOthers) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(PercentileOfSorted({1, 2, infinity}, 0.5), 2);
}

TEST(SummaryTest, TakesSamplesInAnyOrder) {
  const Summary summary = Summarize({5, 1, 3});
  EXPECT_EQ(summary.count, 3u);
  EXPECT_EQ(summary.mean, 3);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.p50, 3);
  EXPECT_EQ(summary.max, 5);
  EXPECT_EQ(Summarize({}).count, 0u);
  EXPECT_EQ(MedianOf({4, 2}), 3);
}

}  // namespace
}  // namespace emptor::engine
