// Models from text: what they score, and what is refused. The columns beside them.
#include "retrieval/ranking/ranking_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "retrieval/ranking/ranking_columns.h"

namespace emptor::retrieval {
namespace {

using ::testing::HasSubstr;

FeatureVector With(Feature feature, float value) {
  FeatureVector features = {};
  features[static_cast<size_t>(feature)] = value;
  return features;
}

TEST(RankingModelTest, AddsWeightsAndLeaves) {
  const auto model = RankingModel::Parse(
      R"({"format":"emptor-ranking-1","linear":{"vector":2,"phrase":-1},
          "trees":[[["vector",0.5,1,2],10,["phrase",0,3,4],20,30],[0.25]]})");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->tree_count(), 2u);
  EXPECT_FLOAT_EQ(model->Score(With(Feature::kVector, 0.5f)), 1 + 10 + 0.25f);
  EXPECT_FLOAT_EQ(model->Score(With(Feature::kVector, 0.75f)), 1.5f + 20 + 0.25f);
  FeatureVector both = With(Feature::kVector, 0.75f);
  both[static_cast<size_t>(Feature::kPhrase)] = 1;
  EXPECT_FLOAT_EQ(model->Score(both), 0.5f + 30 + 0.25f);
}

TEST(RankingModelTest, RefusalsNameThePlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "byte"},
      {"{}", "format: expected"},
      {R"({"format":"emptor-ranking-2"})", "format: expected"},
      {R"({"format":"emptor-ranking-1","linear":{"magic":1}})", "linear: magic: no such feature"},
      {R"({"format":"emptor-ranking-1","linear":{"vector":"1"}})", "linear.vector: expected"},
      {R"({"format":"emptor-ranking-1","linear":{"vector":1e30}})", "linear.vector: expected"},
      {R"({"format":"emptor-ranking-1","linear":[]})", "linear: expected an object"},
      {R"({"format":"emptor-ranking-1","trees":[[]]})", "trees[0]: expected nodes"},
      {R"({"format":"emptor-ranking-1","trees":[[["vector",0,0,1],1]]})", "trees[0][0]"},
      {R"({"format":"emptor-ranking-1","trees":[[["vector",0,1,2],1]]})", "trees[0][0]"},
      {R"({"format":"emptor-ranking-1","trees":[[["magic",0,1,2],1,2]]})", "trees[0][0]"},
      {R"({"format":"emptor-ranking-1","trees":[[1],[["vector",0,1]]]})", "trees[1][0]"},
  };
  for (const auto& [text, message] : cases) {
    const auto model = RankingModel::Parse(text);
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(model.status().message()), HasSubstr(message));
  }
  EXPECT_EQ(RankingModel::Load("/nonexistent").status().code(), absl::StatusCode::kNotFound);
}

catalog::Product MakeProduct() {
  catalog::Product product;
  product.id = "p1";
  product.title = "Acme USB hub, 4 ports";
  product.brand = "Acme";
  product.categories = {"Computers > Hubs"};
  product.description = "Small and fast";
  product.popularity = 99;
  product.rating = catalog::Rating{4.5, 10};
  product.price = catalog::Money{999, "USD"};
  product.item_group_id = "hubs";
  return product;
}

TEST(RankingColumnsTest, RowsComeBackAsTheyWereAdded) {
  const auto analyzer = Analyzer::Create();
  ASSERT_TRUE(analyzer.ok());
  const RankingRow row = MakeRankingRow(*analyzer, MakeProduct());
  EXPECT_EQ(row.title.size(), 5u);
  EXPECT_EQ(row.title.front(), HashTerm("acme"));
  EXPECT_NEAR(row.signs.popularity, 4.605f, 0.001f);
  EXPECT_EQ(row.signs.description_terms, 3);
  EXPECT_TRUE(row.signs.has_price);
  EXPECT_FALSE(row.signs.has_image);
  EXPECT_NE(row.group, 0u);
  RankingColumns columns;
  columns.Add({});
  columns.Add(row);
  EXPECT_EQ(columns.row(1), row);
  const std::string bytes = columns.Encode();
  const auto again =
      RankingColumns::Decode({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->record_count(), 2u);
  EXPECT_EQ(again->row(0), RankingRow{});
  EXPECT_EQ(again->row(1), row);
}

TEST(RankingColumnsTest, CutOrForeignBytesAreRefused) {
  RankingColumns columns;
  columns.Add({.title = {1, 2, 3}, .brand = {4}, .category = {}, .signs = {}, .group = 7});
  const std::string bytes = columns.Encode();
  const auto decode = [](const std::string& text) {
    return RankingColumns::Decode({reinterpret_cast<const uint8_t*>(text.data()), text.size()})
        .status()
        .code();
  };
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(decode(bytes.substr(0, size)), absl::StatusCode::kDataLoss) << size;
  }
  EXPECT_EQ(decode(bytes + "x"), absl::StatusCode::kDataLoss);
  std::string other_version = bytes;
  other_version[0] = 77;
  EXPECT_EQ(decode(other_version), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::retrieval
