// Fields are drawn independently, so that any combination comes up.
#include "tests/catalog/random_product.h"

#include <algorithm>
#include <array>

namespace emptor::testing {
namespace {

// Pieces that have broken parsers before: escapes, all UTF-8 lengths, right-to-left, emoji with
// joiners, text that looks like markup or JSON.
constexpr std::array<const char*, 20> kPieces = {"kettle",
                                                 " ",
                                                 "1.7 l",
                                                 "\"quoted\"",
                                                 "back\\slash",
                                                 "</script>",
                                                 "&amp;",
                                                 "é",
                                                 "ß",
                                                 "電気ケトル",
                                                 "\xF0\x9F\x91\xA9‍\xF0\x9F\x92\xBB",
                                                 "قلاية",
                                                 "’",
                                                 "{\"a\":",
                                                 "[1:price]",
                                                 "null",
                                                 "%s",
                                                 "\xEF\xBF\xBD",
                                                 "\xF4\x8F\xBF\xBD",
                                                 "0"};

}  // namespace

std::string RecordGenerator::MakeText(size_t max_bytes) {
  std::string text(1, static_cast<char>('A' + Below(26)));
  const size_t pieces = Below(12);
  for (size_t i = 0; i < pieces; ++i) {
    const std::string piece = kPieces.at(Below(kPieces.size()));
    if (text.size() + piece.size() > max_bytes) break;
    text += piece;
  }
  return text;
}

catalog::Money RecordGenerator::MakeMoney(const std::string& currency) {
  return {static_cast<int64_t>(Below(OneIn(4) ? 1'000'000'000'000'000u : 100'000u)), currency};
}

void RecordGenerator::AddPrices(catalog::Product& product) {
  const std::string currency = OneIn(2) ? "USD" : "JPY";
  product.price = MakeMoney(currency);
  if (OneIn(2)) return;
  product.sale_price = MakeMoney(currency);
  if (OneIn(2)) product.sale_price_effective = MakeSaleDates();
}

catalog::TimeRange RecordGenerator::MakeSaleDates() {
  catalog::TimeRange range;
  if (!OneIn(4)) range.start = static_cast<int64_t>(Below(2'000'000'000));
  if (!OneIn(4)) range.end = range.start.value_or(0) + 1 + static_cast<int64_t>(Below(1'000'000));
  return range;
}

void RecordGenerator::AddMerchantFields(catalog::Product& product) {
  for (size_t i = Below(4); i > 0; --i) {
    product.options.push_back({MakeText(40) + std::to_string(i), MakeText(100)});
  }
  for (const char* region : {"", "DE", "US", "GB"}) {
    if (!OneIn(3)) continue;
    catalog::RegionalPrice price{.region = region, .price = MakeMoney("CHF")};
    if (OneIn(2)) price.sale_price = MakeMoney("CHF");
    if (price.sale_price && OneIn(2)) price.sale_price_effective = MakeSaleDates();
    product.regional_prices.push_back(price);
  }
  for (size_t i = Below(3); i > 0; --i) {
    catalog::Shipping shipping{.region = OneIn(2) ? "" : "FR",
                               .service = OneIn(3) ? "" : MakeText(60),
                               .price = MakeMoney("EUR")};
    if (OneIn(2)) shipping.min_days = static_cast<int64_t>(Below(5));
    if (OneIn(2)) shipping.max_days = shipping.min_days.value_or(0) + 2;
    product.shipping.push_back(shipping);
  }
  for (size_t i = Below(5); i > 0; --i) {
    catalog::LocationStock stock{.location = MakeText(60) + std::to_string(i),
                                 .availability = static_cast<catalog::Availability>(Below(4))};
    if (OneIn(2)) stock.quantity = static_cast<int64_t>(Below(1'000'000));
    product.stock.push_back(stock);
  }
  if (OneIn(2)) product.popularity = static_cast<int64_t>(Below(1'000'000'000));
  if (OneIn(4)) product.trust = catalog::Trust::kUntrusted;
  if (OneIn(8)) product.quarantine = MakeText(100);
}

catalog::Product RecordGenerator::MakeProduct(const std::string& id) {
  catalog::Product product;
  product.id = id;
  product.title = MakeText(512);
  if (!OneIn(3)) product.description = MakeText(4096) + "\nsecond\tline";
  if (!OneIn(3)) product.brand = MakeText(100);
  if (!OneIn(3)) product.gtin = std::to_string(10'000'000 + Below(1'000'000'000));
  if (!OneIn(3)) product.mpn = MakeText(100);
  for (size_t i = Below(4); i > 0; --i) product.categories.push_back(MakeText(60) + " > B");
  if (!OneIn(4)) AddPrices(product);
  product.availability = static_cast<catalog::Availability>(Below(4));
  product.condition = static_cast<catalog::Condition>(Below(3));
  if (!OneIn(3)) product.link = "https://shop.example/p/" + id + "?a=1&b=%20#top";
  if (!OneIn(3)) product.image_link = "/images/" + id + ".svg";
  for (size_t i = Below(4); i > 0; --i) {
    product.additional_image_links.push_back("http://img.example:8080/" + std::to_string(i));
  }
  if (!OneIn(3)) {
    product.rating = catalog::Rating{static_cast<double>(Below(5001)) / 1000,
                                     static_cast<int64_t>(Below(1'000'000))};
  }
  for (size_t i = Below(20); i > 0; --i) {
    product.attributes.push_back({MakeText(40) + std::to_string(i), MakeText(200)});
  }
  if (!OneIn(3)) product.item_group_id = MakeText(60);
  if (!OneIn(3)) AddMerchantFields(product);
  if (!OneIn(3)) product.locale = OneIn(2) ? "en-US" : "zh-Hans-CN";
  if (!OneIn(3)) product.updated_at = "2026-11-20T12:00:00.25+01:00";
  return product;
}

catalog::Document RecordGenerator::MakeDocument(const std::string& id) {
  constexpr std::array<const char*, 5> kKinds = {"faq", "policy", "guide", "manual", "review"};
  catalog::Document document;
  document.id = id;
  document.kind = kKinds.at(Below(kKinds.size()));
  document.title = MakeText(512);
  document.text = MakeText(2000) + "\nmore";
  if (OneIn(2)) document.link = "/faq/" + id;
  if (OneIn(2)) document.locale = "en";
  document.version = 1 + static_cast<int64_t>(Below(1000));
  if (OneIn(2)) document.updated_at = "2026-11-20T12:00:00Z";
  if (OneIn(3)) document.product_id = "p" + id;
  if (document.kind == "review" || OneIn(4)) document.trust = catalog::Trust::kUntrusted;
  if (OneIn(8)) document.quarantine = MakeText(100);
  if (OneIn(4)) document.pages = {0, 0, static_cast<uint32_t>(Below(document.text.size() + 1))};
  return document;
}

}  // namespace emptor::testing
