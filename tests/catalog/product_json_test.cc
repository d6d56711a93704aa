// The strict form of records: every refusal names its field, every valid record reads back equal.
#include "catalog/product_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/content_hash.h"
#include "catalog/record_codec.h"
#include "catalog/validation.h"
#include "tests/catalog/random_product.h"

namespace emptor::catalog {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kWhole = R"({
  "id": "k20", "kind": "product", "title": "Torvane Kettle", "description": "Boils.\nFast.",
  "brand": "Torvane", "gtin": "0123456789012", "mpn": "K-20",
  "categories": ["Kitchen > Kettles"],
  "price": {"amount": 5999, "currency": "USD"}, "sale_price": {"currency": "USD", "amount": 4999},
  "sale_price_effective_date": {"start": "2026-11-01T00:00:00Z", "end": "2026-12-01T00:00:00Z"},
  "availability": "preorder", "condition": "refurbished",
  "link": "https://shop.example/k20", "image_link": "/images/k20.svg",
  "additional_image_links": ["https://img.example/1.jpg", "https://img.example/2.jpg"],
  "rating": {"value": 4.5, "count": 312},
  "attributes": {"capacity": "1.7 l", "cordless": "yes"},
  "item_group_id": "kettles", "locale": "en-US", "updated_at": "2026-11-20T12:00:00Z"})";

TEST(ProductJsonTest, ReadsEveryField) {
  const auto product = ParseProduct(kWhole);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->id, "k20");
  EXPECT_EQ(product->description, "Boils.\nFast.");
  EXPECT_EQ(product->price, (Money{5999, "USD"}));
  EXPECT_EQ(product->sale_price, (Money{4999, "USD"}));
  EXPECT_EQ(product->sale_price_effective->start, 1793491200);
  EXPECT_EQ(product->availability, Availability::kPreorder);
  EXPECT_EQ(product->condition, Condition::kRefurbished);
  EXPECT_EQ(product->additional_image_links.size(), 2u);
  EXPECT_EQ(product->rating, (Rating{4.5, 312}));
  EXPECT_EQ(product->attributes[0], (Attribute{"capacity", "1.7 l"}));
  EXPECT_EQ(product->updated_at, "2026-11-20T12:00:00Z");
  EXPECT_EQ(ParseProduct(ToJson(*product)).value(), *product);
}

TEST(ProductJsonTest, IdAndTitleAreEnough) {
  const auto product = ParseProduct(R"({"id":"k","title":"T","brand":""})");
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(ToJson(*product),
            R"({"id":"k","title":"T","availability":"in_stock","condition":"new"})");
}

struct RefusedCase {
  const char* name;
  std::string member;   // added to {"id":"k","title":"T"}
  const char* message;  // how the error begins
};

class RefusedProductTest : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedProductTest, NamesTheField) {
  const std::string json = R"({"id":"k","title":"T",)" + GetParam().member + "}";
  const auto product = ParseProduct(json);
  ASSERT_FALSE(product.ok()) << json;
  EXPECT_EQ(product.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(product.status().message()), StartsWith(GetParam().message));
}

