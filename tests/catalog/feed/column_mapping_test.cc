// Mappings: what they make of a table, that they go through text unchanged, and what is refused.
#include "catalog/feed/column_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::ColumnsText;
using catalog::FeedOptions;
using catalog::SetColumns;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

FeedOptions Options(std::string_view columns) {
  FeedOptions options;
  const absl::Status status = SetColumns(columns, options);
  EXPECT_TRUE(status.ok()) << status;
  return options;
}

constexpr std::string_view kWhole = R"({
  "columns": {"Nr": "id", "Name, lang": "title", "Preis": "price",
    "Preis CH": {"field": "regional_prices.CH", "currency": "CHF"},
    "Aktion CH": {"field": "regional_prices.CH.sale_price", "currency": "CHF"},
    "Inhalt": {"field": "attributes.capacity", "unit": "l"},
    "Farbe": ["attributes.color", "options.color"],
    "Gruppe": "item_group_id",
    "Pfad": {"field": "categories", "separator": "/"},
    "Bilder": {"field": "additional_image_links", "separator": "|"},
    "Lager Bern": "stock.Bern", "Lager Genf": "stock.Genf",
    "Marke": "brand"},
  "values": {"brand": "Torvane", "condition": "refurbished", "attributes.origin": "DE"},
  "delimiter": ";", "decimal_mark": ",", "currency": "EUR", "locale": "de-DE"})";

TEST(ColumnMappingTest, MakesProductsOfATableOfAnyShape) {
  const auto read = Read(
      "Nr;Name, lang;Preis;Preis CH;Aktion CH;Inhalt;Farbe;Gruppe;Pfad;Bilder;Lager Bern;Lager "
      "Genf;Marke\n"
      "k1;Kessel, rot;1.500;1'600,50;1500;1,7;rot;g1;Haus/K\xC3\xBC"
      "che/Kessel;https://s.example/1.jpg|https://s.example/2.jpg;7;-2;\n"
      "k2;Kessel;19 USD;;;1,7 Liter;blau;;Haus;;nicht da;nicht auf Lager;Lux\n",
      Options(kWhole));
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          "2-2 {\"id\":\"k1\",\"title\":\"Kessel, rot\",\"brand\":\"Torvane\","
          "\"categories\":[\"Haus \\u003e K\xC3\xBC"
          "che \\u003e Kessel\"],\"price\":{\"amount\":150000,\"currency\":\"EUR\"},"
          "\"availability\":\"in_stock\",\"condition\":\"refurbished\","
          "\"image_link\":\"https://s.example/1.jpg\","
          "\"additional_image_links\":[\"https://s.example/2.jpg\"],"
          "\"attributes\":{\"capacity\":\"1,7 l\",\"color\":\"rot\",\"origin\":\"DE\"},"
          "\"item_group_id\":\"g1\",\"options\":{\"color\":\"rot\"},"
          "\"regional_prices\":[{\"region\":\"CH\",\"price\":{\"amount\":160050,"
          "\"currency\":\"CHF\"},\"sale_price\":{\"amount\":150000,\"currency\":\"CHF\"}}],"
          "\"stock\":[{\"location\":\"Bern\",\"availability\":\"in_stock\",\"quantity\":7},"
          "{\"location\":\"Genf\",\"availability\":\"out_of_stock\",\"quantity\":0}],"
          "\"locale\":\"de-DE\"}",
          ::testing::AllOf(
              HasSubstr("\"brand\":\"Lux\""), HasSubstr("{\"amount\":1900,\"currency\":\"USD\"}"),
              HasSubstr("\"capacity\":\"1,7 Liter\""),
              HasSubstr("Lager Bern: expected a count or an availability, found \"nicht da\";"),
              ::testing::Not(HasSubstr("regional_prices")))));
}

TEST(ColumnMappingTest, PricesOfPlacesThatCannotHoldAreLeftOut) {
  const auto read = Read(
      "id,title,price,everywhere,again,sale\na,T,5 USD,6 USD,5 EUR,\nb,T,5 USD,5 USD,7 EUR,\n"
      "c,T,5 USD,,,3 EUR\nd,T,5 USD,8 EUR,,3 GBP\n",
      Options(R"({"columns":{"id":"id","title":"title","price":"price",
        "everywhere":"regional_prices.*","again":"regional_prices.DE",
        "sale":"regional_prices.*.sale_price"}})"));
  EXPECT_EQ(read.broken, "");
  ASSERT_EQ(read.rows.size(), 4u);
  EXPECT_THAT(read.rows[0], HasSubstr("everywhere: left out: there is another price in USD"));
  EXPECT_THAT(read.rows[0], HasSubstr(R"([{"region":"DE","price":{"amount":500)"));
  EXPECT_TRUE(read.rows[1].ends_with("}")) << "the same price told again: " << read.rows[1];
  EXPECT_THAT(read.rows[2], HasSubstr("sale: left out: there is no price"));
  EXPECT_THAT(read.rows[3], HasSubstr("sale: left out: it is in GBP and the price in EUR"));
}

TEST(ColumnMappingTest, ConstantsAndDelimiterServeATableWithNamesThatAreKnown) {
  const auto read =
      Read("id:title:color\na:T:red\nb:U:\n",
           Options(R"({"delimiter":":","values":{"attributes.color":"grey","brand":"B"}})"));
  EXPECT_EQ(read.error, "");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"("attributes":{"color":"red"})"),
                                     HasSubstr(R"("attributes":{"color":"grey"})")));
}

