// Amounts of questions against what records state.
#include "services/assistant/schema/amount_verdict.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

std::string Judge(const std::string& question, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = "Torvane Thing";
  product.attributes = std::move(attributes);
  ShopUnits units;
  units.Finish();
  const auto verdict = JudgeAmount(question, FoldedMessage(question), product, &units);
  if (!verdict) return "nothing";
  const std::string holds = !verdict->holds ? "state " : *verdict->holds ? "yes " : "no ";
  return holds + verdict->key;
}

TEST(AmountVerdictTest, UnderAndOver) {
  EXPECT_EQ(Judge("is it under 5 kg", {{"weight", "4.7 kg"}}), "yes weight");
  EXPECT_EQ(Judge("is it under 5 kg", {{"weight", "6 kg"}}), "no weight");
  EXPECT_EQ(Judge("are they heavier than 300 g", {{"weight", "260 g"}}), "no weight");
  EXPECT_EQ(Judge("wiegt er weniger als 2 kg", {{"weight", "1.9 kg"}}), "yes weight");
  EXPECT_EQ(Judge("is it under 5 kg", {{"color", "red"}}), "nothing");
}

TEST(AmountVerdictTest, WhatGoodsBear) {
  EXPECT_EQ(Judge("can it hold 150 kg", {{"weight capacity", "130 kg"}, {"weight", "20 kg"}}),
            "no weight capacity");
  EXPECT_EQ(Judge("does it hold 1 liter", {{"capacity", "1.5 l"}}), "yes capacity");
  EXPECT_EQ(Judge("is it ok for a baby of 3 kg", {{"child weight", "5.5 to 20 kg"}}),
            "no child weight");
}

TEST(AmountVerdictTest, BoundsAndIntervals) {
  const std::vector<catalog::Attribute> mount = {{"minimum screen size compatibility", "10 in"},
                                                 {"maximum screen size compatibility", "30 in"}};
  EXPECT_EQ(Judge("is it good for a 42 inch tv", mount), "no maximum screen size compatibility");
  EXPECT_EQ(Judge("is it good for a 24 inch tv", mount), "yes maximum screen size compatibility");
  EXPECT_EQ(Judge("does it work on 110v", {{"ac input voltage", "100 - 240"}}),
            "yes ac input voltage");
  EXPECT_EQ(Judge("does it work on 110v", {{"ac input voltage", "220 - 240"}}),
            "no ac input voltage");
}

TEST(AmountVerdictTest, WhatFitsAGap) {
  const std::vector<catalog::Attribute> box = {{"width", "17 cm"}, {"height", "30 cm"}};
  EXPECT_EQ(Judge("will it fit in a 20 cm wide space", box), "yes width");
  EXPECT_EQ(Judge("will it fit in a 15 cm wide space", box), "no width");
  EXPECT_EQ(Judge("does it fit a 92 mm slot", {{"fan diameter", "92 mm"}}), "yes fan diameter");
}

TEST(AmountVerdictTest, WhatIsNotAskedOrNotSaidHasNoVerdict) {
  EXPECT_EQ(Judge("is it red", {{"weight", "4.7 kg"}}), "nothing");
  EXPECT_EQ(Judge("can I mix 5 ml with 10 ml", {{"capacity", "1 l"}}), "nothing");
  EXPECT_EQ(Judge("does it work at 2 m", {{"width", "17 cm"}}), "nothing");
}

}  // namespace
}  // namespace emptor::services
