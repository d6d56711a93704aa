// Jobs as JSON, options as text, dead letters as a feed.
#include "services/ingest/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/ingest/job_files.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(JobTest, ReadsBackWhatItWrites) {
  Job job;
  job.id = "job-00000007";
  job.state = JobState::kFailed;
  ASSERT_TRUE(SetJobOption("mode", "replace", job.spec).ok());
  ASSERT_TRUE(SetJobOption("format", "csv", job.spec).ok());
  ASSERT_TRUE(SetJobOption("columns", "Name=title,a=b=price", job.spec).ok());
  ASSERT_TRUE(SetJobOption("currency", "EUR", job.spec).ok());
  ASSERT_TRUE(SetJobOption("locale", "de-DE", job.spec).ok());
  ASSERT_TRUE(SetJobOption("dry_run", "true", job.spec).ok());
  ASSERT_TRUE(SetJobOption("shrink_limit", "35%", job.spec).ok());
  job.spec.idempotency_key = "night \"1\"";
  job.spec.digest = "ab";
  job.spec.bytes = 12;
  job.created_at = "2026-11-20T12:00:00Z";
  job.seconds = 1.5;
  job.offset = 10;
  job.report.created = 3;
  job.report.bytes = 10;
  job.error_code = "unavailable";
  job.error = "gone";
  const auto read = ParseJob(ToJson(job));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), ToJson(job));
  EXPECT_EQ(read->spec.feed.columns.at(1).column, "a=b");
  EXPECT_EQ(read->spec.mode, catalog::ImportMode::kReplace);
  EXPECT_DOUBLE_EQ(read->spec.shrink_limit, 0.35);
  EXPECT_EQ(read->report, job.report);
}

TEST(JobTest, RefusesOptionsThatItCannotRead) {
  JobSpec spec;
  const std::pair<const char*, const char*> wrong[] = {
      {"mode", "insert"},    {"format", "xls"},        {"columns", "title"},
      {"columns", "=title"}, {"shrink_limit", "120%"}, {"shrink_limit", "nan"},
      {"shrink_limit", ""},  {"dry_run", "yes"},       {"color", "red"}};
  for (const auto& [name, value] : wrong) {
    const absl::Status status = SetJobOption(name, value, spec);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << name << " " << value;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(name) + ": "));
  }
}

TEST(JobTest, RefusesWhatIsNoJob) {
  for (const char* text : {"", "[]", "{}", R"({"id":"a b","state":"done","options":{}})",
                           R"({"id":"a","state":"lost","options":{}})",
                           R"({"id":"a","state":"done","options":{"mode":7}})",
                           R"({"id":"a","state":"done","options":{},"offset":-1})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseJob(text).status())) << text;
  }
}

TEST(DeadLettersTest, BecomeAFeedAgain) {
  const auto retry = ParseDeadLetters(
      "{\"line\":3,\"field\":\"price\",\"reason\":\"x\",\"format\":\"csv\",\"preamble\":\"id,"
      "title\\n\","
      "\"raw\":\"a,A\"}\n"
      "{\"line\":5,\"field\":\"\",\"reason\":\"x\",\"format\":\"csv\",\"raw\":\"\"}\n\n"
      "{\"line\":9,\"field\":\"id\",\"reason\":\"x\",\"format\":\"csv\",\"raw\":\"b,B\\n\"}");
  ASSERT_TRUE(retry.ok()) << retry.status();
  EXPECT_EQ(retry->format, catalog::FeedFormat::kCsv);
  EXPECT_EQ(retry->feed, "id,title\na,A\nb,B\n");
  EXPECT_EQ(retry->rows, 2u);
  EXPECT_THAT(retry->without_raw, ElementsAre(5u));
}

TEST(DeadLettersTest, RefuseWhatTheyCannotBe) {
  EXPECT_THAT(std::string(ParseDeadLetters("{}").status().message()),
              HasSubstr("dead letters:1: "));
  EXPECT_THAT(std::string(ParseDeadLetters("\n{oops").status().message()),
              HasSubstr("dead letters:2: byte "));
  EXPECT_THAT(std::string(ParseDeadLetters("{\"line\":1,\"format\":\"csv\",\"raw\":\"a\"}\n"
                                           "{\"line\":2,\"format\":\"jsonl\",\"raw\":\"a\"}")
                              .status()
                              .message()),
              HasSubstr("dead letters:2: format: expected csv, found jsonl"));
}

// A row that was refused for its bytes would else go in as "M?sli", without a word.
TEST(DeadLettersTest, BytesThatAreNoTextAreToBeMendedFirst) {
  const std::string letter =
      R"({"line":3,"field":"title","reason":"not well-formed UTF-8","format":"csv",)"
      R"("preamble":"id,title\n","raw":"b,M)";
  const auto retry =
      ParseDeadLetters(letter + "\xEF\xBF\xBDsli\"}\n" + letter + "\xC3\xBCsli\"}\n");
  ASSERT_TRUE(retry.ok()) << retry.status();
  EXPECT_THAT(retry->with_broken_text, ElementsAre(3u));
  EXPECT_EQ(retry->feed, "id,title\nb,M\xC3\xBCsli\n");
}

}  // namespace
}  // namespace emptor::services
