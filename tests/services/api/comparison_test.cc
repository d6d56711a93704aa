// Rows of a comparison: what is stated, in which order, and what differs.
#include "services/api/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

ShownProduct Make(int64_t amount, std::vector<catalog::Attribute> attributes) {
  ShownProduct shown;
  shown.product.brand = "Acme";
  shown.product.attributes = std::move(attributes);
  shown.price.price = catalog::Money{amount, "EUR"};
  return shown;
}

const ComparisonRow& RowOf(const std::vector<ComparisonRow>& rows, const std::string& name) {
  static const ComparisonRow kNone;
  for (const ComparisonRow& row : rows) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return kNone;
}

TEST(ComparisonTest, AttributesAreAlignedWhateverTheirCaseAndThoseOfMoreRecordsComeFirst) {
  const std::vector<ShownProduct> products = {Make(100, {{"Colour", "red"}, {"Weight", "1 kg"}}),
                                              Make(100, {{"weight", "1 KG"}, {"noise", "60 dB"}}),
                                              Make(200, {{"WEIGHT", "1 kg"}, {"noise", "65 dB"}})};
  const auto rows = CompareRecords(products, "en-US");
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre("price", "availability", "condition", "brand", "Weight", "noise",
                                 "Colour"));
  EXPECT_FALSE(RowOf(rows, "Weight").differs);
  EXPECT_THAT(RowOf(rows, "Weight").values,
              ElementsAre(Optional(std::string("1 kg")), Optional(std::string("1 KG")),
                          Optional(std::string("1 kg"))));
  EXPECT_TRUE(RowOf(rows, "noise").differs);
  EXPECT_EQ(RowOf(rows, "noise").values[0], std::nullopt);
  EXPECT_TRUE(RowOf(rows, "Colour").differs);  // one states it, two do not
  EXPECT_TRUE(RowOf(rows, "price").differs);
}

TEST(ComparisonTest, AVariantOptionCountsBeforeAnAttributeOfTheSameName) {
  std::vector<ShownProduct> products = {Make(100, {{"color", "see title"}}), Make(100, {})};
  products[0].product.options = {{"Color", "red"}};
  products[1].product.options = {{"Color", "blue"}};
  const auto rows = CompareRecords(products, "");
  EXPECT_THAT(RowOf(rows, "Color").values,
              ElementsAre(Optional(std::string("red")), Optional(std::string("blue"))));
}

TEST(ComparisonTest, FactsAreWrittenForTheLocale) {
  std::vector<ShownProduct> products = {Make(129900, {}), Make(99900, {})};
  products[0].price.was_price = catalog::Money{149900, "EUR"};
  products[0].product.rating = catalog::Rating{4.5, 1200};
  const auto rows = CompareRecords(products, "de-DE");
  EXPECT_THAT(RowOf(rows, "price").values[0], Optional(std::string("1.299,00 €")));
  EXPECT_EQ(RowOf(rows, "was_price").values[1], std::nullopt);
  EXPECT_THAT(RowOf(rows, "rating").values[0], Optional(std::string("4.5 (1.200)")));
}

}  // namespace
}  // namespace emptor::services
