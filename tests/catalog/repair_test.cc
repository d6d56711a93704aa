// Repairs of records: what is mended, what is left out, and that nothing else changes.
#include "catalog/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "catalog/product_json.h"
#include "catalog/validation.h"
#include "tests/catalog/random_product.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Product Kettle() {
  Product product;
  product.id = "k1";
  product.title = "Kettle";
  product.price = Money{4999, "USD"};
  return product;
}

std::vector<std::string> Repair(Product& product) {
  std::vector<FieldProblem> problems;
  const absl::Status valid = RepairProduct(product, problems);
  EXPECT_EQ(valid, ValidateProduct(product));
  std::vector<std::string> texts;
  for (const FieldProblem& each : problems) texts.push_back(each.field + ": " + each.reason);
  return texts;
}

struct Case {
  const char* name;
  std::function<void(Product&)> breaks;
  std::function<void(Product&)> as_repaired;  // from the same kettle
  const char* problem;                        // a part of the only one
};

std::vector<Case> Cases() {
  const std::string mpn(129, 'x');
  const std::string umlauts = [] {
    std::string text = "a";
    for (int i = 0; i < 256; ++i) text += "\xC3\xB6";
    return text;
  }();
  return {
      {"part number of 129 bytes", [=](Product& p) { p.mpn = mpn; }, [](Product&) {},
       "mpn: 129 bytes, at most 128 are allowed: left out"},
      {"control character of an attribute",
       [](Product& p) {
         p.attributes = {{"key_benefits", "Quiet\x01 and fast"}, {"a", "b"}};
       },
       [](Product& p) {
         p.attributes = {{"key_benefits", "Quiet and fast"}, {"a", "b"}};
       },
       "attributes.key_benefits: control characters were removed"},
      {"C1 control of a title", [](Product& p) { p.title = "Ket\xC2\x96tle"; }, [](Product&) {},
       "title: control characters were removed"},
      {"title above its limit, cut at a character", [=](Product& p) { p.title = umlauts; },
       [=](Product& p) { p.title = umlauts.substr(0, 511); }, "title: 513 bytes"},
      {"description above its limit", [](Product& p) { p.description = std::string(40000, 'd'); },
       [](Product& p) { p.description = std::string(RecordLimits::kDescription, 'd'); },
       "description: 40000 bytes, at most 32768 are allowed: cut"},
      {"blank in a link", [](Product& p) { p.link = "https://shop/a b"; },
       [](Product& p) { p.link = "https://shop/a%20b"; }, "link: "},
      {"link without a scheme", [](Product& p) { p.image_link = "//cdn.shop/a.jpg"; },
       [](Product& p) { p.image_link = "https://cdn.shop/a.jpg"; }, "image_link: "},
      {"link with a C1 control", [](Product& p) { p.link = "https://shop/a\xC2\x85"; },
       [](Product&) {}, "link: expected an http(s) URL"},
      {"link that is none", [](Product& p) { p.link = "javascript:alert(1)"; }, [](Product&) {},
       "link: expected an http(s) URL"},
      {"gtin with dashes and too short", [](Product& p) { p.gtin = "12-34"; }, [](Product&) {},
       "gtin: expected 8 to 14 digits: left out"},
      {"attribute twice",
       [](Product& p) {
         p.attributes = {{"a", "1"}, {"a", "2"}};
       },
       [](Product& p) {
         p.attributes = {{"a", "1"}};
       },
       "attributes.a: appears twice"},
      {"attribute without a name",
       [](Product& p) {
         p.attributes = {{" ", "1"}};
       },
       [](Product&) {}, "attributes: a value without a name"},
      {"too many categories", [](Product& p) { p.categories.assign(17, "C"); },
       [](Product& p) { p.categories.assign(16, "C"); }, "categories: 17 values"},
      {"rating above 5",
       [](Product& p) {
         p.rating = Rating{7, 1};
       },
       [](Product&) {}, "rating: expected a value from 0 to 5"},
      {"sale in another currency",
       [](Product& p) {
         p.sale_price = Money{1, "EUR"};
       },
       [](Product&) {}, "sale_price: not in the currency of the price: left out"},
      {"sale whose dates end before they start",
       [](Product& p) {
         p.sale_price = Money{1, "USD"};
         p.sale_price_effective = TimeRange{2, 1};
       },
       [](Product&) {}, "sale_price: its dates end before they start"},
      {"regional price of the same market twice",
       [](Product& p) {
         p.regional_prices = {{"DE", {1, "EUR"}}, {"DE", {2, "EUR"}}};
       },
       [](Product& p) {
         p.regional_prices = {{"DE", {1, "EUR"}}};
       },
       "regional_prices: an entry"},
      {"stock of a location twice",
       [](Product& p) {
         p.stock = {{.location = "Bonn"}, {.location = "Bonn"}};
       },
       [](Product& p) { p.stock = {{.location = "Bonn"}}; }, "stock: an entry"},
      {"shipping that arrives before it is sent",
       [](Product& p) {
         Shipping& shipping = p.shipping.emplace_back();
         shipping.price = {1, "USD"};
         shipping.min_days = 3;
         shipping.max_days = 2;
       },
       [](Product&) {}, "shipping: an entry"},
      {"sale dates without a sale",
       [](Product& p) {
         p.sale_price_effective = TimeRange{1, 2};
       },
       [](Product&) {}, "sale_price_effective_date: there is no sale price"},
      {"locale that is none", [](Product& p) { p.locale = "german!"; }, [](Product&) {},
       "locale: expected a tag"},
      {"time that is none", [](Product& p) { p.updated_at = "yesterday"; }, [](Product&) {},
       "updated_at: expected an RFC 3339 time"},
  };
}

