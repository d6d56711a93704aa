// schema.org's products, alone, in lists, and in web pages; ACP's product lines.
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
using ::testing::SizeIs;

TEST(JsonLdFeedTest, ReadsAProduct) {
  const auto read = Read(R"({"@context":"https://schema.org/","@type":"Product","sku":"k1",
"name":"Kettle","description":"Boils","brand":{"@type":"Brand","name":"Torvane"},
"image":["https://s.example/1.jpg",{"@type":"ImageObject","url":"https://s.example/2.jpg"}],
"gtin13":"4006381333931","color":"red",
"additionalProperty":[{"@type":"PropertyValue","name":"Capacity","value":1.7,"unitText":"l"}],
"aggregateRating":{"@type":"AggregateRating","ratingValue":"87","bestRating":100,"reviewCount":12},
"offers":{"@type":"Offer","price":49.99,"priceCurrency":"USD",
"availability":"https://schema.org/InStock","itemCondition":"https://schema.org/NewCondition",
"url":"https://s.example/k1",
"priceSpecification":{"price":59.99,"priceCurrency":"USD","priceType":"https://schema.org/ListPrice"}}})");
  EXPECT_EQ(read.format, FeedFormat::kJsonLd);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(1-10 {"id":"k1","title":"Kettle","description":"Boils","brand":"Torvane",)"
          R"("gtin":"4006381333931","price":{"amount":5999,"currency":"USD"},)"
          R"("sale_price":{"amount":4999,"currency":"USD"},"availability":"in_stock",)"
          R"("condition":"new","link":"https://s.example/k1","image_link":"https://s.example/1.jpg",)"
          R"("additional_image_links":["https://s.example/2.jpg"],"rating":{"value":4.35,"count":12},)"
          R"("attributes":{"color":"red","Capacity":"1.7 l"}})"));
}

TEST(JsonLdFeedTest, AGroupGivesARowForEachVariant) {
  const auto read = Read(R"([{"@type":"ProductGroup","productGroupID":"g1","name":"Shirt",
"brand":"Lux","variesBy":["https://schema.org/size","color"],"hasVariant":[
{"@type":"Product","sku":"s","size":"S","color":"red","offers":{"price":"10","priceCurrency":"EUR"}},
{"@type":"Product","sku":"m","name":"Shirt M","size":"M","offers":{"price":"12","priceCurrency":"EUR"}}]},
{"@type":"Organization","name":"Shop"},
{"@type":["Product"],"sku":"x","name":"X","inProductGroupWithID":"g2"}])");
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  ASSERT_THAT(read.rows, SizeIs(3));
  EXPECT_THAT(
      read.rows[0],
      ::testing::AllOf(HasSubstr(R"(1-4 {"id":"s","title":"Shirt","brand":"Lux",)"),
                       HasSubstr(R"("item_group_id":"g1","options":{"size":"S","color":"red"}})"),
                       ::testing::EndsWith(" +")));
  EXPECT_THAT(read.rows[1], HasSubstr(R"("title":"Shirt M")"));
  EXPECT_THAT(read.rows[2], HasSubstr(R"("item_group_id":"g2")"));
}

TEST(JsonLdFeedTest, SeveralOffersAreVariantsOrNoPrice) {
  const auto separate = Read(R"({"@type":"Product","productID":"p","name":"N","offers":
[{"@type":"Offer","sku":"a","price":1,"priceCurrency":"USD"},
{"@type":"Offer","sku":"b","price":2,"priceCurrency":"USD"}]})");
  EXPECT_THAT(separate.rows, ElementsAre(HasSubstr(R"("id":"a")"), HasSubstr(R"("id":"b")")));
  EXPECT_THAT(separate.rows[0], HasSubstr(R"("item_group_id":"p")"));
  const auto unclear = Read(R"({"@type":"Product","sku":"p","name":"N","offers":
[{"price":1,"priceCurrency":"USD"},{"price":2,"priceCurrency":"USD"}]})");
  EXPECT_THAT(unclear.rows, ElementsAre(HasSubstr("offers: left out: the offers differ")));
  const auto range = Read(R"({"@type":"Product","sku":"p","name":"N","offers":
{"@type":"AggregateOffer","lowPrice":1,"highPrice":2,"priceCurrency":"USD"}})");
  EXPECT_THAT(range.rows, ElementsAre(HasSubstr("lowPrice: a range is no price: \"1\" to \"2\"")));
  const auto same = Read(R"({"@type":"Product","sku":"p","name":"N","offers":
{"@type":"AggregateOffer","offers":[{"price":"1.00","priceCurrency":"USD"},
{"price":"1.00","priceCurrency":"USD"}]}})");
  EXPECT_THAT(same.rows, ElementsAre(HasSubstr(R"("price":{"amount":100,"currency":"USD"})")));
}

