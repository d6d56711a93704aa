// Retrieval quality on real data: BM25 alone, vectors alone, both, on the icecat judgments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/encoder/static_encoder.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/eval/comparison.h"
#include "retrieval/eval/frozen_baseline.h"
#include "retrieval/eval/query_set.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/vector/row_scan.h"
#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"
#include "tests/support/homedepot.h"
#include "tests/support/icecat.h"

namespace emptor::retrieval {
namespace {

constexpr const char* kShippedEmbedder = EMPTOR_SOURCE_DIR "/retrieval/models/emptor-embed.gguf";

/// The shipped model behind the port, as services/ wires it.
class ShippedEmbedder final : public Embedder {
 public:
  explicit ShippedEmbedder(std::unique_ptr<engine::StaticEncoder> encoder)
      : encoder_(std::move(encoder)) {}
  int dimension() const override { return encoder_->dimension(); }
  const std::string& model_id() const override { return encoder_->model_id(); }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    const auto d = static_cast<size_t>(dimension());
    for (size_t i = 0; i < texts.size(); ++i) {
      encoder_->EncodeInto(texts[i], out.subspan(i * d, d));
    }
    return absl::OkStatus();
  }

 private:
  std::unique_ptr<engine::StaticEncoder> encoder_;
};

struct Quality {
  double ndcg_at_10 = 0;
  double ndcg_at_10_judged = 0;  // unjudged records taken out first
  double recall_at_100 = 0;
};

QuerySet IcecatQueries() {
  std::string lines;
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  EXPECT_TRUE(judgments.ok()) << judgments.status();
  if (!judgments.ok()) return {};
  for (const auto& each : *judgments) {
    lines += each.query + "\t" + each.product_id + "\t" + std::to_string(each.rating) + "\n";
  }
  auto queries = ParseJudgments(lines);
  EXPECT_TRUE(queries.ok()) << queries.status();
  return queries.ok() ? *std::move(queries) : QuerySet();
}

Quality Means(const Run& run, const QuerySet& queries, const MetricOptions& options = {}) {
  const RunScores scores = ScoreRun(run, queries, options);
  for (const Metric metric :
       {Metric::kNdcg, Metric::kNdcgJudged, Metric::kRecall, Metric::kJudged, Metric::kPairwise}) {
    const Mean mean = MeanOf(scores, metric);
    std::printf("%s %s %.4f (%zu queries)\n", run.name.c_str(), MetricName(metric, options).c_str(),
                mean.value, mean.queries);
  }
  return {MeanOf(scores, Metric::kNdcg).value, MeanOf(scores, Metric::kNdcgJudged).value,
          MeanOf(scores, Metric::kRecall).value};
}

Quality Measure(const HybridSearcher& searcher, SearchMode mode, const char* name) {
  const QuerySet queries = IcecatQueries();
  emptor::retrieval::Run run{.name = name, .rankings = {}};
  for (const EvalQuery& query : queries) {
    const auto result = searcher.Search({.query = query.text, .limit = 100, .mode = mode});
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) continue;
    for (const Hit& hit : result->hits) run.rankings[query.id].push_back({hit.id, hit.score});
  }
  return Means(run, queries);
}

Quality MeasureBaseline(const FrozenBm25Options& bm25,
                        const std::vector<catalog::Product>& products, const QuerySet& queries,
                        const MetricOptions& metrics) {
  FrozenBm25 baseline(bm25);
  for (const catalog::Product& product : products) baseline.Add(product);
  emptor::retrieval::Run run{.name = "frozen BM25", .rankings = {}};
  for (const EvalQuery& query : queries) {
    run.rankings[query.id] = baseline.Search(query.text, 100);
  }
  return Means(run, queries, metrics);
}

std::vector<IndexedProduct> Embedded(const Embedder& embedder,
                                     std::vector<catalog::Product> products) {
  std::vector<IndexedProduct> records;
  for (catalog::Product& product : products) {
    records.push_back(testing::Indexed(embedder, std::move(product)));
  }
  return records;
}

