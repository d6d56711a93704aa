// What products are by titles and by attributes.
#include "services/assistant/types/product_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KindsTest : public ::testing::Test {
 protected:
  /// A product that states `count` attributes named after `kind`: "laptop 0", "laptop 1", ...
  void Add(const std::string& id, const std::string& title, const std::string& kind,
           size_t count = 12) {
    catalog::Product product;
    product.id = id;
    product.title = title;
    for (size_t i = 0; i < count; ++i) {
      product.attributes.push_back({kind + " " + std::to_string(i), "x"});
    }
    kinds_.Add(product);
  }
  void AddMany(const std::string& title, const std::string& kind, size_t count = 10) {
    for (size_t i = 0; i < count; ++i) Add(kind + std::to_string(i), title, kind);
  }
  /// Members but those that AddMany added.
  std::vector<std::string> Others(const std::string& type) {
    std::vector<std::string> others;
    for (std::string& id : kinds_.Members(*FindProductType(type, "en", ShopProfile()))) {
      if (id.back() < '0' || id.back() > '9') others.push_back(std::move(id));
    }
    return others;
  }

  ProductKinds kinds_;
};

TEST_F(KindsTest, ATitleThatNamesNothingIsWhatItsNeighboursAre) {
  AddMany("Torvane Laptop", "laptop");
  AddMany("Torvane Desk Lamp", "lamp");
  Add("bare", "Torvane 8540w 39.6 cm", "laptop");
  Add("hardly described", "Torvane 9000", "laptop", 3);
  Add("alone", "Torvane 7", "spoon");
  kinds_.Finish();
  EXPECT_THAT(Others("laptop"), ElementsAre("bare"));
  EXPECT_THAT(Others("desk lamp"), IsEmpty());
}

TEST_F(KindsTest, OfTwoNamesTheOneOfTheNeighboursCounts) {
  AddMany("Torvane Laptop", "laptop");
  AddMany("Torvane Hard Drive", "drive");
  Add("laptop", "Torvane Laptop Black Hard Drive", "laptop");
  kinds_.Finish();
  EXPECT_THAT(Others("laptop"), ElementsAre("laptop"));
  EXPECT_THAT(Others("hard drive"), IsEmpty());
}

TEST_F(KindsTest, AnAmbiguousNameThatNoNeighbourSharesGivesWay) {
  AddMany("Torvane Surge Protector", "protector");
  AddMany("Torvane Desk Lamp", "lamp");
  Add("socket", "Torvane Notebook 1 AC outlet", "protector");
  Add("webcam", "Torvane Webcam", "protector");
  kinds_.Finish();
  EXPECT_THAT(Others("surge protector"), ElementsAre("socket"));
  EXPECT_THAT(Others("webcam"), ElementsAre("webcam")) << "a name of one meaning stays";
}

TEST_F(KindsTest, WhatBelongsToAProductIsNoneOfIts) {
  AddMany("Torvane Laptop", "laptop");
  Add("sleeve", "Torvane Laptop Sleeve", "bag");
  Add("cover", "Torvane Laptop Canopy Cover", "cover");
  kinds_.Finish();
  EXPECT_THAT(Others("laptop"), IsEmpty());
}

TEST_F(KindsTest, AnAmbiguousNameMeansWhatItsNeighboursAre) {
  AddMany("Torvane Notebook PC", "laptop");
  AddMany("Torvane Exercise Book", "paper");
  Add("portable", "Torvane Notebook", "laptop");
  Add("lined", "Torvane Notebook", "paper");
  Add("lonely", "Torvane Notebook", "spoon");
  kinds_.Finish();
  EXPECT_THAT(Others("laptop"), ElementsAre("portable"));
  EXPECT_THAT(Others("exercise book"), ElementsAre("lined", "lonely"));
}

TEST_F(KindsTest, ANameBehindAnAmountMayBeAComponent) {
  AddMany("Torvane Desktop PC", "computer");
  AddMany("Torvane Hard Drive", "drive");
  Add("computer", "Torvane A540 8 GB 1000 GB HDD", "computer");
  Add("drive", "Torvane 500 GB HDD", "drive");
  kinds_.Finish();
  EXPECT_THAT(Others("hard drive"), ElementsAre("drive"));
  EXPECT_THAT(Others("desktop computer"), ElementsAre("computer"));
}

TEST_F(KindsTest, AKindOfATypeIsOfTheType) {
  AddMany("Torvane Laser Printer", "printer");
  Add("plain", "Torvane Printer", "printer");
  kinds_.Finish();
  EXPECT_EQ(kinds_.Members(*FindProductType("printer", "en", ShopProfile())).size(), 11u);
}

TEST_F(KindsTest, AnAttributeMaySayTheKind) {
  AddMany("Torvane Laptop", "laptop");
  catalog::Product product;
  product.id = "slate";
  product.title = "Torvane Slate 7";
  product.attributes = {{"device type", "Mini tablet"}};
  kinds_.Add(product);
  kinds_.Finish();
  EXPECT_THAT(Others("tablet"), ElementsAre("slate"));
}

TEST_F(KindsTest, WhereRecordsStateLittleTitlesDecide) {
  for (int i = 0; i < 20; ++i) Add("mug" + std::to_string(i), "Torvane Mug", "mug", 1);
  Add("bare", "Torvane 7", "mug", 1);
  kinds_.Finish();
  EXPECT_FALSE(kinds_.is_rich());
  EXPECT_EQ(kinds_.Members(*FindProductType("mug", "en", ShopProfile())).size(), 20u);
}

TEST_F(KindsTest, AnAttributeOfEveryProductTellsNothing) {
  AddMany("Torvane Laptop", "common", 100);
  Add("bare", "Torvane 7", "common");
  kinds_.Finish();
  EXPECT_THAT(Others("laptop"), IsEmpty());
}

}  // namespace
}  // namespace emptor::services
