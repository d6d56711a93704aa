// Types, attributes and statements: what code decides from the records.
#include "services/assistant/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/attribute_binding.h"
#include "services/assistant/product_types.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

ShopProfile Profile() {
  ShopProfile profile;
  profile.categories = {{"Kitchen > Kettles", 10},
                        {"Shoes > Running Shoes", 5},
                        {"Shoes > Hiking Shoes", 5},
                        {"Computers > Laptops", 9}};
  return profile;
}

std::vector<std::string> CategoriesOf(const std::string& message, const std::string& language) {
  const auto type = FindProductType(message, language, Profile());
  return type ? type->categories : std::vector<std::string>{"no type"};
}

TEST(ProductTypesTest, FindsTheShopsCategoriesInFiveLanguages) {
  EXPECT_THAT(CategoriesOf("need a quiet kettle", "en"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("ein leiser Wasserkocher", "de"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("une bouilloire", "fr"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("un hervidor de agua", "es"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("running shoes", "en"), ElementsAre("Shoes > Running Shoes"));
  EXPECT_THAT(CategoriesOf("shoes", "en"),
              UnorderedElementsAre("Shoes > Running Shoes", "Shoes > Hiking Shoes"));
  EXPECT_THAT(CategoriesOf("wie schwer ist er, hat er WLAN", "de"), ElementsAre("no type"))
      << "\"hat\" is no hat";
}

catalog::Product Kettle(const std::string& id, int64_t cents, const std::string& noise,
                        const std::string& keeps_warm) {
  catalog::Product product;
  product.id = id;
  product.title = "Kettle " + id;
  product.price = catalog::Money{cents, "USD"};
  product.availability = catalog::Availability::kInStock;
  product.attributes = {{"noise level", noise}, {"keep warm", keeps_warm}, {"capacity", "1.7 l"}};
  return product;
}

TEST(AttributeBindingTest, WordsOfAQuestionNameKeysOfTheRecords) {
  const TypeSchema schema = LearnSchema({Kettle("A", 1, "72 dB", "no")});
  EXPECT_EQ(ResolveAttributes("how loud is it", schema).front(), "noise level");
  EXPECT_EQ(ResolveAttributes("wie laut ist er", schema).front(), "noise level");
  EXPECT_EQ(ResolveAttributes("声音大吗", schema).front(), "noise level");
  EXPECT_TRUE(ResolveAttributes("is it red", schema).empty());
  const auto rank = ResolveRank("which one is the quietest", schema);
  ASSERT_TRUE(rank.has_value());
  EXPECT_EQ(rank->key, "noise level");
  EXPECT_TRUE(rank->is_least);
  EXPECT_EQ(ResolveRank("the cheapest", schema)->key, "price");
  EXPECT_FALSE(ResolveRank("i could spend a bit more", schema).has_value());
}

TEST(AttributeBindingTest, DemandsBecomeConditions) {
  const TypeSchema schema = {{"noise cancelling", {"yes", "no"}}, {"fit", {"wide", "regular"}}};
  retrieval::Filter filter;
  BindAttributes("headphones with noise cancelling", schema, filter);
  ASSERT_EQ(filter.attributes.size(), 1u);
  EXPECT_THAT(filter.attributes[0].values, ElementsAre("yes"));
  BindAttributes("and without noise cancelling, wide", schema, filter);
  ASSERT_EQ(filter.attributes.size(), 2u) << "replaced, not added";
  for (const auto& each : filter.attributes) {
    EXPECT_THAT(each.values, ElementsAre(each.name == "fit" ? "wide" : "no"));
  }
}

std::string Write(const std::string& question, bool about_shown,
                  const std::string& language = "en") {
  Understanding understanding;
  understanding.language = language;
  understanding.intents = {Intent::kProductDetails};
  const std::vector<Source> sources = {{Kettle("A", 4999, "72 dB", "no")},
                                       {Kettle("B", 5999, "65 dB", "30 min")}};
  const PlanInput input{understanding, sources, question, about_shown, 0, {}};
  return WriteAnswer(input, language);
}

TEST(PlanTest, TheWinnerIsComputed) {
  EXPECT_THAT(Write("which is the quietest", true),
              HasSubstr("[2:title]: noise level [2:attr.noise level]"));
  EXPECT_THAT(Write("which is cheaper", true), HasSubstr("lowest price [1:title]"));
  EXPECT_THAT(Write("welcher ist am leisesten", true, "de"), HasSubstr("[2:title]"));
}

TEST(PlanTest, TotalsAreComputedAndPolaritiesAreThoseOfTheRecords) {
  EXPECT_THAT(Write("how much are both together", true), HasSubstr("$109.98"));
  EXPECT_THAT(Write("does it have keep warm", true), HasSubstr("No, by its listing, [1:title]"));
  EXPECT_THAT(Write("what colour is it", true), HasSubstr("The listing does not say that"));
  EXPECT_THAT(Write("a kettle", false), HasSubstr("Here is what I found"));
}

}  // namespace
}  // namespace emptor::services
