// The two growing files of a job: what a checkpoint keeps, and what it takes back.
#include "services/ingest/job_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class JobFilesTest : public ::testing::Test {
 protected:
  JobFilesTest()
      : reader_(catalog::MakeFeedReader({.format = catalog::FeedFormat::kJsonl},
                                        [](catalog::FeedRow&&) { return absl::OkStatus(); })) {}

  std::unique_ptr<JobFiles> Open(const JobFileMark& results = {},
                                 const JobFileMark& letters = {}) const {
    auto files = JobFiles::Open(path(), results, letters);
    EXPECT_TRUE(files.ok()) << files.status();
    return files.ok() ? *std::move(files) : nullptr;
  }
  static catalog::LineResult Row(uint64_t line, bool is_error = false) {
    catalog::LineResult result;
    result.line = line;
    result.id = "k" + std::to_string(line);
    result.status = is_error ? catalog::LineStatus::kError : catalog::LineStatus::kCreated;
    if (is_error) result.message = "price: expected an amount";
    if (is_error) result.raw = "{\"price\":0}";
    return result;
  }
  std::string Read(const char* name) const {
    std::ifstream stream(path() + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::string path() const { return directory_.path() + "/jobs/job-00000001"; }

  const emptor::testing::TemporaryDirectory directory_;
  const std::unique_ptr<catalog::FeedReader> reader_;
};

TEST_F(JobFilesTest, KeepALineOfEachRowAndALetterOfEachError) {
  const auto files = Open();
  ASSERT_TRUE(files->Append({Row(1), Row(2, true)}, *reader_).ok());
  ASSERT_TRUE(files->Append({Row(3)}, *reader_).ok());
  const std::string results = Read(kResultsFile), letters = Read(kDeadLettersFile);
  EXPECT_EQ(std::count(results.begin(), results.end(), '\n'), 3);
  EXPECT_THAT(results, StartsWith("{\"line\":1,\"id\":\"k1\",\"status\":\"created\"}\n"));
  EXPECT_EQ(std::count(letters.begin(), letters.end(), '\n'), 1);
  EXPECT_THAT(letters, HasSubstr(R"("field":"price","reason":"expected an amount")"));
  EXPECT_EQ(files->results().bytes, results.size());
  EXPECT_EQ(files->dead_letters().bytes, letters.size());
}

TEST_F(JobFilesTest, WhatCameAfterTheCheckpointIsWrittenAgain) {
  JobFileMark results, letters;
  {
    const auto files = Open();
    ASSERT_TRUE(files->Append({Row(1), Row(2, true)}, *reader_).ok());
    results = files->results();
    letters = files->dead_letters();
    ASSERT_TRUE(files->Append({Row(3, true), Row(4)}, *reader_).ok());  // then the kill
  }
  const std::string whole_results = Read(kResultsFile), whole_letters = Read(kDeadLettersFile);
  const auto files = Open(results, letters);
  EXPECT_EQ(Read(kResultsFile), whole_results.substr(0, results.bytes));
  EXPECT_EQ(Read(kDeadLettersFile), whole_letters.substr(0, letters.bytes));
  ASSERT_TRUE(files->Append({Row(3, true), Row(4)}, *reader_).ok());
  EXPECT_EQ(Read(kResultsFile), whole_results);
  EXPECT_EQ(Read(kDeadLettersFile), whole_letters);
}

TEST_F(JobFilesTest, AFileThatLostItsEndContinuesFromThere) {
  JobFileMark results;
  {
    const auto files = Open();
    ASSERT_TRUE(files->Append({Row(1), Row(2)}, *reader_).ok());
    results = files->results();
  }
  std::filesystem::resize_file(path() + "/" + kResultsFile, results.bytes - 10);
  const auto files = Open(results);
  EXPECT_EQ(files->results().bytes, results.bytes - 10);
  ASSERT_TRUE(files->Append({Row(3)}, *reader_).ok());
  EXPECT_EQ(Read(kResultsFile).size(), files->results().bytes);
}

TEST_F(JobFilesTest, CutToTakesBackWhatWasNotStored) {
  const auto files = Open();
  ASSERT_TRUE(files->Append({Row(1)}, *reader_).ok());
  const JobFileMark results = files->results();
  const std::string kept = Read(kResultsFile);
  ASSERT_TRUE(files->Append({Row(2, true)}, *reader_).ok());
  files->CutTo(results, {});
  EXPECT_EQ(Read(kResultsFile), kept);
  EXPECT_EQ(Read(kDeadLettersFile), "");
  ASSERT_TRUE(files->Append({Row(3)}, *reader_).ok());
  EXPECT_THAT(Read(kResultsFile), HasSubstr("\n{\"line\":3"));
}

TEST_F(JobFilesTest, SaysWhereItCannotWrite) {
  std::ofstream(directory_.path() + "/jobs") << "a file where the directory should be";
  const auto files = JobFiles::Open(path(), {}, {});
  ASSERT_FALSE(files.ok());
  EXPECT_THAT(std::string(files.status().message()), HasSubstr(path()));
  EXPECT_FALSE(WriteWholeFile(path() + "/feed", "x").ok());
}

TEST_F(JobFilesTest, AWholeFileReplacesTheOneBefore) {
  ASSERT_TRUE(WriteWholeFile(path() + "/feed", "a longer feed").ok());
  ASSERT_TRUE(WriteWholeFile(path() + "/feed", "short").ok());
  EXPECT_EQ(Read("feed"), "short");
}

}  // namespace
}  // namespace emptor::services
