// Values of which goods have one, and attributes that say what is asked in other words.
#include "services/assistant/schema/contrasts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/schema/fact_meaning.h"

namespace emptor::services {
namespace {

catalog::Product GoodsOfKind(std::string title, std::vector<catalog::Attribute> attributes = {}) {
  catalog::Product product;
  product.id = "p1";
  product.title = std::move(title);
  product.attributes = std::move(attributes);
  return product;
}

/// "yes form factor", "no title", "states gender"; empty: open.
std::string ContrastOf(const std::string& question, const catalog::Product& product) {
  const auto contrast = FindContrast(FoldedMessage(question), product);
  if (!contrast) return "";
  const std::string verdict = !contrast->holds ? "states " : *contrast->holds ? "yes " : "no ";
  return verdict + contrast->key;
}

TEST(ContrastsTest, WhatIsStatedOfTheKindDeniesOtherValuesInEveryLanguage) {
  const auto mouse = GoodsOfKind("Torvane mouse", {{"form factor", "Right-hand"}});
  EXPECT_EQ(ContrastOf("is it for left handers", mouse), "no form factor");
  EXPECT_EQ(ContrastOf("is it right handed", mouse), "yes form factor");
  EXPECT_EQ(ContrastOf("ist die auch für linkshänder", mouse), "no form factor");
  EXPECT_EQ(ContrastOf("左撇子能用吗", mouse), "no form factor");
  EXPECT_EQ(ContrastOf("¿es para zurdos?", mouse), "no form factor");
  const auto both = GoodsOfKind("Torvane mouse", {{"form factor", "Ambidextrous"}});
  EXPECT_EQ(ContrastOf("is it ok for left handed people", both), "yes form factor");
}

TEST(ContrastsTest, TheGeneralValueLeavesTheSpecialOneOpen) {
  const auto headset = GoodsOfKind("Headset", {{"connectivity technology", "Wireless"}});
  EXPECT_EQ(ContrastOf("is it bluetooth", headset), "");
  EXPECT_EQ(ContrastOf("is it wired", headset), "no connectivity technology");
  const auto phone = GoodsOfKind("Phone", {{"mobile network generation", "4G"}});
  EXPECT_EQ(ContrastOf("is it 5g", phone), "no mobile network generation");
  EXPECT_EQ(ContrastOf("is it 3g", phone), "yes mobile network generation");
}

TEST(ContrastsTest, ALongListOfVersionsIsReadWhole) {
  std::string versions;
  for (int i = 5; i < 16; ++i) versions += "Mac OS X 10." + std::to_string(i) + " Release,";
  const auto keyboard =
      GoodsOfKind("Keyboard", {{"windows operating systems supported", "Windows 10,Windows 8"},
                               {"mac operating systems supported", versions}});
  EXPECT_EQ(ContrastOf("can i use it with my mac", keyboard),
            "yes mac operating systems supported");
}

TEST(ContrastsTest, AChoiceIsStatedAndOtherThingsStayOpen) {
  const auto stick = GoodsOfKind("Stick", {{"device interface", "USB Type-A"}});
  EXPECT_EQ(ContrastOf("usb c or usb a", stick), "states device interface");
  const auto knife = GoodsOfKind("Chef's knife", {{"handle", "walnut"}, {"steel", "VG-10 steel"}});
  EXPECT_EQ(ContrastOf("is the handle wood", knife), "yes handle");
  EXPECT_EQ(ContrastOf("is the handle plastic", knife), "no handle");
  EXPECT_EQ(ContrastOf("is the sheath leather", knife), "") << "nothing is said of a sheath";
  EXPECT_EQ(ContrastOf("real leather?", GoodsOfKind("Men's PU Synthetic Leather Shoes")),
            "no title");
  EXPECT_EQ(ContrastOf("is it leather", GoodsOfKind("Shoes", {{"material", "leather"}})),
            "yes material");
}

/// The first attribute that says all of a yes-or-no question; empty: none.
std::string SaidFirst(const std::string& question, const catalog::Product& product,
                      const std::string& language = "en") {
  const FoldedMessage folded(question);
  const AskedMeaning asked(folded, language, product.title);
  const auto said = FindSaid(asked, folded, product, TypeSchema::Learn({&product}), true);
  return said.empty() ? "" : said.front().name;
}

TEST(FactMeaningTest, AnAttributeAnswersInOtherWordsOnlyWhereItSaysAll) {
  const auto machine = GoodsOfKind("Krups pod machine", {{"coffee input type", "Coffee capsule"},
                                                         {"hot and cold beverages making", "yes"},
                                                         {"removable water tank", "yes"}});
  EXPECT_EQ(SaidFirst("does it make cold drinks", machine), "hot and cold beverages making");
  EXPECT_EQ(SaidFirst("水箱能拆下来吗", machine, "zh"), "removable water tank");
  EXPECT_EQ(SaidFirst("can it keep coffee warm", machine), "");
}

TEST(FactMeaningTest, PartsThatAreIncludedAreMoreThanTheNameOfTheGoods) {
  const auto clothes = GoodsOfKind(
      "Doll clothes set", {{"product type", "Doll clothes set"}, {"batteries included", "no"}});
  EXPECT_EQ(SaidFirst("is the doll included", clothes), "");
  EXPECT_EQ(SaidFirst("does it come with batteries", clothes), "batteries included");
}

TEST(FactMeaningTest, ANameIsSaidByItsHeadOrItsBracket) {
  const AskedMeaning poe(FoldedMessage("does it support poe"), "en", "");
  EXPECT_EQ(poe.ShareOfName("power over ethernet (poe)"), 1);
  const AskedMeaning plugged(FoldedMessage("can it be plugged straight into the socket"), "en", "");
  EXPECT_LE(plugged.ShareOfName("plug and play"), 0.5);
}

}  // namespace
}  // namespace emptor::services
