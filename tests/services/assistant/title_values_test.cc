// What titles say of colours, materials and packs.
#include "services/assistant/schema/title_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Values(const std::string& question, const std::string& title,
                                bool asks_yes_no = false, std::string_view language = "en") {
  const FoldedMessage asked(question);
  return ValuesInTitle(asked, asked, language, title, asks_yes_no);
}

TEST(TitleValuesTest, ValuesOfTheKindThatIsAskedFor) {
  const std::string kurta = "Easy Feed Women Rayon Regular Kurta, Navy Blue";
  EXPECT_THAT(Values("what fabric is it", kurta), ElementsAre("rayon"));
  EXPECT_THAT(Values("aus welchem Material ist das", kurta, false, "de"), ElementsAre("rayon"));
  EXPECT_THAT(Values("what color is it", kurta), ElementsAre("navy blue"));
  EXPECT_THAT(Values("how heavy is it", kurta), IsEmpty());
  EXPECT_THAT(Values("what color is the laser pointer", kurta), IsEmpty());
}

TEST(TitleValuesTest, AnotherValueOfTheKindAnswersYesOrNo) {
  const std::string kurta = "Easy Feed Women Rayon Regular Kurta, Navy Blue";
  EXPECT_THAT(Values("is it cotton", kurta, true), ElementsAre("rayon"));
  EXPECT_THAT(Values("ist es aus Baumwolle", kurta, true, "de"), ElementsAre("rayon"));
  EXPECT_THAT(Values("is it heavy", kurta, true), IsEmpty());
}

TEST(TitleValuesTest, PacksOfSeveral) {
  EXPECT_EQ(PackInTitle("Cosco Tennis Ball (Pack of 6) Rubber")->count, 6);
  EXPECT_EQ(PackInTitle("SCEPTRE 20 Pcs Wet Baby Wipes")->text, "20 pcs");
  EXPECT_FALSE(PackInTitle("Milton Jar, 6 pcs 270 ml, 12 pcs 665 ml")) << "which one?";
  EXPECT_FALSE(PackInTitle("Torvane Kettle 1.5 Litre"));
}

TEST(TitleValuesTest, WhoCountsPieces) {
  const std::string title = "Bosch Wiper Blade (22\", Pack of 2)";
  const auto asks = [&](const std::string& question) {
    const FoldedMessage asked(question);
    return AsksForPack(asked, asked, title);
  };
  EXPECT_TRUE(asks("how many do I get"));
  EXPECT_TRUE(asks("how many wipers"));
  EXPECT_TRUE(asks("wie viele Stück sind das"));
  EXPECT_FALSE(asks("how many pockets does it have"));
  EXPECT_FALSE(asks("is it black"));
}

TEST(TitleValuesTest, AnotherNumberOfTheSame) {
  EXPECT_TRUE(TitleCountsOtherwise(FoldedMessage("is it a 5 star"), "Carrier 1.5 Ton 3 Star AC"));
  EXPECT_FALSE(TitleCountsOtherwise(FoldedMessage("is it a 3 star"), "Carrier 1.5 Ton 3 Star AC"));
  EXPECT_FALSE(TitleCountsOtherwise(FoldedMessage("is it for 5 rooms"), "Carrier 3 Star AC"));
}

TEST(TitleValuesTest, ThePriceOfOne) {
  catalog::Product product;
  product.title = "K-2 Surface Cleaner 1 liter pack of 3";
  const auto of = [&](const std::string& question) {
    return ReadPriceOf(FoldedMessage(question), product);
  };
  EXPECT_DOUBLE_EQ(of("price per bottle?")->share, 1.0 / 3);
  EXPECT_DOUBLE_EQ(of("how much is it per litre")->share, 1.0 / 3);
  EXPECT_FALSE(of("how much is it"));
  product.title = "Food Boxes";
  EXPECT_FALSE(of("price per box each one"));
  product.attributes = {{"pieces", "4"}};
  EXPECT_DOUBLE_EQ(of("price per piece")->share, 0.25);
}

}  // namespace
}  // namespace emptor::services
