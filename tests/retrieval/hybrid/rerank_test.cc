// Reranking through the searcher: the model decides the order, scores keep falling, named records
// stay in front.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/ranking/ranking_model.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const RankingModel> ModelOf(const std::string& linear) {
  auto model = RankingModel::Parse(R"({"format":"emptor-ranking-1","linear":{)" + linear + "}}");
  EXPECT_TRUE(model.ok()) << model.status();
  return std::make_shared<const RankingModel>(*std::move(model));
}

class RerankTest : public ::testing::Test {
 protected:
  RerankTest() {
    for (const auto& [id, title] :
         std::vector<std::pair<std::string, std::string>>{{"k1", "kettle"},
                                                          {"k2", "steel kettle large"},
                                                          {"k3", "kettle bag with steel ring"}}) {
      catalog::Product product;
      product.id = id;
      product.title = title;
      product.popularity = id == "k3" ? 1000 : 1;
      records_.push_back(testing::Indexed(embedder_, std::move(product)));
    }
  }

  std::unique_ptr<HybridSearcher> Build(std::shared_ptr<const RankingModel> model) {
    HybridOptions options;
    options.ranker = std::move(model);
    auto built = HybridSearcher::Build(records_, embedder_, options);
    EXPECT_TRUE(built.ok()) << built.status();
    return *std::move(built);
  }

  const HashingEmbedder embedder_{32};
  std::vector<IndexedProduct> records_;
};

TEST_F(RerankTest, TheModelOrdersAndScoresKeepTheirPlaces) {
  const auto searcher = Build(ModelOf("\"popularity\":1"));
  const auto plain = searcher->Search({.query = "steel kettle", .rerank = false});
  const auto reranked = searcher->Search({.query = "steel kettle"});
  ASSERT_TRUE(plain.ok() && reranked.ok());
  EXPECT_EQ(testing::Ids(*plain).front(), "k2");
  EXPECT_EQ(testing::Ids(*reranked).front(), "k3");
  ASSERT_EQ(plain->hits.size(), reranked->hits.size());
  for (size_t i = 0; i < plain->hits.size(); ++i) {
    EXPECT_EQ(plain->hits[i].score, reranked->hits[i].score);
  }
}

TEST_F(RerankTest, ARequestMayBringItsOwnModel) {
  const auto searcher = Build(ModelOf("\"popularity\":1"));
  const auto shortest = ModelOf("\"title_length\":-1");
  const auto found = searcher->Search({.query = "steel kettle", .ranker = shortest.get()});
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(testing::Ids(*found), ElementsAre("k1", "k2", "k3"));
}

TEST_F(RerankTest, ARecordThatTheQueryNamesStaysInFront) {
  const auto searcher = Build(ModelOf("\"popularity\":1"));
  const auto found = searcher->Search({.query = "k1"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(testing::Ids(*found).front(), "k1");
}

TEST_F(RerankTest, WordsAloneAreNotReranked) {
  const auto searcher = Build(ModelOf("\"popularity\":1"));
  const auto found = searcher->Search({.query = "steel kettle", .mode = SearchMode::kLexical});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(testing::Ids(*found).front(), "k2");
}

TEST_F(RerankTest, FeaturesAreToldAlsoOfRecordsChangedSince) {
  const auto searcher = Build(nullptr);
  catalog::Product changed = records_[0].product;
  changed.title = "steel kettle";
  ASSERT_TRUE(searcher->Upsert({testing::Indexed(embedder_, changed)}).ok());
  std::map<std::string, FeatureVector> told;
  const auto found = searcher->Search(
      {.query = "steel kettle",
       .on_features = [&](const std::string& id, const FeatureVector& each) { told[id] = each; }});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told["k1"][static_cast<size_t>(Feature::kTitleEqual)], 1.0f);
  EXPECT_EQ(told["k2"][static_cast<size_t>(Feature::kTitleEqual)], 0.0f);
  EXPECT_NEAR(told["k3"][static_cast<size_t>(Feature::kCoveredIdf)], 1.0f, 1e-6f);
}

}  // namespace
}  // namespace emptor::retrieval
