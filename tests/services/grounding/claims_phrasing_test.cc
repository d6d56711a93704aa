// Sentences as talkative models phrase them, each next to a false one that differs by one word.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/grounding/claims.h"

namespace emptor::services {
namespace {

catalog::Product MakeProduct(std::string id, std::string title, std::string category, int64_t cents,
                             std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.id = std::move(id);
  product.title = std::move(title);
  product.brand = "Torvane";
  product.categories = {std::move(category)};
  product.price = catalog::Money{cents, "USD"};
  product.attributes = std::move(attributes);
  return product;
}

class ClaimPhrasingTest : public testing::Test {
 protected:
  static bool Holds(const std::string& sentence, const std::string& language = "en") {
    ClaimSources sources;
    sources.sources.push_back(
        {MakeProduct("k80", "Torvane Ember Kettle K80", "Kitchen > Kettles", 4399,
                     {{"capacity", "1.0 l"},
                      {"noise level", "72 dB"},
                      {"keep warm", "30 min"},
                      {"dishwasher safe", "no"}})});
    sources.sources.push_back(
        {MakeProduct("k20", "Torvane Glide Kettle K20", "Kitchen > Kettles", 5900,
                     {{"capacity", "1.7 l"},
                      {"noise level", "65 dB"},
                      {"keep warm", "2 h"},
                      {"dishwasher safe", "no"}})});
    sources.sources.push_back(
        {MakeProduct("b10", "Torvane Slide Building Blocks", "Toys > Building Toys", 2000,
                     {{"age", "6 years and up"}, {"pieces", "60"}, {"batteries included", "no"}})});
    catalog::Document page;
    page.id = "gifts";
    page.title = "Can you wrap my order as a gift?";
    page.text =
        "Yes. Tick Gift wrap in the cart for $3.95 an item. We quote a price before we begin a "
        "repair. Gifts can be returned until January 31.";
    sources.sources.push_back({page});
    sources.language = language;
    return ClaimChecker(std::move(sources)).Check(sentence).is_entailed;
  }
};

TEST_F(ClaimPhrasingTest, TalkStatesNothing) {
  EXPECT_TRUE(Holds("Keep in mind that the K80 makes 72 dB."));
  EXPECT_FALSE(Holds("Keep in mind that the K80 makes 65 dB."));
  EXPECT_TRUE(Holds("Bedenken Sie, dass der K80 72 dB laut ist.", "de"));
  EXPECT_FALSE(Holds("Keep in mind that the K80 has a filter."));
}

TEST_F(ClaimPhrasingTest, ATypeNamesTheProductsOfThatType) {
  EXPECT_TRUE(Holds("Both kettles keep water warm."));
  EXPECT_FALSE(Holds("Both kettles are dishwasher safe."));
  EXPECT_TRUE(Holds("Neither of the two kettles is dishwasher safe."));
  EXPECT_TRUE(Holds("The blocks have 60 pieces."));
  EXPECT_FALSE(Holds("The blocks have 72 pieces."));
  EXPECT_FALSE(Holds("The kettles have 60 pieces."));
}

TEST_F(ClaimPhrasingTest, ArticlesCountHoursAndLiters) {
  EXPECT_TRUE(Holds("The K80 keeps water warm for half an hour."));
  EXPECT_FALSE(Holds("The K20 keeps water warm for half an hour."));
  EXPECT_TRUE(Holds("Der K80 fasst einen Liter.", "de"));
  EXPECT_FALSE(Holds("Der K20 fasst einen Liter.", "de"));
}

TEST_F(ClaimPhrasingTest, AnAgeAndUpIsMetByTheSameAgeAlone) {
  EXPECT_TRUE(Holds("The Slide is for children from six years."));
  EXPECT_FALSE(Holds("The Slide is for children from four years."));
  EXPECT_FALSE(Holds("The Slide is for children from eight years."));
}

TEST_F(ClaimPhrasingTest, ASavingMayBeOverTheOnlyOtherProduct) {
  EXPECT_TRUE(Holds("Of the two kettles, the K80 saves you $15.01."));
  EXPECT_FALSE(Holds("Of the two kettles, the K20 saves you $15.01."));
}

TEST_F(ClaimPhrasingTest, AnUnknownVerbCarriesAClaim) {
  EXPECT_TRUE(Holds("The K80 swallows up to 1.0 l."));
  EXPECT_FALSE(Holds("The K80 swallows up to 1.7 l."));
  EXPECT_FALSE(Holds("The K80 floats at 72 dB."));
  EXPECT_FALSE(Holds("The K80 hinges are made of 72 dB."));
}

TEST_F(ClaimPhrasingTest, ACauseIsAClauseOfItsOwn) {
  EXPECT_FALSE(Holds("You can't order the K80 because it is out of stock."));
}

TEST_F(ClaimPhrasingTest, ADenyingKeyBeatsTheDescription) {
  EXPECT_FALSE(Holds("Batteries come with the Slide."));
  EXPECT_TRUE(Holds("The Slide comes without batteries."));
}

TEST_F(ClaimPhrasingTest, AnAmountOfAPageIsPaidForWhatItSays) {
  EXPECT_TRUE(Holds("Gift wrap is $3.95 per item."));
  EXPECT_FALSE(Holds("Gift wrap is $3.95 per order."));
}

TEST_F(ClaimPhrasingTest, ADayBelongsToItsMonth) {
  EXPECT_TRUE(Holds("Gifts can be returned until January 31."));
  EXPECT_FALSE(Holds("Gifts can be returned until December 31."));
}

TEST_F(ClaimPhrasingTest, APageSaysWhatComesFirst) {
  EXPECT_TRUE(Holds("We quote a price before we begin."));
  EXPECT_FALSE(Holds("We begin before we quote."));
}

TEST_F(ClaimPhrasingTest, UnlikeSaysThatTheOtherIsNot) {
  EXPECT_FALSE(Holds("Unlike the K20, the K80 keeps water warm."));
  EXPECT_TRUE(Holds("Unlike the K20, the K80 makes 72 dB."));
}

TEST_F(ClaimPhrasingTest, TheNameBehindAPairOfNumbersIsTheSubject) {
  EXPECT_TRUE(Holds("With 65 dB against 72 dB, the K20 is the quieter kettle."));
  EXPECT_FALSE(Holds("With 65 dB against 72 dB, the K80 is the quieter kettle."));
}

TEST_F(ClaimPhrasingTest, LackingIsSaidOfTheWholeClause) {
  EXPECT_FALSE(Holds("Eine Warmhaltefunktion fehlt dem K80.", "de"));
  EXPECT_FALSE(Holds("Dem K20 fehlt eine Warmhaltefunktion.", "de"));
}

}  // namespace
}  // namespace emptor::services
