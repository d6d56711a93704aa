// What of the shopper's needs products meet, and what is shown for it.
#include "services/assistant/search/need_verdicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FoundProduct Found(const std::string& id, const std::string& title,
                   std::vector<catalog::Attribute> attributes = {}, int64_t price = 5000) {
  FoundProduct found;
  found.product.id = id;
  found.product.title = title;
  found.product.attributes = std::move(attributes);
  found.product.price = catalog::Money{price, "USD"};
  return found;
}

AskedNeed Attribute(const std::string& name, const std::string& value, const std::string& text) {
  AskedNeed need;
  need.kind = AskedNeed::Kind::kAttribute;
  need.text = text;
  need.condition.attributes = {{name, {value}}};
  return need;
}

AskedNeed Word(const std::string& word) {
  AskedNeed need;
  need.text = word;
  need.word = DemandOf(word);
  return need;
}

AskedNeed MaxPrice(int64_t amount) {
  AskedNeed need;
  need.kind = AskedNeed::Kind::kPrice;
  need.condition.max_price = amount;
  need.condition.currency = "USD";
  return need;
}

std::vector<std::string> IdsIn(const std::vector<FoundProduct>& found) {
  std::vector<std::string> ids;
  for (const FoundProduct& each : found) ids.push_back(each.product.id);
  return ids;
}

TEST(NeedVerdictsTest, AnAttributeThatDeniesViolatesAndOneThatIsMissingDoesNotState) {
  const std::vector<AskedNeed> needs = {Attribute("waterproof", "yes", "waterproof")};
  const std::vector<FoundProduct> found = {Found("yes", "Tent A", {{"waterproof", "yes"}}),
                                           Found("no", "Tent B", {{"waterproof", "no"}}),
                                           Found("silent", "Tent C"),
                                           Found("titled", "Waterproof tent D")};
  const auto verdicts = JudgeNeeds({needs}, found);
  EXPECT_THAT(verdicts,
              ElementsAre(ElementsAre(NeedVerdict::kMet), ElementsAre(NeedVerdict::kViolated),
                          ElementsAre(NeedVerdict::kNotStated), ElementsAre(NeedVerdict::kMet)));
}

TEST(NeedVerdictsTest, OfWhatIsAlikeTheOneNearestToThePriceComesFirst) {
  const std::vector<AskedNeed> needs = {MaxPrice(6000)};
  std::vector<FoundProduct> found = {Found("dear", "Tent A", {}, 5900),
                                     Found("cheap", "Tent B", {}, 4200),
                                     Found("near", "Tent C", {}, 5100)};
  ChooseByNeeds({.needs = needs, .price_near = 5000}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("near", "cheap", "dear"));
}

TEST(NeedVerdictsTest, WhereOneIsCheapAsIsPreferredNothingDearerIsShown) {
  AskedNeed cheap;
  cheap.kind = AskedNeed::Kind::kWish;
  cheap.preferred = RankedKey{.key = "price", .is_least = true};
  const std::vector<AskedNeed> needs = {cheap};
  const auto chosen = [&](std::vector<FoundProduct> found) {
    ChooseByNeeds({needs}, found);
    return IdsIn(found);
  };
  EXPECT_THAT(chosen({Found("dear", "Tent A", {}, 19900), Found("low", "Tent B", {}, 4200),
                      Found("mid", "Tent C", {}, 9900), Found("lower", "Tent D", {}, 3900)}),
              ElementsAre("low", "lower"));
  EXPECT_THAT(chosen({Found("only", "Tent A", {}, 19900)}), ElementsAre("only"));
}

TEST(NeedVerdictsTest, WhatMeetsAConditionComesBeforeWhatIsPreferred) {
  AskedNeed big;
  big.kind = AskedNeed::Kind::kWish;
  big.preferred = RankedKey{.key = "capacity"};
  const std::vector<AskedNeed> needs = {Attribute("waterproof", "yes", "waterproof"), big};
  std::vector<FoundProduct> found = {
      Found("big", "Tent A", {{"waterproof", "no"}, {"capacity", "8"}}),
      Found("dry", "Tent B", {{"waterproof", "yes"}, {"capacity", "2"}})};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("dry"));
}

