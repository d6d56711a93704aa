// Names of columns and elements in merchants' feeds, and the fields that they mean (docs/feeds.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

enum class Field {
  kIgnored,
  kId,
  kTitle,
  kDescription,
  kBrand,
  kGtin,
  kMpn,
  kCategory,       // a path, or a name; a number becomes an attribute
  kCategoryLevel,  // several make one path, in their order
  kPrice,
  kSalePrice,
  kCurrency,      // of the amounts of the row that name none
  kSaleInterval,  // start/end
  kSaleStart,
  kSaleEnd,
  kAvailability,
  kQuantity,  // used where there is no availability
  kCondition,
  kLink,
  kImage,
  kMoreImages,  // one, or several separated by commas
  kRatingValue,
  kRatingCount,
  kItemGroup,
  kLocale,
  kUpdatedAt,
  kPopularity,
  kShipping,       // country:region:service:price, several parted by commas
  kProductDetail,  // section:attribute:value, several parted by commas
  kDelete,
  kAttribute,
  kOption,
  kRegionalPrice,      // of the region in the name, "" everywhere
  kRegionalSalePrice,  // of the same region
  kLocationStock,      // a count or a word, of the location in the name
};

/// A field, with the name of its attribute, option, region or location.
struct FieldName {
  Field field = Field::kIgnored;
  std::string name = {};

  friend bool operator==(const FieldName&, const FieldName&) = default;
};

/// The field of a name in a feed: Google's ("image_link", "g:image_link"), OpenAI's ("item_id",
/// "image_url") and common ones ("name", "url"), without case, blanks as "_". Names known to be
/// irrelevant to shoppers give kIgnored, other names an attribute.
FieldName FieldOf(std::string_view name);

/// The field of a name in a column mapping: those of catalog_jsonl.md, "attributes.<name>",
/// "options.<name>", "rating.value", "rating.count", "currency", "quantity", "deleted", "shipping",
/// "regional_prices.<DE, or *>", the same with the suffix ".sale_price", "stock.<location>".
/// "categories" in several columns are the levels of one path.
std::optional<FieldName> FieldOfMapping(std::string_view field);

}  // namespace emptor::catalog
