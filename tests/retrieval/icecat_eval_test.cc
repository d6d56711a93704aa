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
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/vector/faiss_index.h"
#include "tests/retrieval/support/shop.h"
#include "tests/support/icecat.h"
#include "tests/support/ir_metrics.h"

namespace emptor::retrieval {
namespace {

using emptor::testing::Grades;

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
  double recall_at_100 = 0;
  double judged_at_10 = 0;
};

/// The queries with any rating above 0; unjudged records count as irrelevant.
std::map<std::string, Grades> AnswerableQueries() {
  std::map<std::string, Grades> queries;
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  if (!judgments.ok()) return queries;
  for (const auto& judgment : *judgments) {
    queries[judgment.query][judgment.product_id] = judgment.rating;
  }
  std::erase_if(queries, [](const auto& query) {
    for (const auto& [id, grade] : query.second) {
      if (grade > 0) return false;
    }
    return true;
  });
  return queries;
}

Quality Measure(const HybridSearcher& searcher, SearchMode mode, const char* name) {
  Quality sum;
  const auto queries = AnswerableQueries();
  for (const auto& [query, grades] : queries) {
    const auto result = searcher.Search({.query = query, .limit = 100, .mode = mode});
    EXPECT_TRUE(result.ok()) << result.status();
    const std::vector<std::string> ids = testing::Ids(*result);
    sum.ndcg_at_10 += emptor::testing::NdcgAt(10, ids, grades);
    sum.recall_at_100 += emptor::testing::RecallAt(100, ids, grades);
    sum.judged_at_10 += emptor::testing::JudgedAt(10, ids, grades);
  }
  const auto n = static_cast<double>(queries.size());
  const Quality mean = {sum.ndcg_at_10 / n, sum.recall_at_100 / n, sum.judged_at_10 / n};
  std::printf("icecat %-7s nDCG@10 %.4f  recall@100 %.4f  judged@10 %.3f  (%zu queries)\n", name,
              mean.ndcg_at_10, mean.recall_at_100, mean.judged_at_10, queries.size());
  return mean;
}

std::vector<IndexedProduct> Embedded(const Embedder& embedder,
                                     std::vector<catalog::Product> products) {
  std::vector<IndexedProduct> records;
  for (catalog::Product& product : products) {
    records.push_back(testing::Indexed(embedder, std::move(product)));
  }
  return records;
}

/// How much of the exact ten nearest the FAISS structure finds, over the judged queries.
double FaissRecallAt10(const Embedder& embedder, std::span<const IndexedProduct> records) {
  QuantizedRows rows(embedder.dimension());
  for (const IndexedProduct& record : records) rows.Add(record.vector);
  const auto index = FaissIndex::Train(std::move(rows), {});
  EXPECT_TRUE(index.ok()) << index.status();
  std::vector<float> query(static_cast<size_t>(embedder.dimension()));
  size_t found = 0;
  size_t wanted = 0;
  for (const auto& [text, grades] : AnswerableQueries()) {
    EXPECT_TRUE(embedder.EmbedInto({&text, 1}, query).ok());
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

TEST(IcecatEvalTest, HybridIsNotWorseThanBm25AndFaissNotThanTheScan) {
  if (!std::filesystem::exists(kShippedEmbedder)) GTEST_SKIP() << kShippedEmbedder << " is absent";
  auto products = emptor::testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  auto encoder = engine::StaticEncoder::Load(kShippedEmbedder);
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const ShippedEmbedder embedder(*std::move(encoder));
  std::vector<IndexedProduct> records = Embedded(embedder, *std::move(products));
  EXPECT_GE(FaissRecallAt10(embedder, records), 0.95);
  const auto built = HybridSearcher::Build(std::move(records), embedder, {});
  ASSERT_TRUE(built.ok()) << built.status();
  const auto& searcher = *built;
  const Quality bm25 = Measure(*searcher, SearchMode::kLexical, "bm25");
  Measure(*searcher, SearchMode::kVector, "vector");
  const Quality hybrid = Measure(*searcher, SearchMode::kHybrid, "hybrid");
  EXPECT_GE(hybrid.ndcg_at_10, bm25.ndcg_at_10 - 0.01);
  EXPECT_GE(hybrid.recall_at_100, bm25.recall_at_100 - 0.01);
  EXPECT_GT(searcher->stats().faiss_searches, 0u);
}

}  // namespace
}  // namespace emptor::retrieval
