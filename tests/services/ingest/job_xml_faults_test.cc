// Jobs of XML feeds that are not well-formed in places: resumed, tried dry, replacing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/job_files.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

constexpr int kItems = 40;

// Every fifth item is broken, each in another way.
std::string FaultyFeed() {
  const std::string faults[] = {"\x02", "<b>", "</item", "<item>", "</title>", "\x01", "<", "]]>"};
  std::string feed = "<rss xmlns:g='http://base.google.com/ns/1.0'><channel>\n";
  for (int i = 0; i < kItems; ++i) {
    const std::string fault = i % 5 == 2 ? faults[i / 5] : "";
    feed += "<item>\n<g:id>p" + std::to_string(i) + "</g:id><g:title>Kettle" + fault +
            "</g:title></item>\n";
  }
  return feed + "</channel></rss>\n";
}

class JobXmlFaultsTest : public ::testing::Test {
 protected:
  JobXmlFaultsTest() {
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    shop_ = *Shop::Open(options, embedder_);
    jobs_ =
        *Jobs::Open(shop_->writer(), {.directory = directory_.path() + "/jobs", .batch_lines = 3});
  }

  /// Cancelled at row `cancel_at`; 0: run to its end.
  Job Run(const std::string& id, const std::string& feed, int cancel_at = 0) {
    std::istringstream stream(feed);
    int rows = 0;
    auto job = jobs_->Run(id, stream, [&](const catalog::LineResult&) {
      EXPECT_TRUE(++rows != cancel_at || jobs_->Cancel(id).ok());
    });
    EXPECT_TRUE(job.ok()) << job.status();
    return *job;
  }
  Job StartAndRun(const std::string& feed, const JobSpec& spec) {
    return Run(jobs_->Start(spec)->job.id, feed);
  }
  static JobSpec DrySpec(const std::string& digest = "") {
    JobSpec spec;
    spec.dry_run = true;
    spec.digest = digest;
    return spec;
  }

  emptor::testing::TemporaryDirectory directory_;
  const retrieval::HashingEmbedder embedder_{16};
  std::unique_ptr<Shop> shop_;
  std::unique_ptr<Jobs> jobs_;
};

TEST_F(JobXmlFaultsTest, ADryRunReportsTheSameAndWritesNothing) {
  const std::string feed = FaultyFeed();
  const Job dry = StartAndRun(feed, DrySpec());
  EXPECT_EQ(shop_->reader().info().products, 0u);
  const Job wet = StartAndRun(feed, JobSpec());
  EXPECT_EQ(dry.state, JobState::kDone) << dry.error;
  EXPECT_EQ(wet.report.created, 32u);
  EXPECT_GE(wet.report.errors, 8u);
  EXPECT_EQ(dry.report.created, wet.report.created);
  EXPECT_EQ(*jobs_->ReadResults(dry.id), *jobs_->ReadResults(wet.id));
  EXPECT_EQ(*jobs_->ReadDeadLetters(dry.id), *jobs_->ReadDeadLetters(wet.id));
}

TEST_F(JobXmlFaultsTest, ResumedAnywhereItReportsWhatAWholeRunReports) {
  const std::string feed = FaultyFeed();
  const Job whole = StartAndRun(feed, DrySpec());
  const std::string letters = *jobs_->ReadDeadLetters(whole.id);
  for (int cut = 1; cut < kItems; cut += 3) {
    const JobSpec spec = DrySpec(std::to_string(cut));
    const std::string id = jobs_->Start(spec)->job.id;
    const Job cancelled = Run(id, feed, cut);
    ASSERT_EQ(cancelled.state, JobState::kCancelled);
    ASSERT_TRUE(jobs_->Resume(spec)->has_value());
    const Job resumed = Run(id, feed);
    EXPECT_EQ(resumed.report, whole.report) << cut;
    EXPECT_EQ(*jobs_->ReadResults(id), *jobs_->ReadResults(whole.id)) << cut;
    EXPECT_EQ(*jobs_->ReadDeadLetters(id), letters) << cut;
  }
}

// Who knows which product the broken text was.
TEST_F(JobXmlFaultsTest, AReplacingFeedWithAFaultRemovesNothing) {
  const std::string item = "<item><id>a</id><title>T</title></item>";
  JobSpec replace;
  replace.mode = catalog::ImportMode::kReplace;
  replace.shrink_limit = 1;
  ASSERT_EQ(
      StartAndRun("<rss>" + item + "<item><id>b</id><title>T</title></item></rss>", replace).state,
      JobState::kDone);
  for (const std::string fault :
       {"<item><id>b</id><title>\x01</title></item></rss>", "<item><id>b", "</rss><", "", "</rs"}) {
    const Job job = StartAndRun("<rss>" + item + fault, replace);
    EXPECT_EQ(job.state, JobState::kFailed) << fault;
    EXPECT_EQ(shop_->reader().info().products, 2u) << fault;
  }
  EXPECT_EQ(StartAndRun("<rss>" + item + "</rss>", replace).report.removed, 1u);
}

TEST_F(JobXmlFaultsTest, ADeadLetterHasTheTextAndThePlace) {
  const Job job =
      StartAndRun("<rss>\n<item>\n<id>a</id><title>U \x01 V</title></item>\n</rss>", JobSpec());
  EXPECT_EQ(*jobs_->ReadDeadLetters(job.id),
            "{\"line\":2,\"field\":\"row\",\"reason\":\"line 3: not well-formed XML: not "
            "well-formed (invalid token)\",\"format\":\"google-xml\",\"preamble\":"
            "\"\\u003citems\\u003e\\n\",\"postamble\":\"\\u003c/items\\u003e\\n\",\"raw\":"
            "\"\\u003citem\\u003e\\n\\u003cid\\u003ea\\u003c/id\\u003e\\u003ctitle\\u003eU "
            "\\u0001 V\\u003c/title\\u003e\\u003c/item\\u003e\"}\n");
  EXPECT_THAT(*jobs_->ReadResults(job.id), HasSubstr(R"({"line":2,"status":"error","message":)"));
}

}  // namespace
}  // namespace emptor::services
