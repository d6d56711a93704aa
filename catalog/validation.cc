// Validates field by field and reports the first fault.
#include "catalog/validation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/money.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::array<std::string_view, 5> kDocumentKinds = {"faq", "policy", "guide", "manual",
                                                            "review"};

bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool IsHostCharacter(char c) {
  return IsAlphanumeric(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']' || c == '_';
}

// A refused value as shown in a message: short, without control characters, whole code points.
std::string Quote(std::string_view value) {
  if (!IsValidUtf8(value)) return "text that is not UTF-8";
  if (FindControlCharacter(value, LineBreaks::kRefused)) return "text with control characters";
  return fmt::format("\"{}\"", Utf8Prefix(value, 80));
}

// What is wrong with a text, if anything.
std::optional<std::string> FindTextFault(std::string_view value, size_t max_bytes,
                                         LineBreaks line_breaks) {
  if (value.size() > max_bytes) {
    return fmt::format("{} bytes, at most {} are allowed", value.size(), max_bytes);
  }
  if (!IsValidUtf8(value)) return "not well-formed UTF-8";
  if (auto offset = FindControlCharacter(value, line_breaks)) {
    return fmt::format("control character at byte {}", *offset);
  }
  return std::nullopt;
}

// Collects the first fault; later checks then do nothing.
class Checker {
 public:
  absl::Status status() const { return status_; }

  void Fail(std::string_view field, std::string_view what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
  }
  void Require(bool holds, std::string_view field, std::string_view what) {
    if (!holds) Fail(field, what);
  }
  // Requires `holds`; the error names what was expected and found.
  void Expect(bool holds, std::string_view field, std::string_view expected,
              std::string_view found) {
    if (!holds) Fail(field, fmt::format("expected {}, found {}", expected, Quote(found)));
  }
  void Text(std::string_view field, std::string_view value, size_t max_bytes,
            LineBreaks line_breaks = LineBreaks::kRefused) {
    if (auto fault = FindTextFault(value, max_bytes, line_breaks)) Fail(field, *fault);
  }
  void AtMost(std::string_view field, size_t count, size_t most) {
    if (count > most) Fail(field, fmt::format("{} values, at most {} are allowed", count, most));
  }
  void RequiredText(std::string_view field, std::string_view value, size_t max_bytes,
                    LineBreaks line_breaks = LineBreaks::kRefused) {
    const bool blank = value.find_first_not_of(" \t\r\n") == std::string_view::npos;
    Require(!blank, field, "missing or empty");
    Text(field, value, max_bytes, line_breaks);
  }
  void Id(std::string_view field, std::string_view value) {
    Expect(IsValidId(value), field, "1 to 64 of A-Z a-z 0-9 . _ -, the first one alphanumeric",
           value);
  }
  void Link(std::string_view field, std::string_view value) {
    if (value.empty()) return;
    Text(field, value, RecordLimits::kLink);
    Expect(IsValidLink(value), field, "an http(s) URL or an absolute path", value);
  }
  void Amount(std::string_view field, const Money& money) {
    if (!IsCurrencyCode(money.currency)) {
      Fail(fmt::format("{}.currency", field),
           fmt::format("expected three capital letters, found {}", Quote(money.currency)));
    } else if (money.amount < 0 || money.amount > kMaxAmount) {
      Fail(fmt::format("{}.amount", field),
           fmt::format("expected 0 to {} minor units, found {}", kMaxAmount, money.amount));
    }
  }
  void Count(std::string_view field, const std::optional<int64_t>& value,
             int64_t most = RecordLimits::kMaxCount) {
    if (value && (*value < 0 || *value > most)) {
      Fail(field, fmt::format("expected 0 to {}, found {}", most, *value));
    }
  }
  void Region(std::string_view field, std::string_view value) {
    const bool letters =
        std::all_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    Expect(value.empty() || (value.size() == 2 && letters), field,
           "two capital letters of ISO 3166-1", value);
  }
  void Locale(std::string_view value) {
    if (!value.empty()) Expect(IsValidLocale(value), "locale", "a tag like en-US", value);
  }
  void UpdatedAt(std::string_view value) {
    if (value.empty()) return;
    Expect(ParseRfc3339(value).has_value(), "updated_at", "an RFC 3339 time", value);
  }

 private:
  absl::Status status_;
};

// A price with its sale; `prefix` precedes the names of its fields.
void CheckSale(const std::string& prefix, const std::optional<Money>& price,
               const std::optional<Money>& sale_price, const std::optional<TimeRange>& dates,
               Checker& check) {
  if (price) check.Amount(prefix + "price", *price);
  if (sale_price) {
    check.Amount(prefix + "sale_price", *sale_price);
    check.Require(price.has_value(), prefix + "sale_price", "needs a price");
    const bool same = price && price->currency == sale_price->currency;
    check.Require(same, prefix + "sale_price.currency", "differs from the currency of price");
  }
  if (!dates) return;
  check.Require(sale_price.has_value(), prefix + "sale_price_effective_date", "needs a sale_price");
  check.Require(!dates->start || !dates->end || *dates->start < *dates->end,
                prefix + "sale_price_effective_date", "ends before it starts");
}

// Fails when a name occurs twice.
void CheckDistinct(std::string_view field, std::vector<std::string> names, Checker& check) {
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) check.Fail(field, fmt::format("{} appears twice", *twin));
}

