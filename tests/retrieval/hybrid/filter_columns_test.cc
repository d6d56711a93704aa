// Each condition of a filter, and all against the plain reading of the product.
#include "retrieval/hybrid/filter_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using catalog::Availability;
using testing::MakeProduct;

std::vector<uint32_t> Select(const std::vector<catalog::Product>& products, const Filter& filter,
                             int64_t now = 0) {
  FilterColumns columns;
  for (const catalog::Product& product : products) columns.Add(MakeFilterRow(product));
  std::vector<uint32_t> selected;
  columns.Select(CompiledFilter(filter), now).ForEach([&](uint32_t r) { selected.push_back(r); });
  return selected;
}

using Records = std::vector<uint32_t>;

TEST(FilterColumnsTest, BrandComparesFolded) {
  const std::vector<catalog::Product> shop = {MakeProduct("a", "", "Hewlett Packard"),
                                              MakeProduct("b", "", "MIELE"), MakeProduct("c", "")};
  EXPECT_EQ(Select(shop, {.brands = {"hewlett  PACKARD"}}), Records({0}));
  EXPECT_EQ(Select(shop, {.brands = {"miele", "Hewlett Packard"}}), Records({0, 1}));
  EXPECT_EQ(Select(shop, {.brands = {"Hewlett"}}), Records({}));
}

TEST(FilterColumnsTest, CategoryMatchesAnElementOrALeadingPath) {
  auto both = MakeProduct("c", "", "", "Garden > Grills");
  both.categories.push_back("Kitchen > Small Appliances > Kettles");
  const std::vector<catalog::Product> shop = {MakeProduct("a", "", "", "Kitchen > Kettles"),
                                              MakeProduct("b", "", "", "Kitchen"), both};
  EXPECT_EQ(Select(shop, {.categories = {"kettles"}}), Records({0, 2}));
  EXPECT_EQ(Select(shop, {.categories = {"KITCHEN"}}), Records({0, 1, 2}));
  EXPECT_EQ(Select(shop, {.categories = {"kitchen>kettles"}}), Records({0}));
  EXPECT_EQ(Select(shop, {.categories = {"Kettle"}}), Records({}));
  EXPECT_EQ(Select(shop, {.categories = {"grills", "kettles"}}), Records({0, 2}));
}

TEST(FilterColumnsTest, PriceBoundsAreInclusiveAndNeedTheCurrency) {
  auto euro = MakeProduct("c", "");
  euro.price = catalog::Money{1500, "EUR"};
  const std::vector<catalog::Product> shop = {MakeProduct("a", "", "", "", 1000),
                                              MakeProduct("b", "", "", "", 2000), euro,
                                              MakeProduct("d", "")};
  EXPECT_EQ(Select(shop, {.min_price = 1000, .max_price = 1999, .currency = "USD"}), Records({0}));
  EXPECT_EQ(Select(shop, {.min_price = 2000, .currency = "USD"}), Records({1}));
  EXPECT_EQ(Select(shop, {.max_price = 5000, .currency = "EUR"}), Records({2}));
  EXPECT_EQ(Select(shop, {.max_price = 1500}), Records({0, 2}));        // no currency: any
  EXPECT_EQ(Select(shop, {.currency = "EUR"}), Records({0, 1, 2, 3}));  // no bound: no condition
}

TEST(FilterColumnsTest, PriceIsWhatIsPayableAtThatMoment) {
  auto product = MakeProduct("a", "", "", "", 5000);
  product.sale_price = catalog::Money{4000, "USD"};
  const Filter under_45{.max_price = 4500, .currency = "USD"};
  EXPECT_EQ(Select({product}, under_45, 0), Records({0}));  // no dates: the sale always holds
  product.sale_price_effective = catalog::TimeRange{.start = 100, .end = 200};
  for (const int64_t now : {0, 99, 100, 150, 199, 200, 201, 1000}) {
    const auto payable = catalog::ComputePayablePrice(product, now).price;
    const bool passes = payable && payable->amount <= 4500;
    EXPECT_EQ(Select({product}, under_45, now).size(), passes ? 1u : 0u) << "at " << now;
  }
}

TEST(FilterColumnsTest, LocaleIsALanguagePrefix) {
  std::vector<catalog::Product> shop;
  for (const char* locale : {"en-US", "en", "eng", "de_DE", ""}) {
    shop.push_back(MakeProduct(std::string("p") + locale, ""));
    shop.back().locale = locale;
  }
  EXPECT_EQ(Select(shop, {.locale = "EN"}), Records({0, 1, 4}));  // one without locale fits all
  EXPECT_EQ(Select(shop, {.locale = "de-de"}), Records({3, 4}));
  EXPECT_EQ(Select(shop, {}), Records({0, 1, 2, 3, 4}));
}

TEST(FilterColumnsTest, AvailabilityIsAnyOf) {
  std::vector<catalog::Product> shop = {MakeProduct("a", ""), MakeProduct("b", "")};
  shop[1].availability = Availability::kOutOfStock;
  EXPECT_EQ(Select(shop, {.availability = {Availability::kInStock}}), Records({0}));
  EXPECT_EQ(Select(shop, {.availability = {Availability::kOutOfStock, Availability::kInStock}}),
            Records({0, 1}));
}

TEST(FilterColumnsTest, RowsSurviveAMerge) {
  auto product = MakeProduct("a", "", "Brand", "A > B", 5000);
  product.sale_price = catalog::Money{4000, "USD"};
  product.sale_price_effective = catalog::TimeRange{.start = 100, .end = std::nullopt};
  product.locale = "en-US";
  FilterColumns columns;
  columns.Add(MakeFilterRow(MakeProduct("x", "", "Other", "C")));
  columns.Add(MakeFilterRow(product));
  const FilterRow want = MakeFilterRow(product);
  const FilterRow got = columns.row(1);
  EXPECT_EQ(got.brand, want.brand);
  EXPECT_EQ(got.categories, want.categories);
  EXPECT_EQ(got.locale, want.locale);
  ASSERT_EQ(got.prices.size(), want.prices.size());
  for (size_t i = 0; i < want.prices.size(); ++i) {
    EXPECT_EQ(got.prices[i].from_unix, want.prices[i].from_unix);
    EXPECT_EQ(got.prices[i].price, want.prices[i].price);
  }
}

}  // namespace
}  // namespace emptor::retrieval
