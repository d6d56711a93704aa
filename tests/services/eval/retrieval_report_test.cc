// The report of an evaluation, and its searches.
#include "services/eval/retrieval_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "catalog/encoding/json.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/eval/eval_catalog.h"
#include "services/eval/eval_runs.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;
using ::testing::HasSubstr;

std::vector<IndexedProduct> TwoProducts() {
  std::vector<IndexedProduct> products(2);
  products[0].product.id = "p1";
  products[0].product.title = "steel kettle";
  products[1].product.id = "p2";
  products[1].product.title = "glass kettle";
  return products;
}

const retrieval::QuerySet kQueries = {{"glass%20kettle", "glass kettle", {{"p1", 0}, {"p2", 2}}},
                                      {"steel", "steel", {{"p1", 3}}}};

constexpr std::array kWays = {EvalWay{EvalMode::kBaseline}, EvalWay{EvalMode::kBm25},
                              EvalWay{EvalMode::kBm25, false}, EvalWay{EvalMode::kVector},
                              EvalWay{EvalMode::kHybrid}};

RetrievalReport MeasureModes() {
  const retrieval::HashingEmbedder embedder(16);
  std::vector<IndexedProduct> products = TwoProducts();
  EXPECT_TRUE(FillVectors(embedder, products).ok());
  retrieval::FrozenBm25 baseline({});
  for (const IndexedProduct& each : products) baseline.Add(each.product);
  const auto searcher = retrieval::HybridSearcher::Build(products, embedder, {});
  EXPECT_TRUE(searcher.ok()) << searcher.status();
  RetrievalReport report;
  report.queries = kQueries;
  report.folds = 2;
  report.per_query = true;
  report.bootstrap.rounds = 50;
  for (const EvalWay& way : kWays) {
    const auto timed = RunQueries({&baseline, searcher->get()}, way, kQueries, 10);
    EXPECT_TRUE(timed.ok()) << timed.status();
    report.runs.push_back({ScoreRun(timed->run, kQueries, {}), timed->milliseconds});
  }
  return report;
}

TEST(RetrievalReportTest, ReportsEveryModeAgainstTheFirstByFoldAndByQuery) {
  const std::string text = ReportText(MeasureModes());
  for (const char* part :
       {"baseline", "bm25", "vector", "hybrid", "nDCG@10 judged only",
        "hybrid against baseline, paired bootstrap, 95 % interval", "fold 1", "glass kettle"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(RetrievalReportTest, JsonHoldsTheSameFigures) {
  const auto json = catalog::ParseJson(ReportJson(MeasureModes()));
  ASSERT_TRUE(json.ok()) << json.status();
  const auto& runs = json->Find("runs")->as_array();
  ASSERT_EQ(runs.size(), kWays.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].Find("name")->as_string(), ToString(kWays[i]));
    const auto* ndcg = runs[i].Find("means")->Find("nDCG@10");
    ASSERT_NE(ndcg, nullptr);
    EXPECT_DOUBLE_EQ(ndcg->Find("mean")->as_double(), 1);
    EXPECT_EQ(ndcg->Find("queries")->as_int(), 2);
    EXPECT_EQ(runs[i].Find("folds")->as_array().size(), 2u);
    EXPECT_EQ(runs[i].Find("queries")->as_array().size(), 2u);
    EXPECT_EQ(runs[i].Find("against_first") != nullptr, i > 0);
  }
}

TEST(EvalRunsTest, AQueryThatTheSearchRefusesHasAnEmptyRanking) {
  const retrieval::HashingEmbedder embedder(16);
  std::vector<IndexedProduct> products = TwoProducts();
  ASSERT_TRUE(FillVectors(embedder, products).ok());
  const auto searcher = retrieval::HybridSearcher::Build(products, embedder, {});
  ASSERT_TRUE(searcher.ok()) << searcher.status();
  const retrieval::QuerySet queries = {{"long", std::string(5000, 'a'), {{"p1", 1}}}};
  const auto timed = RunQueries({nullptr, searcher->get()}, {EvalMode::kBm25}, queries, 10);
  ASSERT_TRUE(timed.ok()) << timed.status();
  EXPECT_TRUE(timed->run.rankings.at("long").empty());
}

}  // namespace
}  // namespace emptor::services
