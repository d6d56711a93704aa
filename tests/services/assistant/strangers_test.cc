// Members of a type whose attributes are those of other goods.
#include "services/assistant/types/strangers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::IsEmpty;
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

class StrangersTest : public ::testing::Test {
 protected:
  StrangersTest() {
    for (size_t i = 0; i < 30; ++i) {
      monitors_.push_back(Stating("monitor " + std::to_string(i), "panel", 10));
    }
    for (size_t i = 0; i < 100; ++i) kinds_.Add(Stating("other", "cable", 8));
  }

  std::unordered_set<std::string> Strangers(const std::vector<catalog::Product>& more) {
    std::vector<catalog::Product> products = monitors_;
    products.insert(products.end(), more.begin(), more.end());
    for (const catalog::Product& each : products) kinds_.Add(each);
    kinds_.Finish();
    return FindStrangers(products, kinds_);
  }

  std::vector<catalog::Product> monitors_;
  ProductKinds kinds_;
};

TEST_F(StrangersTest, WhatStatesNothingOfTheTypeIsOne) {
  EXPECT_THAT(Strangers({Stating("monitor cable", "cable", 8)}),
              UnorderedElementsAre("monitor cable"));
}

TEST_F(StrangersTest, WhatSaysLittleOrMuchIsNone) {
  EXPECT_THAT(Strangers({Stating("bare", "cable", 2), Stating("television", "tuner", 40)}),
              IsEmpty());
}

TEST_F(StrangersTest, ATypeOfSeveralKindsHasNone) {
  std::vector<catalog::Product> cables(20, Stating("cable", "cable", 8));
  EXPECT_THAT(Strangers(cables), IsEmpty());
}

}  // namespace
}  // namespace emptor::services
