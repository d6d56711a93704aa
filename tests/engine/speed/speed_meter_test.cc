// What the meter reports, never how fast: machines of tests are shared.
#include "engine/speed/speed_meter.h"

#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;

std::string WriteModel(bool tied) {
  // Tests run side by side, each in a process of its own.
  const std::string path = ::testing::TempDir() + "speed_" + std::to_string(getpid()) + ".gguf";
  testing::MakeRandomLlama({.tied = tied, .type = GgufWriter::kQ8}).WriteTo(path);
  return path;
}

TEST(SpeedMeterTest, MeasuresEverythingInEachRoundOnEveryInstructionSet) {
  const std::string path = WriteModel(true);
  for (const Isa isa : AvailableIsas()) {
    const auto report = MeasureSpeed(path, {.threads = 2,
                                            .prompt = 20,
                                            .tokens = 3,
                                            .rounds = 2,
                                            .min_seconds = 0,
                                            .read_buffer_bytes = 100'000,
                                            .isa = isa,
                                            .processor_time = isa == Isa::kAvx2});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->isa, isa);
    EXPECT_EQ(report->threads, 2);
    EXPECT_EQ(report->read_buffer_bytes % 512, 0u);
    EXPECT_GE(report->read_buffer_bytes, 100'000u);
    ASSERT_EQ(report->rounds.size(), 2u);
    for (const SpeedRound& round : report->rounds) {
      EXPECT_GT(round.read_bytes, 0);
      EXPECT_GT(round.prefill, 0);
      for (const double rate : round.decode) EXPECT_GT(rate, 0);
    }
  }
}

TEST(SpeedMeterTest, CountsTheWeightsThatATokenReads) {
  SpeedReport reports[2];
  for (const bool tied : {false, true}) {
    const auto report = MeasureSpeed(
        WriteModel(tied),
        {.prompt = 1, .tokens = 1, .rounds = 1, .min_seconds = 0, .read_buffer_bytes = 512});
    ASSERT_TRUE(report.ok()) << report.status();
    reports[tied ? 1 : 0] = *report;
  }
  // Tied: the one matrix is read as the output. Untied: the output is, the embedding is not.
  EXPECT_EQ(reports[0].weight_bytes, reports[1].weight_bytes);
  EXPECT_GT(reports[0].weight_bytes, 0u);
}

TEST(SpeedReportTest, TakesMediansAndTheShareOfTheSameRound) {
  SpeedReport report;
  report.weight_bytes = 10;
  for (const double speed : {1.0, 5.0, 3.0}) {
    SpeedRound round;
    round.read_bytes = 100 * speed;
    round.decode[0] = 5 * speed;
    report.rounds.push_back(round);
  }
  EXPECT_EQ(report.Median([](const SpeedRound& r) { return r.read_bytes; }), 300);
  EXPECT_EQ(report.Median([&](const SpeedRound& r) { return report.BandwidthShare(r); }), 0.5);
  report.rounds.pop_back();
  EXPECT_EQ(report.Median([](const SpeedRound& r) { return r.read_bytes; }), 300);
}

TEST(SpeedMeterTest, RefusesWhatCannotBeMeasured) {
  const std::string path = WriteModel(true);
  for (const SpeedOptions& options :
       {SpeedOptions{.prompt = 0}, SpeedOptions{.tokens = 0}, SpeedOptions{.rounds = 0},
        SpeedOptions{.prompt = 250, .tokens = 7}}) {
    EXPECT_EQ(MeasureSpeed(path, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(MeasureSpeed(path + ".absent", {}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace emptor::engine
