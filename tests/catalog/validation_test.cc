// The limits of records: the last value that is valid and the first that is not.
#include "catalog/validation.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::catalog {
namespace {

Product ValidProduct() {
  Product product;
  product.id = "p1";
  product.title = "Kettle";
  product.price = Money{1000, "USD"};
  return product;
}

Document ValidDocument() {
  Document document;
  document.id = "d1";
  document.kind = "faq";
  document.title = "Shipping";
  document.text = "Three days.";
  document.version = 1;
  return document;
}

/// The field that the product is refused for; empty for a valid one.
template <typename Change>
std::string Refusal(Change change) {
  Product product = ValidProduct();
  change(product);
  const std::string message(ValidateProduct(product).message());
  return message.substr(0, message.find(':'));
}

template <typename Change>
std::string DocumentRefusal(Change change) {
  Document document = ValidDocument();
  change(document);
  const std::string message(ValidateDocument(document).message());
  return message.substr(0, message.find(':'));
}

TEST(ValidationTest, TakesWhatIsWithinTheLimits) {
  EXPECT_TRUE(ValidateProduct(ValidProduct()).ok()) << ValidateProduct(ValidProduct());
  EXPECT_TRUE(ValidateDocument(ValidDocument()).ok()) << ValidateDocument(ValidDocument());
}

TEST(ValidationTest, TextsHaveTheirLengths) {
  const auto long_by = [](size_t most, int more) {
    return std::string(most + static_cast<size_t>(more), 'x');
  };
  for (const int more : {0, 1}) {
    const auto want = [&](const char* field) { return more == 0 ? std::string() : field; };
    EXPECT_EQ(Refusal([&](Product& p) { p.title = long_by(RecordLimits::kTitle, more); }),
              want("title"));
    EXPECT_EQ(Refusal([&](Product& p) { p.brand = long_by(RecordLimits::kBrand, more); }),
              want("brand"));
    EXPECT_EQ(Refusal([&](Product& p) { p.mpn = long_by(RecordLimits::kMpn, more); }), want("mpn"));
    EXPECT_EQ(
        Refusal([&](Product& p) { p.item_group_id = long_by(RecordLimits::kItemGroupId, more); }),
        want("item_group_id"));
  }
}

TEST(ValidationTest, GtinHasEightToFourteenDigits) {
  const auto refusal = [](const std::string& gtin) {
    return Refusal([&](Product& p) { p.gtin = gtin; });
  };
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("1234567"), "gtin");
  EXPECT_EQ(refusal("12345678"), "");
  EXPECT_EQ(refusal("12345678901234"), "");
  EXPECT_EQ(refusal("123456789012345"), "gtin");
  EXPECT_EQ(refusal("1234567x"), "gtin");
}

TEST(ValidationTest, RatingsAreFromZeroToFive) {
  const auto refusal = [](double value, int64_t count) {
    return Refusal([&](Product& p) { p.rating = Rating{value, count}; });
  };
  EXPECT_EQ(refusal(0, 0), "");
  EXPECT_EQ(refusal(5, 1), "");
  EXPECT_EQ(refusal(5.01, 1), "rating.value");
  EXPECT_EQ(refusal(-0.01, 1), "rating.value");
  EXPECT_EQ(refusal(4, -1), "rating.count");
}

TEST(ValidationTest, CountsHaveBounds) {
  const auto refusal = [](int64_t value) {
    return Refusal([&](Product& p) { p.popularity = value; });
  };
  EXPECT_EQ(refusal(0), "");
  EXPECT_EQ(refusal(-1), "popularity");
  EXPECT_EQ(refusal(RecordLimits::kMaxCount), "");
  EXPECT_EQ(refusal(RecordLimits::kMaxCount + 1), "popularity");
}

TEST(ValidationTest, CurrenciesAreThreeCapitalLetters) {
  for (const char* code : {"USD", "AAA", "ZZZ"}) {
    EXPECT_EQ(Refusal([&](Product& p) { p.price = Money{1, code}; }), "") << code;
  }
  for (const char* code : {"", "US", "USDX", "usd", "US1", "[SD"}) {
    EXPECT_EQ(Refusal([&](Product& p) { p.price = Money{1, code}; }), "price.currency") << code;
  }
}

TEST(ValidationTest, ShippingNamesARegionOfTwoLetters) {
  const auto refusal = [](const std::string& region) {
    return Refusal([&](Product& p) {
      Shipping shipping;
      shipping.region = region;
      shipping.price = Money{500, "USD"};
      p.shipping = {shipping};
    });
  };
  EXPECT_EQ(refusal("DE"), "");
  EXPECT_EQ(refusal("AZ"), "");
  EXPECT_EQ(refusal("de"), "shipping.region");
  EXPECT_EQ(refusal("DEU"), "shipping.region");
}

TEST(ValidationTest, LocalesAreTags) {
  for (const char* locale : {"en", "deu", "en-US", "zh-Hans-CN", "de-1996", "en-x"}) {
    EXPECT_TRUE(IsValidLocale(locale)) << locale;
  }
  for (const char* locale : {"", "e", "engl", "en-", "en--US", "en_US", "1n", "en-123456789"}) {
    EXPECT_FALSE(IsValidLocale(locale)) << locale;
  }
  EXPECT_TRUE(IsValidLocale("en-" + std::string("abcdefgh-abcdefgh-abcdefgh-abcde")));
  EXPECT_FALSE(IsValidLocale("en-" + std::string("abcdefgh-abcdefgh-abcdefgh-abcdef")));
}

TEST(ValidationTest, LinksHaveAHost) {
  for (const char* link : {"http://a", "https://a.b:80/c?d", "http://[::1]/x", "/p/1"}) {
    EXPECT_TRUE(IsValidLink(link)) << link;
  }
  for (const char* link : {"http://", "http://:80", "http://.a", "ftp://a", "http://u@a",
                           "http://a b", "p/1", "http://a\\b"}) {
    EXPECT_FALSE(IsValidLink(link)) << link;
  }
}

TEST(ValidationTest, DocumentsAreCheckedFieldByField) {
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.id.clear(); }), "id");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.kind = "poem"; }), "kind");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.title.clear(); }), "title");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.text.clear(); }), "text");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.link = "nowhere"; }), "link");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.locale = "en_US"; }), "locale");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.version = 0; }), "version");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.updated_at = "yesterday"; }), "updated_at");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.product_id = "a b"; }), "product_id");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.kind = "review"; }), "trust");
  EXPECT_EQ(DocumentRefusal([](Document& d) {
              d.pages = {0, static_cast<uint32_t>(d.text.size())};
            }),
            "");
  EXPECT_EQ(DocumentRefusal([](Document& d) {
              d.pages = {0, static_cast<uint32_t>(d.text.size() + 1)};
            }),
            "pages");
  EXPECT_EQ(DocumentRefusal([](Document& d) { d.pages = {5, 0}; }), "pages");
}

}  // namespace
}  // namespace emptor::catalog
