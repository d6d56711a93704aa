// Shopify's export: handles, variants, images in rows of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kHead =
    "Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Name,Option1 Value,Variant SKU,"
    "Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,"
    "Variant Compare At Price,Image Src,Status,Material (product.metafields.shopify.material)\n";

FeedOptions Dollars() {
  FeedOptions options;
  options.currency = "USD";
  return options;
}

TEST(ShopifyFeedTest, GroupsRowsByHandle) {
  const auto read = Read(std::string(kHead) +
                             "shirt,Shirt,\"<p>Blue\nsea</p>\",Lux,Tops,true,Size,S,SH-S,shopify,"
                             "2,deny,40,50,https://s.example/1.jpg,active,cotton\n"
                             "shirt,,,,,,,M,SH-M,shopify,0,continue,50,,,,\n"
                             "shirt,,,,,,,,,,,,,,https://s.example/2.jpg,,\n"
                             "lamp,Lamp,,Lux,,true,Title,Default Title,,,0,deny,9.5,,,,\n",
                         Dollars());
  EXPECT_EQ(read.format, FeedFormat::kShopifyCsv);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(2-3 {"id":"shirt-S","title":"Shirt","description":"\u003cp\u003eBlue\nsea\u003c/p\u003e",)"
          R"("brand":"Lux","mpn":"SH-S","categories":["Tops"],)"
          R"("price":{"amount":5000,"currency":"USD"},"sale_price":{"amount":4000,"currency":"USD"},)"
          R"("availability":"in_stock","condition":"new","image_link":"https://s.example/1.jpg",)"
          R"("additional_image_links":["https://s.example/2.jpg"],"attributes":{"Material":"cotton"},)"
          R"("item_group_id":"shirt","options":{"Size":"S"}})",
          ::testing::AllOf(::testing::StartsWith(R"(4-5 {"id":"shirt-M")"),
                           HasSubstr(R"("price":{"amount":5000)"),
                           HasSubstr(R"("availability":"backorder")"),
                           HasSubstr(R"("image_link":"https://s.example/1.jpg")")),
          ::testing::AllOf(::testing::StartsWith(R"(6-6 {"id":"lamp")"),
                           HasSubstr(R"("availability":"in_stock")"),
                           ::testing::Not(HasSubstr("item_group_id")))));
}

TEST(ShopifyFeedTest, ReadsTheNewerTemplateAndDeletesWhatIsNotPublished) {
  const auto read = Read(
      "Title,URL handle,Description,Vendor,Published on online store,Status,SKU,Price,"
      "Compare-at price,Product image URL\n"
      "Lamp,lamp,Bright,Lux,TRUE,Active,L1,10,,https://s.example/1.jpg\n"
      "Old,old,,Lux,TRUE,Draft,L2,10,,\n"
      "Hidden,hidden,,Lux,FALSE,Active,L3,10,,\n",
      Dollars());
  EXPECT_EQ(read.format, FeedFormat::kShopifyCsv);
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"("id":"lamp","title":"Lamp")"), "3-3 deleted old",
                                     "4-4 deleted hidden"));
}

TEST(ShopifyFeedTest, SaysThatPricesNeedACurrency) {
  const auto read = Read(std::string(kHead) + "lamp,Lamp,,,,,,,,,,,9.5,,,,\n,X,,,,,,,,,,,1,,,,\n");
  ASSERT_THAT(read.rows, SizeIs(2));
  EXPECT_THAT(read.rows[0], HasSubstr("Variant Price: names no currency, and no default is set"));
  EXPECT_EQ(read.rows[1], "3-3 unusable row: no handle;");
}

TEST(ShopifyFeedTest, ManyRowsOfOneHandleAreHandedOnInParts) {
  std::string text(kHead);
  constexpr int kRows = 20000;
  for (int i = 0; i < kRows; ++i) {
    text += "shirt,Shirt,,,,,Size," + std::to_string(i) + ",,,,,1,,https://s.example/" +
            std::to_string(i % 3) + ".jpg,,\n";
  }
  const FeedReport report = ReadFeed(text, Dollars());
  EXPECT_EQ(report.products, static_cast<uint64_t>(kRows));
  EXPECT_EQ(FindBrokenPromise(report), "");
}

}  // namespace
}  // namespace emptor::testing
