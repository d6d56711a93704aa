// Which goods a message looks for, where words, needs and a search speak for several.
#include "services/assistant/reading/goods_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GoodsChoiceTest : public ::testing::Test {
 protected:
  std::optional<ProductType> Choose(const std::string& message) {
    const FoldedMessage folded(message);
    const GoodsReading reading = ReadingOf(folded);
    return ChooseGoods(reading, RankGoods(reading));
  }
  std::vector<GoodsCandidate> Rank(const std::string& message) {
    const FoldedMessage folded(message);
    return RankGoods(ReadingOf(folded));
  }
  void Find(const std::string& kind, size_t count) {
    for (size_t i = 0; i < count; ++i) found_.push_back({kind, 0.9, 0.5});
  }

  std::optional<ProductType> read_;
  std::vector<NeededType> needs_;
  std::vector<FoundKind> found_;
  std::string unsold_;

 private:
  GoodsReading ReadingOf(const FoldedMessage& message) const {
    static const std::vector<MeantKind> kMeant;
    static const ShopProfile kProfile;
    return {message, read_, needs_, kMeant, found_, kProfile, [this](const ProductType& type) {
              return type.name != unsold_;
            }};
  }
};

TEST_F(GoodsChoiceTest, WhatIsNeededAndFoundComesBeforeWhatIsNamedByTheWay) {
  const std::string message =
      "need something for my feet, the dog pulls me through the mud every morning";
  read_ = FindProductType("dog leash", "en", ShopProfile());
  read_->is_whole = false;
  needs_ = {{"rain boots", 0.9}, {"dog leash", 0.2}};
  Find("rain boots", 8);
  const auto chosen = Choose(message);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->name, FindProductType("rain boots", "en", ShopProfile())->name);
  EXPECT_TRUE(chosen->is_advised) << "the message does not say it";
  double sum = 0;
  for (const GoodsCandidate& each : Rank(message)) sum += each.probability;
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST_F(GoodsChoiceTest, WhatIsAskedForByItsNameIsNotItsMemory) {
  read_ = FindProductType("laptop", "en", ShopProfile());
  needs_ = {{"ram", 0.9}};
  Find("ram", 10);
  EXPECT_FALSE(Choose("i need a laptop with at least 16 gb of ram"));
}

TEST_F(GoodsChoiceTest, WhatASearchFindsAloneIsNotLookedForInPlaceOfWhatIsSaid) {
  const std::string message = "unsere waschmaschine ist hin, bitte was großes";
  read_ = FindProductType("waschmaschine", "de", ShopProfile());
  ASSERT_TRUE(read_);
  Find("ups", 10);
  EXPECT_FALSE(Choose(message));
  needs_ = {{"ups", 0.9}};
  EXPECT_TRUE(Choose(message)) << "needed as well";
}

TEST_F(GoodsChoiceTest, AGiftMayBeOfManyTypes) {
  read_ = ProductType{"cooking", {}, {}, true, true};
  needs_ = {{"frying pan", 0.95}};
  Find("frying pan", 10);
  EXPECT_FALSE(Choose("a gift for someone who loves cooking"));
}

TEST_F(GoodsChoiceTest, WhatIsNotSoldIsNoCandidate) {
  needs_ = {{"kettle", 0.9}};
  unsold_ = "kettle";
  EXPECT_THAT(Rank("boil water"), IsEmpty());
  EXPECT_FALSE(Choose("boil water"));
}

TEST_F(GoodsChoiceTest, ProductsOfNoKindSpeakForNothing) {
  Find("", 10);
  EXPECT_THAT(Rank("something nice"), IsEmpty());
}

TEST_F(GoodsChoiceTest, GoodsThatTheLexiconLacksAreSearchedByTheirOwnName) {
  needs_ = {{"kettle", 0.05}};
  Find("heron deterrent", 10);
  const auto chosen = Choose("heron deterrent for the pond");
  ASSERT_TRUE(chosen);
  EXPECT_FALSE(chosen->is_advised);
  EXPECT_EQ(chosen->name, "heron deterrent");
}

TEST(FoundKindsTest, ATitleComesBeforeACategoryAndThatBeforeANameOfTheShop) {
  catalog::Product product;
  product.title = "Torvane Glide Kettle K20";
  product.categories = {"Kitchen > Tea Time"};
  EXPECT_EQ(KindOf(product, nullptr), "kettle");
  product.title = "Torvane Glide 20";
  EXPECT_EQ(KindOf(product, nullptr), "tea time");
  product.categories.clear();
  EXPECT_EQ(KindOf(product, nullptr), "");
}

}  // namespace
}  // namespace emptor::services