TEST(NeedVerdictsTest, WhatMissesABoundByLittleComesFirst) {
  AskedNeed capacity;
  capacity.kind = AskedNeed::Kind::kRange;
  capacity.condition.ranges = {{.attribute = "capacity", .unit = "tb", .min = 1}};
  std::vector<FoundProduct> found = {Found("320", "Drive A", {{"capacity", "320 GB"}}),
                                     Found("640", "Drive B", {{"capacity", "640 GB"}}),
                                     Found("200", "Drive C", {{"capacity", "200 GB"}})};
  const std::vector<AskedNeed> needs = {capacity};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("640", "320", "200"));
}

TEST(NeedVerdictsTest, AModelMayStandInAListOfModels) {
  AskedNeed fits;
  fits.word = WordCondition{"LASERJET 1200", {{"laserjet", "1200"}}, std::nullopt};
  const std::vector<AskedNeed> needs = {fits};
  const std::vector<FoundProduct> found = {
      Found("listed", "Toner 15A", {{"compatibility", "HP LaserJet 1000, 1005w, 1200, 1220"}}),
      Found("apart", "Toner 27X for LaserJet 4000, prints 1200 dpi"),
      Found("alone", "Toner for LaserJet 1200")};
  const auto verdicts = JudgeNeeds({needs}, found);
  EXPECT_EQ(verdicts[0][0], NeedVerdict::kMet);
  EXPECT_EQ(verdicts[1][0], NeedVerdict::kNotStated);
  EXPECT_EQ(verdicts[2][0], NeedVerdict::kMet);
}

TEST(NeedVerdictsTest, OfEqualOnesWhatIsDescribedComesFirst) {
  const std::vector<AskedNeed> needs = {};
  std::vector<FoundProduct> found = {
      Found("silent", "Camera"),
      Found("described", "Camera", {{"a", "1"}, {"b", "2"}, {"c", "3"}})};
  const TypeTable table;
  ChooseByNeeds({needs, &table}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("described", "silent"));
}

TEST(NeedVerdictsTest, WhatViolatesIsNotShownWhereOthersViolateNothing) {
  const std::vector<AskedNeed> needs = {Attribute("waterproof", "yes", "waterproof")};
  std::vector<FoundProduct> found = {Found("no", "Tent B", {{"waterproof", "no"}}),
                                     Found("silent", "Tent C")};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("silent"));
}

TEST(NeedVerdictsTest, WhatMeetsANeedComesAloneBeforeWhatDoesNotStateIt) {
  const std::vector<AskedNeed> needs = {Word("foldable")};
  std::vector<FoundProduct> found = {Found("silent", "Stroller S1"),
                                     Found("titled", "Foldable stroller S2")};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("titled"));
}

TEST(NeedVerdictsTest, ADescriptionStatesWhatTitleAndValuesDoNot) {
  const std::vector<AskedNeed> needs = {Word("foldable")};
  std::vector<FoundProduct> found = {Found("silent", "Stroller S1"), Found("told", "Stroller S2")};
  found[1].product.description = "Foldable with one hand.";
  const auto verdicts = ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("told"));
  EXPECT_THAT(verdicts.at("told"), ElementsAre(NeedVerdict::kMet));
}

TEST(NeedVerdictsTest, APriceJustAboveTheBoundIsNearerThanOneFarAboveIt) {
  const std::vector<AskedNeed> needs = {MaxPrice(6000)};
  std::vector<FoundProduct> found = {Found("far", "Fridge F1", {}, 280000),
                                     Found("near", "Fridge F2", {}, 6100)};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("near"));
}

