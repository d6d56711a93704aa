// Settings chosen by folds over real searches.
#include "services/eval/fold_tuning.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/eval/eval_catalog.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

std::vector<IndexedProduct> Kettles(const retrieval::Embedder& embedder) {
  std::vector<IndexedProduct> products(3);
  const char* titles[] = {"steel kettle", "glass kettle", "steel pot"};
  for (size_t i = 0; i < products.size(); ++i) {
    products[i].product.id = std::string("p") + static_cast<char>('1' + i);
    products[i].product.title = titles[i];
  }
  EXPECT_TRUE(FillVectors(embedder, products).ok());
  return products;
}

const retrieval::QuerySet kQueries = {{"glass%20kettle", "glass kettle", {{"p1", 0}, {"p2", 2}}},
                                      {"pot", "pot", {{"p3", 3}}},
                                      {"steel", "steel", {{"p1", 3}}}};

TEST(FoldTuningTest, RanksEveryQueryOnceUnderTheSettingOfItsFold) {
  const retrieval::HashingEmbedder embedder(16);
  const auto products = Kettles(embedder);
  size_t built = 0;
  const auto make = [&](const retrieval::Bm25Options& bm25) {
    ++built;
    retrieval::HybridOptions options;
    options.bm25 = bm25;
    return retrieval::HybridSearcher::Build(products, embedder, options);
  };
  const auto settings = SettingsToTry(/*fields=*/false, /*words=*/true);
  const auto tuned =
      RunTuned(make, kQueries, {.settings = settings, .metrics = {}, .folds = 3, .depth = 10});
  ASSERT_TRUE(tuned.ok()) << tuned.status();
  EXPECT_EQ(built, 2u);  // all settings have equal field weights: one to choose by, one to rank
  EXPECT_EQ(tuned->by_fold.size(), 3u);
  EXPECT_EQ(tuned->timed.run.rankings.size(), kQueries.size());
  EXPECT_EQ(tuned->timed.milliseconds.size(), kQueries.size());
  EXPECT_EQ(tuned->timed.run.name, "tuned");
  EXPECT_EQ(tuned->timed.run.rankings.at("pot").front().id, "p3");
}

TEST(FoldTuningTest, SettingsWithEqualFieldWeightsAreAdjacent) {
  const auto settings = SettingsToTry(/*fields=*/true, /*words=*/false);
  size_t changes = 1;
  for (size_t i = 1; i < settings.size(); ++i) {
    changes += settings[i].bm25 != settings[i - 1].bm25 ? 1 : 0;
  }
  EXPECT_EQ(changes, 18u);
  EXPECT_EQ(settings.size(), 18u * 6);
}

TEST(FoldTuningTest, NamesOfWaysReadBack) {
  for (const EvalMode mode : kEvalModes) {
    for (const bool words : {true, false}) {
      const EvalWay way{mode, words};
      const auto read = ParseEvalWay(ToString(way));
      ASSERT_TRUE(read.has_value());
      EXPECT_EQ(ToString(*read), ToString(way));
    }
  }
  EXPECT_EQ(ParseEvalWay("baseline-plain"), std::nullopt);
  EXPECT_EQ(ParseEvalWay("hybrid-"), std::nullopt);
}

}  // namespace
}  // namespace emptor::services
