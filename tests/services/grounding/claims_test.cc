#include "services/grounding/claims.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

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

}  // namespace
}  // namespace emptor::services