TEST(NeedVerdictsTest, AWordThatIsTheOppositeOfOneAskedForViolatesIt) {
  const std::vector<AskedNeed> needs = {Word("wireless")};
  const std::vector<FoundProduct> found = {
      Found("wired", "Router R1", {{"connectivity", "Wired"}}),
      Found("both", "Router R2", {{"connectivity", "Wired & Wireless"}})};
  EXPECT_THAT(JudgeNeeds({needs}, found),
              ElementsAre(ElementsAre(NeedVerdict::kViolated), ElementsAre(NeedVerdict::kMet)));
}

TEST(NeedVerdictsTest, APhraseIsMetAsItStands) {
  AskedNeed need = Word("4k");
  need.word->any_of.push_back({"ultra", "hd"});
  const std::vector<FoundProduct> found = {Found("a", "Ultra slim monitor with HD panel"),
                                           Found("b", "Monitor Ultra HD")};
  EXPECT_THAT(JudgeNeeds({{need}}, found),
              ElementsAre(ElementsAre(NeedVerdict::kNotStated), ElementsAre(NeedVerdict::kMet)));
}

TEST(NeedVerdictsTest, ATitleThatNamesALowerResolutionViolatesAHigherOne) {
  const std::vector<FoundProduct> found = {
      Found("low", "Monitor 27\" 2560 x 1440 pixels", {{"signals", "4K input"}}),
      Found("high", "Monitor 28\" 3840 x 2160 pixels")};
  EXPECT_THAT(JudgeNeeds({{Word("4k")}}, found),
              ElementsAre(ElementsAre(NeedVerdict::kViolated), ElementsAre(NeedVerdict::kMet)));
}

TEST(NeedVerdictsTest, ATitleThatSaysTheOppositeCountsMoreThanAWordOfAValue) {
  const std::vector<FoundProduct> found = {
      Found("free", "Dishwasher freestanding", {{"features", "built in light"}})};
  AskedNeed need = Word("built in");
  EXPECT_THAT(JudgeNeeds({{need}}, found), ElementsAre(ElementsAre(NeedVerdict::kViolated)));
}

TEST(NeedVerdictsTest, ARecordThatMeetsTheMainNeedComesBeforeOneThatSaysNothing) {
  AskedNeed memory = Attribute("memory", "48", "48 GB"), storage = Attribute("storage", "512", "");
  memory.weight = 4;
  const std::vector<AskedNeed> needs = {memory, storage};
  std::vector<FoundProduct> found = {
      Found("bare", "Notebook"),
      Found("large", "Notebook", {{"memory", "48"}, {"storage", "2000"}})};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("large"));
}

TEST(NeedVerdictsTest, AListOfOneIsFilledWithWhatLeavesAnInheritedWordUnsaid) {
  AskedNeed said = Word("washable"), inherited = Word("mens");
  said.weight = 8;
  inherited.weight = 2;
  inherited.is_inherited = true;
  const std::vector<AskedNeed> needs = {said, inherited};
  std::vector<FoundProduct> found = {Found("silent", "Shaver washable"),
                                     Found("all", "Mens shaver washable"),
                                     Found("none", "Mens shaver")};
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("all", "silent"));
  found.push_back(Found("all too", "Mens washable shaver"));
  ChooseByNeeds({needs}, found);
  EXPECT_THAT(IdsIn(found), ElementsAre("all", "all too"));
}

TEST(NeedVerdictsTest, WhatIsNotMetByAllIsGivenUp) {
  NeedReport report;
  report.needs = {MaxPrice(6000), Word("foldable")};
  std::vector<FoundProduct> found = {Found("a", "Stroller S1", {}, 7000)};
  report.verdicts["a"] = {NeedVerdict::kViolated, NeedVerdict::kMet};
  const GivenUp given_up = GivenUpOf(report, report.needs[0].condition, found, 4);
  ASSERT_EQ(given_up.parts.size(), 1U);
  EXPECT_EQ(given_up.parts[0].part, retrieval::FilterPart::kPrice);
  EXPECT_FALSE(given_up.left.has_price());
  EXPECT_FALSE(given_up.misses_words);
  EXPECT_THAT(given_up.lacking, IsEmpty());
}

}  // namespace
}  // namespace emptor::services
