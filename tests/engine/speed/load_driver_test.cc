// Who waits for whom; no time is asserted but that of causes before their effects.
#include "engine/speed/load_driver.h"

#include "gtest/gtest.h"
#include "tests/engine/speed/tiny_model.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::TinyModelPath;

class LoadDriverTest : public ::testing::Test {
 protected:
  static constexpr int kInput = 5, kOutput = 4;

  void SetUp() override {
    auto loaded = LoadFor(TinyModelPath(), requests_, OptionsFor(requests_, 4, 16, 1));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    engine_ = *std::move(loaded);
  }

  std::vector<BatchingRequest> requests_ =
      std::vector<BatchingRequest>(10, BatchingRequest{0, kInput, kOutput});
  std::unique_ptr<Engine> engine_;
};

TEST_F(LoadDriverTest, EveryWayAnswersAllThatUsersAsk) {
  for (const Batching batching :
       {Batching::kContinuous, Batching::kStatic, Batching::kStaticFull}) {
    for (const int users : {0, 1, 3, 4, 50}) {
      const auto outcome =
          DriveLoad(*engine_, requests_, {.batching = batching, .batch = 4, .users = users});
      ASSERT_TRUE(outcome.ok()) << outcome.status();
      EXPECT_EQ(outcome->ttft.count, requests_.size()) << users;
      EXPECT_EQ(outcome->output_tokens, 10 * kOutput) << users;
      EXPECT_GE(outcome->ttft.min, 0) << users;
    }
  }
}

TEST_F(LoadDriverTest, ABatchWaitsUntilItIsFull) {
  requests_.resize(2);
  requests_[1].at_seconds = 0.05;
  const auto outcome =
      DriveLoad(*engine_, requests_, {.batching = Batching::kStaticFull, .batch = 2, .users = 2});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_GE(outcome->ttft.max, 0.05);  // the first request was due at once
}

TEST_F(LoadDriverTest, StaticBatchesArePaddedToTheLongest) {
  requests_ = {{0, 3, 2}, {0, 20, 9}};
  const EngineStats before = engine_->stats();
  const auto outcome = DriveLoad(*engine_, requests_, {.batching = Batching::kStatic, .batch = 2});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->output_tokens, 2 + 9);
  EXPECT_TRUE(engine_->Drain(std::chrono::minutes(1)));
  EXPECT_EQ(engine_->stats().generated_tokens - before.generated_tokens, 18u);
  EXPECT_EQ(engine_->stats().prompt_tokens - before.prompt_tokens, 40u);
}

TEST_F(LoadDriverTest, ReportsWhyTheEngineRefused) {
  requests_[3].input_tokens = 1000;
  EXPECT_EQ(DriveLoad(*engine_, requests_, {}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(AtRateTest, EqualSeedsGiveEqualArrivalsThatDoNotFall) {
  const std::vector<BatchingRequest> requests(100);
  const auto one = AtRate(requests, 2, 7), same = AtRate(requests, 2, 7);
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].at_seconds, same[i].at_seconds);
    if (i > 0) {
      EXPECT_GE(one[i].at_seconds, one[i - 1].at_seconds);
    }
  }
  EXPECT_NEAR(one.back().at_seconds, 50, 25);
  EXPECT_EQ(AtRate(requests, 0, 7).back().at_seconds, 0);
}

}  // namespace
}  // namespace emptor::engine
