// What the comparison reports; which way is faster is the machine's to say.
#include "engine/speed/batching_meter.h"

#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;

std::string WriteModel() {
  const std::string path = ::testing::TempDir() + "batching_" + std::to_string(getpid()) + ".gguf";
  testing::MakeRandomLlama({.type = GgufWriter::kQ8}).WriteTo(path);
  return path;
}

TEST(BatchingMeterTest, BothWaysAnswerEveryRequest) {
  BatchingOptions options;
  options.threads = 2;
  options.batch = 3;
  options.load = 10;  // a test does not wait for arrivals
  for (int i = 0; i < 8; ++i) options.requests.push_back({0, 4 + i, 1 + i * 3});
  const auto report = MeasureBatching(WriteModel(), options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->requests, 8u);
  EXPECT_GT(report->rate, 0);
  for (const BatchingOutcome* outcome : {&report->continuous_full, &report->static_full,
                                         &report->continuous_stream, &report->static_stream}) {
    EXPECT_EQ(outcome->e2e.count, outcome->ttft.count);
    EXPECT_GE(outcome->e2e.count, 1u);
    // Padding is not counted.
    EXPECT_LE(outcome->output_tokens, 8 + 3 * (7 * 8 / 2));
    EXPECT_GT(outcome->TokensPerSecond(), 0);
    EXPECT_LE(outcome->ttft.max, outcome->e2e.max);
  }
}

TEST(BatchingMeterTest, RefusesWhatCannotBeMeasured) {
  const std::string path = WriteModel();
  const std::vector<BatchingRequest> one = {{0, 4, 4}};
  for (const BatchingOptions& options :
       {BatchingOptions{}, BatchingOptions{.batch = 0, .requests = one},
        BatchingOptions{.load = 0, .requests = one}, BatchingOptions{.requests = {{0, 0, 4}}},
        BatchingOptions{.requests = {{0, 4, -1}}}, BatchingOptions{.requests = {{0, 200, 200}}}}) {
    EXPECT_EQ(MeasureBatching(path, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(MeasureBatching(path + ".absent", {.requests = one}).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace emptor::engine
