// `emptor faq` as it is typed, in process and through a service; look-ups under changing prices;
// kill -9 while importing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTable =
    "question,answer,id\n"
    "\"Can I pay by invoice?|Do you send invoices?\",\"Yes, from $100.\",invoice\n"
    "How much is the kettle?,It costs {product k1 price}.,kettle\n"
    "Broken?,{product gone price},broken\n";
constexpr const char* kProduct =
    "{\"id\":\"k1\",\"title\":\"Steel kettle\",\"price\":{\"amount\":4999,\"currency\":\"USD\"}}\n";

class FaqCommandTest : public ::testing::Test {
 protected:
  FaqCommandTest() {
    Write("table.csv", kTable);
    Write("feed.jsonl", kProduct);
    EXPECT_EQ(RunEmptor({"ingest", "--data-dir", Path("shop"), Path("feed.jsonl")}, &output_), 0)
        << output_;
  }

  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  int Faq(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "faq");
    arguments.insert(arguments.end(), {"--data-dir", Path("shop")});
    return RunEmptor(arguments, &output_);
  }
  /// What a support team does, whoever holds the data directory.
  void UseEveryCommand() {
    EXPECT_EQ(Faq({"import", "--dry-run", Path("table.csv")}), 1) << output_;
    EXPECT_THAT(output_, HasSubstr("nothing is written: 2 created"));
    EXPECT_EQ(Faq({"import", Path("table.csv")}), 1) << output_;
    EXPECT_THAT(output_, HasSubstr("line 2: created invoice\n"));
    EXPECT_THAT(output_,
                HasSubstr("refused: line 4: answer: {product gone price}: no such product"));
    EXPECT_THAT(output_, HasSubstr("2 created, 0 updated, 0 unchanged, 1 refused"));
    EXPECT_EQ(Faq({"import", "--quiet", Path("table.csv")}), 1) << output_;
    EXPECT_THAT(output_, HasSubstr("0 created, 0 updated, 2 unchanged, 1 refused"));
    EXPECT_THAT(output_, Not(HasSubstr("line 2:")));
    EXPECT_EQ(Faq({"lookup", "do you send invoices"}), 0) << output_;
    EXPECT_THAT(output_, HasSubstr("decision: hit\nquestion: Do you send invoices?\n"
                                   "answer: Yes, from $100.\nid: invoice"));
    EXPECT_EQ(Faq({"lookup", "--json", "How much is the kettle?"}), 0) << output_;
    EXPECT_THAT(output_, HasSubstr(R"("answer":"It costs $49.99.")"));
    EXPECT_EQ(Faq({"list"}), 0) << output_;
    EXPECT_THAT(output_, HasSubstr("invoice\tv1\tvalid\tany\tCan I pay by invoice?"));
    for (const char* name : {"out.csv", "out.jsonl"}) {
      EXPECT_EQ(Faq({"export", "--out", Path(name)}), 0) << output_;
      EXPECT_EQ(Faq({"import", Path(name)}), 0) << output_;
      EXPECT_THAT(output_, HasSubstr("0 created, 0 updated, 2 unchanged, 0 refused"));
    }
    EXPECT_THAT(Read("out.csv"), HasSubstr("\"Can I pay by invoice?\nDo you send invoices?\""));
    EXPECT_THAT(Read("out.jsonl"), HasSubstr("{product k1 price}"));
    EXPECT_EQ(Faq({"delete", "invoice", "none"}), 2);
    EXPECT_THAT(output_, HasSubstr("deleted invoice"));
    EXPECT_THAT(output_, HasSubstr("no entry none"));
    EXPECT_EQ(Faq({"changes", "--after", "2"}), 0);
    EXPECT_THAT(output_, HasSubstr(R"("action":"deleted")"));
    EXPECT_EQ(Faq({"import", Path("absent.csv")}), 2);
    EXPECT_NE(Faq({"import"}), 0);
  }

  const TemporaryDirectory directory_;
  std::string output_;
};

TEST_F(FaqCommandTest, WorksOnTheDataDirectory) {
  UseEveryCommand();
  EXPECT_THAT(output_ = (Faq({"changes"}), output_), HasSubstr(R"("who":"command line")"));
}