/// How much of the exact ten nearest FAISS' inverted lists find, over the judged queries.
double FaissRecallAt10(const Embedder& embedder, std::span<const IndexedProduct> records) {
  QuantizedRows rows(embedder.dimension());
  for (const IndexedProduct& record : records) rows.Add(record.vector);
  const auto index = VectorIndex::Build(std::move(rows), {.spec = *ParseVectorIndex("IVF256,SQ8")});
  EXPECT_TRUE(index.ok()) << index.status();
  std::vector<float> query(static_cast<size_t>(embedder.dimension()));
  size_t found = 0;
  size_t wanted = 0;
  for (const EvalQuery& each : IcecatQueries()) {
    EXPECT_TRUE(embedder.EmbedInto({&each.text, 1}, query).ok());
    const auto got = (*index)->Search(query, 10, nullptr);
    if (!got.ok()) continue;  // no known token
    EXPECT_EQ(got->path, VectorPath::kFaiss);
    for (const ScoredRecord& hit : ScanExactly((*index)->rows(), query, 10, nullptr)) {
      found += std::any_of(got->best.begin(), got->best.end(),
                           [&](const ScoredRecord& other) { return other.record == hit.record; });
      ++wanted;
    }
  }
  const double recall = static_cast<double>(found) / static_cast<double>(wanted);
  std::printf("icecat faiss   recall@10 %.4f against the exact scan\n", recall);
  return recall;
}

// The figures of the data's README, 0.75 and 0.70 / 0.36, are within 0.02 of what is pinned here.
TEST(FrozenBm25EvalTest, IcecatKeepsItsFrozenFigures) {
  const auto products = emptor::testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  const Quality found = MeasureBaseline({}, *products, IcecatQueries(), {});
  EXPECT_NEAR(found.ndcg_at_10, 0.7655, 0.0005);
  EXPECT_NEAR(found.recall_at_100, 0.8807, 0.0005);
}

TEST(FrozenBm25EvalTest, HomedepotKeepsItsFrozenFigures) {
  const auto products = emptor::testing::ReadHomedepotProducts();
  const auto lines = emptor::testing::ReadHomedepotJudgments(600);
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  ASSERT_TRUE(lines.ok()) << lines.status();
  const auto queries = ParseJudgments(*lines);
  ASSERT_TRUE(queries.ok()) << queries.status();
  const Quality found =
      MeasureBaseline({.description = false, .brand = false, .strip_plurals = false}, *products,
                      *queries, {.gain = Gain::kExponentialFromOne, .relevant_from = 2.33});
  EXPECT_NEAR(found.ndcg_at_10, 0.3538, 0.0005);
  EXPECT_NEAR(found.recall_at_100, 0.6995, 0.0005);
}

TEST(IcecatEvalTest, Bm25AloneReachesItsBar) {
  auto products = emptor::testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  const HashingEmbedder embedder(8);
  const auto built = HybridSearcher::Build(Embedded(embedder, *std::move(products)), embedder, {});
  ASSERT_TRUE(built.ok()) << built.status();
  const auto& searcher = *built;
  EXPECT_EQ(searcher->size(), 19406u);
  const Quality bm25 = Measure(*searcher, SearchMode::kLexical, "bm25");
  EXPECT_GE(bm25.ndcg_at_10, 0.73);
  EXPECT_GE(bm25.recall_at_100, 0.85);
}

// The weights saw other judgments (docs/evaluation.md).
TEST(IcecatEvalTest, HybridIsNotWorseThanFrozenBm25AndFaissNotThanTheScan) {
  if (!std::filesystem::exists(kShippedEmbedder)) GTEST_SKIP() << kShippedEmbedder << " is absent";
  auto products = emptor::testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  auto encoder = engine::StaticEncoder::Load(kShippedEmbedder);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const ShippedEmbedder embedder(*std::move(encoder));
  const Quality pinned = MeasureBaseline({}, *products, IcecatQueries(), {});
  std::vector<IndexedProduct> records = Embedded(embedder, *std::move(products));
  EXPECT_GE(FaissRecallAt10(embedder, records), 0.95);
  const auto built = HybridSearcher::Build(std::move(records), embedder, {});
  ASSERT_TRUE(built.ok()) << built.status();
  const auto& searcher = *built;
  const Quality bm25 = Measure(*searcher, SearchMode::kLexical, "bm25");
  Measure(*searcher, SearchMode::kVector, "vector");
  const Quality hybrid = Measure(*searcher, SearchMode::kHybrid, "hybrid");
  EXPECT_GE(hybrid.ndcg_at_10, pinned.ndcg_at_10 - 0.01);
  EXPECT_GE(hybrid.ndcg_at_10_judged, pinned.ndcg_at_10_judged);
  EXPECT_GE(hybrid.ndcg_at_10_judged, bm25.ndcg_at_10_judged);
  EXPECT_GE(hybrid.recall_at_100, bm25.recall_at_100 - 0.01);
  EXPECT_GE(hybrid.recall_at_100, pinned.recall_at_100);
}

}  // namespace
}  // namespace emptor::retrieval
