// Jobs: durable, resumable, cancellable, and made once for one key.
#include "services/ingest/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/job_files.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string Rows(int first, int last, int price = 1) {
  std::string feed;
  for (int i = first; i < last; ++i) {
    feed += R"({"id":"p)" + std::to_string(i) + R"(","title":"Kettle )" + std::to_string(i) +
            R"(","price":{"amount":)" + std::to_string(price) + R"(,"currency":"USD"}})" + "\n";
  }
  return feed;
}

class JobsTest : public ::testing::Test {
 protected:
  JobsTest() { Reopen(); }

  void Reopen() {
    jobs_.reset();
    shop_.reset();
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    auto shop = Shop::Open(options, embedder_);
    ASSERT_TRUE(shop.ok()) << shop.status();
    shop_ = *std::move(shop);
    auto jobs = Jobs::Open(shop_->writer(),
                           {.directory = directory_.path() + "/jobs",
                            .batch_lines = 4,
                            .keep = 3,
                            .now_unix = [] { return int64_t{1700000000}; },
                            .on_finished = [this](const Job&, const auto&) { ++finished_; }});
    ASSERT_TRUE(jobs.ok()) << jobs.status();
    jobs_ = *std::move(jobs);
  }
  static JobSpec Spec(const std::string& feed, const std::string& key = "",
                      catalog::ImportMode mode = catalog::ImportMode::kUpsert) {
    JobSpec spec;
    spec.mode = mode;
    spec.digest = std::to_string(std::hash<std::string>()(feed));
    spec.bytes = feed.size();
    spec.idempotency_key = key;
    return spec;
  }
  // Runs `feed`; `on_row` is called with the number of rows so far.
  Job Run(const std::string& id, const std::string& feed,
          const std::function<void(int)>& on_row = nullptr) {
    std::istringstream stream(feed);
    int rows = 0;
    auto job = jobs_->Run(id, stream, [&](const catalog::LineResult&) {
      ++rows;
      if (on_row) on_row(rows);
    });
    EXPECT_TRUE(job.ok()) << job.status();
    return job.ok() ? *job : Job();
  }
  Job StartAndRun(const std::string& feed, const JobSpec& spec) {
    const auto started = jobs_->Start(spec);
    EXPECT_TRUE(started.ok()) << started.status();
    return Run(started->job.id, feed);
  }

  emptor::testing::TemporaryDirectory directory_;
  const retrieval::HashingEmbedder embedder_{16};
  std::unique_ptr<Shop> shop_;
  std::unique_ptr<Jobs> jobs_;
  int finished_ = 0;
};

TEST_F(JobsTest, AJobReportsTheResultOfEachRowAlsoAfterARestart) {
  const std::string feed = Rows(0, 5) + "{oops\n" + R"({"id":"x","title":"T","price":"5"})" + "\n";
  const Job job = StartAndRun(feed, Spec(feed));
  EXPECT_EQ(job.state, JobState::kDone);
  EXPECT_EQ(job.report.created, 5u);
  EXPECT_EQ(job.report.errors, 2u);
  EXPECT_EQ(job.offset, feed.size());
  EXPECT_EQ(job.created_at, "2023-11-14T22:13:20Z");
  EXPECT_EQ(finished_, 1);
  Reopen();
  const auto found = jobs_->Find(job.id);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(ToJson(*found), ToJson(job));
  const auto results = jobs_->ReadResults(job.id);
  ASSERT_TRUE(results.ok());
  EXPECT_EQ(std::count(results->begin(), results->end(), '\n'), 7);
  EXPECT_THAT(*results, HasSubstr(R"({"line":5,"id":"p4","status":"created"})"));
  const auto letters = jobs_->ReadDeadLetters(job.id);
  ASSERT_TRUE(letters.ok());
  EXPECT_THAT(*letters, HasSubstr(R"({"line":7,"id":"x","field":"price","reason":"expected an )"
                                  R"(object {amount, currency}, found a string",)"
                                  R"("format":"jsonl","raw":"{\"id\":\"x\",)"));
  const auto retry = ParseDeadLetters(*letters);
  ASSERT_TRUE(retry.ok()) << retry.status();
  EXPECT_EQ(retry->feed, feed.substr(feed.find("{oops")));
}

