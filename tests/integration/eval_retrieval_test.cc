// `emptor eval retrieval` as it is typed: a feed or a data directory, run files, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

/// A small catalog with judgments, in files.
class EvalRetrievalTest : public ::testing::Test {
 protected:
  EvalRetrievalTest() {
    Write("feed.jsonl",
          "{\"id\":\"k1\",\"title\":\"Steel kettle 1.7 l\"}\n"
          "{\"id\":\"k2\",\"title\":\"Glass kettle\"}\n"
          "not a record\n"
          "{\"id\":\"h1\",\"title\":\"USB hub with 4 ports\"}\n");
    Write("judgments.tsv", "glass kettle\tk2\t3\nglass kettle\tk1\t1\nusb hubs\th1\t2\n");
  }

  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream bytes;
    bytes << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return bytes.str();
  }
  int Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"eval", "retrieval"});
    return RunEmptor(arguments, &output_);
  }

  const TemporaryDirectory directory_;
  std::string output_;
};

TEST_F(EvalRetrievalTest, MeasuresAFeedAndComparesTheRunsItWrote) {
  ASSERT_EQ(Run({"--products", Path("feed.jsonl"), "--judgments", Path("judgments.tsv"), "--mode",
                 "baseline,bm25", "--folds", "2", "--run", Path("bm25.trec"), "--qrels",
                 Path("qrels.txt")}),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("feed.jsonl:3: "));
  EXPECT_THAT(output_, HasSubstr("1 records left out"));
  EXPECT_THAT(output_, HasSubstr("bm25 against baseline"));
  EXPECT_THAT(Read("bm25.trec"), HasSubstr("glass%20kettle Q0 k2 1 "));
  EXPECT_THAT(Read("qrels.txt"), HasSubstr("usb%20hubs 0 h1 2\n"));

  Write("worse.trec", "glass%20kettle Q0 k1 1 1 worse\n");
  ASSERT_EQ(
      Run({"--judgments", Path("qrels.txt"), "--diff", Path("worse.trec"), Path("bm25.trec")}), 0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("bm25 against worse"));
}

TEST_F(EvalRetrievalTest, MeasuresAShopsDataDirectory) {
  const std::string data = Path("shop");
  ASSERT_EQ(RunEmptor({"ingest", "--data-dir", data, Path("feed.jsonl")}, &output_), 1) << output_;
  ASSERT_EQ(Run({"--data-dir", data, "--judgments", Path("judgments.tsv"), "--json"}), 0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("\"name\":\"hybrid\""));
}

TEST_F(EvalRetrievalTest, RefusesWithAReason) {
  EXPECT_EQ(Run({"--products", Path("feed.jsonl"), "--judgments", Path("nothing.tsv")}), 2);
  EXPECT_THAT(output_, HasSubstr("nothing.tsv: cannot be read"));
  Write("bad.tsv", "a\tk1\t1\na\tk1\t2\n");
  EXPECT_EQ(Run({"--products", Path("feed.jsonl"), "--judgments", Path("bad.tsv")}), 2);
  EXPECT_THAT(output_, HasSubstr("bad.tsv: judgments:2: expected one grade of k1"));
  EXPECT_EQ(Run({"--products", Path("feed.jsonl"), "--judgments", Path("judgments.tsv"), "--mode",
                 "magic"}),
            2);
  EXPECT_THAT(output_, HasSubstr("--mode: expected baseline, bm25, vector, hybrid or tuned"));
  Write("qrels.txt", "q1 0 k1 1\n");
  EXPECT_EQ(Run({"--products", Path("feed.jsonl"), "--judgments", Path("qrels.txt")}), 2);
  EXPECT_THAT(output_, HasSubstr("--queries: "));
  EXPECT_EQ(Run({"--data-dir", Path("none"), "--judgments", Path("judgments.tsv")}), 2);
  Write("empty.trec", "");
  Write("other.trec", "q9 Q0 k1 1 1 other\n");
  EXPECT_EQ(
      Run({"--judgments", Path("qrels.txt"), "--diff", Path("empty.trec"), Path("other.trec")}), 2);
  EXPECT_THAT(output_, HasSubstr("empty.trec: expected a run, found none"));
  EXPECT_EQ(
      Run({"--judgments", Path("qrels.txt"), "--diff", Path("other.trec"), Path("other.trec")}), 2);
  EXPECT_THAT(output_, HasSubstr("other.trec: expected queries of the judgments (\"q1\"), found"));
}

}  // namespace
}  // namespace emptor::testing
