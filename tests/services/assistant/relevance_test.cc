// What of the found goods was asked for.
#include "services/assistant/search/relevance.h"

#include <gtest/gtest.h>

#include <vector>

namespace emptor::services {
namespace {

TEST(AskedGoodsTest, OfFoundGoodsThoseThatTheNounNamesStay) {
  std::vector<FoundProduct> found(2);
  found[0].product.title = "Trailwyn Cairn Hiking Boots";
  found[1].product.title = "Ridgewyn Spring Insulated Bottle";
  Understanding understanding;
  understanding.language = "en";
  understanding.message = "bottle for hiking";
  auto kept = AskedGoodsOf(understanding, found);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].product.title, found[1].product.title);
  understanding.message = "i need a flag for hiking";
  EXPECT_EQ(AskedGoodsOf(understanding, found).size(), 2u);
}

}  // namespace
}  // namespace emptor::services
