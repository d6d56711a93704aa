// What is reported of few and many users; how fast it is is the machine's to say.
#include "engine/speed/concurrency_meter.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/engine/speed/tiny_model.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::TinyModelPath;

TEST(ConcurrencyMeterTest, EachWayAnswersFewAndManyInEveryRound) {
  ConcurrencyOptions options{.threads = 1, .few = 2, .many = 5, .load = 10, .rounds = 2};
  options.requests.assign(11, {0, 6, 3});
  const auto report = MeasureConcurrency(TinyModelPath(), options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->requests, 11u);
  EXPECT_GT(report->rate, 0);
  ASSERT_EQ(report->sides.size(), 3u);
  EXPECT_EQ(report->sides[0].batching, Batching::kContinuous);
  EXPECT_EQ(report->sides[2].batching, Batching::kStaticFull);
  for (const ConcurrencySide& side : report->sides) {
    ASSERT_EQ(side.few.size(), 2u);
    ASSERT_EQ(side.many.size(), 2u);
    EXPECT_EQ(side.few[0].ttft.count, 11u);
    EXPECT_EQ(side.many[1].ttft.count, 11u);
    EXPECT_EQ(side.Growth().count, 2u);
    EXPECT_DOUBLE_EQ(side.Growth().max, std::max(side.many[0].ttft.p99 / side.few[0].ttft.p99,
                                                 side.many[1].ttft.p99 / side.few[1].ttft.p99));
  }
}

TEST(ConcurrencyMeterTest, RefusesWhatCannotBeMeasured) {
  const std::vector<BatchingRequest> one = {{0, 4, 4}};
  for (const ConcurrencyOptions& options :
       {ConcurrencyOptions{}, ConcurrencyOptions{.few = 0, .requests = one},
        ConcurrencyOptions{.many = 5000, .requests = one},
        ConcurrencyOptions{.load = 0, .requests = one},
        ConcurrencyOptions{.rounds = 0, .requests = one},
        ConcurrencyOptions{.block_tokens = 0, .requests = one},
        ConcurrencyOptions{.requests = {{0, 200, 200}}}}) {
    EXPECT_EQ(MeasureConcurrency(TinyModelPath(), options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace emptor::engine
