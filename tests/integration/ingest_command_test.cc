// `emptor ingest` as it is typed: modes, dead letters, retry, resume, in process and through a
// service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFeed =
    "{\"id\":\"k1\",\"title\":\"Steel kettle\",\"price\":{\"amount\":4999,\"currency\":\"USD\"}}\n"
    "{\"id\":\"k2\",\"title\":\"Glass kettle\",\"price\":\"free\"}\n"
    "{\"id\":\"h1\",\"title\":\"USB hub\"}\n";

class IngestCommandTest : public ::testing::Test {
 protected:
  IngestCommandTest() { Write("feed.jsonl", kFeed); }

  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  int Ingest(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"ingest", "--data-dir", Path("shop")});
    return RunEmptor(arguments, &output_);
  }

  const TemporaryDirectory directory_;
  std::string output_;
};

TEST_F(IngestCommandTest, TakesAFeedAndThenItsMendedDeadLetters) {
  EXPECT_EQ(Ingest({Path("feed.jsonl")}), 1);
  EXPECT_THAT(output_, HasSubstr("feed.jsonl:2: price: expected an object"));
  EXPECT_THAT(output_,
              HasSubstr("3 lines: 2 created, 0 updated, 0 unchanged, 0 deleted, 1 errors"));
  std::ostringstream letters;
  letters << std::ifstream(Path("shop/gen-000001/jobs/job-00000001/dead_letters.jsonl")).rdbuf();
  std::string mended = letters.str();
  const std::string wrong = "\\\"price\\\":\\\"free\\\"";
  ASSERT_THAT(mended, HasSubstr(wrong));
  mended.replace(mended.find(wrong), wrong.size(), "\\\"brand\\\":\\\"Torvane\\\"");
  Write("mended.jsonl", mended);
  EXPECT_EQ(Ingest({"--retry", Path("mended.jsonl")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("1 lines: 1 created"));
  EXPECT_EQ(Ingest({"--resume", "--mode", "delete", Path("feed.jsonl")}), 1);
  EXPECT_THAT(output_, HasSubstr("2 deleted"));
}

TEST_F(IngestCommandTest, ModesDryRunsAndRefusalsSayWhatTheyDid) {
  Write("feed.jsonl",
        "{\"id\":\"k1\",\"title\":\"Kettle\"}\n{\"id\":\"k2\",\"title\":\"Kettle\"}\n");
  EXPECT_EQ(Ingest({"--dry-run", Path("feed.jsonl")}), 0) << output_;
  EXPECT_EQ(Ingest({"--mode", "create", Path("feed.jsonl")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("2 created"));
  Write("next.jsonl", "{\"id\":\"k1\",\"title\":\"Kettle\"}\n");
  EXPECT_EQ(Ingest({"--mode", "replace", Path("next.jsonl")}), 2);
  EXPECT_THAT(output_, HasSubstr("1 of 2 products are left out, more than 20 %: nothing removed"));
  EXPECT_EQ(Ingest({"--mode", "replace", "--shrink-limit", "50%", Path("next.jsonl")}), 0);
  EXPECT_THAT(output_, HasSubstr("1 unchanged, 0 deleted, 0 errors, 1 removed"));
  Write("patch.jsonl", "{\"id\":\"k1\",\"availability\":\"out_of_stock\"}\n");
  EXPECT_EQ(Ingest({"--mode", "update", Path("patch.jsonl")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("1 updated"));
  EXPECT_EQ(Ingest({"--mode", "insert", Path("patch.jsonl")}), 2);
  EXPECT_THAT(output_, HasSubstr("mode: expected upsert, create, update, delete or replace"));
  EXPECT_NE(Ingest({}), 0);
  EXPECT_EQ(Ingest({Path("absent.jsonl")}), 2);
}

TEST_F(IngestCommandTest, TakesFilesAsDocuments) {
  Write("returns.md", "# Returns\n\nSend it back within 30 days.\n");
  Write("care.html", "<title>Care</title><p>Wash it <b>cold</b>.</p>");
  EXPECT_EQ(Ingest({"--kind", "policy", "--documents", Path("returns.md"), Path("care.html")}), 0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("2 lines: 2 created"));
  EXPECT_EQ(Ingest({"--kind", "policy", "--documents", Path("returns.md")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("1 unchanged"));
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  Write("warranty.txt", "Warranty\n\nThe warranty of every kettle ends after two years.\n");
  EXPECT_EQ(Ingest({"--kind", "policy", "--documents", Path("warranty.txt")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("1 lines: 1 created"));
  EXPECT_EQ(RunEmptor({"ask", "--data-dir", Path("shop"), "How long is the warranty?"}, &output_),
            0);
  EXPECT_THAT(output_, HasSubstr("The warranty of every kettle ends after two years."));
}

TEST_F(IngestCommandTest, SaysWhatItDoesNotTakeAsDocuments) {
  Write("a.md", "Text.");
  Write("b.docx", "Text.");
  Write("c.txt", "%PDF-1.7");
  EXPECT_EQ(Ingest({"--documents", Path("b.docx")}), 2);
  EXPECT_THAT(output_, HasSubstr("b.docx: expected .html, .md, .txt or .pdf"));
  EXPECT_EQ(Ingest({"--documents", Path("c.txt")}), 2);
  EXPECT_THAT(output_, HasSubstr("c.txt: PDF: it is damaged"));
  EXPECT_EQ(Ingest({"--mode", "replace", "--documents", Path("a.md")}), 2);
  EXPECT_THAT(output_, HasSubstr("documents replace no catalog"));
  EXPECT_EQ(Ingest({"--documents", Path("a.md"), Path("x/a.html")}), 2);
  EXPECT_THAT(output_, HasSubstr("gives the id \"a\""));
  EXPECT_EQ(Ingest({Path("feed.jsonl"), "--kind", "policy"}), 2);
  EXPECT_THAT(output_, HasSubstr("expected --documents with them"));
}

TEST_F(IngestCommandTest, GoesThroughTheServiceThatHoldsTheData) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  EXPECT_EQ(Ingest({Path("feed.jsonl")}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("feed.jsonl:2: price: expected an object"));
  EXPECT_THAT(output_, HasSubstr("2 created"));
  EXPECT_EQ(Ingest({"--mode", "replace", Path("feed.jsonl")}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("2 unchanged"));
  const auto jobs = service.GetJson("/v1/jobs");
  ASSERT_NE(jobs.Find("jobs"), nullptr);
  EXPECT_EQ(jobs.Find("jobs")->as_array().size(), 2u);
}

TEST_F(IngestCommandTest, AKilledServiceOpensWithoutBuildingItsSearch) {
  std::string feed;
  for (int i = 0; i < 600; ++i) {
    feed += "{\"id\":\"k" + std::to_string(i) + "\",\"title\":\"Steel kettle\"}\n";
  }
  Write("many.jsonl", feed);
  {
    ServiceProcess service(Path("shop"), {"--model", "none"});
    const double saves = service.Metric("emptor_index_saves_total");
    EXPECT_EQ(Ingest({Path("many.jsonl")}), 0) << output_;
    while (service.Metric("emptor_index_saves_total") == saves) {
    }
    EXPECT_EQ(
        service.Change("PATCH", "/v1/catalog/products/k7", R"({"title":"Glass samovar"})").status,
        200);
    service.process().Signal(SIGKILL);
    service.process().Wait(std::chrono::milliseconds(60000));
  }
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  EXPECT_EQ(service.Metric("emptor_index_builds_total"), 0);
  EXPECT_EQ(service.Metric("emptor_index_replayed_records_total"), 1);
  EXPECT_EQ(RunEmptor({"search", "--data-dir", Path("shop"), "samovar"}, &output_), 0);
  EXPECT_THAT(output_, HasSubstr("Glass samovar"));
}

/// Six megabytes: six pieces, each a job of the service.
class ResumeThroughServiceTest : public IngestCommandTest {
 protected:
  static constexpr int kRows = 384;
  ResumeThroughServiceTest() {
    std::string words;
    while (words.size() < 16000) words += "kettle of steel ";
    std::string feed;
    for (int i = 0; i < kRows; ++i) {
      feed += "{\"id\":\"k" + std::to_string(i) + "\",\"title\":\"Kettle\",\"description\":\"" +
              words + "\"}\n";
    }
    Write("large.jsonl", feed);
  }
  static size_t JobsOf(const ServiceProcess& service) {
    const auto list = service.GetJson("/v1/jobs");
    const catalog::JsonValue* jobs = list.Find("jobs");
    return jobs == nullptr ? 0 : jobs->as_array().size();
  }
  std::unique_ptr<ChildProcess> BeginIngest() const {
    return std::make_unique<ChildProcess>(std::vector<std::string>{
        EmptorPath(), "ingest", "--data-dir", Path("shop"), Path("large.jsonl")});
  }
  /// Resumes; every row is told once, and nothing was sent as a job that was there.
  void ResumesOnce(const ServiceProcess& service, size_t jobs, bool was_broken) {
    EXPECT_EQ(Ingest({"--resume", Path("large.jsonl")}), 0) << output_;
    EXPECT_THAT(output_, HasSubstr(std::to_string(kRows) + " lines: "));
    if (was_broken) {
      EXPECT_THAT(output_, HasSubstr("large.jsonl: continues after line "));
      EXPECT_EQ(JobsOf(service), jobs);
    }
    EXPECT_EQ(Fetch(service.port(), "GET", "/v1/products/k" + std::to_string(kRows - 1)).status,
              200);
  }
  static constexpr std::chrono::milliseconds kPatience{120000};
};

TEST_F(ResumeThroughServiceTest, ResumesWhereTheServiceWasKilled) {
  auto service =
      std::make_unique<ServiceProcess>(Path("shop"), std::vector<std::string>{"--model", "none"});
  const auto ingest = BeginIngest();
  while (JobsOf(*service) < 2) {
  }
  service->process().Signal(SIGKILL);
  service->process().Wait(kPatience);
  const bool was_broken = ingest->Wait(kPatience) != 0;
  service =
      std::make_unique<ServiceProcess>(Path("shop"), std::vector<std::string>{"--model", "none"});
  ResumesOnce(*service, 6, was_broken);
  // Nothing is broken off any more: it begins.
  EXPECT_EQ(Ingest({"--resume", Path("large.jsonl")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr(std::to_string(kRows) + " unchanged"));
}

TEST_F(ResumeThroughServiceTest, ResumesWhereTheCommandWasKilled) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  const auto ingest = BeginIngest();
  while (JobsOf(service) < 2) {
  }
  ingest->Signal(SIGKILL);
  const bool was_broken = ingest->Wait(kPatience) != 0;
  ResumesOnce(service, 6, was_broken);
}

}  // namespace
}  // namespace emptor::testing