std::string Attributes(int count) {
  std::string json = R"("attributes":{)";
  for (int i = 0; i < count; ++i) {
    json += (i > 0 ? ",\"a" : "\"a") + std::to_string(i) + "\":\"v\"";
  }
  return json + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedProductTest,
    ::testing::Values(
        RefusedCase{"UnknownField", R"("colour":"red")", "colour: unknown field"},
        RefusedCase{"TenantInBody", R"("tenant_id":"x")", "tenant_id: unknown field"},
        RefusedCase{"Prototype", R"("__proto__":{})", "__proto__: unknown field"},
        RefusedCase{"Kind", R"("kind":"faq")", "kind: expected product"},
        RefusedCase{"NullBrand", R"("brand":null)", "brand: expected a string, found null"},
        RefusedCase{"NumberGtin", R"("gtin":12345678)", "gtin: expected a string"},
        RefusedCase{"ShortGtin", R"("gtin":"1234567")", "gtin: expected 8 to 14 digits"},
        RefusedCase{"PriceText", R"("price":"49.99 USD")", "price: expected an object"},
        RefusedCase{"PriceFloat", R"("price":{"amount":49.99,"currency":"USD"})",
                    "price.amount: expected an integer"},
        RefusedCase{"PriceExponent", R"("price":{"amount":1e3,"currency":"USD"})", "price.amount"},
        RefusedCase{"PriceNegative", R"("price":{"amount":-1,"currency":"USD"})", "price.amount"},
        RefusedCase{"PriceHuge", R"("price":{"amount":9223372036854775807,"currency":"USD"})",
                    "price.amount"},
        RefusedCase{"PriceBeyond64", R"("price":{"amount":18446744073709551617,"currency":"USD"})",
                    "price.amount: expected an integer"},
        RefusedCase{"NoCurrency", R"("price":{"amount":1})", "price.currency: missing"},
        RefusedCase{"NoAmount", R"("price":{"currency":"USD"})", "price.amount: missing"},
        RefusedCase{"SmallCurrency", R"("price":{"amount":1,"currency":"usd"})", "price.currency"},
        RefusedCase{"PriceExtra", R"("price":{"amount":1,"currency":"USD","tax":1})",
                    "price.tax: unknown field"},
        RefusedCase{"SaleAlone", R"("sale_price":{"amount":1,"currency":"USD"})", "sale_price"},
        RefusedCase{"SaleCurrency",
                    R"("price":{"amount":2,"currency":"USD"},)"
                    R"("sale_price":{"amount":1,"currency":"EUR"})",
                    "sale_price.currency"},
        RefusedCase{"SaleDatesText", R"("sale_price_effective_date":"2026-01-01/2026-02-01")",
                    "sale_price_effective_date"},
        RefusedCase{"SaleDateForm", R"("sale_price_effective_date":{"start":"tomorrow"})",
                    "sale_price_effective_date.start: expected an RFC 3339 time"},
        RefusedCase{"SaleDatesSwapped",
                    R"("price":{"amount":2,"currency":"USD"},)"
                    R"("sale_price":{"amount":1,"currency":"USD"},)"
                    R"("sale_price_effective_date":{"start":"2026-02-01T00:00:00Z",)"
                    R"("end":"2026-01-01T00:00:00Z"})",
                    "sale_price_effective_date: ends before it starts"},
        RefusedCase{"Availability", R"("availability":"in stock")", "availability: unknown value"},
        RefusedCase{"Condition", R"("condition":"")", "condition: unknown value"},
        RefusedCase{"ScriptLink", R"x("link":"javascript:alert(1)")x", "link: expected an http(s)"},
        RefusedCase{"DataImage", R"("image_link":"data:image/png;base64,AA")", "image_link"},
        RefusedCase{"SchemeRelative", R"("link":"//evil.example/x")", "link"},
        RefusedCase{"UserInfo", R"("link":"https://good.example@evil.example/")", "link"},
        RefusedCase{"Backslash", R"("link":"https://good.example\\@evil")", "link"},
        RefusedCase{"QuoteInLink", R"("link":"https://a.example/\"onload=x")", "link"},
        RefusedCase{"BlankInLink", R"("link":"https://a.example/a b")", "link"},
        RefusedCase{"NoHost", R"("link":"https:///path")", "link"},
        RefusedCase{"LinkNumber", R"("link":7)", "link: expected a string"},
        RefusedCase{"EmptyExtraImage", R"("additional_image_links":[""])",
                    "additional_image_links: an empty link"},
        RefusedCase{"ImagesText", R"("additional_image_links":"x")",
                    "additional_image_links: expected an array"},
        RefusedCase{"CategoryNumber", R"("categories":[1])", "categories: expected a string"},
        RefusedCase{"CategoryBlank", R"("categories":[" "])", "categories"},
        RefusedCase{"RatingHigh", R"("rating":{"value":5.1,"count":1})", "rating.value"},
        RefusedCase{"RatingText", R"("rating":{"value":"5"})", "rating.value: expected a number"},
        RefusedCase{"RatingCount", R"("rating":{"value":5,"count":-1})", "rating.count"},
        RefusedCase{"RatingEmpty", R"("rating":{})", "rating.value: missing"},
        RefusedCase{"AttributeNumber", R"("attributes":{"w":5})",
                    "attributes.w: expected a string"},
        RefusedCase{"AttributeNested", R"("attributes":{"w":{"x":"y"}})", "attributes.w"},
        RefusedCase{"AttributeNoName", R"("attributes":{"":"y"})", "attributes"},
        RefusedCase{"AttributeControl", R"("attributes":{"w":"\u0000"})",
                    "attributes.w: control character"},
        RefusedCase{"ManyAttributes", Attributes(257), "attributes: 257 values, at most 256"},
        RefusedCase{"LongBrand", "\"brand\":\"" + std::string(257, 'x') + "\"",
                    "brand: 257 bytes, at most 256"},
        RefusedCase{"BrandLineFeed", R"("brand":"a\nb")", "brand: control character at byte 1"},
        RefusedCase{"Separator", R"("description":"a\u2029b")", "description: control character"},
        RefusedCase{"Locale", R"("locale":"english please")", "locale"},
        RefusedCase{"UpdatedAt", R"("updated_at":"yesterday")", "updated_at"},
        RefusedCase{"OptionNumber", R"("options":{"size":5})", "options.size: expected a string"},
        RefusedCase{"RegionalObject", R"("regional_prices":{})",
                    "regional_prices: expected an array of objects"},
        RefusedCase{"RegionalText", R"("regional_prices":["x"])",
                    "regional_prices: expected an array of objects, found a string"},
        RefusedCase{"RegionalNoPrice", R"("regional_prices":[{"region":"DE"}])",
                    "regional_prices.price: missing"},
        RefusedCase{"RegionalUnknown", R"("regional_prices":[{"country":"DE"}])",
                    "regional_prices.country: unknown field"},
        RefusedCase{"RegionForm",
                    R"("regional_prices":[{"region":"de","price":{"amount":1,"currency":"EUR"}}])",
                    "regional_prices.region: expected two capital letters"},
        RefusedCase{"RegionalSaleCurrency",
                    R"("regional_prices":[{"price":{"amount":2,"currency":"EUR"},)"
                    R"("sale_price":{"amount":1,"currency":"USD"}}])",
                    "regional_prices.sale_price.currency"},
        RefusedCase{"RegionalTwice",
                    R"("regional_prices":[{"region":"DE","price":{"amount":2,"currency":"EUR"}},)"
                    R"({"region":"DE","price":{"amount":3,"currency":"EUR"}}])",
                    "regional_prices: DE EUR appears twice"},
        RefusedCase{"RegionalRepeatsPrice",
                    R"("price":{"amount":2,"currency":"EUR"},)"
                    R"("regional_prices":[{"price":{"amount":3,"currency":"EUR"}}])",
                    "regional_prices.region: missing"},
        RefusedCase{"ShippingNoPrice", R"("shipping":[{"service":"Express"}])",
                    "shipping.price: missing"},
        RefusedCase{"ShippingDays",
                    R"("shipping":[{"price":{"amount":0,"currency":"EUR"},"min_days":3,)"
                    R"("max_days":2}])",
                    "shipping.max_days: less than min_days"},
        RefusedCase{"ShippingNegativeDays",
                    R"("shipping":[{"price":{"amount":0,"currency":"EUR"},"min_days":-3}])",
                    "shipping.min_days: expected 0 to"},
        RefusedCase{"StockNoLocation", R"("stock":[{"quantity":3}])", "stock.location: missing"},
        RefusedCase{"StockTwice", R"("stock":[{"location":"Bonn"},{"location":"Bonn"}])",
                    "stock.location: Bonn appears twice"},
        RefusedCase{"StockNegative", R"("stock":[{"location":"Bonn","quantity":-1}])",
                    "stock.quantity: expected 0 to"},
        RefusedCase{"StockAvailability", R"("stock":[{"location":"Bonn","availability":"yes"}])",
                    "stock.availability: unknown value"},
        RefusedCase{"PopularityText", R"("popularity":"high")", "popularity: expected an integer"},
        RefusedCase{"PopularityNegative", R"("popularity":-1)", "popularity: expected 0 to"},
        RefusedCase{"Trust", R"("trust":"full")", "trust: unknown value"},
        RefusedCase{"SecondId", R"("id":"other")", "byte "}),
    [](const auto& test) { return test.param.name; });

TEST(ProductJsonTest, RefusesRecordsWithoutIdOrTitle) {
  for (const char* json : {"{}", "[]", "null", "7", "\"x\"", R"({"id":"k"})", R"({"title":"T"})",
                           R"({"id":"","title":"T"})", R"({"id":"a/b","title":"T"})",
                           R"({"id":"k","title":" "})", R"({"id":7,"title":"T"})"}) {
    EXPECT_FALSE(ParseProduct(json).ok()) << json;
  }
}

TEST(ProductJsonTest, MerchantFieldsAreReadUnchanged) {
  const auto product = ParseProduct(R"({"id":"k","title":"T","options":{"color":"red"},
      "regional_prices":[{"region":"DE","price":{"amount":2,"currency":"EUR"},
        "sale_price":{"amount":1,"currency":"EUR"},
        "sale_price_effective_date":{"start":"1970-01-01T00:00:07Z"}}],
      "shipping":[{"region":"DE","service":"Express","price":{"amount":0,"currency":"EUR"},
        "min_days":1,"max_days":2}],
      "stock":[{"location":"Bonn","availability":"backorder","quantity":3},{"location":"Ulm"}],
      "popularity":12,"trust":"untrusted","quarantine":"by hand"})");
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->options, (std::vector<Attribute>{{"color", "red"}}));
  ASSERT_EQ(product->regional_prices.size(), 1u);
  const RegionalPrice& price = product->regional_prices[0];
  EXPECT_EQ(price.region, "DE");
  EXPECT_EQ(price.price, (Money{2, "EUR"}));
  EXPECT_EQ(price.sale_price, (Money{1, "EUR"}));
  EXPECT_EQ(price.sale_price_effective, (TimeRange{7, {}}));
  EXPECT_EQ(product->shipping, (std::vector<Shipping>{{"DE", "Express", {0, "EUR"}, 1, 2}}));
  EXPECT_EQ(product->stock,
            (std::vector<LocationStock>{{"Bonn", Availability::kBackorder, 3},
                                        {"Ulm", Availability::kInStock, std::nullopt}}));
  EXPECT_EQ(product->popularity, 12);
  EXPECT_EQ(product->trust, Trust::kUntrusted);
  EXPECT_EQ(product->quarantine, "by hand");
}

TEST(ProductJsonTest, RecordAtEveryLimitReadsBack) {
  Product product;
  product.id = "k";
  product.title = "T";
  for (size_t i = 0; i < RecordLimits::kAttributes; ++i) {
    product.attributes.push_back({"a" + std::to_string(i), "v"});
  }
  for (size_t i = 0; i < RecordLimits::kOptions; ++i) {
    product.options.push_back({"o" + std::to_string(i), "v"});
  }
  for (size_t i = 0; i < RecordLimits::kRegionalPrices; ++i) {
    const std::string region = {static_cast<char>('A' + i / 26), static_cast<char>('A' + i % 26)};
    product.regional_prices.push_back(
        {region, {2, "EUR"}, Money{1, "EUR"}, TimeRange{1, 1'000'000}});
  }
  product.shipping.assign(RecordLimits::kShipping, {"DE", "Express", {0, "EUR"}, 1, 2});
  for (size_t i = 0; i < RecordLimits::kStock; ++i) {
    product.stock.push_back({"s" + std::to_string(i), Availability::kInStock, 1});
  }
  const auto again = ParseProduct(ToJson(product));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, product);
  Document document;
  document.id = "m";
  document.kind = "manual";
  document.title = "T";
  document.text = "x" + std::string(RecordLimits::kDocumentText - 2, '\n') + "x";
  EXPECT_EQ(ParseDocument(ToJson(document)).value(), document);
}

TEST(ProductJsonTest, ReviewsAreUntrustedWhateverTheFileSays) {
  const std::string review = R"({"id":"r","kind":"review","title":"T","text":"x")";
  EXPECT_EQ(ParseDocument(review + "}")->trust, Trust::kUntrusted);
  EXPECT_EQ(ParseDocument(review + R"(,"trust":"untrusted","product_id":"k"})")->product_id, "k");
  EXPECT_FALSE(ParseDocument(review + R"(,"trust":"shop"})").ok());
  EXPECT_FALSE(ParseDocument(review + R"(,"product_id":"a/b"})").ok());
  const std::string policy = R"({"id":"r","kind":"policy","title":"T","text":"x")";
  EXPECT_EQ(ParseDocument(policy + "}")->trust, Trust::kShop);
}

TEST(ProductJsonTest, RepliesLeaveOutWhatIsTheShopsAlone) {
  Product product;
  product.id = "k";
  product.title = "T";
  product.popularity = 12;
  product.quarantine = "because";
  const PayablePrice shown;
  JsonWriter writer;
  writer.BeginObject();
  WriteProductMembers(product, &shown, writer);
  writer.EndObject();
  const std::string reply = writer.Take();
  EXPECT_THAT(reply, Not(HasSubstr("popularity")));
  EXPECT_THAT(reply, Not(HasSubstr("quarantine")));
  EXPECT_THAT(ToJson(product), HasSubstr(R"("popularity":12,"quarantine":"because")"));
}

TEST(ProductJsonTest, KindDistinguishesProductsFromDocuments) {
  EXPECT_TRUE(std::holds_alternative<Product>(*ParseRecord(kWhole)));
  const auto faq =
      ParseRecord(R"({"id":"f1","kind":"faq","title":"How long?","text":"3 days.\n","version":2})");
  ASSERT_TRUE(faq.ok()) << faq.status();
  const Document& document = std::get<Document>(*faq);
  EXPECT_EQ(document.version, 2);
  EXPECT_EQ(ParseDocument(ToJson(document)).value(), document);
  EXPECT_THAT(
      std::string(
          ParseRecord(R"({"id":"f","kind":"spell","title":"t","text":"x"})").status().message()),
      StartsWith("kind: expected product, faq"));
  EXPECT_THAT(std::string(ParseRecord(R"({"id":"f","kind":"faq","title":"t"})").status().message()),
              StartsWith("text: missing"));
  EXPECT_THAT(std::string(ParseRecord(R"({"id":"f","kind":"faq","title":"t","text":"x","price":1})")
                              .status()
                              .message()),
              StartsWith("price: unknown field"));
}

TEST(ProductJsonTest, ShownPriceTakesThePlaceOfTheListPrice) {
  const Product product = ParseProduct(kWhole).value();
  const PayablePrice shown = ComputePayablePrice(product, 1795176000);
  JsonWriter writer;
  writer.BeginObject();
  WriteProductMembers(product, &shown, writer);
  writer.Member("url", "https://x/").EndObject();
  const JsonValue value = ParseJson(writer.text()).value();
  EXPECT_EQ(value.Find("price")->Find("amount")->as_int(), 4999);
  EXPECT_EQ(value.Find("was_price")->Find("amount")->as_int(), 5999);
  EXPECT_EQ(value.Find("url")->as_string(), "https://x/");
}

TEST(ProductJsonTest, RandomRecordsReadBackEqualThroughJsonAndStorage) {
  testing::RecordGenerator generator(20261120);
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    const Product product = generator.MakeProduct("p" + std::to_string(round));
    ASSERT_TRUE(ValidateProduct(product).ok()) << ValidateProduct(product);
    const auto read = ParseProduct(ToJson(product));
    ASSERT_TRUE(read.ok()) << read.status() << ToJson(product);
    ASSERT_EQ(*read, product);
    ASSERT_EQ(DecodeProduct(EncodeProduct(product)).value(), product);
    const Document document = generator.MakeDocument("d" + std::to_string(round));
    ASSERT_EQ(ParseDocument(ToJson(document)).value(), document);
    ASSERT_EQ(DecodeDocument(EncodeDocument(document)).value(), document);
  }
}

TEST(RecordCodecTest, EveryCutIsRefused) {
  const std::string bytes = EncodeProduct(ParseProduct(kWhole).value());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto product = DecodeProduct(std::string_view(bytes).substr(0, size));
    // A cut at the end of a field is a shorter record only when what is left has all it must
    // have.
    if (product.ok()) {
      EXPECT_EQ(EncodeProduct(*product), bytes.substr(0, size));
    }
  }
}

TEST(RecordCodecTest, WhatIsAcceptedIsWhatTheEncoderWrites) {
  const std::string bytes = EncodeProduct(ParseProduct(kWhole).value());
  std::mt19937_64 random(3);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const auto product = DecodeProduct(damaged);
    if (!product.ok()) continue;
    ++accepted;
    ASSERT_EQ(EncodeProduct(*product), damaged);
  }
  EXPECT_GT(accepted, 0);
}

TEST(ContentHashTest, PriceAndStockLeaveTheIndexTextAlone) {
  const Product product = ParseProduct(kWhole).value();
  Product changed = product;
  changed.price->amount = 1;
  changed.sale_price.reset();
  changed.availability = Availability::kOutOfStock;
  changed.link = "/elsewhere";
  changed.rating.reset();
  changed.updated_at.clear();
  EXPECT_NE(ContentHash(changed), ContentHash(product));
  EXPECT_EQ(IndexTextHash(changed), IndexTextHash(product));
  for (auto edit :
       {+[](Product& p) { p.title += "!"; }, +[](Product& p) { p.brand.clear(); },
        +[](Product& p) { p.attributes[0].value = "2 l"; },
        +[](Product& p) { p.categories.pop_back(); }, +[](Product& p) { p.description.clear(); }}) {
    Product edited = product;
    edit(edited);
    EXPECT_NE(IndexTextHash(edited), IndexTextHash(product));
  }
}

}  // namespace
}  // namespace emptor::catalog
