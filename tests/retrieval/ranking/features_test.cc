// Features of small titles, worked out by hand.
#include "retrieval/ranking/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

std::vector<uint32_t> Hashes(const std::vector<std::string>& terms) {
  std::vector<uint32_t> hashes;
  for (const std::string& term : terms) hashes.push_back(HashTerm(term));
  return hashes;
}

RankingQuery Query(const std::vector<std::string>& terms) {
  RankingQuery query;
  for (const std::string& term : terms) {
    const bool has_digit = term.find_first_of("0123456789") != std::string::npos;
    query.terms.push_back({HashTerm(term), 2.0f, has_digit});
  }
  return query;
}

float Of(Feature feature, const std::vector<std::string>& query,
         const std::vector<std::string>& title, const std::vector<std::string>& brand = {}) {
  const auto title_hashes = Hashes(title);
  const auto brand_hashes = Hashes(brand);
  const FeatureVector features = ComputeFeatures(
      Query(query), {.title = title_hashes, .brand = brand_hashes, .category = {}}, {}, {});
  for (const float value : features) EXPECT_TRUE(std::isfinite(value));
  return features[static_cast<size_t>(feature)];
}

TEST(FeaturesTest, TitleCoverageCountsEachTermOnce) {
  EXPECT_FLOAT_EQ(Of(Feature::kTitleTerms, {"usb", "hub"}, {"usb", "usb", "cable"}), 0.5f);
  EXPECT_FLOAT_EQ(Of(Feature::kTitleIdf, {"usb", "hub"}, {"hub", "usb"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kTitleSpecific, {"usb", "hub"}, {"usb", "usb", "cable"}), 2.0f / 3);
}

TEST(FeaturesTest, PhraseAndNeighboursNeedTheQuerysOrder) {
  EXPECT_FLOAT_EQ(Of(Feature::kPhrase, {"a", "b", "c"}, {"x", "a", "b", "y", "c"}), 2.0f / 3);
  EXPECT_FLOAT_EQ(Of(Feature::kPhrase, {"a", "b", "c"}, {"c", "b", "a"}), 1.0f / 3);
  EXPECT_FLOAT_EQ(Of(Feature::kAdjacent, {"a", "b", "c"}, {"b", "c", "x", "a", "b"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kAdjacent, {"a", "b"}, {"b", "a"}), 0.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kAdjacent, {"a"}, {"a"}), 1.0f);
}

TEST(FeaturesTest, WindowIsTheShortestStretchWithAllThatMatched) {
  EXPECT_FLOAT_EQ(Of(Feature::kWindow, {"a", "b"}, {"a", "x", "x", "a", "x", "b"}), 2.0f / 3);
  EXPECT_FLOAT_EQ(Of(Feature::kWindow, {"a", "b"}, {"x", "a"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kWindow, {"a", "b"}, {"x"}), 0.0f);
}

TEST(FeaturesTest, NumbersOfTheQueryAreWantedInTheTitle) {
  EXPECT_FLOAT_EQ(Of(Feature::kNumbers, {"tv", "27inch"}, {"tv", "27inch"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kNumbers, {"tv", "27inch"}, {"tv", "32inch"}), 0.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kNumbersMissing, {"tv", "27inch"}, {"tv", "32inch"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kNumbers, {"tv"}, {"radio"}), 1.0f);
}

TEST(FeaturesTest, HeadIsTheLastWordThatIsNoNumber) {
  EXPECT_FLOAT_EQ(Of(Feature::kHeadInTitle, {"usb", "hub", "4"}, {"hub"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kHeadInTitle, {"usb", "hub", "4"}, {"usb", "4"}), 0.0f);
}

TEST(FeaturesTest, BrandAndEqualityAreSeen) {
  EXPECT_FLOAT_EQ(Of(Feature::kBrandNamed, {"acme", "hub"}, {"hub"}, {"acme", "inc"}), 0.5f);
  EXPECT_FLOAT_EQ(Of(Feature::kBrandIdf, {"acme", "hub"}, {"hub"}, {"acme"}), 0.5f);
  EXPECT_FLOAT_EQ(Of(Feature::kTitleEqual, {"usb", "hub"}, {"usb", "hub"}), 1.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kTitleEqual, {"usb", "hub"}, {"hub", "usb"}), 0.0f);
}

TEST(FeaturesTest, EmptyTextsGiveFiniteFeatures) {
  EXPECT_FLOAT_EQ(Of(Feature::kTitleTerms, {}, {}), 0.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kTitleEqual, {}, {}), 0.0f);
  EXPECT_FLOAT_EQ(Of(Feature::kPhrase, {}, {"a"}), 0.0f);
  const std::vector<std::string> long_title(200, "a");
  EXPECT_FLOAT_EQ(Of(Feature::kTitleTerms, {"a"}, long_title), 1.0f);
}

TEST(FeaturesTest, NamesAreDistinct) {
  for (size_t i = 0; i < kFeatureCount; ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_NE(ToString(static_cast<Feature>(i)), ToString(static_cast<Feature>(j)));
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
