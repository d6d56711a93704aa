// Members of a type whose attributes are those of other goods, and what its bare name means.
#include "services/assistant/types/typicality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

/// States `count` attributes named after `kind`, and one that all products state.
catalog::Product Stating(const std::string& id, const std::string& kind, size_t count) {
  catalog::Product product;
  product.id = id;
  product.title = id;
  product.attributes.push_back({"colour", "black"});
  for (size_t i = 0; i < count; ++i) {
    product.attributes.push_back({kind + " " + std::to_string(i), "x"});
  }
  return product;
}

/// A shop of thirty monitors, a hundred cables, and `more` that are of the type of monitors, too.
class TypicalityTest : public ::testing::Test {
 protected:
  TypicalityTest() {
    for (size_t i = 0; i < 30; ++i) {
      products_.push_back(Stating("monitor " + std::to_string(i), "panel", 10));
    }
    for (size_t i = 0; i < 100; ++i) kinds_.Add(Stating("other", "cable", 8));
  }

  void Add(const std::vector<catalog::Product>& more) {
    products_.insert(products_.end(), more.begin(), more.end());
    for (const catalog::Product& each : products_) kinds_.Add(each);
    kinds_.Finish();
  }

  TypeSplit Split(const std::vector<catalog::Product>& more) {
    Add(more);
    return SplitByTypicality(products_, kinds_);
  }

  std::vector<catalog::Product> products_;
  ProductKinds kinds_;
};

TEST_F(TypicalityTest, IsOneForMostAndNoughtForWhatSharesNothing) {
  Add({Stating("panel of five", "panel", 5), Stating("monitor cable", "cable", 8)});
  const std::vector<double> typicality = TypicalityOf(products_, kinds_);
  EXPECT_THAT(std::vector(typicality.begin(), typicality.begin() + 30), Each(DoubleNear(1, 0.01)));
  EXPECT_THAT(typicality[30], DoubleNear(0.7, 0.1));
  EXPECT_THAT(typicality[31], DoubleNear(0, 0.05));
}

TEST_F(TypicalityTest, OfFewDescribedProductsIsNotKnown) {
  const std::vector<catalog::Product> four(products_.begin(), products_.begin() + 4);
  Add({});
  EXPECT_THAT(TypicalityOf(four, kinds_), IsEmpty());
}

TEST_F(TypicalityTest, WhatStatesNothingOfTheTypeIsAStranger) {
  const TypeSplit split = Split({Stating("monitor cable", "cable", 8)});
  EXPECT_THAT(split.strangers, UnorderedElementsAre("monitor cable"));
  EXPECT_THAT(split.typical, Not(Contains("monitor cable")));
  EXPECT_THAT(split.typical, Contains("monitor 7"));
}

TEST_F(TypicalityTest, WhatSaysLittleOrMuchIsNoStrangerButNotTypical) {
  const TypeSplit split = Split({Stating("bare", "cable", 2), Stating("television", "tuner", 40)});
  EXPECT_THAT(split.strangers, IsEmpty());
  EXPECT_THAT(split.typical, Not(Contains("bare")));
  EXPECT_THAT(split.typical, Not(Contains("television")));
}

TEST_F(TypicalityTest, WhatSaysNothingMayBeTypical) {
  catalog::Product silent;
  silent.id = "silent";
  EXPECT_THAT(Split({silent}).typical, Contains("silent"));
}

TEST_F(TypicalityTest, ATypeOfSeveralKindsHasNoStrangers) {
  std::vector<catalog::Product> cables;
  for (size_t i = 0; i < 20; ++i)
    cables.push_back(Stating("cable " + std::to_string(i), "cable", 8));
  EXPECT_THAT(Split(cables).strangers, IsEmpty());
}

TEST_F(TypicalityTest, TheBestAreDescribedAndAsMostAre) {
  const TypeSplit split = Split({Stating("panel of three", "panel", 2)});
  EXPECT_TRUE(split.best.contains("monitor 3"));
  EXPECT_FALSE(split.best.contains("panel of three"));
}

}  // namespace
}  // namespace emptor::services
