// Grown catalogs.
#include "tests/support/passage_grower.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::testing {
namespace {

std::vector<catalog::Product> Seeds() {
  std::vector<catalog::Product> seeds;
  const std::vector<std::string> colours = {"red", "blue", "green", "white"};
  const std::vector<std::string> things = {"kettle", "toaster", "lamp", "mouse"};
  for (size_t i = 0; i < 16; ++i) {
    catalog::Product product;
    product.id = "s";
    product.id += std::to_string(i);
    product.title = "Acme " + colours[i % 4] + " " + things[i / 4] + " deluxe";
    product.brand = "Acme";
    product.categories = {things[i / 4]};
    product.attributes = {{"colour", colours[i % 4]}, {"material", "steel"}};
    product.description = "A " + things[i / 4] + " for every home. It is " + colours[i % 4] + ".";
    seeds.push_back(std::move(product));
  }
  return seeds;
}

TEST(PassageGrowerTest, EqualSeedsGrowEqualCatalogsOfAscendingIds) {
  PassageGrower one(Seeds(), 1), same(Seeds(), 1), other(Seeds(), 2);
  std::string before;
  bool any_difference = false;
  for (int i = 0; i < 200; ++i) {
    const catalog::Product product = one.Next();
    EXPECT_EQ(product, same.Next());
    any_difference = any_difference || product.title != other.Next().title;
    EXPECT_LT(before, product.id);
    EXPECT_EQ(product.attributes.size(), 2u);
    EXPECT_FALSE(product.title.empty());
    before = product.id;
  }
  EXPECT_TRUE(any_difference);
  EXPECT_EQ(one.RandomQuery(), same.RandomQuery());
}

}  // namespace
}  // namespace emptor::testing
