// What of the found goods was asked for.
#include "services/assistant/search/relevance.h"

#include <gtest/gtest.h>

#include <string>
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

std::vector<FoundProduct> Found(const std::vector<std::string>& titles) {
  std::vector<FoundProduct> found(titles.size());
  for (size_t i = 0; i < titles.size(); ++i) found[i].product.title = titles[i];
  return found;
}

std::string UnsoldOf(const std::string& message, const std::vector<std::string>& titles) {
  Understanding understanding;
  understanding.language = "en";
  understanding.message = message;
  return UnsoldNounIn(understanding, Found(titles));
}

TEST(UnsoldNounTest, ANounThatNoTitleIsNamedByIsNotSold) {
  const std::string fins = "Ujeavette Tri Fins Box Surfing SUP Surfboard Fin Keyboard";
  EXPECT_EQ(UnsoldOf("i want to buy a surfboard", {fins}), "surfboard");
  EXPECT_EQ(UnsoldOf("surfboard", {fins}), "") << "no request";
  EXPECT_EQ(UnsoldOf("i want to buy a surfboard", {fins, "Brindle Surfboard"}), "");
  EXPECT_EQ(UnsoldOf("do you have a flatbed", {"Epson Perfection V600 Photo Flatbed Scanner"}), "");
  EXPECT_EQ(UnsoldOf("do you have the tribord 300", {"Brindle Kettle"}), "") << "a model";
}

TEST(OneKindTest, TheKindThatCoversMoreWordsStays) {
  Understanding understanding;
  understanding.language = "en";
  understanding.search_text = "measure a room with a laser";
  const auto found =
      Found({"Boltwick Span Measure Laser Distance Meter", "Airolane Dot Laser Robot Vacuum"});
  const auto kept = OfOneKind(understanding, found);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].product.title, found[0].product.title);
  understanding.search_text = "with a laser";
  EXPECT_EQ(OfOneKind(understanding, found).size(), 2u) << "neither has more";
}

}  // namespace
}  // namespace emptor::services
