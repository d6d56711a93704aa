// Product pages and category pages as they are sent: what search engines and readers find in them.
#include "services/api/storefront_routes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <latch>
#include <sstream>

#include "catalog/encoding/json.h"
#include "services/api/category_page.h"
#include "services/api/page_words.h"
#include "services/api/product_page.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StorefrontTest : public ShopRoutesTest {
 protected:
  std::string Page(const std::string& path, int status = 200) {
    const Response response = Fetch("GET", path);
    EXPECT_EQ(response.status, status) << path;
    EXPECT_EQ(response.content_type, "text/html; charset=utf-8") << path;
    EXPECT_THAT(response.body, Not(HasSubstr("{{"))) << "a part of the template is left";
    return response.body;
  }

  /// The structured data of that type, read from the script elements as a browser parts them.
  static JsonValue JsonLd(const std::string& page, const std::string& type) {
    const std::string open = "<script type=\"application/ld+json\">";
    for (size_t at = 0; (at = page.find(open, at)) != std::string::npos;) {
      at += open.size();
      auto json = catalog::ParseJson(page.substr(at, page.find("</script>", at) - at));
      EXPECT_TRUE(json.ok()) << json.status();
      if (!json.ok()) continue;
      EXPECT_EQ(json->Find("@context")->as_string(), "https://schema.org");
      if (json->Find("@type")->as_string() == type) return *std::move(json);
    }
    return {};
  }

  static std::string Text(const JsonValue& value, std::initializer_list<const char*> path) {
    const JsonValue* at = &value;
    for (const char* name : path) {
      at = at->Find(name);
      if (at == nullptr) return "(none)";
    }
    return at->is_string() ? at->as_string() : fmt::format("{}", at->as_double());
  }
};

TEST_F(StorefrontTest, ProductPageDescribesProductOfferAndRating) {
  const std::string page = Page("/p/k20");
  const JsonValue product = JsonLd(page, "Product");
  EXPECT_EQ(Text(product, {"name"}), "Torvane Glide Kettle K20");
  EXPECT_EQ(Text(product, {"sku"}), "k20");
  EXPECT_EQ(Text(product, {"url"}), "http://shop.test:8080/p/k20");
  EXPECT_EQ(Text(product, {"brand", "@type"}), "Brand");
  EXPECT_EQ(Text(product, {"brand", "name"}), "Torvane");
  EXPECT_EQ(Text(product, {"category"}), "Kitchen > Kettles");
  EXPECT_EQ(product.Find("image")->as_array()[0].as_string(),
            "http://shop.test:8080/images/k20.svg");
  EXPECT_EQ(Text(product, {"offers", "@type"}), "Offer");
  EXPECT_EQ(Text(product, {"offers", "price"}), "49.99");
  EXPECT_EQ(Text(product, {"offers", "priceCurrency"}), "USD");
  EXPECT_EQ(Text(product, {"offers", "availability"}), "https://schema.org/InStock");
  EXPECT_EQ(Text(product, {"offers", "itemCondition"}), "https://schema.org/NewCondition");
  EXPECT_EQ(Text(product, {"offers", "url"}), "http://shop.test:8080/p/k20");
  EXPECT_EQ(Text(product, {"aggregateRating", "ratingValue"}), "4.5");
  EXPECT_EQ(Text(product, {"aggregateRating", "ratingCount"}), "312");
  EXPECT_EQ(Text(product, {"aggregateRating", "bestRating"}), "5");
  const JsonValue& property = product.Find("additionalProperty")->as_array()[0];
  EXPECT_EQ(Text(property, {"name"}), "capacity");
  EXPECT_EQ(Text(property, {"value"}), "1.7 liters");
}

