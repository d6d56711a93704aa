// The noun of a request in a follow-up.
#include "services/assistant/reading/asked_goods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AskedGoods ReadGoods(const char* message) { return ReadAskedGoods(FoldedMessage(message)); }

TEST(AskedGoodsTest, NamesTheGoodsBehindTheRequest) {
  EXPECT_THAT(ReadGoods("do you also have a leash?").names, ElementsAre("leash"));
  EXPECT_THAT(ReadGoods("can you recommend a replacement lamp for it").names,
              ElementsAre("replacement lamp", "lamp"));
  EXPECT_THAT(ReadGoods("and a wall mount under 50").names, ElementsAre("wall mount", "mount"));
  EXPECT_THAT(ReadGoods("Habt ihr auch eine Leinwand dazu?").names, ElementsAre("leinwand"));
}

TEST(AskedGoodsTest, KnowsThatGoodsAreForWhatWasShown) {
  EXPECT_TRUE(ReadGoods("do you have a case for it").fits_shown);
  EXPECT_TRUE(ReadGoods("which toner does the first one take").fits_shown);
  EXPECT_THAT(ReadGoods("which toner does the first one take").names, ElementsAre("toner"));
  EXPECT_FALSE(ReadGoods("do you also have a leash?").fits_shown);
}

TEST(AskedGoodsTest, NamesNothingWithoutRequestOrNoun) {
  EXPECT_THAT(ReadGoods("how heavy is it").names, IsEmpty());
  EXPECT_THAT(ReadGoods("do you have it in stock").names, IsEmpty());
  EXPECT_THAT(ReadGoods("does it need batteries").names, IsEmpty());
}

TEST(AskedGoodsTest, TheNounMayStandBeforeTheRequest) {
  EXPECT_THAT(ReadGoods("what cartridge do i need for it").names, ElementsAre("cartridge"));
  EXPECT_THAT(ReadGoods("what do i need for it").names, IsEmpty());
}

TEST(AskedGoodsTest, AProductIsAlsoNamedByItsPlace) {
  for (const char* message :
       {"do you have a case for the first one", "habt ihr eine Hülle für die zweite?",
        "avez-vous un étui pour le premier ?", "¿tienen una funda para la primera?",
        "有它的手机壳吗"}) {
    EXPECT_TRUE(ReadGoods(message).fits_shown) << message;
  }
}

TEST(AskedGoodsTest, TheNounMayStandBeforeWhatItIsFor) {
  const AskedGoods lamp = ReadGoods("what does a spare lamp for it cost");
  EXPECT_THAT(lamp.names, ElementsAre("lamp"));
  EXPECT_TRUE(lamp.is_bought);
  EXPECT_THAT(ReadGoods("was kosten Ersatzbürsten dazu").names, ElementsAre("bursten"));
  EXPECT_THAT(ReadGoods("quel toner faut-il acheter avec").names, ElementsAre("toner"));
  EXPECT_THAT(ReadGoods("what do replacement filters for it cost").names,
              ElementsAre("replacement filters", "filters"));
  EXPECT_FALSE(ReadGoods("what filter size does it take").is_bought) << "an attribute";
  EXPECT_THAT(ReadGoods("how long is the cable for it").names, IsEmpty());
  EXPECT_THAT(ReadGoods("how much water does it use").names, IsEmpty());
}

}  // namespace
}  // namespace emptor::services
