// Product and Document, the records of a catalog. Plain values, no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::catalog {

/// An amount in minor units (cents) of an ISO 4217 currency. Never a floating point number.
struct Money {
  int64_t amount = 0;
  std::string currency;

  friend bool operator==(const Money&, const Money&) = default;
};

enum class Availability { kInStock, kOutOfStock, kPreorder, kBackorder };
enum class Condition { kNew, kRefurbished, kUsed };

/// Author of a record's text: the shop, or a third party (a marketplace seller, a reviewer).
/// Untrusted text is quoted; instructions in it are never followed.
enum class Trust { kShop, kUntrusted };

/// Seconds since the Unix epoch, UTC. Empty bounds are open.
struct TimeRange {
  std::optional<int64_t> start;
  std::optional<int64_t> end;

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Mean rating from 0 to 5 and the number of reviews.
struct Rating {
  double value = 0;
  int64_t count = 0;

  friend bool operator==(const Rating&, const Rating&) = default;
};

/// One property as the shop writes it, e.g. {"capacity", "1.7 l"}. Order is kept.
struct Attribute {
  std::string name;
  std::string value;

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// Price for buyers of one region, in addition to `Product::price` or instead of it.
struct RegionalPrice {
  std::string region;  // ISO 3166-1 alpha-2, "DE"; empty: everywhere, in that currency
  Money price;
  std::optional<Money> sale_price = {};
  std::optional<TimeRange> sale_price_effective = {};

  friend bool operator==(const RegionalPrice&, const RegionalPrice&) = default;
};

/// One shipping option.
struct Shipping {
  std::string region;   // ISO 3166-1 alpha-2; empty: everywhere
  std::string service;  // as the shop names it: "Express"
  Money price;
  std::optional<int64_t> min_days = {};
  std::optional<int64_t> max_days = {};

  friend bool operator==(const Shipping&, const Shipping&) = default;
};

/// Stock of one store or warehouse.
struct LocationStock {
  std::string location;  // as the shop names it
  Availability availability = Availability::kInStock;
  std::optional<int64_t> quantity = {};

  friend bool operator==(const LocationStock&, const LocationStock&) = default;
};

/// One sellable product. Text is valid UTF-8. `id` matches [A-Za-z0-9][A-Za-z0-9._-]{0,63}.
/// Field names follow Google's product data specification.
struct Product {
  std::string id;
  std::string title;
  std::string description;
  std::string brand;
  std::string gtin;
  std::string mpn;
  std::vector<std::string> categories;  // each a path "A > B > C"
  std::optional<Money> price;           // list price
  std::optional<Money> sale_price;
  std::optional<TimeRange> sale_price_effective;  // absent: the sale price always holds
  Availability availability = Availability::kInStock;
  Condition condition = Condition::kNew;
  std::string link;
  std::string image_link;
  std::vector<std::string> additional_image_links;
  std::optional<Rating> rating;
  std::vector<Attribute> attributes;
  std::string item_group_id;
  std::vector<Attribute> options;  // which variant of its group it is: {"color", "red"}
  std::vector<RegionalPrice> regional_prices;
  std::vector<Shipping> shipping;
  std::vector<LocationStock> stock;
  std::optional<int64_t>
      popularity;  // as the shop counts it, such as units sold; higher is more popular
  Trust trust = Trust::kShop;
  std::string quarantine;  // why shoppers may not see it; empty: they may
  std::string locale;
  std::string updated_at;  // RFC 3339, as in the feed

  friend bool operator==(const Product&, const Product&) = default;
};

/// A text that is no product: a policy, guide or review. It may hold headings ("## Returns") and
/// paragraphs, separated by empty lines.
struct Document {
  std::string id;
  std::string kind;  // "faq", "policy", "guide", "manual", "review"
  std::string title;
  std::string text;
  std::string link;
  std::string locale;
  int64_t version = 1;
  std::string updated_at;
  std::string product_id;      // the product that it is about; empty: none in particular
  Trust trust = Trust::kShop;  // a review is always untrusted
  std::string quarantine;      // why shoppers may not see it; empty: they may
  /// Offset in `text` of each page of a paged original, ascending; empty: no pages.
  std::vector<uint32_t> pages;

  friend bool operator==(const Document&, const Document&) = default;
};

/// The page that holds this byte of the text, counted from 1; 0 without pages.
int PageOf(const Document& document, size_t offset);

/// Region and currency of a shopper; an empty field matches any.
struct Market {
  std::string region;  // ISO 3166-1 alpha-2
  std::string currency;
};

/// What a shopper pays at `now_unix` and, while a sale holds, the list price it was.
struct PayablePrice {
  std::optional<Money> price;
  std::optional<Money> was_price;
};

/// Chooses among `price` and `regional_prices`, in this order: the region's price in the wanted
/// currency, the price of that currency for everywhere, any price of the region, `price`, any price
/// for everywhere. Amounts are never converted: without a price in the wanted currency, the result
/// is in one that the record has.
PayablePrice ComputePayablePrice(const Product& product, int64_t now_unix,
                                 const Market& market = {});

/// The region that a BCP 47 tag names: "AT" of "de-AT", "CN" of "zh-Hans-CN"; empty for "de".
std::string RegionOfLocale(std::string_view locale);

/// Wire names of the enumerators: "in_stock", "refurbished", "untrusted". Parse gives nothing for
/// other text.
std::string_view ToString(Availability availability);
std::string_view ToString(Condition condition);
std::string_view ToString(Trust trust);
std::optional<Availability> ParseAvailability(std::string_view text);
std::optional<Condition> ParseCondition(std::string_view text);
std::optional<Trust> ParseTrust(std::string_view text);

/// True when `id` may name a record: [A-Za-z0-9][A-Za-z0-9._-]{0,63}.
bool IsValidId(std::string_view id);

}  // namespace emptor::catalog
