// What the names of columns mean.
#include "catalog/feed/fields.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace emptor::catalog {
namespace {

TEST(FieldsTest, KnowsNamesInAnySpelling) {
  const std::vector<std::pair<const char*, Field>> names = {
      {"id", Field::kId},
      {"g:id", Field::kId},
      {"G:ID", Field::kId},
      {" Item ID ", Field::kId},
      {"image-link", Field::kImage},
      {"Additional Image Link", Field::kMoreImages},
      {"shipping(country:price)", Field::kShipping},
      {"sale price effective date", Field::kSaleInterval},
      {"EAN", Field::kGtin},
      {"product_review_count", Field::kRatingCount},
      {"", Field::kIgnored},
      {"g:custom_label_0", Field::kIgnored},
      {"pubDate", Field::kIgnored},
  };
  for (const auto& [name, field] : names) EXPECT_EQ(FieldOf(name).field, field) << name;
  EXPECT_EQ(FieldOf("g:Energy class"), (FieldName{Field::kAttribute, "Energy class"}));
  EXPECT_EQ(FieldOf("(x)"), (FieldName{Field::kAttribute, "(x)"}));
}

TEST(FieldsTest, ReadsTheFieldsOfMappings) {
  const std::vector<std::pair<const char*, FieldName>> fields = {
      {"title", {Field::kTitle, {}}},
      {"categories", {Field::kCategoryLevel, {}}},
      {"rating.count", {Field::kRatingCount, {}}},
      {"attributes.a.b", {Field::kAttribute, "a.b"}},
      {"options.size", {Field::kOption, "size"}},
      {"stock.Berlin. Mitte", {Field::kLocationStock, "Berlin. Mitte"}},
      {"regional_prices.DE", {Field::kRegionalPrice, "DE"}},
      {"regional_prices.DE.sale_price", {Field::kRegionalSalePrice, "DE"}},
      {"regional_prices.*", {Field::kRegionalPrice, ""}},
  };
  for (const auto& [text, field] : fields) EXPECT_EQ(FieldOfMapping(text), field) << text;
  for (const char* text : {"", "titel", "Title", "attributes.", "options.", "stock.", "stock",
                           "regional_prices", "regional_prices.", "regional_prices.de",
                           "regional_prices.DEU", "regional_prices..sale_price"}) {
    EXPECT_EQ(FieldOfMapping(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace emptor::catalog
