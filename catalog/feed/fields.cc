// Two tables of names.
#include "catalog/feed/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/feed/amount.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;
using Entry = std::pair<View, Field>;

constexpr std::array<Entry, 62> kFields = {{
    {"id", Field::kId},
    {"item_id", Field::kId},
    {"sku_id", Field::kId},
    {"title", Field::kTitle},
    {"name", Field::kTitle},
    {"product_name", Field::kTitle},
    {"description", Field::kDescription},
    {"body_html", Field::kDescription},
    {"summary", Field::kDescription},
    {"content", Field::kDescription},
    {"brand", Field::kBrand},
    {"manufacturer", Field::kBrand},
    {"gtin", Field::kGtin},
    {"ean", Field::kGtin},
    {"upc", Field::kGtin},
    {"barcode", Field::kGtin},
    {"mpn", Field::kMpn},
    {"product_type", Field::kCategory},
    {"google_product_category", Field::kCategory},
    {"category", Field::kCategory},
    {"categories", Field::kCategory},
    {"product_category", Field::kCategory},
    {"price", Field::kPrice},
    {"sale_price", Field::kSalePrice},
    {"currency", Field::kCurrency},
    {"sale_price_effective_date", Field::kSaleInterval},
    {"sale_price_start_date", Field::kSaleStart},
    {"sale_price_end_date", Field::kSaleEnd},
    {"sale_price_effective_date_start", Field::kSaleStart},
    {"sale_price_effective_date_end", Field::kSaleEnd},
    {"availability", Field::kAvailability},
    {"stock_status", Field::kAvailability},
    {"inventory_quantity", Field::kQuantity},
    {"quantity", Field::kQuantity},
    {"stock", Field::kQuantity},
    {"condition", Field::kCondition},
    {"link", Field::kLink},
    {"url", Field::kLink},
    {"product_url", Field::kLink},
    {"image_link", Field::kImage},
    {"image_url", Field::kImage},
    {"image", Field::kImage},
    {"additional_image_link", Field::kMoreImages},
    {"additional_image_links", Field::kMoreImages},
    {"additional_image_urls", Field::kMoreImages},
    {"additional_image_url", Field::kMoreImages},
    {"star_rating", Field::kRatingValue},
    {"rating", Field::kRatingValue},
    {"product_review_rating", Field::kRatingValue},
    {"review_count", Field::kRatingCount},
    {"rating_count", Field::kRatingCount},
    {"product_review_count", Field::kRatingCount},
    {"item_group_id", Field::kItemGroup},
    {"group_id", Field::kItemGroup},
    {"locale", Field::kLocale},
    {"updated_at", Field::kUpdatedAt},
    {"popularity", Field::kPopularity},
    {"shipping", Field::kShipping},
    {"product_detail", Field::kProductDetail},
    {"delete", Field::kDelete},
    {"deleted", Field::kDelete},
    {"updated", Field::kUpdatedAt},
}};

// Campaigns, tracking, taxes and flags of the platform that a feed was made for.
constexpr std::array<View, 44> kUseless = {"ads_redirect",
                                           "adwords_redirect",
                                           "custom_label_0",
                                           "custom_label_1",
                                           "custom_label_2",
                                           "custom_label_3",
                                           "custom_label_4",
                                           "promotion_id",
                                           "excluded_destination",
                                           "included_destination",
                                           "pause",
                                           "external_seller_id",
                                           "auto_pricing_min_price",
                                           "cost_of_goods_sold",
                                           "identifier_exists",
                                           "tax",
                                           "tax_category",
                                           "shipping_label",
                                           "shipping_weight",
                                           "shipping_length",
                                           "shipping_width",
                                           "shipping_height",
                                           "transit_time_label",
                                           "max_handling_time",
                                           "min_handling_time",
                                           "mobile_link",
                                           "canonical_link",
                                           "is_eligible_search",
                                           "is_eligible_checkout",
                                           "enable_search",
                                           "enable_checkout",
                                           "seller_name",
                                           "seller_url",
                                           "seller_privacy_policy",
                                           "seller_tos",
                                           "target_countries",
                                           "store_country",
                                           "expiration_date",
                                           "virtual_model_link",
                                           "lifestyle_image_link",
                                           "pubdate",
                                           "guid",
                                           "listing_has_variations",
                                           "shopping_ads_excluded_country"};

