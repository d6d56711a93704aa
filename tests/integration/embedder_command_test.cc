// A shop's embedder as it is typed: a BERT's directory, another Emptor, and what happens when it
// changes or is not there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFeed =
    "{\"id\":\"k1\",\"title\":\"Steel kettle\",\"price\":{\"amount\":4999,\"currency\":\"USD\"}}\n"
    "{\"id\":\"h1\",\"title\":\"USB hub\"}\n"
    "{\"id\":\"ship\",\"kind\":\"faq\",\"title\":\"How long does shipping take?\","
    "\"text\":\"Three days.\",\"locale\":\"en-US\"}\n";

class EmbedderCommandTest : public ::testing::Test {
 protected:
  EmbedderCommandTest() { Write("feed.jsonl", kFeed); }

  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  /// Of the shop, with more arguments behind.
  int Run(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) {
    arguments.insert(arguments.end(), {"--data-dir", Path("shop")});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunEmptor(arguments, &output_);
  }

  const TemporaryDirectory directory_;
  const std::vector<std::string> bert_ = {"--embedder", SourcePath("tests/golden/bert/mean")};
  std::string output_;
};

TEST_F(EmbedderCommandTest, ADirectoryWithABertIsAShopsEmbedderAndAnotherIsRefused) {
  EXPECT_EQ(Run({"ingest", Path("feed.jsonl")}, bert_), 0) << output_;
  EXPECT_EQ(Run({"search", "steel kettle"}, bert_), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Steel kettle"));
  // The shipped embedder did not make these vectors.
  EXPECT_NE(Run({"search", "steel kettle"}), 0);
  EXPECT_THAT(output_, AllOf(HasSubstr("\"mean:"), HasSubstr("\"dimension\":32"),
                             HasSubstr("emptor-embed.gguf:"), HasSubstr("emptor shop reembed")));
  EXPECT_NE(Run({"ingest", Path("feed.jsonl")}), 0);
  EXPECT_NE(Run({"search", "steel kettle"}, {"--embedder", SourcePath("tests/golden/bert/cls")}),
            0);

  EXPECT_EQ(Run({"shop", "reembed", "default"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr(R"({"shop":"default","products":2,"documents":1})"));
  EXPECT_EQ(Run({"search", "steel kettle"}), 0) << output_;
  EXPECT_NE(Run({"search", "steel kettle"}, bert_), 0);
  EXPECT_EQ(Run({"shop", "rebuild", "default", Path("feed.jsonl")}, bert_), 0) << output_;
  EXPECT_EQ(Run({"search", "steel kettle"}, bert_), 0) << output_;
}

TEST_F(EmbedderCommandTest, AnotherEmptorIsAShopsEmbedderAndWordsSearchWithoutIt) {
  std::optional<ServiceProcess> model(std::in_place, Path("model"),
                                      std::vector<std::string>{"--model", "none"});
  Write("shop.yaml", fmt::format("embedder:\n  url: http://127.0.0.1:{}\n  model: emptor-embed\n"
                                 "  dimension: 256\n  attempts: 1\n  send_input_type: true\n",
                                 model->port()));
  const std::vector<std::string> config = {"--config", Path("shop.yaml")};
  EXPECT_EQ(Run({"ingest", Path("feed.jsonl")}, config), 0) << output_;
  EXPECT_EQ(Run({"search", "steel kettle", "--json"}, config), 0) << output_;
  EXPECT_THAT(output_, AllOf(HasSubstr("\"k1\""), Not(HasSubstr("words_only"))));

  std::vector<std::string> serve = {"--model", "none"};
  serve.insert(serve.end(), config.begin(), config.end());
  const ServiceProcess service(Path("shop"), serve);
  const double requests = service.Metric("emptor_embedder_requests_total");
  EXPECT_EQ(Run({"search", "kettle of steel"}), 0) << output_;
  EXPECT_THAT(output_, Not(HasSubstr("by words alone")));
  EXPECT_GT(service.Metric("emptor_embedder_requests_total"), std::max(requests, 0.0));
  model.reset();  // gone
  EXPECT_EQ(Run({"search", "steel kettle", "--json"}), 0) << output_;
  EXPECT_THAT(output_, AllOf(HasSubstr("\"k1\""), HasSubstr("\"words_only\":true")));
  EXPECT_EQ(Run({"search", "usb hub"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("by words alone: the embedder does not answer"));
  EXPECT_EQ(service.Metric("emptor_search_words_only_total"), 2);
  EXPECT_GE(service.Metric("emptor_embedder_failures_total"), 1);

  Write("new.jsonl", "{\"id\":\"l1\",\"title\":\"Brass lamp\"}\n");
  EXPECT_NE(Run({"ingest", Path("new.jsonl")}), 0);
  EXPECT_THAT(output_, HasSubstr("the service is not available now"));
  Write("price.jsonl",
        "{\"id\":\"k1\",\"title\":\"Steel kettle\",\"price\":{\"amount\":3999,\"currency\":"
        "\"USD\"}}\n");
  EXPECT_EQ(Run({"ingest", Path("price.jsonl")}), 0) << output_;  // needs no vector
}

}  // namespace
}  // namespace emptor::testing
