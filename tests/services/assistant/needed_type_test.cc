// Which goods a described need asks for, against those that the message names.
#include "services/assistant/reading/needed_type.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

const ShopProfile kProfile;

class NeededTypeTest : public ::testing::Test {
 protected:
  std::optional<ProductType> Find(const std::string& message) {
    const FoldedMessage folded(message);
    return FindNeededType({ranked_, meant_, folded, named_, kProfile,
                           [&](const ProductType& type) { return type.name != unsold_; },
                           has_topic_});
  }

  std::vector<NeededType> ranked_ = {{"router", 0.8}, {"wifi extender", 0.7}, {"sofa", 0.2}};
  std::vector<MeantKind> meant_;
  std::optional<ProductType> named_;
  std::string unsold_;
  bool has_topic_ = false;
};

TEST_F(NeededTypeTest, TheBestTypeIsAdvisedAndTheNextIsAnAlternative) {
  const auto needed = Find("the wifi is dead in the bedrooms");
  ASSERT_TRUE(needed);
  EXPECT_TRUE(needed->is_advised);
  EXPECT_EQ(needed->name, "router");
  EXPECT_THAT(needed->advised, ElementsAre("router"));
  EXPECT_THAT(needed->alternatives, ElementsAre("wifi extender"));
}

TEST_F(NeededTypeTest, ATypeThatIsSaidIsNamed) {
  const auto needed = Find("a router that reaches the bedrooms upstairs");
  ASSERT_TRUE(needed);
  EXPECT_FALSE(needed->is_advised);
  EXPECT_EQ(needed->name, "router");
}

TEST_F(NeededTypeTest, TheShopsKindsCountAsWell) {
  ranked_ = {{"wifi extender", 0.6}, {"router", 0.55}};
  meant_ = {{"router", 5.0}, {"toy train", 4.9}};
  const auto needed = Find("the wifi is dead in the bedrooms");
  ASSERT_TRUE(needed);
  EXPECT_THAT(needed->advised, ElementsAre("router"));
}

TEST_F(NeededTypeTest, WhatIsNotSoldGivesWayToWhatIs) {
  unsold_ = "router";
  EXPECT_THAT(Find("the wifi is dead in the bedrooms")->advised, ElementsAre("wifi extender"));
  ranked_ = {{"router", 0.8}, {"sofa", 0.2}};
  const auto needed = Find("the wifi is dead in the bedrooms");
  ASSERT_TRUE(needed);
  EXPECT_FALSE(needed->is_advised);
  EXPECT_EQ(needed->name, "router");
}

TEST_F(NeededTypeTest, NothingWhereNoneStandsOut) {
  ranked_ = {{"router", 0.4}};
  EXPECT_FALSE(Find("the wifi is dead in the bedrooms"));
  ranked_ = {{std::string(kNothingNeeded), 0.9}, {"router", 0.8}};
  EXPECT_FALSE(Find("my parcel never arrived"));
  ranked_.clear();
  EXPECT_FALSE(Find("zzxv"));
}

TEST_F(NeededTypeTest, ANameIsAskedForUnlessItIsSaidByTheWay) {
  ranked_ = {{"laptop stand", 0.9}, {"laptop", 0.2}};
  named_ = ProductType{"laptop", {}, {"laptop"}, true};
  EXPECT_FALSE(Find("i need a laptop that stays cool on my knees"));
  ASSERT_TRUE(Find("my laptop gets hot on my knees"));
  EXPECT_THAT(Find("my laptop gets hot on my knees")->advised, ElementsAre("laptop stand"));
}

TEST_F(NeededTypeTest, WhatSomebodyHasIsNotLookedFor) {
  ranked_ = {{"rain jacket", 0.8}, {"scooter", 0.3}};
  named_ = ProductType{"scooter", {}, {"scooter"}, true};
  EXPECT_TRUE(Find("i ride a scooter and need to stay dry"));
  EXPECT_TRUE(Find("we just bought a scooter, need to stay dry"));
  EXPECT_FALSE(Find("do you have a scooter that stays dry"));
}

TEST_F(NeededTypeTest, GoodsOfManyKindsHelpLess) {
  ranked_ = {{"car accessories", 0.8}, {"car perfume", 0.75}};
  const auto needed = Find("my car smells like wet dog");
  ASSERT_TRUE(needed);
  EXPECT_EQ(needed->advised.front(), "car perfume");
}

TEST_F(NeededTypeTest, BehindOtherGoodsANeedIsClear) {
  has_topic_ = true;
  ranked_ = {{"memory card", 0.5}};
  meant_ = {{"memory card", 3.5}};
  EXPECT_FALSE(Find("16 gb sounds tiny, more?"));
  ranked_ = {{"sleeping bag", 0.85}};
  EXPECT_TRUE(Find("we also need to stay warm at night"));
}

}  // namespace
}  // namespace emptor::services