TEST_F(FaqCommandTest, WorksThroughTheServiceThatHoldsTheData) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  UseEveryCommand();
  EXPECT_THAT(output_ = (Faq({"changes"}), output_), HasSubstr(R"("who":"own")"));
  EXPECT_EQ(service.Metric("emptor_faq_entries"), 1);
  EXPECT_EQ(service.Metric("emptor_faq_lookups_total"), 2);
}

TEST_F(FaqCommandTest, RowsOfAFileThatContradictEachOtherAreNamedAcrossBatches) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  std::string table = "question,answer\nIs it free?,Yes.\n";
  for (int i = 0; i < 600; ++i) {
    table += "Question number " + std::to_string(i) + "?,Answer " + std::to_string(i) + "\n";
  }
  Write("table.csv", table + "is it free,No.\nIs it free?,Yes.\n");
  EXPECT_EQ(Faq({"import", Path("table.csv")}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("refused: line 603: \"is it free\" is entry is-it-free-"));
  EXPECT_THAT(output_, HasSubstr("line 2 of this file"));
  EXPECT_THAT(output_, HasSubstr("601 created, 0 updated, 1 unchanged, 1 refused"));
}

TEST_F(FaqCommandTest, TheAssistantAnswersAQuestionAboutTheShopFromIt) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  EXPECT_EQ(service
                .Change("PUT", "/v1/faq/entries/returns",
                        R"({"questions":["How long can I return things?"],)"
                        R"("answer":"For 45 days; a {product k1} costs {product k1 price}."})")
                .status,
            201);
  const Answer answer = service.Ask("How long can I return things?");
  EXPECT_THAT(answer.text, HasSubstr("For 45 days; a Steel kettle costs $49.99."));
  std::string start, citations;
  for (const SseEvent& event : answer.events) {
    if (event.name == "start") start = event.data;
    if (event.name == "citation") citations += event.data;
  }
  EXPECT_THAT(start, HasSubstr(R"("cache":"hit","cache_source":"faq"})"));
  EXPECT_THAT(citations, HasSubstr(R"("passage_id":"returns#answer")"));
  EXPECT_THAT(citations, HasSubstr(R"("title":"How long can I return things?")"));
  EXPECT_EQ(service.Metric("emptor_faq_answers_total"), 1);
  const Answer goods = service.Ask("Do you have a steel kettle?");
  ASSERT_FALSE(goods.products.empty());
  for (const SseEvent& event : goods.events) {
    if (event.name == "start") start = event.data;
  }
  EXPECT_THAT(start, HasSubstr(R"("cache":"miss")"));
}

TEST_F(FaqCommandTest, QuestionsThatNoEntryAnswersAreSuggestedFromTraces) {
  EXPECT_NE(Faq({"suggest"}), 0);
  EXPECT_THAT(output_, HasSubstr("trace_megabytes"));
  {
    Write("settings.yaml", "model: none\ntrace_megabytes: 4\n");
    const ServiceProcess service(Path("shop"), {"--config", Path("settings.yaml")});
    for (int i = 0; i < 3; ++i) service.Ask("Do you ship to Iceland?");
    service.Ask("How long is the warranty? My mail is ann@example.com");
    service.Ask("Do you have a steel kettle?");
    EXPECT_EQ(Faq({"suggest"}), 0) << output_;  // through the service
    EXPECT_THAT(output_, HasSubstr("3 questions, the last on 20"));
    EXPECT_THAT(output_, HasSubstr("\n  Do you ship to Iceland?\n"));
    EXPECT_THAT(output_, Not(HasSubstr("steel kettle")));
    EXPECT_THAT(output_, Not(HasSubstr("ann@example.com")));
  }
  EXPECT_EQ(Faq({"suggest", "--json", "--limit", "1"}), 0) << output_;  // in this process
  EXPECT_THAT(output_,
              HasSubstr(R"("suggestions":[{"count":3,"examples":["Do you ship to Iceland?"])"));
}

/// Cents of "It costs $49.99."; -1 where there is no price.
int64_t CentsIn(const std::string& body) {
  const size_t at = body.find("It costs $");
  if (at == std::string::npos) return -1;
  int64_t cents = 0;
  for (size_t i = at + 10; i < body.size() && body[i] != '"'; ++i) {
    if (body[i] >= '0' && body[i] <= '9') cents = cents * 10 + (body[i] - '0');
  }
  return cents;
}

TEST_F(FaqCommandTest, NoLookUpShowsAPriceOlderThanTheLastAcknowledgedOne) {
  const ServiceProcess service(Path("shop"), {"--model", "none"});
  EXPECT_EQ(Faq({"import", "--quiet", Path("table.csv")}), 1) << output_;
  std::atomic<int64_t> sent{4999}, acknowledged{4999};
  std::atomic<bool> ends{false};
  std::atomic<int> looked{0}, stale{0}, wrong{0};
  std::vector<std::jthread> clients;
  for (int i = 0; i < 16; ++i) {
    clients.emplace_back([&] {
      while (!ends) {
        const int64_t least = acknowledged;
        const HttpReply reply = Fetch(service.port(), "POST", "/v1/faq/lookup",
                                      R"({"question":"How much is the kettle?"})");
        const int64_t shown = reply.status == 200 ? CentsIn(reply.body) : -1;
        if (shown < 0 || shown > sent) ++wrong;
        if (shown >= 0 && shown < least) ++stale;
        ++looked;
      }
    });
  }
  for (int64_t cents = 5000; cents < 5060; ++cents) {
    sent = cents;
    const std::string patch =
        R"({"price":{"amount":)" + std::to_string(cents) + R"(,"currency":"USD"}})";
    ASSERT_EQ(service.Change("PATCH", "/v1/catalog/products/k1", patch).status, 200);
    acknowledged = cents;
  }
  ends = true;
  clients.clear();
  EXPECT_GT(looked, 60);
  EXPECT_EQ(stale, 0) << "of " << looked;
  EXPECT_EQ(wrong, 0) << "of " << looked;
}

/// The ids of lines that were acknowledged.
std::set<std::string> IdsIn(const std::string& output) {
  std::set<std::string> ids;
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(": created ");
    if (at != std::string::npos) ids.insert(line.substr(at + 10));
  }
  return ids;
}

