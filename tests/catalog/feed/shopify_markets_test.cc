// Shopify's prices by market and its inventory by location.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::string_view kProducts =
    "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Compare At Price,"
    "Included / Canada,Price / Canada,Compare At Price / Canada,Included / Europe,Price / Europe,"
    "Compare At Price / Europe,Price / Moon\n"
    "shirt,Shirt,Size,S,40,,TRUE,55.00,60.00,TRUE,38,,1\n"
    "shirt,,,M,40,,TRUE,56,,FALSE,38,,\n"
    "shirt,,,L,40,,,,,,,,\n";

TEST(ShopifyMarketsTest, PricesByMarketBecomePricesOfItsRegions) {
  FeedOptions options{.currency = "USD"};
  options.markets = {{"Canada", "CA", "CAD"}, {"Europe", "DE", "EUR"}, {"Europe", "FR", "EUR"}};
  const FeedReport report = ReadFeed(kProducts, options, 7);
  EXPECT_TRUE(report.status.ok()) << report.status;
  EXPECT_EQ(FindBrokenPromise(report), "");
  ASSERT_THAT(report.rows, SizeIs(3));
  EXPECT_THAT(Describe(report.rows[0]),
              HasSubstr(R"("regional_prices":[{"region":"CA","price":{"amount":6000,)"
                        R"("currency":"CAD"},"sale_price":{"amount":5500,"currency":"CAD"}},)"
                        R"({"region":"DE","price":{"amount":3800,"currency":"EUR"}},)"
                        R"({"region":"FR","price":{"amount":3800,"currency":"EUR"}}])"));
  EXPECT_THAT(Describe(report.rows[1]),
              HasSubstr(R"("regional_prices":[{"region":"CA","price":{"amount":5600,)"
                        R"("currency":"CAD"}}])"));
  EXPECT_THAT(Describe(report.rows[2]), Not(HasSubstr("regional_prices")));
  EXPECT_THAT(report.notes,
              ElementsAre(HasSubstr("the prices of the market \"Moon\" are left out")));
}

TEST(ShopifyMarketsTest, AMarketWithoutACurrencyIsLeftOutAndReported) {
  const FeedReport report = ReadFeed(kProducts, {.currency = "USD"}, 7);
  EXPECT_THAT(Describe(report.rows[0]), Not(HasSubstr("regional_prices")));
  EXPECT_THAT(report.notes, SizeIs(3));
}

constexpr std::string_view kHead =
    "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 "
    "Value,SKU,HS Code,COO,Location,Bin name,Incoming (not editable),Unavailable (not editable),"
    "Committed (not editable),Available (not editable),On hand (current),On hand (new)\n";

TEST(ShopifyInventoryTest, TheRowsOfAVariantAreItsStockByLocation) {
  const auto read = Read(std::string(kHead) +
                         "shirt,Shirt,Size,S,,,,,SH-S,,,Berlin,,0,0,1,4,5,\n"
                         "shirt,Shirt,Size,S,,,,,SH-S,,,\"Paris, Nord\",,0,0,0,-2,-2,\n"
                         "shirt,Shirt,Size,M,,,,,SH-M,,,Berlin,,,,,0,0,\n"
                         "shirt,Shirt,Size,M,,,,,SH-M,,,Paris,,not stocked,not stocked,not "
                         "stocked,not stocked,not stocked,not stocked\n"
                         "lamp,Lamp,Title,Default Title,,,,,L,,,Berlin,,,,,,,3\n");
  EXPECT_EQ(read.format, FeedFormat::kShopifyCsv);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(read.rows, ElementsAre("2-3 patch shirt-S availability stock",
                                     "4-5 patch shirt-M availability stock",
                                     "6-6 patch lamp availability stock"));
}

catalog::Product ValuesOf(const FeedReport& report, size_t row) {
  return std::get<catalog::ProductPatch>(report.rows.at(row).record).values;
}

TEST(ShopifyInventoryTest, AColumnForEachLocationSaysTheSame) {
  const FeedReport report = ReadFeed(
      "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 "
      "Value,SKU,HS Code,COO,Berlin,Paris\n"
      "shirt,Shirt,Size,S,,,,,SH-S,,,4,-2\n"
      "shirt,Shirt,Size,M,,,,,SH-M,,,not stocked,not stocked\n"
      "shirt,Shirt,Size,L,,,,,SH-M,,,few,\n",
      {}, 7);
  EXPECT_EQ(FindBrokenPromise(report), "");
  ASSERT_THAT(report.rows, SizeIs(3));
  const auto stock = ValuesOf(report, 0).stock;
  ASSERT_THAT(stock, SizeIs(2));
  EXPECT_EQ(stock[0].location, "Berlin");
  EXPECT_EQ(stock[0].quantity, 4);
  EXPECT_EQ(stock[1].availability, catalog::Availability::kOutOfStock);
  EXPECT_EQ(ValuesOf(report, 0).availability, catalog::Availability::kInStock);
  EXPECT_EQ(ValuesOf(report, 1).availability, catalog::Availability::kOutOfStock);
  EXPECT_EQ(Describe(report.rows[1]), "3-3 patch shirt-M availability stock");
  EXPECT_EQ(Describe(report.rows[2]),
            "4-4 patch shirt-L Berlin: expected a count or an availability, found \"few\";");
}

TEST(ShopifyInventoryTest, ARowThatCannotBeReadSpoilsTheVariantsAroundItAndIsReadAgainWithThem) {
  const std::string bad = "shirt,Shirt,Size,M,,,,,SH-M,,,\"Ber\"lin,,,,,7,7,\n";
  const std::string text = std::string(kHead) + "cap,Cap,Size,S,,,,,C,,,Berlin,,,,,1,1,\n" +
                           "shirt,Shirt,Size,S,,,,,SH-S,,,Berlin,,,,,4,4,\n" + bad +
                           "shirt,Shirt,Size,M,,,,,SH-M,,,Paris,,,,,8,8,\n" +
                           "shoe,Shoe,Size,S,,,,,C,,,Berlin,,,,,1,1,\n";
  const FeedReport report = ReadFeed(text, {}, 7);
  EXPECT_EQ(FindBrokenPromise(report), "");
  ASSERT_THAT(report.rows, SizeIs(3));
  EXPECT_EQ(Describe(report.rows[1]),
            "3-5 unusable row: line 4: text after a closing quote; refused with the "
            "variants around it;");
  std::string raw = report.rows[1].raw + "\n";
  raw.replace(raw.find("\"Ber\"lin"), 8, "Berlin");
  const FeedReport again = ReadFeed(std::string(kHead) + raw, {}, 7);
  ASSERT_THAT(again.rows, SizeIs(2));
  EXPECT_THAT(ValuesOf(again, 0).stock, SizeIs(1));
  EXPECT_THAT(ValuesOf(again, 1).stock, SizeIs(2));
}

TEST(ShopifyInventoryTest, AVariantInTwoPlacesOfTheTableEndsTheReading) {
  const auto read = Read(std::string(kHead) + "shirt,,,S,,,,,,,,Berlin,,,,,4,4,\n" +
                         "cap,,,S,,,,,,,,Berlin,,,,,4,4,\n" + "shirt,,,S,,,,,,,,Paris,,,,,4,4,\n");
  EXPECT_EQ(
      read.error,
      "line 4: \"shirt-S\" appears again, apart from its other rows: sort the table by handle "
      "and options");
}

}  // namespace
}  // namespace emptor::testing
