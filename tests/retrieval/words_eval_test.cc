// The effect of corrections, variants and synonyms on real queries: homedepot (long-tail,
// misspelled) and icecat (short, well spelled), words only.
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/words/shop_words.h"
#include "tests/retrieval/support/shop.h"
#include "tests/support/homedepot.h"
#include "tests/support/icecat.h"

namespace emptor::retrieval {
namespace {

/// Grades by product; what is above `relevant` counts for recall.
struct JudgedQuery {
  std::string text;
  std::map<std::string, double> gains;  // above 0
  std::vector<std::string> relevant;
};

struct Quality {
  std::vector<double> ndcg, recall;  // by query; NaN where nothing is relevant

  static double Mean(const std::vector<double>& values) {
    double sum = 0;
    size_t n = 0;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      sum += value;
      ++n;
    }
    return n > 0 ? sum / static_cast<double>(n) : 0;
  }
};

double NdcgAt10(const std::vector<std::string>& ids, const std::map<std::string, double>& gains) {
  std::vector<double> ideal;
  for (const auto& [id, gain] : gains) ideal.push_back(gain);
  std::sort(ideal.rbegin(), ideal.rend());
  double best = 0;
  double got = 0;
  for (size_t i = 0; i < 10; ++i) {
    const double discount = std::log2(static_cast<double>(i) + 2);
    if (i < ideal.size()) best += ideal[i] / discount;
    if (i >= ids.size()) continue;
    if (const auto gain = gains.find(ids[i]); gain != gains.end()) got += gain->second / discount;
  }
  return best > 0 ? got / best : std::nan("");
}

double RecallAt100(const std::vector<std::string>& ids, const std::vector<std::string>& relevant) {
  if (relevant.empty()) return std::nan("");
  double found = 0;
  for (const std::string& id : relevant) {
    found += std::find(ids.begin(), ids.end(), id) != ids.end() ? 1 : 0;
  }
  return found / static_cast<double>(relevant.size());
}

Quality Measure(const HybridSearcher& searcher, const std::vector<JudgedQuery>& queries,
                bool correct, size_t* corrected) {
  Quality quality;
  for (const JudgedQuery& query : queries) {
    SearchRequest request{.query = query.text, .limit = 100, .mode = SearchMode::kLexical};
    request.correct = correct;
    const auto result = searcher.Search(request);
    EXPECT_TRUE(result.ok()) << result.status();
    const std::vector<std::string> ids = testing::Ids(*result);
    quality.ndcg.push_back(NdcgAt10(ids, query.gains));
    quality.recall.push_back(RecallAt100(ids, query.relevant));
    if (!result->corrections.empty()) ++*corrected;
  }
  return quality;
}

/// 95 % interval of the mean difference by paired bootstrap over the queries.
std::pair<double, double> BootstrapInterval(const std::vector<double>& a,
                                            const std::vector<double>& b) {
  std::vector<double> differences;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!std::isnan(a[i])) differences.push_back(b[i] - a[i]);
  }
  std::mt19937_64 random(7);
  std::uniform_int_distribution<size_t> pick(0, differences.size() - 1);
  std::vector<double> means;
  for (int round = 0; round < 1000; ++round) {
    double sum = 0;
    for (size_t i = 0; i < differences.size(); ++i) sum += differences[pick(random)];
    means.push_back(sum / static_cast<double>(differences.size()));
  }
  std::sort(means.begin(), means.end());
  return {means[25], means[974]};
}

void Print(const char* name, const Quality& base, const Quality& quality, size_t corrected,
           double seconds) {
  const auto recall = BootstrapInterval(base.recall, quality.recall);
  const auto ndcg = BootstrapInterval(base.ndcg, quality.ndcg);
  std::printf(
      "%-34s recall@100 %.4f (%+.4f..%+.4f)  nDCG@10 %.4f (%+.4f..%+.4f)  %zu corrected, %.2f ms a "
      "query\n",
      name, Quality::Mean(quality.recall), recall.first, recall.second, Quality::Mean(quality.ndcg),
      ndcg.first, ndcg.second, corrected, 1e3 * seconds / static_cast<double>(quality.ndcg.size()));
}

/// A shop with words and the same without.
struct World {
  HashingEmbedder embedder{8};
  std::unique_ptr<ShopWords> words;
  std::unique_ptr<HybridSearcher> plain, widened;

  explicit World(const std::vector<catalog::Product>& products) {
    words = std::make_unique<ShopWords>(*Analyzer::Create());
    std::vector<IndexedProduct> records;
    for (const catalog::Product& product : products) {
      words->Put(product);
      records.push_back({product, std::vector<float>(8, 0.0f)});
    }
    words->WaitUntilCurrent();
    const auto stats = words->stats();
    std::printf("dictionary: %zu records, %zu words, made in %.2f s\n", stats.records, stats.words,
                stats.last_seconds);
    HybridOptions options;
    plain = *HybridSearcher::Build(records, embedder, options);
    options.words = words.get();
    widened = *HybridSearcher::Build(std::move(records), embedder, options);
  }
};

struct Figures {
  Quality plain, spelled, all;
};