TEST_F(StorefrontTest, ProductPageNamesItselfForLinksAndSearch) {
  const std::string page = Page("/p/k20");
  for (const char* part :
       {"<title>Torvane Glide Kettle K20</title>",
        "<link rel=\"canonical\" href=\"http://shop.test:8080/p/k20\">",
        "<meta property=\"og:type\" content=\"product\">",
        "<meta property=\"og:title\" content=\"Torvane Glide Kettle K20\">",
        "<meta property=\"og:url\" content=\"http://shop.test:8080/p/k20\">",
        "<meta property=\"og:image\" content=\"http://shop.test:8080/images/k20.svg\">",
        "<meta property=\"product:price:amount\" content=\"49.99\">",
        "<meta property=\"product:price:currency\" content=\"USD\">",
        "<meta property=\"product:availability\" content=\"in stock\">"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  const JsonValue crumbs = JsonLd(page, "BreadcrumbList");
  const auto& items = crumbs.Find("itemListElement")->as_array();
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(Text(items[2], {"name"}), "Kettles");
  EXPECT_EQ(Text(items[2], {"item"}), "http://shop.test:8080/c/kitchen--kettles");
  EXPECT_EQ(Text(items[3], {"position"}), "4");
}

TEST_F(StorefrontTest, ProductPageIsReadableWithoutItsScript) {
  const std::string page = Page("/p/k20");
  EXPECT_THAT(page, AllOf(HasSubstr("<h1 class=\"product-title\" dir=\"auto\" lang=\"en-US\">"
                                    "Torvane Glide Kettle K20</h1>"),
                          HasSubstr("$49.99"), HasSubstr("In stock"),
                          HasSubstr("href=\"/c/kitchen--kettles\""), Not(HasSubstr("aria-busy"))));
}

TEST_F(StorefrontTest, WhatTheRecordDoesNotHaveIsLeftOut) {
  shop_.Import(R"({"id":"bare","title":"Bare","rating":{"value":4,"count":0}})");
  const std::string page = Page("/p/bare");
  const JsonValue product = JsonLd(page, "Product");
  EXPECT_EQ(Text(product, {"name"}), "Bare");
  for (const char* name : {"offers", "aggregateRating", "image", "brand", "description", "gtin",
                           "mpn", "category", "additionalProperty"}) {
    EXPECT_EQ(product.Find(name), nullptr) << name;
  }
  EXPECT_TRUE(JsonLd(page, "BreadcrumbList").is_null());
  EXPECT_THAT(page, AllOf(Not(HasSubstr("og:image")), Not(HasSubstr("product:price")),
                          Not(HasSubstr("name=\"description\"")), HasSubstr("Price on request")));
}

/// Imports take markup out of records; pages do not rely on it.
TEST_F(StorefrontTest, TextOfRecordsStaysText) {
  ShownProduct shown;
  catalog::Product& product = shown.product;
  product.id = "evil";
  product.title = "</script><script>alert(1)</script> \"x' & <!-- K";
  product.brand = "</title><b>";
  product.description = "<img src=x onerror=alert(1)>\n\nline {{head}}";
  product.categories = {"<i>Kitchen</i> > \"K\""};
  product.attributes = {{"</script>", "<script>{{content}}"}};
  product.image_link = "https://cdn.example/a\"b.jpg";
  shown.price.price = catalog::Money{100, "USD"};
  const FactFormatter format("en");
  const PageContext context{"https://shop.example", ChoosePageWords("en"), format};
  const auto check = [&](const std::string& page, size_t scripts) {
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img src=x")),
                            Not(HasSubstr("<b>")), Not(HasSubstr("<i>")),
                            HasSubstr("https://cdn.example/a&quot;b.jpg")));
    size_t found = 0;
    for (size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++found;
    EXPECT_EQ(found, scripts) << "the data, and the page's own files";
  };
  const std::string page = ProductPageHtml(
      context, {.html = pages_.Find("/p/")->body, .shown = &shown, .is_missing = false});
  check(page, 3);
  EXPECT_THAT(page, HasSubstr("line {{head}}")) << "text is no template";
  EXPECT_EQ(Text(JsonLd(page, "Product"), {"name"}), product.title) << "the text itself is whole";
  EXPECT_EQ(Text(JsonLd(page, "Product").Find("additionalProperty")->as_array()[0], {"name"}),
            "</script>");
  const CategoryIndex index({{product.categories[0], 1}});
  const std::string slug = CategorySlug(product.categories[0]);
  CategoryPage category{
      .html = pages_.Find("/c/")->body, .slug = slug, .index = &index, .products = {{shown, 1}}};
  category.total = 1;
  check(CategoryPageHtml(context, category), 4);
}

TEST_F(StorefrontTest, SaleHasItsEndAndItsListPrice) {
  shop_.Import(
      R"({"id":"sale","title":"Sale","price":{"amount":5000,"currency":"EUR"},)"
      R"("sale_price":{"amount":3000,"currency":"EUR"},"availability":"preorder","condition":"used",)"
      R"("sale_price_effective_date":{"start":"2023-01-01T00:00:00Z","end":"2023-12-31T12:00:00Z"}})");
  const JsonValue product = JsonLd(Page("/p/sale"), "Product");
  EXPECT_EQ(Text(product, {"offers", "price"}), "30.00");
  EXPECT_EQ(Text(product, {"offers", "priceValidUntil"}), "2023-12-31");
  EXPECT_EQ(Text(product, {"offers", "availability"}), "https://schema.org/PreOrder");
  EXPECT_EQ(Text(product, {"offers", "itemCondition"}), "https://schema.org/UsedCondition");
  EXPECT_EQ(Text(product, {"offers", "priceSpecification", "price"}), "50.00");
  EXPECT_EQ(Text(product, {"offers", "priceSpecification", "priceType"}),
            "https://schema.org/StrikethroughPrice");
}

TEST_F(StorefrontTest, MissingProductSaysSoInTheReadersLanguage) {
  accept_language_ = "de-AT, en;q=0.5";
  const std::string page = Page("/p/none", 404);
  EXPECT_THAT(page, AllOf(HasSubstr("lang=\"de\""), HasSubstr("nicht im Katalog"),
                          HasSubstr(">Zurück zum Assistenten</a>"), Not(HasSubstr("ld+json")),
                          Not(HasSubstr("canonical"))));
}

TEST_F(StorefrontTest, PagesHaveValidatorsOfWhatTheySay) {
  for (const char* path : {"/p/k20", "/c/kitchen--kettles"}) {
    if_none_match_.clear();
    const Response page = Fetch("GET", path);
    EXPECT_THAT(HeaderOf(page, "Content-Security-Policy"), HasSubstr("script-src 'self'")) << path;
    EXPECT_EQ(HeaderOf(page, "Vary"), "Accept-Encoding, Accept-Language") << path;
    const Response head = Fetch("HEAD", path);
    EXPECT_EQ(head.status, 200) << path;
    EXPECT_EQ(HeaderOf(head, "ETag"), HeaderOf(page, "ETag")) << path;
    if_none_match_ = HeaderOf(page, "ETag");
    EXPECT_EQ(Fetch("GET", path).status, 304) << path;
    EXPECT_EQ(Fetch("GET", path).body, "") << path;
    shop_.SetPriceOfK20(4500);
    EXPECT_EQ(Fetch("GET", path).status, 200) << path;
    EXPECT_THAT(Fetch("GET", path).body, HasSubstr("$45.00")) << path;
    shop_.SetPriceOfK20(4999);
  }
}

TEST_F(StorefrontTest, PagesAreCompressedForThoseWhoTakeIt) {
  for (const auto& [path, status] : {std::pair{"/p/k20", 200}, std::pair{"/c/sofas", 404}}) {
    accept_encoding_.clear();
    const Response plain = Fetch("GET", path);
    EXPECT_EQ(HeaderOf(plain, "Content-Encoding"), "") << path;
    accept_encoding_ = "gzip";
    const Response packed = Fetch("GET", path);
    EXPECT_EQ(packed.status, status) << path;
    EXPECT_EQ(HeaderOf(packed, "Content-Encoding"), "gzip") << path;
    EXPECT_LT(packed.body.size(), plain.body.size()) << path;
    EXPECT_NE(HeaderOf(packed, "ETag"), HeaderOf(plain, "ETag")) << path;
  }
}

TEST_F(StorefrontTest, PagesWaitForAWorkerAndReadersAreCounted) {
  std::promise<void> end;
  std::latch busy(2);
  const auto wait = [&, ended = end.get_future().share()] { ended.wait(); };
  for (int i = 0; i < 2; ++i) {
    workers_.Submit([&, wait] {
      busy.count_down();
      wait();
    });
  }
  busy.wait();
  while (workers_.TrySubmit(wait)) continue;
  const int refused = Fetch("GET", "/c/kitchen").status;
  EXPECT_GE(refused, 400);
  EXPECT_EQ(Fetch("GET", "/p/k20").status, refused);
  end.set_value();
  for (const Route& route : router_->routes()) {
    EXPECT_EQ(route.counts_readers, route.pattern == "/p/{id}") << route.pattern;
  }
}

TEST_F(StorefrontTest, CategoryPageListsItsProducts) {
  const std::string page = Page("/c/kitchen--kettles");
  EXPECT_THAT(page, AllOf(HasSubstr("<title>Kettles · Kitchen</title>"), HasSubstr("Products: 2"),
                          HasSubstr("href=\"/p/k20\""), HasSubstr("$49.99"),
                          HasSubstr("Out of stock"), HasSubstr("src=\"/images/k20.svg\""),
                          HasSubstr("<script src=\"/widget.js\" async></script>")));
  EXPECT_LT(page.find("/p/k20"), page.find("/p/k80")) << "what can be bought comes first";
  EXPECT_THAT(page, AllOf(Not(HasSubstr("/p/m27")), Not(HasSubstr("rel=\"next\""))));
  const JsonValue list = JsonLd(page, "ItemList");
  EXPECT_EQ(Text(list, {"numberOfItems"}), "2");
  EXPECT_EQ(Text(list.Find("itemListElement")->as_array()[0], {"url"}),
            "http://shop.test:8080/p/k20");
  EXPECT_EQ(JsonLd(page, "BreadcrumbList").Find("itemListElement")->as_array().size(), 3u);
  const std::string above = Page("/c/kitchen");
  EXPECT_THAT(above, AllOf(HasSubstr("/c/kitchen--kettles"), HasSubstr("Products: 2")));
}

TEST_F(StorefrontTest, ACategoryHasNoProductsOfAnotherOneOfItsName) {
  shop_.Import(R"({"id":"toy","title":"Toy stove","categories":["Toys > Kitchen"]})");
  const auto is_kitchen = AllOf(HasSubstr("/p/k20\""), Not(HasSubstr("/p/toy\"")));
  EXPECT_THAT(Page("/c/kitchen"), AllOf(is_kitchen, HasSubstr("Products: 2")));
  EXPECT_THAT(Page("/c/toys--kitchen"), AllOf(HasSubstr("/p/toy\""), Not(HasSubstr("/p/k20\""))));
  shop_.Import(R"({"id":"timer","title":"Timer","categories":["Kitchen"]})");
  EXPECT_THAT(Page("/c/kitchen"),
              AllOf(is_kitchen, HasSubstr("/p/timer\""), HasSubstr("Products: 3")));
}

TEST_F(StorefrontTest, ACategoryEndsWithItsLastProduct) {
  shop_.Import(R"({"id":"sofa","title":"Sofa","categories":["Sofas"]})");
  EXPECT_THAT(Page("/c/sofas"), HasSubstr("/p/sofa\""));
  shop_.Import(R"({"id":"sofa","title":"Sofa","categories":["Seats"]})");
  EXPECT_THAT(Page("/c/sofas", 404), HasSubstr("no such category"));
  EXPECT_THAT(Page("/c/seats"), HasSubstr("/p/sofa\""));
}

TEST_F(StorefrontTest, CategoryHasPages) {
  std::string lines;
  for (int i = 0; i < 53; ++i) {
    lines += fmt::format(
        R"({{"id":"pan{0}","title":"Pan {0}","categories":["Kitchen > Pans"],"popularity":{1}}})"
        "\n",
        i, 1000 - i);
  }
  shop_.Import(lines);
  const std::string first = Page("/c/kitchen--pans");
  EXPECT_THAT(first, AllOf(HasSubstr("<link rel=\"next\" href=\"http://shop.test:8080/c/"
                                     "kitchen--pans?page=2\">"),
                           Not(HasSubstr("rel=\"prev\"")), HasSubstr("/p/pan0\""),
                           HasSubstr("/p/pan23\""), Not(HasSubstr("/p/pan24\""))));
  const std::string second = Page("/c/kitchen--pans?page=2");
  EXPECT_THAT(second,
              AllOf(HasSubstr("<link rel=\"prev\" href=\"http://shop.test:8080/c/kitchen--pans\">"),
                    HasSubstr("?page=3\">"), HasSubstr("/p/pan24\""), Not(HasSubstr("/p/pan23\"")),
                    HasSubstr("canonical\" href=\"http://shop.test:8080/c/kitchen--pans?page=2")));
  EXPECT_EQ(Text(JsonLd(second, "ItemList").Find("itemListElement")->as_array()[0], {"position"}),
            "25");
  const std::string last = Page("/c/kitchen--pans?page=3");
  EXPECT_THAT(last, AllOf(HasSubstr("/p/pan52\""), Not(HasSubstr("rel=\"next\""))));
  for (const char* wrong : {"4", "0", "x", "-1", "99999999999999999999"}) {
    EXPECT_THAT(Page(std::string("/c/kitchen--pans?page=") + wrong, 404),
                HasSubstr("no such category"))
        << wrong;
  }
}

TEST_F(StorefrontTest, UnknownCategoryIsAPageThatLeadsOn) {
  const std::string page = Page("/c/sofas", 404);
  EXPECT_THAT(page, AllOf(HasSubstr("The shop has no such category."), HasSubstr("/c/kitchen\""),
                          HasSubstr("/c/computing\""), HasSubstr("href=\"/\""),
                          Not(HasSubstr("canonical"))));
  accept_language_ = "ar";
  EXPECT_THAT(Page("/c/sofas", 404), HasSubstr("<html lang=\"ar\" dir=\"rtl\">"));
}

TEST_F(StorefrontTest, OtherSpellingsLeadToTheOneAddress) {
  for (const char* name : {"/c/Kitchen > Kettles", "/c/Kettles", "/c/Kitchen--KETTLES"}) {
    const Response response = Fetch("GET", name);
    EXPECT_EQ(response.status, 301) << name;
    EXPECT_EQ(HeaderOf(response, "Location"), "/c/kitchen--kettles") << name;
    EXPECT_EQ(HeaderOf(response, "Cache-Control"), "no-cache") << name;
  }
}

TEST_F(StorefrontTest, VariantsOfOneProductAreOneCard) {
  shop_.Import(
      R"({"id":"r1","title":"Pan red","categories":["Pans"],"item_group_id":"g","options":{"color":"red"}})"
      "\n"
      R"({"id":"r2","title":"Pan blue","categories":["Pans"],"item_group_id":"g","options":{"color":"blue"}})"
      "\n");
  const std::string page = Page("/c/pans");
  EXPECT_THAT(page, AllOf(HasSubstr("Variants: 2"), HasSubstr("Products: 1")));
}

TEST_F(StorefrontTest, ThoseWhoMayNotReadGetThePageWithoutTheRecord) {
  signs_ = false;
  KeyRecord wanted;
  wanted.principal.kind = KeyKind::kServer;
  wanted.principal.shop = "default";
  ASSERT_TRUE(gate_.keys().Issue(std::move(wanted)).ok());
  const std::string page = Page("/p/k20");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("Torvane")), Not(HasSubstr("49.99")),
                          HasSubstr("product_page.js")));
  EXPECT_EQ(Fetch("GET", "/c/kitchen--kettles").status, 401);
}

