// Which condition a comparison with a product comes to.
#include "services/assistant/search/comparison_filter.h"

#include <gtest/gtest.h>

#include "retrieval/query/query_tokens.h"

namespace emptor::services {
namespace {

catalog::Product Monitor() {
  catalog::Product product;
  product.id = "m";
  product.title = "Monitor";
  product.rating = catalog::Rating{.value = 4.3, .count = 12};
  product.attributes = {{"Item weight", "5.2 kg"}, {"Screen size", "27 inch"}, {"Colour", "black"}};
  return product;
}

retrieval::Filter Limited(std::string_view message, retrieval::Filter filter = {}) {
  const auto comparison = ReadComparison(retrieval::TokenizeQuery(std::string(message)), true);
  EXPECT_TRUE(comparison) << message;
  if (comparison) LimitBeyond(*comparison, Monitor(), catalog::Money{4999, "USD"}, filter);
  return filter;
}

TEST(ComparisonFilterTest, PricesLieBeyondTheProductsOwn) {
  EXPECT_EQ(Limited("cheaper than the first one").max_price, 4998);
  EXPECT_EQ(Limited("more expensive than the first one").min_price, 5000);
  EXPECT_EQ(Limited("something pricier").currency, "USD");
  EXPECT_EQ(Limited("cheaper", {.max_price = 3000, .currency = "USD"}).max_price, 3000);
  retrieval::Filter filter;
  LimitBeyond({}, Monitor(), std::nullopt, filter);
  EXPECT_TRUE(filter.empty()) << "a product without a price bounds none";
}

TEST(ComparisonFilterTest, RatingsByTheNextTenth) {
  EXPECT_DOUBLE_EQ(*Limited("better rated than the first one").min_rating, 4.4);
}

TEST(ComparisonFilterTest, MeasuresByThePropertyThatTheProductStates) {
  const auto lighter = Limited("something lighter");
  ASSERT_EQ(lighter.ranges.size(), 1u);
  EXPECT_EQ(lighter.ranges[0].attribute, "item weight");
  EXPECT_EQ(lighter.ranges[0].unit, "g");
  EXPECT_NEAR(*lighter.ranges[0].max, 5200, 1);
  EXPECT_TRUE(lighter.ranges[0].max_open);
  const auto bigger = Limited("bigger than the second one");
  ASSERT_EQ(bigger.ranges.size(), 1u);
  EXPECT_EQ(bigger.ranges[0].attribute, "screen size");
  EXPECT_TRUE(bigger.ranges[0].min_open);
  EXPECT_TRUE(Limited("quieter than the first one").empty()) << "nothing is known of its noise";
}

TEST(ComparisonFilterTest, OfSeveralProductsTheFurthestCounts) {
  const Comparison heavier = *ReadComparison(retrieval::TokenizeQuery("heavier"), true);
  retrieval::Filter filter;
  catalog::Product light = Monitor();
  light.attributes[0].value = "2 kg";
  LimitBeyond(heavier, Monitor(), std::nullopt, filter);
  LimitBeyond(heavier, light, std::nullopt, filter);
  ASSERT_EQ(filter.ranges.size(), 1u);
  EXPECT_NEAR(*filter.ranges[0].min, 5200, 1);
}

TEST(ComparisonFilterTest, TheBoundTakesThePlaceOfWhatWasAskedFor) {
  catalog::Product stick;
  stick.attributes = {{"Capacity", "32"}, {"Weight", "20 g"}};
  retrieval::Filter filter;
  filter.attributes = {{"capacity", {"32"}}, {"weight", {"20 g"}}};
  std::vector<WordCondition> words = {DemandOf("32gb"), DemandOf("64gb"), DemandOf("red")};
  LiftBounded("Capacity", stick, filter, words);
  ASSERT_EQ(filter.attributes.size(), 1u);
  EXPECT_EQ(filter.attributes[0].name, "weight");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].text, "64gb");
  LimitBeyond({Comparison::Aspect::kMeasure, true, {}, "Capacity"}, stick, std::nullopt, filter);
  ASSERT_EQ(filter.ranges.size(), 1u);
  EXPECT_EQ(filter.ranges[0].attribute, "capacity");
  EXPECT_EQ(*filter.ranges[0].min, 32);
}

TEST(ComparisonFilterTest, ValuesOfTheAttributeItselfLieBeyond) {
  std::vector<catalog::Product> monitors(4);
  const char* const kSizes[] = {"24", "27", "30", "15"};
  for (size_t i = 0; i < monitors.size(); ++i) {
    monitors[i].attributes = {{"display diagonal", kSizes[i]},
                              {"display diagonal (metric)", "38.1"}};
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : monitors) pointers.push_back(&each);
  const TypeSchema schema = TypeSchema::Learn(pointers);
  const SchemaKey* const key = schema.Find("display diagonal");
  ASSERT_NE(key, nullptr);
  const std::vector<catalog::Product> shown(monitors.begin(), monitors.begin() + 2);
  EXPECT_EQ(ValuesBeyond(*key, true, shown), std::vector<std::string>{"30"});
  EXPECT_EQ(ValuesBeyond(*key, false, shown), std::vector<std::string>{"15"});
  EXPECT_FALSE(ValuesBeyond(*key, true, {catalog::Product()}).has_value());
}

}  // namespace
}  // namespace emptor::services