TEST_F(JobsTest, OneKeyMakesOneJob) {
  const std::string feed = Rows(0, 3);
  const Job job = StartAndRun(feed, Spec(feed, "night"));
  Reopen();
  const auto again = jobs_->Start(Spec(feed, "night"));
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(ToJson(again->job), ToJson(job));
  EXPECT_TRUE(absl::IsAlreadyExists(jobs_->Start(Spec(Rows(0, 4), "night")).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(
      jobs_->Start(Spec(feed, "night", catalog::ImportMode::kReplace)).status()));
  EXPECT_TRUE(jobs_->Start(Spec(feed, "morning"))->is_new);
  EXPECT_TRUE(jobs_->Start(Spec(feed))->is_new);
}

TEST_F(JobsTest, ACancelledJobStopsAfterItsBatchAndCanBeResumed) {
  const std::string feed = Rows(0, 40);
  const auto started = jobs_->Start(Spec(feed));
  ASSERT_TRUE(started.ok());
  const std::string id = started->job.id;
  const Job cancelled =
      Run(id, feed, [&](int row) { EXPECT_TRUE(row != 10 || jobs_->Cancel(id).ok()); });
  EXPECT_EQ(cancelled.state, JobState::kCancelled);
  EXPECT_EQ(cancelled.report.lines, 12u);
  EXPECT_EQ(shop_->reader().info().products, 12u);
  EXPECT_TRUE(absl::IsFailedPrecondition(jobs_->Cancel(id).status()));
  Reopen();
  EXPECT_FALSE(jobs_->Resume(Spec(Rows(0, 41)))->has_value());
  const auto resumed = jobs_->Resume(Spec(feed));
  ASSERT_TRUE(resumed.ok() && resumed->has_value());
  EXPECT_EQ((*resumed)->id, id);
  int rows = 0;
  const Job done = Run(id, feed, [&](int) { ++rows; });
  EXPECT_EQ(rows, 28);
  EXPECT_EQ(done.state, JobState::kDone);
  EXPECT_EQ(done.report.created, 40u);
  const std::string results = *jobs_->ReadResults(id);
  EXPECT_EQ(std::count(results.begin(), results.end(), '\n'), 40);
}

TEST_F(JobsTest, AQueuedJobCanBeCancelledBeforeItBegins) {
  const std::string feed = Rows(0, 3);
  const std::string id = jobs_->Start(Spec(feed), feed)->job.id;
  ASSERT_TRUE(jobs_->Cancel(id).ok());
  EXPECT_EQ(jobs_->Find(id)->state, JobState::kCancelled);
  EXPECT_TRUE(absl::IsFailedPrecondition(jobs_->RunKept(id).status()));
  EXPECT_FALSE(std::filesystem::exists(jobs_->DirectoryOf(id) + "/feed"));
  EXPECT_TRUE(absl::IsNotFound(jobs_->Cancel("job-99").status()));
}

TEST_F(JobsTest, AnUploadedJobResumesAfterTheProcessEnded) {
  const std::string feed = Rows(0, 40);
  const std::string id = jobs_->Start(Spec(feed), feed)->job.id;
  std::istringstream stream(feed);
  const auto stopped = jobs_->Run(id, stream, [&](const catalog::LineResult& result) {
    if (result.line == 10) jobs_->Interrupt();
  });
  ASSERT_TRUE(stopped.ok());
  EXPECT_EQ(stopped->state, JobState::kQueued);
  EXPECT_TRUE(absl::IsAborted(jobs_->RunKept(id).status()));
  Reopen();
  ASSERT_THAT(jobs_->QueuedIds(), ::testing::ElementsAre(id));
  const auto done = jobs_->RunKept(id);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->state, JobState::kDone);
  EXPECT_EQ(done->report.created, 40u);
  EXPECT_FALSE(std::filesystem::exists(jobs_->DirectoryOf(id) + "/feed"));
}

TEST_F(JobsTest, AJobWithoutItsFeedIsBrokenOffAndTheSameKeyResumesIt) {
  const std::string feed = Rows(0, 40);
  const std::string id = jobs_->Start(Spec(feed, "key"))->job.id;
  std::istringstream stream(feed);
  const auto stopped = jobs_->Run(id, stream, [&](const catalog::LineResult& result) {
    if (result.line == 10) jobs_->Interrupt();
  });
  ASSERT_TRUE(stopped.ok());
  Reopen();
  EXPECT_EQ(jobs_->Find(id)->state, JobState::kFailed);
  EXPECT_EQ(jobs_->Find(id)->error_code, "broken_off");
  const auto again = jobs_->Start(Spec(feed, "key"));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->is_new);
  EXPECT_EQ(again->job.id, id);
  EXPECT_EQ(Run(id, feed).report.created, 40u);
}

