// Which goods a message means, against those that its words name.
#include "services/assistant/reading/meant_type.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

const ShopProfile kProfile;

std::optional<ProductType> Find(const std::vector<MeantKind>& ranked, const std::string& message,
                                const std::optional<ProductType>& named = std::nullopt) {
  return FindMeantType(ranked, FoldedMessage(message), named, kProfile);
}

ProductType Named(const std::string& name, bool is_whole = true) {
  return {name, {}, {name}, is_whole};
}

TEST(MeantTypeTest, KindsThatStandOutAreAdvised) {
  const auto meant = Find({{"kettle", 4.6}, {"travel mug", 4.1}, {"tea", 3.5}, {"desk", 0.2}},
                          "keep my tea hot on the train");
  ASSERT_TRUE(meant);
  EXPECT_TRUE(meant->is_advised);
  EXPECT_THAT(meant->advised, ElementsAre("kettle"));
  EXPECT_THAT(meant->alternatives, ElementsAre("travel mug"));
  EXPECT_EQ(meant->name, "kettle");
}

TEST(MeantTypeTest, AKindThatIsSaidIsNamed) {
  ProductType own = Named("reading floor lamp");
  const auto meant = Find({{"floor lamp", 4.6}}, "floor lamp for reading", own);
  ASSERT_TRUE(meant);
  EXPECT_FALSE(meant->is_advised);
  EXPECT_EQ(meant->name, "floor lamp");
}

TEST(MeantTypeTest, NothingWhereNoneStandsOut) {
  EXPECT_FALSE(Find({}, "keep my tea hot"));
  EXPECT_FALSE(Find({{"kettle", 3.0}, {"mug", 2.9}}, "keep my tea hot"));
  // Of very many kinds one is as near by chance.
  std::vector<MeantKind> many(5000, {"other", 0});
  many.front() = {"kettle", 3.5};
  EXPECT_FALSE(Find(many, "keep my tea hot"));
}

TEST(MeantTypeTest, WhatIsAskedForByItsNameIsMeant) {
  const std::vector<MeantKind> ranked = {{"razor", 5.0}, {"shaver", 1.0}, {"brick", 1.0}};
  EXPECT_FALSE(Find(ranked, "men's electric shaver by braun", Named("shaver")));
  EXPECT_FALSE(Find(ranked, "43 inch 4k smart shaver", Named("shaver")));
  EXPECT_FALSE(Find(ranked, "i need a brick", Named("brick", false)));
  EXPECT_TRUE(Find(ranked, "something for drilling into brick walls", Named("brick", false)));
  EXPECT_TRUE(Find(ranked, "my shaver cuts my skin", Named("shaver")));
}

TEST(MeantTypeTest, ANameThatIsAsNearStays) {
  const std::vector<MeantKind> ranked = {{"hammer drill", 4.2}, {"drill", 3.6}, {"brick", 2.0}};
  EXPECT_FALSE(Find(ranked, "for big holes a strong drill", Named("drill")));
  EXPECT_TRUE(Find(ranked, "for big holes in a brick", Named("brick")));
}

}  // namespace
}  // namespace emptor::services
