#include "services/grounding/claims.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace emptor::services {
namespace {

catalog::Product MakeKettle(std::string id, std::string title, int64_t cents, std::string noise) {
  catalog::Product product;
  product.id = std::move(id);
  product.title = std::move(title);
  product.brand = "Torvane";
  product.categories = {"Kitchen > Kettles"};
  product.price = catalog::Money{cents, "USD"};
  product.attributes = {
      {"capacity", "1.7 l"},           {"power", "2200 W"},       {"noise level", std::move(noise)},
      {"material", "stainless steel"}, {"dishwasher safe", "no"}, {"cordless base", "yes"}};
  return product;
}

class ClaimCheckerTest : public testing::Test {
 protected:
  bool Holds(const std::string& sentence, const std::string& language = "en") {
    ClaimSources sources;
    sources.sources.push_back({MakeKettle("k80", "Torvane Ember Kettle K80", 4399, "72 dB")});
    sources.sources.push_back({MakeKettle("k20", "Torvane Glide Kettle K20", 5900, "65 dB")});
    std::get<catalog::Product>(sources.sources[1].record).availability =
        catalog::Availability::kOutOfStock;
    std::get<catalog::Product>(sources.sources[0].record).rating = catalog::Rating{4.4, 120};
    catalog::Document page;
    page.id = "shipping";
    page.title = "How much does shipping cost?";
    page.text = "Standard shipping is $4.95. Express shipping is $12.95 for any order.";
    sources.sources.push_back({page});
    sources.language = language;
    return ClaimChecker(std::move(sources)).Check(sentence).is_entailed;
  }
};

TEST_F(ClaimCheckerTest, PassesWhatTheRecordStates) {
  EXPECT_TRUE(Holds("The K80 costs $43.99 [1]."));
  EXPECT_TRUE(Holds("The K80 has a noise level of 72 dB."));
  EXPECT_TRUE(Holds("The K80 is in stock and is made of stainless steel."));
  EXPECT_TRUE(Holds("The K80 is rated 4.4 by 120 reviews."));
  EXPECT_TRUE(Holds("The K80 is not dishwasher safe."));
}

TEST_F(ClaimCheckerTest, DropsWhatDiffersByOneWord) {
  EXPECT_FALSE(Holds("The K80 costs $43.98 [1]."));
  EXPECT_FALSE(Holds("The K80 has a noise level of 65 dB."));
  EXPECT_FALSE(Holds("The K80 has a noise level of 2200 W."));
  EXPECT_FALSE(Holds("The K20 is in stock."));
  EXPECT_FALSE(Holds("The K80 is made of plastic."));
  EXPECT_FALSE(Holds("The K80 is dishwasher safe."));
  EXPECT_FALSE(Holds("The K80 costs $43.99 [2]."));
}

TEST_F(ClaimCheckerTest, ReadsTheDirectionOfComparisonsInFiveLanguages) {
  EXPECT_TRUE(Holds("The K80 is cheaper than the K20."));
  EXPECT_FALSE(Holds("The K20 is cheaper than the K80."));
  EXPECT_TRUE(Holds("Der K20 ist leiser als der K80.", "de"));
  EXPECT_FALSE(Holds("Der K80 ist leiser als der K20.", "de"));
  EXPECT_TRUE(Holds("La K80 est moins chère que la K20.", "fr"));
  EXPECT_FALSE(Holds("La K20 est moins chère que la K80.", "fr"));
  EXPECT_TRUE(Holds("El K80 es más barato que el K20.", "es"));
  EXPECT_FALSE(Holds("El K20 es más barato que el K80.", "es"));
  EXPECT_TRUE(Holds("K80比K20便宜。", "zh"));
  EXPECT_FALSE(Holds("K20比K80便宜。", "zh"));
}

TEST_F(ClaimCheckerTest, HoldsDifferencesAndBounds) {
  EXPECT_TRUE(Holds("The K80 costs $15.01 less than the K20."));
  EXPECT_FALSE(Holds("The K80 costs $15.00 less than the K20."));
  EXPECT_TRUE(Holds("The K80 costs less than $50."));
  EXPECT_FALSE(Holds("The K20 costs less than $50."));
}

TEST_F(ClaimCheckerTest, DropsNamesThatNoSourceHolds) {
  EXPECT_FALSE(Holds("The Zorblax K80 costs $43.99."));
  EXPECT_FALSE(Holds("The ZORBLAX is a kettle."));
  EXPECT_FALSE(Holds("You could also look at the zorblax."));
  EXPECT_FALSE(Holds("Der Zorblax ist leiser.", "de"));
}

TEST_F(ClaimCheckerTest, DeniesOnlyWhatTheRecordLeavesOut) {
  EXPECT_TRUE(Holds("The listing of the K80 does not state its weight."));
  EXPECT_FALSE(Holds("The listing of the K80 does not state its noise level."));
  EXPECT_FALSE(Holds("The listing of the K80 does not state its price."));
}

TEST_F(ClaimCheckerTest, ARelativeClauseIsOfTheProductNamedLast) {
  EXPECT_TRUE(Holds("The K80 is louder than the K20, which makes 65 dB."));
  EXPECT_FALSE(Holds("The K80 is louder than the K20, which makes 72 dB."));
}

TEST_F(ClaimCheckerTest, AConditionIsSaidOfTheProductBehindIt) {
  EXPECT_TRUE(Holds("If you want a rating of at least 4, go for the K80."));
  EXPECT_FALSE(Holds("If you want it in stock, go for the K20."));
  EXPECT_TRUE(Holds("If you want a cordless base, the K80 is an option."));
  // How much of it is wanted, and what speaks against it, is not read.
  EXPECT_FALSE(Holds("If low noise matters most, go for the K80."));
  EXPECT_FALSE(Holds("If you want a cordless base, the K80 is not for you."));
}

TEST_F(ClaimCheckerTest, ABrandNextToAnotherProductIsAWrongName) {
  ClaimSources sources;
  sources.sources.push_back({MakeKettle("k80", "Torvane Ember Kettle K80", 4399, "72 dB")});
  catalog::Product other = MakeKettle("k20", "Hobbrook Glide Kettle K20", 5900, "65 dB");
  other.brand = "Hobbrook";
  sources.sources.push_back({other});
  sources.language = "en";
  const ClaimChecker checker(std::move(sources));
  EXPECT_TRUE(checker.Check("The Hobbrook K20 has a cordless base.").is_entailed);
  EXPECT_EQ(checker.Check("The Torvane K20 has a cordless base.").rule, ClaimRule::kName);
}

TEST_F(ClaimCheckerTest, AFreeInTheNameOfAKeyIsAnAbsence) {
  ClaimSources sources;
  catalog::Product cream = MakeKettle("c1", "Calm Cream", 900, "0 dB");
  cream.attributes = {{"fragrance free", "yes"}};
  sources.sources.push_back({cream});
  sources.language = "en";
  const ClaimChecker checker(std::move(sources));
  EXPECT_TRUE(checker.Check("It is fragrance free.").is_entailed);
  EXPECT_TRUE(checker.Check("It has no fragrance.").is_entailed);
  EXPECT_FALSE(checker.Check("It has fragrance.").is_entailed);
}

TEST_F(ClaimCheckerTest, ReadsRangesAndTheEndsOfThem) {
  ClaimSources sources;
  catalog::Product lamp = MakeKettle("l1", "Page Lamp DL90", 900, "0 dB");
  lamp.attributes = {{"color temperature", "2700 to 6500 K"}, {"units in box", "2"}};
  sources.sources.push_back({lamp});
  sources.language = "en";
  const ClaimChecker checker(std::move(sources));
  EXPECT_TRUE(checker.Check("Its color temperature is 2700 to 6500 K.").is_entailed);
  EXPECT_FALSE(checker.Check("Its color temperature is 2700 to 6000 K.").is_entailed);
  EXPECT_TRUE(checker.Check("It comes with 2 units.").is_entailed);
  EXPECT_FALSE(checker.Check("It comes with 3 units.").is_entailed);
}

TEST_F(ClaimCheckerTest, ALaterClauseLeavesTheLabelOut) {
  ClaimSources sources;
  catalog::Product first = MakeKettle("b1", "Harrowick Alder Bed", 900, "0 dB");
  first.attributes = {{"storage drawers", "4"}};
  catalog::Product second = MakeKettle("b2", "Harrowick Still Bed", 800, "0 dB");
  second.attributes = {{"storage drawers", "2"}};
  sources.sources = {{first}, {second}};
  sources.language = "en";
  const ClaimChecker checker(std::move(sources));
  EXPECT_TRUE(
      checker.Check("You get 4 drawers with the Alder and two with the Still.").is_entailed);
  EXPECT_FALSE(
      checker.Check("You get 4 drawers with the Alder and four with the Still.").is_entailed);
}

TEST_F(ClaimCheckerTest, AnAmountThatBeginsARangeIsNoBound) {
  ClaimSources sources;
  catalog::Document page;
  page.id = "returns";
  page.title = "Do I have to pay for returns?";
  page.text =
      "Returns are free within the United States. For returns from Canada we deduct $9.95 from the "
      "refund. Orders from $80 to $1,500 can be paid in four equal parts, without interest.";
  sources.sources.push_back({page});
  sources.language = "en";
  const ClaimChecker checker(std::move(sources));
  EXPECT_TRUE(
      checker.Check("You can pay orders between $80 and $1,500 in four equal parts.").is_entailed);
  EXPECT_TRUE(checker.Check("Orders of $80 to $1,500: four interest-free parts.").is_entailed);
  EXPECT_FALSE(checker.Check("Orders of $80 to $1,500: four parts with interest.").is_entailed);
  const ClaimVerdict verdict = checker.Check("Returns are free within Norway.");
  EXPECT_FALSE(verdict.is_entailed);
  EXPECT_EQ(verdict.claim, "norway");
}

TEST_F(ClaimCheckerTest, TheOthersBehindThanAreCompared) {
  EXPECT_TRUE(Holds("The K20 makes 65 dB, 7 dB less than the others."));
  EXPECT_FALSE(Holds("The K20 makes 65 dB, 6 dB less than the others."));
}

TEST_F(ClaimCheckerTest, ADifferenceIsOfWhatTheClauseBeforeStates) {
  EXPECT_TRUE(Holds("The K80 makes 72 dB, 7 dB more than the K20."));
  EXPECT_FALSE(Holds("The K80 makes 72 dB, 8 dB more than the K20."));
  EXPECT_TRUE(Holds("The K80 is cheaper by $15.01 than the K20."));
  EXPECT_FALSE(Holds("The K80 is cheaper by $15.10 than the K20."));
}

TEST_F(ClaimCheckerTest, BindsTheAmountsOfAPageToTheirSentence) {
  EXPECT_TRUE(Holds("Express shipping is $12.95 for any order."));
  EXPECT_FALSE(Holds("Express shipping is $4.95 for any order."));
}

TEST_F(ClaimCheckerTest, QuantifiersSpeakOfEveryProduct) {
  EXPECT_TRUE(Holds("Both hold 1.7 l."));
  EXPECT_FALSE(Holds("Both are in stock."));
  EXPECT_TRUE(Holds("None of them is dishwasher safe."));
  EXPECT_TRUE(Holds("Only the K80 is in stock."));
  EXPECT_FALSE(Holds("Neither the K80 nor the K20 has a cordless base."));
}

// Two laptops whose records leave most units out, and a page about the shop.
class ClaimRecordsTest : public testing::Test {
 protected:
  static catalog::Product MakeLaptop(std::string id, std::string title, std::string brand,
                                     std::vector<catalog::Attribute> attributes) {
    catalog::Product product;
    product.id = std::move(id);
    product.title = std::move(title);
    product.brand = std::move(brand);
    product.categories = {"Computers > Laptops"};
    product.price = catalog::Money{70000, "USD"};
    product.attributes = std::move(attributes);
    return product;
  }
  bool Holds(const std::string& sentence, const std::string& language = "en") {
    ClaimSources sources;
    sources.sources.push_back({MakeLaptop("x395", "Lanvero Slim X395 Notebook 16 GB", "Lanvero",
                                          {{"display diagonal", "13.3"},
                                           {"processor frequency", "3.16"},
                                           {"processor cores", "4"},
                                           {"battery life", "14 h"},
                                           {"charging time", "2 h"},
                                           {"weight", "1280 g"},
                                           {"cable included", "no"}})});
    sources.sources.push_back({MakeLaptop("f506", "Asteron Tough F506 Notebook 8 GB", "Asteron",
                                          {{"display diagonal", "15.6"},
                                           {"processor frequency", "2.9"},
                                           {"processor cores", "8"},
                                           {"battery life", "7 h"},
                                           {"charging time", "3 h"},
                                           {"weight", "2300 g"},
                                           {"cable included", "yes"}})});
    std::get<catalog::Product>(sources.sources[0].record).rating = catalog::Rating{4.4, 120};
    catalog::Document page;
    page.id = "shipping";
    page.title = "How much does shipping cost?";
    page.text =
        "Standard shipping is $4.95 and free on orders of $49 or more. You can return most items "
        "within 30 days of delivery. Earbuds without their seal and gift cards cannot be returned.";
    sources.sources.push_back({page});
    sources.language = language;
    return ClaimChecker(std::move(sources)).Check(sentence).is_entailed;
  }
};

TEST_F(ClaimRecordsTest, AnAmountWithItsUnitIsNoName) {
  EXPECT_TRUE(Holds("The X395 has 16 GB."));
  EXPECT_FALSE(Holds("The X395 has 8 GB."));
  EXPECT_FALSE(Holds("The F506 has 16 GB."));
}

TEST_F(ClaimRecordsTest, ReadsNumbersWhoseUnitTheRecordLeavesOut) {
  EXPECT_TRUE(Holds("The X395 runs at 3.16 GHz."));
  EXPECT_FALSE(Holds("The X395 runs at 2.9 GHz."));
  EXPECT_FALSE(Holds("The X395 runs at 13.3 GHz."));
}

TEST_F(ClaimRecordsTest, RoundsBetweenUnitsOnly) {
  EXPECT_TRUE(Holds("The X395 weighs 1.28 kg."));
  EXPECT_FALSE(Holds("The X395 weighs 1281 g."));
  EXPECT_FALSE(Holds("The X395 weighs 1021 g less than the F506."));
  EXPECT_TRUE(Holds("The X395 weighs 1020 g less than the F506."));
}

TEST_F(ClaimRecordsTest, AVerbSaysWhatANumberMayMeasure) {
  EXPECT_TRUE(Holds("The X395 lasts 14 hours."));
  EXPECT_FALSE(Holds("The X395 lasts 2 hours."));
  EXPECT_FALSE(Holds("The subwoofer of the X395 lasts 14 hours."));
  EXPECT_TRUE(Holds("Das X395 läuft 14 Stunden.", "de"));
  EXPECT_FALSE(Holds("Das X395 läuft 2 Stunden.", "de"));
  EXPECT_TRUE(Holds("Le X395 tient 14 heures.", "fr"));
  EXPECT_FALSE(Holds("Le X395 tient 2 heures.", "fr"));
}

TEST_F(ClaimRecordsTest, TakesTheMeasureOfAComparisonFromItsNumbers) {
  EXPECT_TRUE(Holds("The X395 is smaller than the F506, 13.3 against 15.6 inches."));
  EXPECT_FALSE(Holds("The X395 is smaller than the F506, 13.3 against 16.6 inches."));
  EXPECT_FALSE(Holds("The X395 is larger than the F506, 13.3 against 15.6 inches."));
  EXPECT_TRUE(Holds("The F506 has more cores than the X395, eight versus four."));
  EXPECT_FALSE(Holds("The F506 has more cores than the X395, eight versus two."));
}

TEST_F(ClaimRecordsTest, ReadsFactors) {
  EXPECT_TRUE(Holds("The X395 lasts twice as long as the F506."));
  EXPECT_FALSE(Holds("The F506 lasts twice as long as the X395."));
  EXPECT_TRUE(Holds("The F506 has twice the cores of the X395."));
  EXPECT_FALSE(Holds("The X395 lasts half as long as the F506."));
}

TEST_F(ClaimRecordsTest, SaysOfABrandWhoseProductItIs) {
  EXPECT_TRUE(Holds("One of the two is an Asteron."));
  EXPECT_FALSE(Holds("Both are from Asteron."));
  EXPECT_TRUE(Holds("Der Lanvero ist leichter als der Asteron.", "de"));
  EXPECT_FALSE(Holds("Der Asteron ist leichter als der Lanvero.", "de"));
}

TEST_F(ClaimRecordsTest, CountsAndExcludes) {
  EXPECT_FALSE(Holds("Only one of the two states a weight."));
  EXPECT_FALSE(Holds("A cable comes only with the X395."));
  EXPECT_TRUE(Holds("A cable comes only with the F506."));
}

TEST_F(ClaimRecordsTest, KnowsThatNobodyHasRatedIt) {
  EXPECT_TRUE(Holds("The F506 has not been rated yet."));
  EXPECT_FALSE(Holds("The X395 has not been rated yet."));
  EXPECT_FALSE(Holds("The F506 has been rated."));
}

TEST_F(ClaimRecordsTest, OrdinalsNameTheProductInItsPlace) {
  EXPECT_TRUE(Holds("The first one is lighter than the second."));
  EXPECT_FALSE(Holds("The second one is lighter than the first."));
}

TEST_F(ClaimRecordsTest, QuestionsAndOffersStateNothing) {
  EXPECT_TRUE(Holds("Which matters more to you, the price or the weight?"));
  EXPECT_TRUE(Holds("Dime si prefieres otro.", "es"));
  EXPECT_FALSE(Holds("Have you seen the Zorblax?"));
}

TEST_F(ClaimRecordsTest, ReadsPagesInFiveLanguages) {
  EXPECT_TRUE(Holds("Der Standardversand kostet 4,95 $.", "de"));
  EXPECT_FALSE(Holds("Der Standardversand kostet 5,95 $.", "de"));
  EXPECT_TRUE(Holds("La livraison standard coûte 4,95 $, et elle est gratuite dès 49 $.", "fr"));
  EXPECT_FALSE(Holds("La livraison standard coûte 49 $, et elle est gratuite dès 4,95 $.", "fr"));
  EXPECT_TRUE(Holds("El envío estándar cuesta 4,95 $.", "es"));
  EXPECT_TRUE(Holds("标准配送4.95美元。", "zh"));
  EXPECT_FALSE(Holds("标准配送49美元。", "zh"));
}

TEST_F(ClaimRecordsTest, WithoutDeniesOnlyTheWordsBehindIt) {
  EXPECT_TRUE(Holds("Gift cards cannot be returned."));
  EXPECT_FALSE(Holds("Gift cards can be returned."));
}

TEST_F(ClaimRecordsTest, APageMayStateOneOfTwoClauses) {
  EXPECT_TRUE(Holds("The X395 weighs 1.28 kg, and standard shipping is $4.95."));
  EXPECT_FALSE(Holds("The X395 weighs 1.28 kg, and standard shipping is $5.95."));
}

}  // namespace
}  // namespace emptor::services