Figures MeasureAll(World& world, const std::vector<JudgedQuery>& queries) {
  size_t corrected = 0;
  const auto timed = [&](const HybridSearcher& searcher, bool correct, double* seconds) {
    corrected = 0;
    const auto begun = std::chrono::steady_clock::now();
    Quality quality = Measure(searcher, queries, correct, &corrected);
    *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return quality;
  };
  double seconds = 0;
  Figures figures;
  figures.plain = timed(*world.plain, true, &seconds);
  Print("BM25F", figures.plain, figures.plain, corrected, seconds);
  world.words->SetSynonyms(Synonyms());
  const Quality related = timed(*world.widened, false, &seconds);
  Print("+ variants", figures.plain, related, corrected, seconds);
  figures.spelled = timed(*world.widened, true, &seconds);
  Print("+ variants, spelling", figures.plain, figures.spelled, corrected, seconds);
  world.words->SetSynonyms(DefaultSynonyms());
  const Quality named = timed(*world.widened, false, &seconds);
  Print("+ variants, synonyms", figures.plain, named, corrected, seconds);
  figures.all = timed(*world.widened, true, &seconds);
  Print("+ variants, spelling, synonyms", figures.plain, figures.all, corrected, seconds);
  return figures;
}

/// Queries by SHA-1 (as a number) modulo five; the weights were chosen on folds 0 and 1.
size_t FoldOf(const std::string& query) {
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  SHA1(reinterpret_cast<const unsigned char*>(query.data()), query.size(), digest.data());
  size_t rest = 0;
  for (const unsigned char byte : digest) rest = (rest * 256 + byte) % 5;
  return rest;
}

using RatingsByQuery = std::map<std::string, std::map<std::string, double>>;

absl::StatusOr<RatingsByQuery> ReadRatings() {
  const auto text = emptor::testing::ReadHomedepotJudgments();
  if (!text.ok()) return text.status();
  RatingsByQuery ratings;
  std::istringstream lines(*text);
  std::string query, id, rating;
  while (std::getline(lines, query, '\t') && std::getline(lines, id, '\t') &&
         std::getline(lines, rating)) {
    ratings[query][id] = std::stod(rating);
  }
  return ratings;
}

TEST(WordsEvalTest, CorrectionsAndVariantsFindMoreOnHomedepot) {
  const auto products = emptor::testing::ReadHomedepotProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  const auto ratings = ReadRatings();
  ASSERT_TRUE(ratings.ok()) << ratings.status();
  std::vector<JudgedQuery> tuned, held_out;
  for (const auto& [text, by_product] : *ratings) {
    JudgedQuery query{.text = text, .gains = {}, .relevant = {}};
    for (const auto& [id, rating] : by_product) {
      if (rating > 1) query.gains[id] = std::pow(2.0, rating - 1) - 1;
      if (rating >= 2.33) query.relevant.push_back(id);
    }
    (FoldOf(text) < 2 ? tuned : held_out).push_back(std::move(query));
  }
  World world(*products);
  std::printf("homedepot, folds 0 and 1 (weights chosen here), %zu queries\n", tuned.size());
  MeasureAll(world, tuned);
  std::printf("homedepot, folds 2 to 4 (held out), %zu queries\n", held_out.size());
  const Figures figures = MeasureAll(world, held_out);
  EXPECT_GE(Quality::Mean(figures.all.recall), 0.75);
  EXPECT_GE(Quality::Mean(figures.all.recall), Quality::Mean(figures.plain.recall) + 0.02);
  EXPECT_GE(Quality::Mean(figures.all.ndcg), Quality::Mean(figures.plain.ndcg) + 0.01);
}

TEST(WordsEvalTest, WellSpelledQueriesLoseNothingOnIcecat) {
  const auto products = emptor::testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status();
  ASSERT_TRUE(products.ok()) << products.status();
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  ASSERT_TRUE(judgments.ok()) << judgments.status();
  std::map<std::string, JudgedQuery> by_text;
  for (const auto& judgment : *judgments) {
    if (judgment.rating == 0) continue;
    JudgedQuery& query = by_text[judgment.query];
    query.text = judgment.query;
    query.gains[judgment.product_id] = std::pow(2.0, judgment.rating) - 1;
    query.relevant.push_back(judgment.product_id);
  }
  std::vector<JudgedQuery> queries;
  for (auto& [text, query] : by_text) queries.push_back(std::move(query));
  World world(*products);
  std::printf("icecat, %zu queries\n", queries.size());
  const Figures figures = MeasureAll(world, queries);
  EXPECT_GE(Quality::Mean(figures.spelled.recall), Quality::Mean(figures.plain.recall) - 0.01);
  EXPECT_GE(Quality::Mean(figures.spelled.ndcg), Quality::Mean(figures.plain.ndcg) - 0.01);
  // The judgments were pooled by exact words: what synonyms find is unjudged and counts as wrong.
  // No loss may be proven; one query with a single judged laptop decides the mean.
  EXPECT_GE(BootstrapInterval(figures.plain.recall, figures.all.recall).second, 0);
  EXPECT_GE(BootstrapInterval(figures.plain.ndcg, figures.all.ndcg).second, 0);
}

}  // namespace
}  // namespace emptor::retrieval