TEST(RepairTest, OneBadFieldCostsThatFieldAlone) {
  for (const Case& each : Cases()) {
    SCOPED_TRACE(each.name);
    Product product = Kettle(), wanted = Kettle();
    each.breaks(product);
    ASSERT_FALSE(ValidateProduct(product).ok());
    each.as_repaired(wanted);
    EXPECT_THAT(Repair(product), ElementsAre(HasSubstr(each.problem)));
    EXPECT_EQ(ToJson(product), ToJson(wanted));
    EXPECT_TRUE(ValidateProduct(product).ok()) << ValidateProduct(product);
  }
}

TEST(RepairTest, IdTitleAndPriceAreNotRepaired) {
  const std::vector<std::pair<const char*, std::function<void(Product&)>>> cases = {
      {"id:", [](Product& p) { p.id = "k 1"; }},
      {"title:", [](Product& p) { p.title = "\x01\n"; }},
      {"price.currency:", [](Product& p) { p.price->currency = "dollars"; }},
      {"price.amount:", [](Product& p) { p.price->amount = -1; }},
  };
  for (const auto& [field, breaks] : cases) {
    Product product = Kettle();
    breaks(product);
    Repair(product);
    EXPECT_THAT(std::string(ValidateProduct(product).message()), HasSubstr(field));
  }
}

// Two valid records, each field of one spoilt by text, sizes and numbers out of range.
void Spoil(testing::RecordGenerator& random, Product& product) {
  const auto text = [&](std::string& field) {
    if (random.OneIn(3)) field.insert(random.Below(field.size() + 1) ? field.size() : 0, "\x02\n");
    if (random.OneIn(4)) field += std::string(40000, 'x');
    if (random.OneIn(5)) field += "\xFF";
  };
  for (std::string* field : {&product.description, &product.brand, &product.gtin, &product.mpn,
                             &product.link, &product.image_link, &product.item_group_id,
                             &product.quarantine, &product.locale, &product.updated_at}) {
    text(*field);
  }
  for (std::string& each : product.categories) text(each);
  for (std::string& each : product.additional_image_links) text(each);
  for (auto* list : {&product.attributes, &product.options}) {
    for (Attribute& each : *list) text(each.name), text(each.value);
    if (!list->empty() && random.OneIn(2)) list->push_back(list->front());
    if (random.OneIn(6)) list->resize(300, {"n", "v"});
  }
  if (random.OneIn(2)) product.sale_price = Money{-1, "usd"};
  if (random.OneIn(3)) product.sale_price_effective = TimeRange{5, 5};
  if (random.OneIn(3)) product.rating = Rating{-1, -1};
  if (random.OneIn(3)) product.popularity = -7;
  for (RegionalPrice& each : product.regional_prices) {
    if (random.OneIn(2)) each.region = "germany";
    if (random.OneIn(2)) each.sale_price = Money{1, "XYZ"};
  }
  for (Shipping& each : product.shipping) text(each.service), each.min_days = random.Below(9000);
  for (LocationStock& each : product.stock) text(each.location);
  if (!product.stock.empty()) product.stock.push_back(product.stock.front());
}

TEST(RepairTest, EverythingButIdTitleAndPriceCanBeRepaired) {
  testing::RecordGenerator random(20260711);
  for (int i = 0; i < 500; ++i) {
    Product product = random.MakeProduct("k" + std::to_string(i));
    Spoil(random, product);
    const bool was_valid = ValidateProduct(product).ok();
    EXPECT_EQ(Repair(product).empty(), was_valid);
    ASSERT_TRUE(ValidateProduct(product).ok()) << ValidateProduct(product);
    const Product repaired = product;
    EXPECT_THAT(Repair(product), IsEmpty());
    EXPECT_EQ(product, repaired);
  }
}

TEST(RepairTest, ADocumentKeepsItsText) {
  Document document;
  document.id = "d1";
  document.kind = "policy";
  document.title = "Returns";
  document.text = "30\x01 days";
  document.link = "ftp://x";
  document.version = 0;
  document.pages = {0, 3};
  std::vector<FieldProblem> problems;
  EXPECT_EQ(RepairDocument(document, problems), absl::OkStatus());
  EXPECT_EQ(ValidateDocument(document), absl::OkStatus());
  EXPECT_EQ(document.text, "30 days");
  EXPECT_THAT(document.pages, IsEmpty()) << "they were places of the text before";
  EXPECT_EQ(problems.size(), 4u);
  document.text = std::string(RecordLimits::kDocumentText + 1, 't');
  EXPECT_THAT(std::string(RepairDocument(document, problems).message()), HasSubstr("text: "));
}

}  // namespace
}  // namespace emptor::catalog