TEST_F(FaqCommandTest, KilledWhileImportingItLosesNothingAcknowledged) {
  std::mt19937 random(7);
  std::set<std::string> acknowledged;
  for (int round = 0; round < 4; ++round) {
    std::string lines;
    for (int i = 0; i < 8000; ++i) {
      const std::string id = std::to_string(round) + "-" + std::to_string(i);
      lines +=
          R"({"id":"e)" + id + R"(","question":"Question )" + id + R"(?","answer":"A"})" + "\n";
    }
    Write("many.jsonl", lines);
    const std::string wanted =
        "created e" + std::to_string(round) + "-" + std::to_string(100 + random() % 3000);
    ChildProcess import(
        {EmptorPath(), "faq", "import", Path("many.jsonl"), "--data-dir", Path("shop")});
    ASSERT_TRUE(import.ReadUntil(wanted, std::chrono::seconds(60))) << import.output();
    import.Signal(SIGKILL);
    import.Wait(std::chrono::seconds(60));
    for (const std::string& id : IdsIn(import.output())) acknowledged.insert(id);
    ASSERT_EQ(Faq({"export", "--out", Path("out.jsonl")}), 0) << output_;
    const std::string exported = Read("out.jsonl");
    size_t lost = 0;
    for (const std::string& id : acknowledged) {
      lost += exported.find("{\"id\":\"" + id + "\",") == std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(lost, 0u) << "of " << acknowledged.size();
  }
  EXPECT_GT(acknowledged.size(), 400u);
  // The same file again completes what was cut short.
  EXPECT_EQ(Faq({"import", "--quiet", Path("many.jsonl")}), 0) << output_;
  EXPECT_EQ(Faq({"import", "--quiet", Path("many.jsonl")}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("0 created, 0 updated, 8000 unchanged, 0 refused"));
}

}  // namespace
}  // namespace emptor::testing