TEST(ColumnMappingTest, GoesThroughTextUnchanged) {
  for (const std::string& text :
       {std::string(kWhole), std::string("Name=title,a=b=price"), std::string(""),
        std::string(R"({"columns":{"a,b":"id","{":"title"}})"),
        std::string(R"({"markets":{"Europe":{"region":["DE","FR"],"currency":"EUR"},
                        "International":{"currency":"USD"}}})")}) {
    const FeedOptions options = Options(text);
    const std::string told = ColumnsText(options);
    const FeedOptions again = Options(told);
    EXPECT_EQ(ColumnsText(again), told);
    EXPECT_EQ(again.columns.size(), options.columns.size());
    EXPECT_EQ(again.constants.size(), options.constants.size());
    EXPECT_EQ(again.markets.size(), options.markets.size());
    EXPECT_EQ(again.delimiter, options.delimiter);
    EXPECT_EQ(again.decimal_mark, options.decimal_mark);
  }
  EXPECT_EQ(ColumnsText(Options("Name=title,a=b=price")), "Name=title,a=b=price");
}

TEST(ColumnMappingTest, CurrencyAndLocaleOfTheJobGoBeforeThoseOfTheMapping) {
  FeedOptions options;
  options.currency = "USD";
  ASSERT_TRUE(SetColumns(R"({"currency":"EUR","locale":"de"})", options).ok());
  EXPECT_EQ(options.currency, "USD");
  EXPECT_EQ(options.locale, "de");
}

TEST(ColumnMappingTest, RefusesWhatItCannotTakeAndChangesNothing) {
  std::string many, values;
  for (int i = 0; i < 201; ++i) {
    many += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":\"title\"";
  }
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"title", "columns: expected Column=field,Column=field, found \"title\""},
      {"a=id,b=pric", "columns: b: unknown field \"pric\""},
      {"a=attributes.b\xEF", "columns: expected Column=field,Column=field"},
      {std::string(300, 'a') + "=id", "columns: expected Column=field,Column=field"},
      {"a=attributes." + std::string(300, 'a'), "columns: a: unknown field"},
      {"{", "columns: byte 1: "},
      {"{\"a\":" + std::string(70000, ' ') + "1}", "columns: "},
      {R"({"columns":{"a":{"field":{"field":{"field":{}}}}}})", "columns: "},
      {R"({"colums":{}})", "colums: unknown setting: expected columns, values, "},
      {R"({"columns":[]})", "columns: expected a map, found a list"},
      {R"({"columns":{"Preis":"pric"}})", "columns: Preis: unknown field \"pric\""},
      {R"({"columns":{"Preis":{}}})", "columns: Preis: unknown field \"\""},
      {R"({"columns":{"":"id"}})", "columns: : expected a name of 1 to 256 bytes"},
      {R"({"columns":{"a":[["id"]]}})", "columns: a: expected a field, found a list"},
      {R"({"columns":{"a":{"feld":"id"}}})", "columns: a: feld: expected field, unit, currency or"},
      {R"({"columns":{"a":{"field":"price","currency":"ABC"}}})", "unknown currency \"ABC\""},
      {R"({"columns":{"a":{"field":"title","unit":"kg"}}})", "title has neither unit nor currency"},
      {R"({"columns":{"a":{"field":"price","unit":"EUR","currency":"EUR"}}})",
       "columns: a: currency: there is a unit already"},
      {R"({"columns":{"a":{"field":"category","separator":""}}})",
       "columns: a: separator: expected a text of 1 to 8 bytes"},
      {R"({"columns":{"a":"regional_prices.Germany"}})", "unknown field"},
      {"{\"columns\":{" + many + "}}", "columns: more than 200 entries"},
      {R"({"values":{"id":"a"}})", "values: id: cannot be the same of all rows"},
      {R"({"values":{"brnd":"a"}})", "values: brnd: unknown field"},
      {R"({"values":{"brand":["a"]}})", "values: brand: expected a text of 1 to 1024 bytes"},
      {R"({"markets":{"Canada":{"region":"Canada","currency":"CAD"}}})",
       "markets: Canada: region: expected a country code like DE, found \"Canada\""},
      {R"({"markets":{"Canada":{"region":"CA"}}})", "markets: Canada: currency: missing"},
      {R"({"markets":{"Canada":"CA"}})", "markets: Canada: expected {region, currency}"},
      {R"({"delimiter":";;"})", "delimiter: expected one character"},
      {R"({"delimiter":"\n"})", "delimiter: expected one character"},
      {R"({"decimal_mark":";"})", "decimal_mark: expected \",\" or \".\", found \";\""},
      {R"({"currency":"ABC"})", "currency: expected a currency of ISO 4217, found \"ABC\""},
      {R"({"locale":"deutsch!"})", "locale: expected a tag like en-US"},
  };
  for (const auto& [text, message] : cases) {
    FeedOptions options;
    options.columns = {{"a", "id"}};
    options.delimiter = '|';
    const absl::Status status = SetColumns(text, options);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    EXPECT_EQ(options.columns.size(), 1u);
    EXPECT_EQ(options.delimiter, '|');
  }
}

TEST(ColumnMappingTest, IsRefusedForAFeedThatIsNoTable) {
  FeedOptions options = Options(R"({"values":{"brand":"B"}})");
  EXPECT_EQ(Read("<rss><item><id>a</id></item></rss>", options).error,
            "columns: a mapping is for csv and google-tsv, the feed is google-xml");
  options = Options(R"({"markets":{"Canada":{"region":"CA","currency":"CAD"}}})");
  EXPECT_EQ(Read("id,title\na,T\n", options).error,
            "columns: markets are for shopify-csv, the feed is csv");
}

}  // namespace
}  // namespace emptor::testing