TEST(PageWordsTest, FollowTheWeightsOfTheHeader) {
  const std::pair<const char*, const char*> cases[] = {{"", "en"},
                                                       {"de", "de"},
                                                       {"pt-BR, pt", "en"},
                                                       {"pt;q=0.9, es-MX;q=0.8, en;q=0.7", "es"},
                                                       {"zh-Hans-CN", "zh"},
                                                       {"en;q=0.2,fr;q=0.9", "fr"},
                                                       {"AR", "ar"},
                                                       {"de;q=0, en", "en"},
                                                       {"de;q=x", "en"},
                                                       {",,;q=1, fr", "fr"},
                                                       {"de;Q=0.1, fr ; q=0.5", "fr"}};
  for (const auto& [header, language] : cases) {
    EXPECT_EQ(ChoosePageWords(header).language, language) << header;
  }
}

// A page that its script writes again must not change its words.
TEST(PageWordsTest, AreThoseOfTheScripts) {
  for (const char* language : {"en", "de", "fr", "es", "zh", "ar"}) {
    std::ifstream file(fmt::format("{}/services/web/strings_{}.js", EMPTOR_SOURCE_DIR, language));
    const std::string strings{std::istreambuf_iterator<char>(file),
                              std::istreambuf_iterator<char>()};
    ASSERT_FALSE(strings.empty()) << language;
    const PageWords& words = ChoosePageWords(language);
    for (const auto& [key, text] :
         {std::pair{"in_stock", words.availability[0]},
          std::pair{"out_of_stock", words.availability[1]},
          std::pair{"preorder", words.availability[2]},
          std::pair{"backorder", words.availability[3]}, std::pair{"wasPrice", words.was},
          std::pair{"priceUnknown", words.no_price}, std::pair{"description", words.description},
          std::pair{"productMissing", words.unknown_product},
          std::pair{"productMissingText", words.unknown_product_help},
          std::pair{"backToChat", words.back_to_chat}}) {
      EXPECT_THAT(strings, HasSubstr(fmt::format("  {}: \"{}\"", key, text))) << language;
    }
  }
}

}  // namespace
}  // namespace emptor::services
