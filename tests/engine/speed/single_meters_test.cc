// Prefixes and neighbours: what is reported; how fast it is is the machine's to say.
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "engine/speed/neighbour_meter.h"
#include "engine/speed/prefix_meter.h"
#include "gtest/gtest.h"
#include "tests/engine/speed/tiny_model.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::TinyModelPath;

TEST(PrefixMeterTest, ComparesColdWithWarmInEveryRound) {
  const auto report =
      MeasurePrefix(TinyModelPath(), {.threads = 1, .tokens = 100, .rounds = 3, .block_tokens = 8});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->tokens, 100);
  EXPECT_EQ(report->cached_tokens, 96);  // whole blocks
  EXPECT_EQ(report->cold.size(), 3u);
  EXPECT_EQ(report->warm.size(), 3u);
  EXPECT_EQ(report->look_up.size(), 3u);
  EXPECT_EQ(report->Share().count, 3u);
  EXPECT_GT(report->Share().min, 0);
  EXPECT_GT(*std::min_element(report->look_up.begin(), report->look_up.end()), 0);
}

TEST(PrefixMeterTest, RefusesWhatCannotBeMeasured) {
  for (const PrefixOptions& options :
       {PrefixOptions{.tokens = 0}, PrefixOptions{.tokens = 300}, PrefixOptions{.rounds = 0},
        PrefixOptions{.block_tokens = 0}}) {
    EXPECT_EQ(MeasurePrefix(TinyModelPath(), options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(NeighbourMeterTest, AlternatesAndLeavesNoProcess) {
  const auto report =
      MeasureNeighbour(TinyModelPath(), {.threads = 1, .prompt = 4, .tokens = 5, .rounds = 2});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->quiet.size(), 2u);
  EXPECT_EQ(report->disturbed.size(), 2u);
  EXPECT_EQ(report->Share().count, 2u);
  EXPECT_GT(report->Share().min, 0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(NeighbourMeterTest, RefusesWhatCannotBeMeasured) {
  for (const NeighbourOptions& options :
       {NeighbourOptions{.prompt = 0}, NeighbourOptions{.tokens = 0}, NeighbourOptions{.rounds = 0},
        NeighbourOptions{.prompt = 200, .tokens = 200}}) {
    EXPECT_EQ(MeasureNeighbour(TinyModelPath(), options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace emptor::engine
