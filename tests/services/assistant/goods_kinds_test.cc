// Which kind of goods is meant: accessories, narrower types, goods for pets, and what is not sold.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "services/assistant/reading/query_understanding.h"

namespace emptor::services {
namespace {

/// A shop that sells the types of these names.
class GoodsKindsTest : public ::testing::Test {
 protected:
  Understanding Read(const std::string& message) {
    UnderstandingInput input;
    input.message = message;
    input.profile = &profile_;
    input.schema_of = [this](const ProductType&, const std::string&) { return &schema_; };
    input.is_sold = [this](const ProductType& type, const std::string&) {
      return sold_.contains(type.name);
    };
    return Understand(input);
  }
  std::string TypeOf(const std::string& message) {
    const Understanding understanding = Read(message);
    return understanding.type ? understanding.type->name : "";
  }
  std::string Unsold(const std::string& message) { return Read(message).not_sold; }

  ShopProfile profile_;
  TypeSchema schema_;
  std::set<std::string> sold_;
};

TEST_F(GoodsKindsTest, AnAccessoryIsNotTheGoodsThatItIsFor) {
  sold_ = {"monitor", "bike"};
  EXPECT_EQ(Unsold("looking for a stand for my monitor"), "monitor stand");
  EXPECT_EQ(Unsold("ich brauche einen Ständer für mein Fahrrad"), "Ständer für mein Fahrrad");
  EXPECT_EQ(Unsold("Habt ihr Fahrradständer?"), "Fahrradständer");
  EXPECT_EQ(Unsold("je cherche un support pour mon moniteur"), "support pour mon moniteur");
  EXPECT_EQ(Unsold("busco un soporte para el monitor"), "soporte para el monitor");
  EXPECT_EQ(Unsold("i want a monitor"), "");
}

TEST_F(GoodsKindsTest, AListedAccessoryIsFoundByItsParts) {
  sold_ = {"monitor", "monitor arm", "tv", "tv mount"};
  EXPECT_EQ(TypeOf("do you have a stand for two big monitors"), "monitor arm");
  EXPECT_EQ(TypeOf("busco un soporte para el televisor"), "tv mount");
}

TEST_F(GoodsKindsTest, GoodsOfAnotherNameAreNotDenied) {
  sold_ = {"cushion", "laptop stand", "pet fountain", "backpack"};
  EXPECT_EQ(TypeOf("do you have pillows?"), "cushion") << "throw pillows";
  EXPECT_EQ(TypeOf("notebook stand"), "laptop stand");
  EXPECT_EQ(Unsold("a neck pillow for the plane"), "neck pillow") << "no throw pillow";
  // A name with a purpose in it.
  EXPECT_EQ(TypeOf("vous avez aussi une fontaine à eau pour chat ?"), "pet fountain");
  EXPECT_EQ(TypeOf("a backpack for my laptop stand"), "backpack");
  // Two kinds that are called so: none is meant more.
  sold_ = {"bike wall mount", "tv mount"};
  EXPECT_NE(TypeOf("do you have mounts?"), "tv mount");
}

TEST_F(GoodsKindsTest, AUseOfGoodsAsksForWhatServesIt) {
  sold_ = {"monitor", "monitor arm", "bike", "smartwatch", "charger"};
  EXPECT_EQ(TypeOf("i want to mount two 27 inch monitors"), "monitor arm");
  EXPECT_EQ(Unsold("something to hang my bike on the wall"), "bike wall mount");
  EXPECT_EQ(TypeOf("something to charge my smartwatch"), "charger");
  EXPECT_EQ(Unsold("etwas um mein Fahrrad aufzuhängen"), "Fahrrad aufzuhängen");
}

TEST_F(GoodsKindsTest, HowToUseGoodsAsksForNone) {
  sold_ = {"monitor"};
  EXPECT_EQ(Unsold("how do i mount the monitor"), "");
  EXPECT_EQ(Unsold("can i mount the monitor on a wall"), "");
  sold_ = {"desk", "lamp"};
  EXPECT_EQ(Unsold("i want to attach it to the desk, is that possible"), "");
  EXPECT_EQ(Unsold("want to hang a lamp above my desk"), "");
}

TEST_F(GoodsKindsTest, ANameOfTheLexiconIsNoAccessory) {
  sold_ = {"suitcase"};
  EXPECT_EQ(TypeOf("i need a trolley bag for cabin"), "suitcase");
}

TEST_F(GoodsKindsTest, WordsElsewhereSelectTheNarrowerType) {
  sold_ = {"monitor", "baby monitor", "lamp", "desk lamp"};
  EXPECT_EQ(TypeOf("baby due in march!! what monitors do you have with camera"), "baby monitor");
  EXPECT_EQ(TypeOf("a lamp for my desk"), "desk lamp");
  EXPECT_EQ(TypeOf("eine Lampe, sie soll auf den Schreibtisch"), "desk lamp");
  EXPECT_EQ(TypeOf("a monitor for the office, no baby stuff"), "monitor");
  sold_ = {"monitor"};
  EXPECT_EQ(TypeOf("baby due in march!! what monitors do you have"), "monitor");
}

TEST_F(GoodsKindsTest, GoodsOfPeopleAreNotForPets) {
  sold_ = {"toy", "shampoo"};
  EXPECT_EQ(Unsold("a toy for my cat"), "toy for my cat");
  EXPECT_EQ(Unsold("shampoo for dogs"), "shampoo for dogs");
  EXPECT_EQ(Unsold("a toy for my son, not for the cat"), "");
}

TEST_F(GoodsKindsTest, ANounForAPetIsListedUnderThePet) {
  sold_ = {"cat supplies", "cat tree"};
  EXPECT_EQ(Unsold("litter for cats"), "litter for cats");
}

TEST_F(GoodsKindsTest, AnotherKindThatIsNotSoldIsNotTheWiderGoods) {
  profile_.categories = {{"Bags > Bags", 5}, {"Phones > Phone Cases", 5}};
  sold_ = {"vacuum cleaner", "glasses"};
  EXPECT_EQ(Unsold("do you sell bags for a vacuum cleaner"), "vacuum cleaner bag");
  EXPECT_EQ(Unsold("a case for my glasses"), "glasses case");
  EXPECT_EQ(Unsold("a bag for my laptop"), "") << "a kind of bag";
}

TEST_F(GoodsKindsTest, AHyphenatedCompoundIsOneWord) {
  sold_ = {"bike cover"};
  EXPECT_EQ(TypeOf("Habt ihr eine Motorrad-Abdeckung?"), "bike cover");
}

TEST_F(GoodsKindsTest, AHyphenatedVerbNamesNoGoods) {
  EXPECT_NE(Unsold("avez-vous des piles AA ?"), "avez-vous");
}

TEST_F(GoodsKindsTest, WhatIsAskedForByNameIsNotReplacedByANeed) {
  sold_ = {"tent", "sleeping bag"};
  EXPECT_EQ(Unsold("need sleeping mat for camping"), "sleeping mat");
  EXPECT_EQ(Unsold("how about a usb hub"), "usb hub");
}

}  // namespace
}  // namespace emptor::services