TEST_F(JobsTest, ARefusedReplacementFailsWithItsReason) {
  StartAndRun(Rows(0, 10), Spec(Rows(0, 10)));
  const std::string feed = Rows(0, 5, 7);
  const Job job = StartAndRun(feed, Spec(feed, "", catalog::ImportMode::kReplace));
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error_code, "failed_precondition");
  EXPECT_THAT(job.error, HasSubstr("5 of 10 products are left out, more than 20 %"));
  EXPECT_EQ(job.report.updated, 5u);
  EXPECT_EQ(shop_->reader().info().products, 10u);
}

TEST_F(JobsTest, ADryRunLeavesResultsAndNothingElse) {
  const std::string feed = Rows(0, 6) + "{oops\n";
  JobSpec spec = Spec(feed);
  spec.dry_run = true;
  const Job job = StartAndRun(feed, spec);
  EXPECT_EQ(job.state, JobState::kDone);
  EXPECT_EQ(job.report.created, 6u);
  EXPECT_EQ(shop_->reader().info().products, 0u);
  EXPECT_THAT(*jobs_->ReadDeadLetters(job.id), HasSubstr("oops"));
}

// Else a job that is killed often, on a feed in which nothing is new, would never get to its end.
TEST_F(JobsTest, RowsThatChangeNothingAreCheckpointedToo) {
  const std::string feed = Rows(0, 12);
  StartAndRun(feed, Spec(feed));
  const std::string id = jobs_->Start(Spec(feed))->job.id;
  std::istringstream stream(feed);
  const auto stopped = jobs_->Run(id, stream, [&](const catalog::LineResult& result) {
    if (result.line == 6) jobs_->Interrupt();
  });
  ASSERT_TRUE(stopped.ok());
  Reopen();
  EXPECT_EQ(jobs_->Find(id)->report.unchanged, 8u);
}

TEST_F(JobsTest, OldJobsAreForgotten) {
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(StartAndRun(Rows(i, i + 1), Spec(Rows(i, i + 1))).id);
  ASSERT_THAT(jobs_->List(), SizeIs(4));
  EXPECT_FALSE(jobs_->Find(ids[0]).has_value());
  EXPECT_FALSE(std::filesystem::exists(jobs_->DirectoryOf(ids[0])));
  Reopen();
  EXPECT_THAT(jobs_->List(), SizeIs(4));
  EXPECT_GT(jobs_->Start(Spec("x"))->job.id, ids[5]);
}

TEST_F(JobsTest, AFeedWithoutACurrencyNeedsOneOfTheOptionsOrTheShop) {
  std::string csv = "id,title,price\n";
  for (int i = 0; i < 20; ++i) csv += "p" + std::to_string(i) + ",Kettle,\n";
  csv += "p20,Kettle,4.50\n";
  for (const bool dry_run : {true, false}) {
    JobSpec spec = Spec(csv);
    spec.dry_run = dry_run;
    const Job refused = StartAndRun(csv, spec);
    EXPECT_EQ(refused.state, JobState::kFailed);
    EXPECT_EQ(refused.error_code, "invalid_argument");
    EXPECT_THAT(refused.error, HasSubstr("line 22: price: the amount names no currency"));
    EXPECT_THAT(refused.error, HasSubstr("--currency EUR"));
    EXPECT_EQ(refused.report.lines, 0u);
    EXPECT_EQ(shop_->reader().info().products, 0u) << "also not those before the line";
  }
  JobSpec named = Spec(csv);
  named.feed.currency = "INR";
  EXPECT_EQ(StartAndRun(csv, named).report.created, 21u);
  EXPECT_EQ((*shop_->reader().FindProduct("p20"))->price->currency, "INR");
  const std::string more = "id,title,price\nq,Kettle,$3\nr,Kettle,4\n";
  const Job taken = StartAndRun(more, Spec(more));
  EXPECT_EQ((*shop_->reader().FindProduct("r"))->price, (catalog::Money{400, "INR"}));
  EXPECT_EQ(taken.report.errors, 1u) << "the sign is of no rupees";
}

TEST_F(JobsTest, AFeedThatNamesItsCurrenciesNeedsNoOther) {
  const std::string csv = "id,title,price\np,Kettle,4.50 EUR\nq,Kettle,\n";
  EXPECT_EQ(StartAndRun(csv, Spec(csv)).report.created, 2u);
}

TEST_F(JobsTest, AStrictJobRefusesRepairedRows) {
  const std::string feed = R"({"id":"p","title":"Kettle","color":"red"})";
  JobSpec spec = Spec(feed);
  spec.strict = true;
  EXPECT_EQ(StartAndRun(feed, spec).report.errors, 1u);
  EXPECT_EQ(StartAndRun(feed, Spec(feed)).report.warnings, 1u);
}

}  // namespace
}  // namespace emptor::services
