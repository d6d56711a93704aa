// Google's TSV, OpenAI's and Stripe's CSV, and plain CSV by a mapping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(TableFeedTest, ReadsGooglesTsv) {
  const auto read = Read(
      "id\ttitle\tdescription\tlink\timage_link\tadditional_image_link\tprice\tsale_price\t"
      "sale_price_effective_date\tavailability\tcondition\tbrand\tgtin\tproduct_type\t"
      "google_product_category\titem_group_id\tcolor\tsize\tshipping\tproduct_detail\tcustom_label_"
      "0\n"
      "k1\tKettle\t<b>Boils</b>\thttps://s.example/k1\thttps://s.example/k1.jpg\t"
      "https://s.example/a.jpg,https://s.example/b,c.jpg\t49.99 USD\t39 USD\t"
      "2026-11-20T00:00Z/2026-11-28T00:00Z\tin stock\tnew\tTorvane\t4006381333931\t"
      "Kitchen > Kettles\t751\tg1\tred\t1.7 l\tUS::Ground:5.00 USD,US:CA:Air:1 USD\t"
      "General:Power:2,200 W,General:Material:steel, matt\tx\n");
  EXPECT_EQ(read.format, FeedFormat::kGoogleTsv);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(2-2 {"id":"k1","title":"Kettle","description":"\u003cb\u003eBoils\u003c/b\u003e",)"
          R"("brand":"Torvane","gtin":"4006381333931","categories":["Kitchen \u003e Kettles"],)"
          R"("price":{"amount":4999,"currency":"USD"},"sale_price":{"amount":3900,"currency":"USD"},)"
          R"("sale_price_effective_date":{"start":"2026-11-20T00:00:00Z",)"
          R"("end":"2026-11-28T00:00:00Z"},"availability":"in_stock","condition":"new",)"
          R"("link":"https://s.example/k1","image_link":"https://s.example/k1.jpg",)"
          R"("additional_image_links":["https://s.example/a.jpg","https://s.example/b,c.jpg"],)"
          R"("attributes":{"google_product_category":"751","color":"red","size":"1.7 l",)"
          R"("Power":"2,200 W","Material":"steel, matt"},"item_group_id":"g1",)"
          R"("options":{"color":"red","size":"1.7 l"},)"
          R"("shipping":[{"region":"US","service":"Ground","price":{"amount":500,"currency":"USD"}}]})"
          R"( shipping: holds for a part of a country only: "CA";)"));
}

TEST(TableFeedTest, ReadsOpenAisColumnsAndStripesDeletions) {
  const auto read = Read(
      "item_id,title,description,url,brand,seller_name,image_url,price,availability,delete\r\n"
      "a1,Lamp,Bright,https://s.example/a1,Lux,Shop,https://s.example/a.png,79.99 USD,in_stock,\r\n"
      "a2,,,,,,,,,true\r\n");
  EXPECT_EQ(read.format, FeedFormat::kCsv);
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"("link":"https://s.example/a1","image_link":)"
                                               R"("https://s.example/a.png")"),
                                     "3-3 deleted a2"));
}

TEST(TableFeedTest, ReportsWhatItLeavesOutAndRefusesRowsWithoutUsableIdTitleOrPrice) {
  const auto read = Read(
      "id,title,price,availability,rating,review_count,gtin,link,condition\n"
      "a,T,Get,perhaps,FREE,many,12,not a link,shiny\n"
      ",T,1 USD,,,,,,\n"
      "b,,1 USD,,,,,,\n"
      "c,T,1 USD,,,,,,,,surplus\n"
      "d,T\n"
      "e,T");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(2-2 unusable price: expected an amount, found "Get";)"
          R"( availability: expected in_stock, out_of_stock, preorder or backorder, found "perhaps":)"
          R"( counts as out_of_stock; gtin: expected 8 to 14 digits, found "12";)"
          R"( link: expected an http(s) URL or an absolute path of at most 2048 bytes, found)"
          R"( "not a link"; condition: expected new, refurbished or used, found "shiny";)"
          R"( review_count: expected a count, found "many";)"
          R"( rating: expected a rating from 0 to 5, found "FREE";)",
          "3-3 unusable id: missing;", "4-4 unusable title: missing;",
          "5-5 unusable row: expected 9 columns, found 11;",
          R"(6-6 {"id":"d","title":"T","availability":"in_stock","condition":"new"})",
          "7-7 unusable row: the feed ends within it: expected 9 columns, found 2;"));
}