void CheckRegionalPrices(const Product& product, Checker& check) {
  check.AtMost("regional_prices", product.regional_prices.size(), RecordLimits::kRegionalPrices);
  std::vector<std::string> markets;
  for (const RegionalPrice& price : product.regional_prices) {
    check.Region("regional_prices.region", price.region);
    CheckSale("regional_prices.", price.price, price.sale_price, price.sale_price_effective, check);
    if (!check.status().ok()) return;
    const bool repeats =
        price.region.empty() && product.price && product.price->currency == price.price.currency;
    check.Require(!repeats, "regional_prices.region", "missing: price has that currency already");
    markets.push_back(price.region + " " + price.price.currency);
  }
  CheckDistinct("regional_prices", std::move(markets), check);
}

void CheckShipping(const Product& product, Checker& check) {
  check.AtMost("shipping", product.shipping.size(), RecordLimits::kShipping);
  for (const Shipping& shipping : product.shipping) {
    check.Region("shipping.region", shipping.region);
    check.Text("shipping.service", shipping.service, RecordLimits::kName);
    check.Amount("shipping.price", shipping.price);
    check.Count("shipping.min_days", shipping.min_days, RecordLimits::kMaxShippingDays);
    check.Count("shipping.max_days", shipping.max_days, RecordLimits::kMaxShippingDays);
    const bool ordered =
        !shipping.min_days || !shipping.max_days || *shipping.min_days <= *shipping.max_days;
    check.Require(ordered, "shipping.max_days", "less than min_days");
  }
}

void CheckStock(const Product& product, Checker& check) {
  check.AtMost("stock", product.stock.size(), RecordLimits::kStock);
  std::vector<std::string> locations;
  for (const LocationStock& stock : product.stock) {
    check.RequiredText("stock.location", stock.location, RecordLimits::kName);
    check.Count("stock.quantity", stock.quantity);
    if (!check.status().ok()) return;
    locations.push_back(stock.location);
  }
  CheckDistinct("stock.location", std::move(locations), check);
}

// Named values, each name once.
void CheckNamed(const std::string& field, const std::vector<Attribute>& values, size_t most,
                Checker& check) {
  check.AtMost(field, values.size(), most);
  std::vector<std::string_view> names;
  names.reserve(values.size());
  for (const Attribute& value : values) {
    check.RequiredText(field + " (a name)", value.name, RecordLimits::kAttributeName);
    if (!check.status().ok()) return;
    const auto fault =
        FindTextFault(value.value, RecordLimits::kAttributeValue, LineBreaks::kAllowed);
    if (fault) check.Fail(fmt::format("{}.{}", field, value.name), *fault);
    names.push_back(value.name);
  }
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) check.Fail(fmt::format("{}.{}", field, *twin), "appears twice");
}

void CheckIdentifiers(const Product& product, Checker& check) {
  check.Text("brand", product.brand, RecordLimits::kBrand);
  check.Text("mpn", product.mpn, RecordLimits::kMpn);
  check.Text("item_group_id", product.item_group_id, RecordLimits::kItemGroupId);
  if (product.gtin.empty()) return;
  const bool digits = std::all_of(product.gtin.begin(), product.gtin.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  check.Expect(digits && product.gtin.size() >= 8 && product.gtin.size() <= 14, "gtin",
               "8 to 14 digits", product.gtin);
}

void CheckImages(const Product& product, Checker& check) {
  check.Link("image_link", product.image_link);
  const auto& links = product.additional_image_links;
  check.AtMost("additional_image_links", links.size(), RecordLimits::kAdditionalImages);
  for (const std::string& link : links) {
    check.Require(!link.empty(), "additional_image_links", "an empty link");
    check.Link("additional_image_links", link);
  }
}

void CheckCategories(const Product& product, Checker& check) {
  check.AtMost("categories", product.categories.size(), RecordLimits::kCategories);
  for (const std::string& category : product.categories) {
    check.RequiredText("categories", category, RecordLimits::kCategory);
  }
}

void CheckRating(const Product& product, Checker& check) {
  if (!product.rating) return;
  const auto& [value, count] = *product.rating;
  if (!std::isfinite(value) || value < 0 || value > 5) {
    check.Fail("rating.value", fmt::format("expected 0 to 5, found {}", value));
  }
  if (count < 0) check.Fail("rating.count", fmt::format("expected 0 or more, found {}", count));
}

void CheckPages(const Document& document, Checker& check) {
  const std::vector<uint32_t>& pages = document.pages;
  check.Require(pages.size() <= RecordLimits::kPages, "pages",
                fmt::format("at most {} pages, found {}", RecordLimits::kPages, pages.size()));
  const bool are_places = std::is_sorted(pages.begin(), pages.end()) &&
                          (pages.empty() || pages.back() <= document.text.size());
  check.Require(are_places, "pages", "expected places in the text, ascending");
}

}  // namespace

