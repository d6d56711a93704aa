// Traces line by line: what is right is read exactly, what is wrong is refused with its line.
#include "services/bench/trace_reader.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"
#include "tests/support/test_data.h"

namespace emptor::services {
namespace {

constexpr const char* kHead = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

TEST(TraceReaderTest, ReadsAzureLinesAcrossMidnightAndMonths) {
  const auto trace = ParseTrace(std::string(kHead) +
                                    "2024-02-28 23:59:59.5000000,374,44\r\n"
                                    "2024-02-29 00:00:00,396,109\n"
                                    "2024-03-01 00:00:00.25,1,0",
                                TraceFormat::kAzure, "t.csv");
  ASSERT_TRUE(trace.ok()) << trace.status();
  ASSERT_EQ(trace->size(), 3u);
  EXPECT_EQ((*trace)[0].at_seconds, 0);
  EXPECT_EQ((*trace)[0].input_tokens, 374);
  EXPECT_EQ((*trace)[0].output_tokens, 44);
  EXPECT_NEAR((*trace)[1].at_seconds, 0.5, 1e-6);
  EXPECT_NEAR((*trace)[2].at_seconds, 86400.75, 1e-6);  // a leap day between
}

TEST(TraceReaderTest, ReadsMooncakeLines) {
  const auto trace = ParseTrace(
      "{\"timestamp\": 100, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [0, 7]}\n"
      "{\"timestamp\": 3100, \"input_length\": 1, \"output_length\": 2, \"hash_ids\": []}\n",
      TraceFormat::kMooncake, "t.jsonl");
  ASSERT_TRUE(trace.ok()) << trace.status();
  ASSERT_EQ(trace->size(), 2u);
  EXPECT_EQ((*trace)[0].prefix_blocks, (std::vector<uint64_t>{0, 7}));
  EXPECT_EQ((*trace)[1].at_seconds, 3);
}

struct Hostile {
  TraceFormat format;
  std::string text;
  const char* complaint;
};

TEST(TraceReaderTest, RefusesHostileLinesWithTheirNumber) {
  const std::string head = kHead, good = "2023-11-16 18:15:46.68,1,1\n";
  const std::string json =
      "{\"timestamp\":5,\"input_length\":1,\"output_length\":1,\"hash_ids\":[]}\n";
  const auto azure = TraceFormat::kAzure;
  const auto mooncake = TraceFormat::kMooncake;
  const Hostile cases[] = {
      {azure, "", "t: no requests"},
      {azure, head, "t: no requests"},
      {azure, good, "t:1: head"},
      {azure, head + good + "\n", "t:3: line: expected three columns"},
      {azure, head + "2023-11-16 18:15:46.68,1\n", "t:2: line"},
      {azure, head + "2023-11-16 18:15:46.68,1,1,1\n", "t:2: line"},
      {azure, head + "2023-13-16 18:15:46.68,1,1\n", "t:2: TIMESTAMP"},
      {azure, head + "2023-11-16T18:15:46,1,1\n", "t:2: TIMESTAMP"},
      {azure, head + "2023-11-16 18:15:46.,1,1\n", "t:2: TIMESTAMP"},
      {azure, head + "yesterday,1,1\n", "t:2: TIMESTAMP"},
      {azure, head + "2023-11-16 18:15:46.68,,1\n", "t:2: ContextTokens"},
      {azure, head + "2023-11-16 18:15:46.68,-1,1\n", "t:2: ContextTokens"},
      {azure, head + "2023-11-16 18:15:46.68,1,1e3\n", "t:2: GeneratedTokens"},
      {azure, head + "2023-11-16 18:15:46.68,1,99999999999999999999\n", "t:2: GeneratedTokens"},
      {azure, head + good + "2023-11-16 18:15:46.67,1,1\n", "t:3: time: earlier"},
      {mooncake, json + "{}", "t:2: timestamp"},
      {mooncake, json + "[1]", "t:2: line: expected an object"},
      {mooncake, json + "{", "t:2: "},
      {mooncake, "{\"timestamp\":0.5,\"input_length\":1}", "t:1: timestamp"},
      {mooncake, "{\"timestamp\":-1,\"input_length\":1}", "t:1: timestamp"},
      {mooncake, "{\"timestamp\":0,\"input_length\":-1}", "t:1: input_length"},
      {mooncake, "{\"timestamp\":0,\"input_length\":1,\"output_length\":\"x\"}",
       "t:1: output_length"},
      {mooncake, "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":{}}",
       "t:1: hash_ids"},
      {mooncake, "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[-1]}",
       "t:1: hash_ids"},
      {mooncake, json + "{\"timestamp\":4,\"input_length\":1,\"output_length\":1,\"hash_ids\":[]}",
       "t:2: time: earlier"},
  };
  for (const Hostile& one : cases) {
    const auto trace = ParseTrace(one.text, one.format, "t");
    ASSERT_FALSE(trace.ok()) << one.text;
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(trace.status().message()).find(one.complaint), 0u)
        << one.text << ": " << trace.status();
  }
}

TEST(TraceReaderTest, RefusesFilesThatAreAbsentOrDamaged) {
  EXPECT_EQ(ReadTrace("/nowhere/t.csv", TraceFormat::kAzure).status().code(),
            absl::StatusCode::kNotFound);
  const std::string path =
      ::testing::TempDir() + "trace_reader_" + std::to_string(getpid()) + ".csv.zst";
  for (const char* bytes : {"no zstd at all", "\x28\xb5\x2f\xfd", ""}) {
    std::ofstream(path, std::ios::binary) << bytes;
    const auto trace = ReadTrace(path, TraceFormat::kAzure);
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(trace.status().message()).find(path), 0u) << trace.status();
  }
  std::filesystem::remove(path);
}

TEST(TraceReaderTest, ReadsTheRecordedTracesWhole) {
  const std::string azure =
      testing::TestDataPath("trace_azure_llm/AzureLLMInferenceTrace_conv.csv.zst");
  if (!std::filesystem::exists(azure)) GTEST_SKIP() << azure << " is absent";
  const auto conversations = ReadTrace(azure, TraceFormat::kAzure);
  ASSERT_TRUE(conversations.ok()) << conversations.status();
  EXPECT_EQ(conversations->size(), 19366u);
  EXPECT_NEAR(conversations->back().at_seconds, 3502, 1);
  const auto mooncake = ReadTrace(
      testing::TestDataPath("trace_mooncake/conversation_trace.jsonl.zst"), TraceFormat::kMooncake);
  ASSERT_TRUE(mooncake.ok()) << mooncake.status();
  EXPECT_EQ(mooncake->size(), 12031u);
}

}  // namespace
}  // namespace emptor::services