struct Mapping {
  View name;
  Field field;
};
constexpr std::array<Mapping, 29> kMappings = {{
    {"id", Field::kId},
    {"title", Field::kTitle},
    {"description", Field::kDescription},
    {"brand", Field::kBrand},
    {"gtin", Field::kGtin},
    {"mpn", Field::kMpn},
    {"categories", Field::kCategoryLevel},
    {"category", Field::kCategory},
    {"price", Field::kPrice},
    {"sale_price", Field::kSalePrice},
    {"currency", Field::kCurrency},
    {"sale_price_effective_date", Field::kSaleInterval},
    {"sale_price_effective_date.start", Field::kSaleStart},
    {"sale_price_effective_date.end", Field::kSaleEnd},
    {"availability", Field::kAvailability},
    {"quantity", Field::kQuantity},
    {"condition", Field::kCondition},
    {"link", Field::kLink},
    {"image_link", Field::kImage},
    {"additional_image_links", Field::kMoreImages},
    {"rating.value", Field::kRatingValue},
    {"rating", Field::kRatingValue},
    {"rating.count", Field::kRatingCount},
    {"item_group_id", Field::kItemGroup},
    {"locale", Field::kLocale},
    {"updated_at", Field::kUpdatedAt},
    {"popularity", Field::kPopularity},
    {"shipping", Field::kShipping},
    {"deleted", Field::kDelete},
}};

// Lower case, without the prefix of the namespace and the list of parts after "(".
std::string Key(View name) {
  name = Trimmed(name);
  if (name.starts_with("g:") || name.starts_with("G:")) name.remove_prefix(2);
  const size_t parts = name.find('(');
  if (parts != View::npos && parts > 0) name = Trimmed(name.substr(0, parts));
  std::string key;
  for (char c : name) {
    const char plain = c == ' ' || c == '-' ? '_' : c;
    key += plain >= 'A' && plain <= 'Z' ? static_cast<char>(plain + 32) : plain;
  }
  return key;
}

// "DE" or "*", optionally with the suffix ".sale_price".
std::optional<FieldName> RegionalField(View name) {
  constexpr View kSale = ".sale_price";
  Field field = Field::kRegionalPrice;
  if (name.ends_with(kSale)) {
    field = Field::kRegionalSalePrice;
    name.remove_suffix(kSale.size());
  }
  if (name == "*") return FieldName{field, {}};
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (name.size() != 2 || !is_letter(name[0]) || !is_letter(name[1])) return std::nullopt;
  return FieldName{field, std::string(name)};
}

}  // namespace

FieldName FieldOf(View name) {
  const std::string key = Key(name);
  for (const auto& [known, field] : kFields) {
    if (known == key) return {field, {}};
  }
  if (key.empty() || std::find(kUseless.begin(), kUseless.end(), key) != kUseless.end()) return {};
  constexpr View kGoogle = "g:";
  const View shown = Trimmed(name);
  return {Field::kAttribute,
          std::string(shown.starts_with(kGoogle) ? shown.substr(kGoogle.size()) : shown)};
}

std::optional<FieldName> FieldOfMapping(View field) {
  for (const auto& [name, prefix] : {std::pair<Field, View>{Field::kAttribute, "attributes."},
                                     std::pair<Field, View>{Field::kOption, "options."},
                                     std::pair<Field, View>{Field::kLocationStock, "stock."}}) {
    if (field.starts_with(prefix) && field.size() > prefix.size()) {
      return FieldName{name, std::string(field.substr(prefix.size()))};
    }
  }
  constexpr View kRegional = "regional_prices.";
  if (field.starts_with(kRegional)) return RegionalField(field.substr(kRegional.size()));
  for (const Mapping& mapping : kMappings) {
    if (mapping.name == field) return FieldName{mapping.field, {}};
  }
  return std::nullopt;
}

}  // namespace emptor::catalog