TEST(JsonLdFeedTest, ReadsTheScriptsOfAWebPage) {
  const auto read = Read(R"(<!DOCTYPE html><html><head><!-- <script type="application/ld+json">
{"@type":"Product","sku":"no","name":"no"}</script> --><title>a < b</title>
<script>var x = "<script type='application/ld+json'>";</script>
<SCRIPT id=a TYPE=application/ld+json>{"@context":"https://schema.org","@graph":[
{"@type":"WebPage"},{"@type":"Product","sku":"k1","name":"Kettle"},{"@type":"Product","sku":"k2",
"name":"Lid </p>"}],"note":"]"}</SCRIPT>
<script type="application/ld+json">{"@type":"Product", broken}</script>
<script type="application/ld+json">{"@type":"Product"</script>
<script type="application/ld+json">{"@type":"Product","sku":"k3","name":"Last"}</script></html>)");
  EXPECT_EQ(read.format, FeedFormat::kJsonLd);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  ASSERT_THAT(read.rows, SizeIs(5));
  EXPECT_THAT(read.rows[0], HasSubstr(R"(5-5 {"id":"k1")"));
  EXPECT_THAT(read.rows[1], HasSubstr(R"(5-6 {"id":"k2")"));
  EXPECT_THAT(read.rows[2], HasSubstr("7-7 unusable row: byte"));
  EXPECT_THAT(read.rows[3], HasSubstr("8-8 unusable row: line 8: the JSON ends within a value"));
  EXPECT_THAT(read.rows[4], HasSubstr(R"(9-9 {"id":"k3")"));
}

TEST(JsonLdFeedTest, ReportsBrokenNodesAndBrokenFiles) {
  const auto node = Read(R"([{"@type":"Product","sku":"a","name":1e999},
{"@type":"Product","sku":"b","name":"B"}])");
  EXPECT_EQ(node.error, "");
  EXPECT_THAT(node.rows, ElementsAre(HasSubstr("unusable row: byte"), HasSubstr(R"("id":"b")")));
  const auto cut = Read("[{\"@type\":\"Product\",\"sku\":\"a\",\"name\":\"A\"},\n{\"@type\"");
  EXPECT_THAT(cut.rows, SizeIs(1));
  EXPECT_EQ(cut.error, "line 2: the JSON ends within a value");
  const auto text = Read("[{\"@type\":\"Product\",\"sku\":\"a\",\"name\":\"A\"} 17");
  EXPECT_EQ(text.error, "line 1: expected a JSON object, found \"1\"");
  const auto deep =
      Read("[{\"@type\":" + std::string(500000, '['), {.format = FeedFormat::kJsonLd});
  EXPECT_THAT(deep.rows, IsEmpty());
  EXPECT_EQ(deep.error, "line 1: the JSON ends within a value");
}

TEST(AcpFeedTest, ReadsProductsWithVariants) {
  const auto read = Read(
      R"({"id":"tee","title":"Tee","description":{"html":"<p>Cotton</p>"},"media":[{"type":"image","url":"https://s.example/m.jpg"}],"variants":[{"id":"tee-s","title":"Tee S","price":{"amount":1999,"currency":"USD"},"list_price":{"amount":2499,"currency":"USD"},"availability":{"available":true,"status":"in_stock"},"barcodes":[{"type":"GTIN","value":"00012345600012"}],"categories":[{"value":"Shirts"}],"condition":["new"],"variant_options":[{"name":"Size","value":"S"}],"url":"https://s.example/s"},{"id":"tee-m","title":"Tee M","price":{"amount":19.5,"currency":"USD"}},{"id":"tee-l","title":"Tee L","availability":{"available":false}}]})"
      "\n\n{\"id\":\"x\"}\nnot json\n{\"id\":\"y\",\"variants\":[]}\n");
  EXPECT_EQ(read.format, FeedFormat::kJsonl);
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(1-1 {"id":"tee-s","title":"Tee S","description":"\u003cp\u003eCotton\u003c/p\u003e",)"
          R"("gtin":"00012345600012","categories":["Shirts"],"price":{"amount":2499,"currency":"USD"},)"
          R"("sale_price":{"amount":1999,"currency":"USD"},"availability":"in_stock","condition":"new",)"
          R"("link":"https://s.example/s","image_link":"https://s.example/m.jpg",)"
          R"("item_group_id":"tee","options":{"Size":"S"}} +)",
          "1-1 unusable price.amount: expected an integer of minor units; +",
          HasSubstr(R"("availability":"out_of_stock")"),
          "3-3 unusable row: expected a product with variants;",
          HasSubstr("4-4 unusable row: byte"), "5-5 unusable row: expected at least one variant;"));
}

}  // namespace
}  // namespace emptor::testing
