// The model of a product, as records of what fits it name it.
#include "services/assistant/search/fitting.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(FittingTest, DemandsTheModelOfTheTitle) {
  const auto printer = DemandOfModel("Xerox Phaser 5550V_DN laser printer 1200 x 1200 DPI");
  ASSERT_TRUE(printer.has_value());
  EXPECT_TRUE(Meets("Xerox toner cartridge, Phaser 5550", *printer));
  EXPECT_FALSE(Meets("Xerox toner cartridge, Phaser 6280", *printer));
  const auto jet = DemandOfModel("HP OfficeJet L7780 Inkjet 1200 x 1200 DPI 16 ppm A4 Wi-Fi");
  ASSERT_TRUE(jet.has_value());
  EXPECT_TRUE(Meets("HP 88 cartridge for OfficeJet K550, L7780", *jet));
  EXPECT_FALSE(Meets("HP 15 cartridge 1200 DPI A4", *jet));
  const auto laser = DemandOfModel("HP LaserJet P2015x Printer");
  ASSERT_TRUE(laser.has_value());
  EXPECT_TRUE(Meets("HP 53A, LaserJet M2727nf, P2014, P2015", *laser));
  EXPECT_FALSE(Meets("HP 05A, LaserJet P2035", *laser));
}

TEST(FittingTest, DemandsNothingOfTitlesWithoutModel) {
  EXPECT_FALSE(DemandOfModel("Campenby Larch Backpacking Tent, Sand").has_value());
  EXPECT_FALSE(DemandOfModel("Voyarro Gate Suitcase, 65 l").has_value());
}

}  // namespace
}  // namespace emptor::services
