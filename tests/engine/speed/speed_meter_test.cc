// What the meter reports, never how fast: machines of tests are shared.
#include "engine/speed/speed_meter.h"

#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/engine/support/model_directory.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;

std::string WriteModel(bool tied, uint32_t type = GgufWriter::kQ8) {
  // Tests run side by side, each in a process of its own.
  const std::string path = ::testing::TempDir() + "speed_" + std::to_string(getpid()) + ".gguf";
  testing::MakeRandomLlama({.tied = tied, .type = type}).WriteTo(path);
  return path;
}

/// Fast and small.
SpeedOptions Quick() {
  return {.prompts = {3},
          .batches = {1},
          .depths = {2},
          .tokens = 1,
          .rounds = 1,
          .min_seconds = 0,
          .read_buffer_bytes = 512};
}

TEST(SpeedMeterTest, MeasuresEverythingInEachRoundOnEveryInstructionSet) {
  const std::string path = WriteModel(true);
  for (const Isa isa : AvailableIsas()) {
    SpeedOptions options = Quick();
    options.threads = 2;
    options.prompts = {5, 20};
    options.prompt_batches = {1, 3};
    options.batches = {1, 2, 4};
    options.depths = {0, 9};
    options.rounds = 2;
    options.isa = isa;
    options.processor_time = isa == Isa::kAvx2;
    const auto report = MeasureSpeed(path, options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->isa, isa);
    EXPECT_EQ(report->threads, 2);
    EXPECT_EQ(report->work.type, "Q8_0");
    EXPECT_EQ(report->work.arithmetic, Arithmetic::kInt8);
    ASSERT_EQ(report->cells.size(), 3u * 2 + 2 * 2);
    ASSERT_EQ(report->rounds.size(), 2u);
    for (const SpeedRound& round : report->rounds) {
      EXPECT_GT(round.read_bytes, 0);
      EXPECT_GT(round.peaks[0], 0);
      ASSERT_EQ(round.samples.size(), report->cells.size());
      for (size_t i = 0; i < report->cells.size(); ++i) {
        EXPECT_GT(round.samples[i].tokens_per_second, 0);
        EXPECT_GT(report->PeakShare(i, round), 0);
        const bool decode = report->cells[i].work == SpeedWork::kDecode;
        EXPECT_EQ(report->BandwidthShare(i, round) > 0, decode);
      }
    }
    EXPECT_GE(report->Find(SpeedWork::kDecode, 4, 9), 0);
    EXPECT_EQ(report->Find(SpeedWork::kPrefill, 4, 9), -1);
  }
}

TEST(SpeedMeterTest, MeasuresADirectory) {
  for (const bool experts : {false, true}) {
    const testing::ModelDirectory directory;
    testing::WriteGoldenModel(directory, experts ? "mixtral" : "qwen2", /*sharded=*/true);
    const auto report = MeasureSpeed(directory.path(), Quick());
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->work.type, "F32");
    EXPECT_EQ(report->work.output_operations, 2u * 320 * 64);
    // Two layers: q and o of 64 x 64, k and v of 32 x 64, three of 96 x 64; of the experts two.
    const uint64_t feed_forward = 3 * 96 * 64;
    const uint64_t all = experts ? 2 * feed_forward + 5 * 64 : feed_forward;
    EXPECT_NEAR(static_cast<double>(report->work.layer_operations),
                static_cast<double>(2u * 2 * (2 * 64 * 64 + 2 * 32 * 64 + all)), 100);
  }
}

TEST(SpeedMeterTest, CountsTheWorkOfATokenOnce) {
  // Tied: the one matrix is read as the output. Untied: the output is, the embedding is not.
  const auto untied = MeasureSpeed(WriteModel(false), Quick());
  const auto tied = MeasureSpeed(WriteModel(true), Quick());
  ASSERT_TRUE(untied.ok() && tied.ok());
  EXPECT_EQ(untied->work.weight_bytes, tied->work.weight_bytes);
  EXPECT_GT(untied->work.weight_bytes, 0u);
  EXPECT_EQ(untied->work.layer_operations, tied->work.layer_operations);
  EXPECT_EQ(untied->work.output_operations, tied->work.output_operations);
  // Two layers: q and o of 64 x 64, k and v of 32 x 64, three of 96 x 64.
  EXPECT_EQ(tied->work.layer_operations, 2u * 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 96 * 64));
}

TEST(SpeedMeterTest, KnowsWhichArithmeticTheWeightsWant) {
  const auto f32 = MeasureSpeed(WriteModel(true, GgufWriter::kF32), Quick());
  ASSERT_TRUE(f32.ok()) << f32.status();
  EXPECT_EQ(f32->work.arithmetic, Arithmetic::kF32);
}

TEST(SpeedReportTest, SharesAreOfTheSameRound) {
  SpeedReport report;
  report.work.weight_bytes = 10;
  report.work.layer_operations = 100;
  report.work.output_operations = 50;
  report.work.arithmetic = Arithmetic::kInt8;
  report.cells = {{SpeedWork::kDecode, 2, 8}, {SpeedWork::kPrefill, 1, 25}};
  for (const double speed : {1.0, 5.0, 3.0}) {
    SpeedRound round;
    round.peaks[0] = 1000 * speed;
    round.samples = {{4 * speed, 40 * speed}, {5 * speed, 0}};
    report.rounds.push_back(round);
  }
  const auto median = [&report](auto share, size_t cell) {
    return report.Over([&](const SpeedRound& round) { return (report.*share)(cell, round); }).p50;
  };
  EXPECT_EQ(median(&SpeedReport::BandwidthShare, 0), 10 * 2 / 40.0);  // two steps a second
  EXPECT_EQ(median(&SpeedReport::PeakShare, 0), 150 * 4 / 1000.0);
  EXPECT_EQ(median(&SpeedReport::PeakShare, 1), (100 + 50 / 25.0) * 5 / 1000.0);
  EXPECT_EQ(report.Tokens(0).p50, 12);
  EXPECT_EQ(report.Tokens(0).min, 4);
}

TEST(SpeedMeterTest, RefusesWhatCannotBeMeasured) {
  const std::string path = WriteModel(true);
  std::vector<SpeedOptions> wrong(8, Quick());
  wrong[0].prompts = {0};
  wrong[1].tokens = 0;
  wrong[2].rounds = 0;
  wrong[3].depths = {250};
  wrong[3].tokens = 7;
  wrong[4].batches = {};
  wrong[5].batches = {1, 1000};
  wrong[6].depths = {-1};
  wrong[7].prompts = {20, 257};
  for (const SpeedOptions& options : wrong) {
    EXPECT_EQ(MeasureSpeed(path, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(MeasureSpeed(path + ".absent", {}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace emptor::engine
