// Units that records leave out, learned from the shop's titles and descriptions.
#include "services/assistant/schema/shop_units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

catalog::Product Product(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

/// Weights in grams, cables in metres.
ShopUnits Units() {
  ShopUnits units;
  for (const int grams : {172, 1230, 4670, 250}) {
    units.Add(Product(fmt::format("Torvane Box, {} g", grams),
                      {{"weight", std::to_string(grams)}, {"ports quantity", "4"}}));
  }
  for (const int meters : {2, 3, 5, 10}) {
    units.Add(Product(fmt::format("Patch Cable {}m", meters),
                      {{"cable length", std::to_string(meters)}, {"colour", "blue"}}));
  }
  units.Finish();
  return units;
}

std::string Behind(const ShopUnits& units, const catalog::Attribute& attribute,
                   const std::string& question, std::string_view language = "en") {
  return UnitBehind(attribute, &units, FoldedMessage(question), language);
}

TEST(ShopUnitsTest, TitlesTellTheUnitOfPlainNumbers) {
  const ShopUnits units = Units();
  EXPECT_EQ(Behind(units, {"weight", "190"}, "how heavy is it"), " g");
  EXPECT_EQ(Behind(units, {"weight (with stand)", "6940"}, "how heavy is it"), " g (6.94 kg)");
  EXPECT_EQ(Behind(units, {"package weight", "936"}, "how heavy is it"), " g");
  EXPECT_EQ(Behind(units, {"cable length", "7"}, "how long is it"), " m");
}

TEST(ShopUnitsTest, CountsAndTextHaveNone) {
  const ShopUnits units = Units();
  EXPECT_EQ(Behind(units, {"ports quantity", "4"}, "how many ports"), "");
  EXPECT_EQ(Behind(units, {"weight", "1.9 kg"}, "how heavy is it"), "");
  EXPECT_EQ(Behind(units, {"colour", "blue"}, "what color"), "");
  EXPECT_EQ(Behind(units, {"depth", "40"}, "how deep"), "") << "nothing tells its unit";
}

TEST(ShopUnitsTest, DataSheetsWriteSomeInOneUnitOnly) {
  const ShopUnits units = Units();
  EXPECT_EQ(Behind(units, {"ac input voltage", "100 - 240"}, "what voltage"), " V");
  EXPECT_EQ(Behind(units, {"weight (imperial)", "2.33"}, "how heavy"), " lb");
  EXPECT_EQ(Behind(units, {"hose length", "1.7"}, "how long"), " m");
  EXPECT_EQ(Behind(units, {"hose length", "600"}, "how long"), "") << "no hose of 600 metres";
}

TEST(ShopUnitsTest, AnotherUnitThatIsAskedForFollows) {
  const ShopUnits units = Units();
  EXPECT_EQ(Behind(units, {"weight", "1900"}, "weight in kg"), " g (1.9 kg)");
  EXPECT_EQ(Behind(units, {"weight", "1900"}, "how many pounds"), " g (4.19 lb)");
  EXPECT_EQ(Behind(units, {"width", "80 cm"}, "wie breit in Zoll", "de"), " (31,5 Zoll)");
  EXPECT_EQ(Behind(units, {"weight", "1900"}, "weight in grams"), " g") << "the same unit";
}

TEST(ShopUnitsTest, QuantitiesInBaseUnits) {
  const ShopUnits units = Units();
  const auto range = ReadQuantity({"ac input voltage", "100 - 240"}, &units);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->base, "v");
  EXPECT_DOUBLE_EQ(range->from, 100);
  EXPECT_DOUBLE_EQ(range->to, 240);
  EXPECT_FALSE(ReadQuantity({"dimensions", "119 x 302 x 40"}, &units));
  EXPECT_FALSE(ReadQuantity({"weight", "1900"}, nullptr)) << "no unit is known";
}

}  // namespace
}  // namespace emptor::services
