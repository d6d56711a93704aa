// What the comparison reports; which way is faster is the machine's to say.
#include "engine/speed/batching_meter.h"

#include "gtest/gtest.h"
#include "tests/engine/speed/tiny_model.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::TinyModelPath;

std::vector<BatchingRequest> EightRequests() {
  std::vector<BatchingRequest> requests;
  for (int i = 0; i < 8; ++i) requests.push_back({0, 4 + i, 1 + i * 3});
  return requests;
}

BatchingOptions TinyOptions() {
  // A test does not wait for arrivals.
  return {.threads = 2, .batch = 3, .rounds = 2, .load = 10, .requests = EightRequests()};
}

TEST(BatchingMeterTest, BothWaysAnswerEveryRequestInEveryRound) {
  const auto report = MeasureBatching(TinyModelPath(), TinyOptions());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->requests, 8u);
  EXPECT_GT(report->rate, 0);
  EXPECT_EQ(report->Speedup().count, 2u);
  EXPECT_GT(report->Speedup().min, 0);
  for (const BatchingSide* side : {&report->continuous, &report->fixed}) {
    ASSERT_EQ(side->rounds.size(), 2u);
    EXPECT_EQ(side->TokensPerSecond().count, 2u);
    EXPECT_EQ(side->MedianRound().TokensPerSecond(), side->TokensPerSecond().min);
    for (const BatchingOutcome& outcome : {side->rounds[0], side->rounds[1], side->stream}) {
      EXPECT_EQ(outcome.e2e.count, 8u);
      EXPECT_EQ(outcome.ttft.count, 8u);
      EXPECT_EQ(outcome.tpot.count, 7u);                      // one answer has one token
      EXPECT_EQ(outcome.output_tokens, 8 + 3 * (7 * 8 / 2));  // padding is not counted
      EXPECT_LE(outcome.ttft.max, outcome.e2e.max);
    }
  }
}

TEST(BatchingMeterTest, TakesTheFastestStaticBatchWithinTheLimit) {
  BatchingOptions options = TinyOptions();
  options.tpot_limit = 1e6;
  options.static_batches = {1, 4};
  const auto report = MeasureBatching(TinyModelPath(), options);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->search.size(), 2u);
  EXPECT_TRUE(report->limit_kept);
  EXPECT_EQ(report->tpot_limit, 1e6);
  const BatchingSide& one = report->search[0];
  const BatchingSide& four = report->search[1];
  const bool four_is_faster = four.rounds[0].TokensPerSecond() > one.rounds[0].TokensPerSecond();
  EXPECT_EQ(report->fixed.batch, four_is_faster ? 4 : 1);
}

TEST(BatchingMeterTest, WhereNoStaticBatchKeepsTheLimitTakesTheNearest) {
  BatchingOptions options = TinyOptions();
  options.tpot_limit = 1e-12;
  options.static_batches = {1, 4};
  const auto report = MeasureBatching(TinyModelPath(), options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->limit_kept);
  const bool one_is_nearer =
      report->search[0].rounds[0].tpot.p99 <= report->search[1].rounds[0].tpot.p99;
  EXPECT_EQ(report->fixed.batch, one_is_nearer ? 1 : 4);
}

TEST(BatchingMeterTest, SmallBlocksWasteLessKvMemory) {
  BatchingOptions options = TinyOptions();
  options.block_tokens = 1;
  const auto single = MeasureBatching(TinyModelPath(), options);
  ASSERT_TRUE(single.ok()) << single.status();
  EXPECT_EQ(single->kv_fragmentation, 0);
  options.block_tokens = 16;
  const auto sixteen = MeasureBatching(TinyModelPath(), options);
  ASSERT_TRUE(sixteen.ok()) << sixteen.status();
  EXPECT_GT(sixteen->kv_fragmentation, 0.1);
}

TEST(BatchingMeterTest, RefusesWhatCannotBeMeasured) {
  const std::string path = TinyModelPath();
  const std::vector<BatchingRequest> one = {{0, 4, 4}};
  for (const BatchingOptions& options :
       {BatchingOptions{}, BatchingOptions{.batch = 0, .requests = one},
        BatchingOptions{.block_tokens = 0, .requests = one},
        BatchingOptions{.static_batches = {0}, .requests = one},
        BatchingOptions{.tpot_limit = -1, .requests = one},
        BatchingOptions{.rounds = 0, .requests = one}, BatchingOptions{.load = 0, .requests = one},
        BatchingOptions{.requests = {{0, 0, 4}}}, BatchingOptions{.requests = {{0, 4, -1}}},
        BatchingOptions{.requests = {{0, 200, 200}}}}) {
    EXPECT_EQ(MeasureBatching(path, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(MeasureBatching(path + ".absent", {.requests = one}).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace emptor::engine
