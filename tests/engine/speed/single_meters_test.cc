// Prefixes, neighbours and drafts: what is reported; how fast it is is the machine's to say.
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "engine/speed/neighbour_meter.h"
#include "engine/speed/prefix_meter.h"
#include "engine/speed/speculation_meter.h"
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

TEST(SpeculationMeterTest, WritesTheSameWithAndWithoutDrafts) {
  const std::string text = ::testing::TempDir() + "speculation_text";
  const std::string questions = ::testing::TempDir() + "speculation_questions";
  std::ofstream(text) << std::string(300, 'a');
  std::ofstream(questions)
      << R"({"messages":[{"role":"user","content":"hello"}]})"
      << "\n"
      << R"({"messages":[{"role":"user","content":"x"}],"references":["[1]"]})";
  const SpeculationMeterOptions options{.threads = 1,
                                        .rounds = 2,
                                        .sequences = 2,
                                        .prompt = 60,
                                        .tokens = 40,
                                        .draft_tokens = 4,
                                        .text = text,
                                        .questions = questions};
  const auto report = MeasureSpeculation(TinyModelPath(), options);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->cells.size(), 4u);
  for (const SpeculationCell& cell : report->cells) {
    EXPECT_EQ(cell.different, 0u) << cell.text;
    EXPECT_EQ(cell.answers, cell.text == questions ? 32u : 16u);
    EXPECT_EQ(cell.Ratio().count, 2u);
    EXPECT_GT(cell.Ratio().min, 0);
  }
  EXPECT_GT(report->cells[0].accepted, 0u);  // quoting
  EXPECT_EQ(report->cells[2].text, text);
  EXPECT_GT(report->cells[2].accepted, 0u);  // one letter
}

TEST(SpeculationMeterTest, RefusesWhatCannotBeMeasured) {
  const std::string bad = ::testing::TempDir() + "speculation_bad";
  std::ofstream(bad) << "{}\n";
  for (const SpeculationMeterOptions& options :
       {SpeculationMeterOptions{.rounds = 0}, SpeculationMeterOptions{.sequences = 0},
        SpeculationMeterOptions{.prompt = 1}, SpeculationMeterOptions{.tokens = 1},
        SpeculationMeterOptions{.draft_tokens = 65},
        SpeculationMeterOptions{.prompt = 200, .tokens = 200},
        SpeculationMeterOptions{.rounds = 1, .prompt = 30, .tokens = 5, .text = bad},
        SpeculationMeterOptions{.rounds = 1, .prompt = 30, .tokens = 5, .questions = bad}}) {
    EXPECT_EQ(MeasureSpeculation(TinyModelPath(), options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace emptor::engine
