// What the columns and elements of merchants' feeds mean. docs/feeds.md lists the names.
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
  kQuantity,  // stands in for an availability that is not told
  kCondition,
  kLink,
  kImage,
  kMoreImages,  // one, or several parted by commas
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
  kRegionalPrice,      // of the region that the name tells, "" everywhere
  kRegionalSalePrice,  // beside it
  kLocationStock,      // a count or a word, of the location that the name tells
};

/// A field, and of an attribute, option, region or location its name.
struct FieldName {
  Field field = Field::kIgnored;
  std::string name = {};

  friend bool operator==(const FieldName&, const FieldName&) = default;
};

/// By the name that a feed gives it: Google's ("image_link", "g:image_link"), OpenAI's ("item_id",
/// "image_url") and common ones ("name", "url"), without case, blanks as "_". What is known to be
/// of no use to shoppers is kIgnored, everything else an attribute of that name.
FieldName FieldOf(std::string_view name);

/// By the name of a column mapping: those of catalog_jsonl.md, "attributes.<name>",
/// "options.<name>", "rating.value", "rating.count", "currency", "quantity", "deleted", "shipping",
/// "regional_prices.<DE, or *>", the same with ".sale_price" behind it, "stock.<location>".
/// "categories" in several columns are the levels of one path.
std::optional<FieldName> FieldOfMapping(std::string_view field);

}  // namespace emptor::catalog