bool IsValidLink(std::string_view link) {
  constexpr std::string_view kRefused = " \"'<>`\\\x7F";
  const bool clean = std::all_of(link.begin(), link.end(), [&](char c) {
    return static_cast<unsigned char>(c) > 0x20 && kRefused.find(c) == std::string_view::npos;
  });
  if (!clean || link.empty()) return false;
  if (link[0] == '/') return link.size() == 1 || link[1] != '/';
  std::string_view rest;
  if (link.starts_with("https://")) {
    rest = link.substr(8);
  } else if (link.starts_with("http://")) {
    rest = link.substr(7);
  } else {
    return false;
  }
  const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
  return !host.empty() && host[0] != ':' && host[0] != '.' &&
         std::all_of(host.begin(), host.end(), IsHostCharacter);
}

bool IsValidLocale(std::string_view locale) {
  if (locale.size() > 35) return false;
  size_t part = 0;
  while (true) {
    const size_t dash = locale.find('-');
    const std::string_view subtag = locale.substr(0, dash);
    const size_t least = part == 0 ? 2 : 1;
    const size_t most = part == 0 ? 3 : 8;
    if (subtag.size() < least || subtag.size() > most) return false;
    if (!std::all_of(subtag.begin(), subtag.end(), IsAlphanumeric)) return false;
    if (part == 0 && std::any_of(subtag.begin(), subtag.end(), [](char c) { return c <= '9'; })) {
      return false;
    }
    if (dash == std::string_view::npos) return true;
    locale.remove_prefix(dash + 1);
    ++part;
  }
}

absl::Status ValidateProduct(const Product& product) {
  Checker check;
  check.Id("id", product.id);
  check.RequiredText("title", product.title, RecordLimits::kTitle);
  check.Text("description", product.description, RecordLimits::kDescription, LineBreaks::kAllowed);
  CheckIdentifiers(product, check);
  CheckCategories(product, check);
  CheckSale("", product.price, product.sale_price, product.sale_price_effective, check);
  check.Link("link", product.link);
  CheckImages(product, check);
  CheckRating(product, check);
  CheckNamed("attributes", product.attributes, RecordLimits::kAttributes, check);
  CheckNamed("options", product.options, RecordLimits::kOptions, check);
  CheckRegionalPrices(product, check);
  CheckShipping(product, check);
  CheckStock(product, check);
  check.Count("popularity", product.popularity);
  check.Text("quarantine", product.quarantine, RecordLimits::kQuarantine);
  check.Locale(product.locale);
  check.UpdatedAt(product.updated_at);
  return check.status();
}

absl::Status ValidateDocument(const Document& document) {
  Checker check;
  check.Id("id", document.id);
  const bool known = std::find(kDocumentKinds.begin(), kDocumentKinds.end(), document.kind) !=
                     kDocumentKinds.end();
  check.Expect(known, "kind", "product, faq, policy, guide, manual or review", document.kind);
  check.RequiredText("title", document.title, RecordLimits::kTitle);
  check.RequiredText("text", document.text, RecordLimits::kDocumentText, LineBreaks::kAllowed);
  check.Link("link", document.link);
  check.Locale(document.locale);
  check.Require(document.version >= 1, "version",
                fmt::format("expected 1 or more, found {}", document.version));
  check.UpdatedAt(document.updated_at);
  if (!document.product_id.empty()) check.Id("product_id", document.product_id);
  check.Require(document.kind != "review" || document.trust == Trust::kUntrusted, "trust",
                "a review is untrusted");
  check.Text("quarantine", document.quarantine, RecordLimits::kQuarantine);
  CheckPages(document, check);
  return check.status();
}

}  // namespace emptor::catalog