TEST(TableFeedTest, MapsTheColumnsOfAnyTable) {
  FeedOptions options;
  options.currency = "INR";
  options.columns = AmazonColumns();
  options.columns.push_back({"colour", "attributes.color"});
  const auto read = Read(
      "asin,name,main_category,sub_category,image,link,ratings,no_of_ratings,discount_price,"
      "actual_price,colour,left out\n"
      "B0,Plug,home,Ear Plugs,https://s.example/i.jpg,https://s.example/l,3.7,\"33,641\",₹16,"
      "\"₹1,13,836.86\",red,x\n",
      options);
  EXPECT_EQ(read.error, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(R"(2-2 {"id":"B0","title":"Plug","categories":["home \u003e Ear Plugs"],)"
                  R"("price":{"amount":11383686,"currency":"INR"},)"
                  R"("sale_price":{"amount":1600,"currency":"INR"},"availability":"in_stock",)"
                  R"("condition":"new","link":"https://s.example/l",)"
                  R"("image_link":"https://s.example/i.jpg","rating":{"value":3.7,"count":33641},)"
                  R"("attributes":{"color":"red"}})"));
}

TEST(TableFeedTest, RefusesATableWithoutTheColumnsThatItNeeds) {
  EXPECT_EQ(Read("name,price\nx,1\n").error,
            R"(line 1: no column gives the id; its columns: "name", "price")");
  FeedOptions options;
  options.columns = {{"nummer", "id"}};
  EXPECT_THAT(Read("name,price\nx,1\n", options).error, HasSubstr(R"(no column "nummer")"));
  options.columns = {{"name", "no_such_field"}};
  EXPECT_THAT(Read("name,price\nx,1\n", options).error,
              HasSubstr(R"(unknown field "no_such_field")"));
  EXPECT_THAT(Read("").rows, IsEmpty());
  EXPECT_EQ(Read("").error, "");
}

TEST(TableFeedTest, ATableWithoutTitlesChangesOnlyFieldsWithValues) {
  const auto read = Read("id,price,quantity,warehouse\nk 1,5 USD,0,7\nk2,,3,\n");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr("patch k-1-"), "3-3 patch k2 availability"));
  EXPECT_TRUE(read.rows[0].ends_with(" price availability")) << read.rows[0];
  FeedOptions options;
  options.patches = true;
  EXPECT_THAT(Read("id,title,price\nk1,T,\n", options).rows, ElementsAre("2-2 patch k1 title"));
}

TEST(TableFeedTest, ItsHeadAndTheRawTextOfARowAreAFeedAgain) {
  catalog::FeedRow bad;
  const auto reader = catalog::MakeFeedReader({}, [&](catalog::FeedRow&& row) {
    if (std::holds_alternative<std::monostate>(row.record)) bad = std::move(row);
    return absl::OkStatus();
  });
  ASSERT_TRUE(reader->Push("\xEF\xBB\xBFid;title\r\na;T\r\n;\"U\r\nV\"\r\n").ok());
  ASSERT_TRUE(reader->Finish().ok());
  EXPECT_EQ(reader->preamble(), "id;title\n");
  EXPECT_EQ(bad.raw, ";\"U\r\nV\"");
  const auto again = Read(std::string(reader->preamble()) + "b" + bad.raw + "\n");
  EXPECT_THAT(again.rows, ElementsAre(HasSubstr(R"("id":"b","title":"U V")")));
}

TEST(TableFeedTest, LeavesOutSalesThatCannotHold) {
  const auto read = Read(
      "id,title,price,sale_price,sale_price_effective_date\n"
      "a,T,,5 USD,\n"
      "b,T,9 USD,5 EUR,\n"
      "c,T,9 USD,5 USD,soon\n");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(read.rows,
              ElementsAre(HasSubstr("sale_price: left out: there is no price;"),
                          HasSubstr("sale_price: left out: it is in EUR and the price in USD;"),
                          HasSubstr("sale_price: left out: its dates cannot be read;")));
}

TEST(TableFeedTest, CleansTextAndSpoilsOnlyWhatIsNotUtf8) {
  const auto read = Read(std::string_view(
      "id,title,brand,color\na,\"Two\r\n lines\",B\0\x01,r\xC3\xB6\x64\nb,\xFF,B,r\xC3\xB6\x64\n"
      "c,\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6,B,\n",
      76));
  EXPECT_EQ(read.broken, "");
  ASSERT_EQ(read.rows.size(), 3u);
  EXPECT_THAT(read.rows[0], HasSubstr(R"("title":"Two lines","brand":"B")"));
  EXPECT_THAT(read.rows[0], HasSubstr("brand: control characters were removed"));
  EXPECT_EQ(read.rows[1], "4-4 unusable title: not well-formed UTF-8; title: missing;");
}

}  // namespace
}  // namespace emptor::testing
