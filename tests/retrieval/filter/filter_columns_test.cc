// Each condition of a filter, and all of them against a plain evaluation of the product.
#include "retrieval/filter/filter_columns.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
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

std::vector<uint32_t> Members(const RecordSet& set) {
  std::vector<uint32_t> members;
  set.ForEach([&](uint32_t record) { members.push_back(record); });
  return members;
}

catalog::Product WithAttribute(std::string id, std::string title, std::string name,
                               std::string value) {
  auto product = MakeProduct(std::move(id), std::move(title));
  product.attributes.push_back({std::move(name), std::move(value)});
  return product;
}

TEST(FilterColumnsTest, ExcludedBrandsAndCategoriesAreLeftOut) {
  const std::vector<catalog::Product> shop = {MakeProduct("a", "", "Sony", "Audio > Headphones"),
                                              MakeProduct("b", "", "Bose", "Audio > Speakers"),
                                              MakeProduct("c", "")};
  EXPECT_EQ(Select(shop, {.excluded_brands = {"SONY"}}), Records({1, 2}));
  EXPECT_EQ(Select(shop, {.excluded_categories = {"speakers"}}), Records({0, 2}));
  EXPECT_EQ(Select(shop, {.excluded_brands = {"unknown"}}), Records({0, 1, 2}));
}

TEST(FilterColumnsTest, APropertyWhoseUnitMostLeaveOutAnswersNoBounds) {
  FilterColumns columns;
  const auto add = [&](std::string value) {
    columns.Add(MakeFilterRow(WithAttribute("p", "Laptop 8 GB", "internal memory", value)));
  };
  add("8 GB");
  EXPECT_TRUE(columns.CountMeasures("memory", "mb").answers_bounds());
  add("8");
  EXPECT_TRUE(columns.CountMeasures("memory", "mb").answers_bounds());
  add("16");
  EXPECT_FALSE(columns.CountMeasures("memory", "mb").answers_bounds());
  EXPECT_TRUE(columns.CountMeasures("", "mb").answers_bounds());  // the titles tell
  EXPECT_FALSE(columns.CountMeasures("", "ml").answers_bounds());
  EXPECT_FALSE(columns.CountMeasures("storage", "mb").answers_bounds());
}

TEST(FilterColumnsTest, AnExcludedQuantityIsExcludedInEveryUnit) {
  const std::vector<catalog::Product> shop = {
      MakeProduct("a", "Monitor 27\""), WithAttribute("b", "Monitor", "screen", "68.6 cm"),
      MakeProduct("c", "Monitor 32 inch"), MakeProduct("d", "Monitor model 27")};
  for (const char* text : {"27 inch", "27-Inch", "27\"", "68.6cm"}) {
    EXPECT_EQ(Select(shop, {.excluded_terms = {text}}), Records({2, 3})) << text;
  }
  EXPECT_EQ(Select(shop, {.excluded_terms = {"27 kg"}}), Records({0, 1, 2, 3}));
}

TEST(FilterColumnsTest, ExcludedTermsSeeTitleOptionsAndAttributesButNoDenial) {
  std::vector<catalog::Product> shop = {WithAttribute("a", "Sofa", "material", "Leather"),
                                        WithAttribute("b", "Sofa", "leather", "no"),
                                        MakeProduct("c", "Leather sofa"),
                                        MakeProduct("d", "Sofa without leather"),
                                        WithAttribute("e", "Kettle", "Wi-Fi", "yes"),
                                        MakeProduct("f", "Wi-Fi kettle"),
                                        MakeProduct("g", "Wifi-free kettle"),
                                        MakeProduct("h", "Noise-cancelling headphones"),
                                        MakeProduct("i", "皮革沙发")};
  shop.push_back(MakeProduct("j", "Chair"));
  shop.back().options.push_back({"cover", "leathers"});
  EXPECT_EQ(Select(shop, {.excluded_terms = {"leather"}}), Records({1, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(Select(shop, {.excluded_terms = {"wifi"}}), Records({0, 1, 2, 3, 6, 7, 8, 9}));
  EXPECT_EQ(Select(shop, {.excluded_terms = {"WiFi"}}),
            Select(shop, {.excluded_terms = {"wi-fi"}}));
  EXPECT_EQ(Select(shop, {.excluded_terms = {"noise cancelling"}}),
            Records({0, 1, 2, 3, 4, 5, 6, 8, 9}));
  EXPECT_EQ(Select(shop, {.excluded_terms = {"皮革"}}), Records({0, 1, 2, 3, 4, 5, 6, 7, 9}));
}

TEST(FilterColumnsTest, ColorsComeFromPropertiesElseFromTheTitle) {
  const std::vector<catalog::Product> shop = {
      WithAttribute("a", "Red Wing boots", "Color", "Midnight Black / Grey"),
      MakeProduct("b", "Red kettle"), WithAttribute("c", "Kessel", "Farbe", "Rot"),
      MakeProduct("d", "Kettle")};
  EXPECT_EQ(Select(shop, {.colors = {"red"}}), Records({1, 2}));
  EXPECT_EQ(Select(shop, {.colors = {"black"}}), Records({0}));
  EXPECT_EQ(Select(shop, {.colors = {"gray", "red"}}), Records({0, 1, 2}));
}

TEST(FilterColumnsTest, ConditionsRatingsGroupsAndLocations) {
  std::vector<catalog::Product> shop = {MakeProduct("a", ""), MakeProduct("b", ""),
                                        MakeProduct("c", "")};
  shop[0].condition = catalog::Condition::kRefurbished;
  shop[0].rating = catalog::Rating{4.6, 3};
  shop[1].rating = catalog::Rating{3.9, 10};
  shop[1].item_group_id = "G1";
  shop[2].stock = {{"Berlin Mitte", Availability::kInStock, 2},
                   {"Köln", Availability::kInStock, 0},
                   {"Bonn", Availability::kOutOfStock, std::nullopt}};
  EXPECT_EQ(Select(shop, {.conditions = {catalog::Condition::kRefurbished}}), Records({0}));
  EXPECT_EQ(Select(shop, {.min_rating = 4.6}), Records({0}));
  EXPECT_EQ(Select(shop, {.min_rating = 0}), Records({0, 1}));
  EXPECT_EQ(Select(shop, {.item_group = "g1"}), Records({1}));
  EXPECT_EQ(Select(shop, {.location = "BERLIN mitte"}), Records({2}));
  EXPECT_EQ(Select(shop, {.location = "köln"}), Records({}));
  EXPECT_EQ(Select(shop, {.location = "Bonn"}), Records({}));
}

TEST(FilterColumnsTest, AttributesCompareNameAndValueWhole) {
  std::vector<catalog::Product> shop = {WithAttribute("a", "", "Material", "Oak"),
                                        WithAttribute("b", "", "material", "oak veneer"),
                                        WithAttribute("c", "", "frame", "oak")};
  shop.push_back(MakeProduct("d", ""));
  shop.back().options.push_back({"MATERIAL", "Pine"});
  EXPECT_EQ(Select(shop, {.attributes = {{"material", {"oak", "pine"}}}}), Records({0, 3}));
  EXPECT_EQ(Select(shop, {.attributes = {{"material", {"oak"}}, {"frame", {"oak"}}}}), Records({}));
}

TEST(FilterColumnsTest, RangesCompareAcrossUnitsWithTolerance) {
  const std::vector<catalog::Product> shop = {WithAttribute("a", "", "screen size", "68.6 cm"),
                                              WithAttribute("b", "", "Screen size", "24\""),
                                              MakeProduct("c", "27-inch monitor"),
                                              WithAttribute("d", "", "capacity", "2000 ml"),
                                              WithAttribute("e", "", "capacity", "1.7 l"),
                                              WithAttribute("f", "", "storage", "1 TB"),
                                              WithAttribute("g", "", "ports", "4"),
                                              WithAttribute("h", "", "weight (kg)", "2.5")};
  const auto range = [&](NumericRange wanted) { return Select(shop, {.ranges = {wanted}}); };
  EXPECT_EQ(range({.unit = "inch", .min = 27, .max = 27}), Records({0, 2}));
  EXPECT_EQ(range({.attribute = "screen size", .unit = "inch", .min = 27, .max = 27}),
            Records({0}));
  EXPECT_EQ(range({.attribute = "screen", .unit = "inch", .min = 20}), Records({0, 1}));
  EXPECT_EQ(range({.unit = "inch", .min = 27, .min_open = true}), Records({}));
  EXPECT_EQ(range({.unit = "l", .min = 2, .max = 2}), Records({3}));
  EXPECT_EQ(range({.unit = "l", .max = 2, .max_open = true}), Records({4}));
  EXPECT_EQ(range({.unit = "GB", .min = 1000, .max = 1000}), Records({5}));
  EXPECT_EQ(range({.unit = "gb", .min = 1024, .max = 1024}), Records({5}));
  EXPECT_EQ(range({.attribute = "ports", .unit = "", .min = 4}), Records({6}));
  EXPECT_EQ(range({.attribute = "ports", .unit = "", .min = 5}), Records({}));
  EXPECT_EQ(range({.attribute = "weight", .unit = "g", .max = 2500}), Records({7}));
  EXPECT_EQ(range({.unit = "furlong", .min = 0}), Records({}));
}

TEST(FilterColumnsTest, TheRegionsPriceCountsWhereThereIsOne) {
  auto product = MakeProduct("a", "", "", "", 10000);
  catalog::RegionalPrice german, british;
  german.region = "DE";
  german.price = {8000, "EUR"};
  german.sale_price = catalog::Money{7000, "EUR"};
  german.sale_price_effective = catalog::TimeRange{.start = 100, .end = 200};
  british.price = {9000, "GBP"};
  product.regional_prices.push_back(german);
  product.regional_prices.push_back(british);
  const std::vector<catalog::Product> shop = {product, MakeProduct("b", "", "", "", 5000)};
  const auto under = [](int64_t cents, std::string currency, std::string region) {
    Filter filter{.max_price = cents, .currency = std::move(currency)};
    filter.region = std::move(region);
    return filter;
  };
  EXPECT_EQ(Select(shop, under(8000, "EUR", "DE")), Records({0}));
  EXPECT_EQ(Select(shop, under(7500, "EUR", "DE")), Records({}));
  EXPECT_EQ(Select(shop, under(7500, "EUR", "DE"), 150), Records({0}));
  EXPECT_EQ(Select(shop, under(8000, "EUR", "FR")), Records({}));
  EXPECT_EQ(Select(shop, under(9000, "GBP", "FR")), Records({0}));
  EXPECT_EQ(Select(shop, under(9000, "USD", "DE")), Records({1}));
}

/// A product of random parts, each of them small enough to meet often.
catalog::Product RandomProduct(std::mt19937& random, size_t number) {
  const auto pick = [&](auto... options) {
    const std::vector<std::string> all = {options...};
    return all[random() % all.size()];
  };
  auto product =
      MakeProduct(testing::Numbered("p", number),
                  pick("Red kettle", "27-inch monitor", "Leather sofa", "Sofa, no leather"),
                  pick("Sony", "SONY", "Bose", ""), pick("A > B", "B", "C > A", ""),
                  static_cast<int64_t>(random() % 5 * 1000));
  if (random() % 3 == 0) product.price.reset();
  if (random() % 2 == 0) product.rating = catalog::Rating{(random() % 50) / 10.0, 1};
  product.availability = static_cast<Availability>(random() % 4);
  product.condition = static_cast<catalog::Condition>(random() % 3);
  product.attributes.push_back({pick("colour", "material", "size", "wifi"),
                                pick("red", "leather", "2 l", "10", "no", "20 cm")});
  return product;
}

Filter RandomFilter(std::mt19937& random) {
  Filter filter;
  if (random() % 3 == 0) filter.brands = {"sony"};
  if (random() % 3 == 0) filter.excluded_brands = {"bose"};
  if (random() % 3 == 0) filter.categories = {"a"};
  if (random() % 3 == 0) filter.max_price = 3000;
  if (random() % 4 == 0) filter.min_rating = 2.5;
  if (random() % 4 == 0) filter.colors = {"red"};
  if (random() % 4 == 0) filter.excluded_terms = {"leather"};
  if (random() % 4 == 0) filter.ranges = {{.unit = "inch", .min = 5}};
  if (random() % 4 == 0) filter.attributes = {{"size", {"2 l", "10"}}};
  return filter;
}

TEST(FilterColumnsTest, StoredAndMergedColumnsSelectLikeThoseOfTheRows) {
  std::mt19937 random(11);
  std::vector<catalog::Product> shop;
  FilterColumns whole;
  std::array<FilterColumns, 2> parts;
  std::vector<FilterColumns::Origin> origins;
  std::vector<uint32_t> kept;
  for (uint32_t i = 0; i < 400; ++i) {
    const catalog::Product product = RandomProduct(random, i);
    const size_t part = random() % 2;
    if (random() % 5 != 0) {
      origins.push_back({part, static_cast<uint32_t>(parts[part].record_count())});
      kept.push_back(i);
    }
    whole.Add(MakeFilterRow(product));
    parts[part].Add(MakeFilterRow(product));
  }
  const std::array<const FilterColumns*, 2> sources = {&parts[0], &parts[1]};
  const FilterColumns merged = FilterColumns::Merge(sources, origins);
  const auto stored = FilterColumns::FromData(merged.data());
  ASSERT_TRUE(stored.ok()) << stored.status();
  for (int round = 0; round < 200; ++round) {
    const CompiledFilter filter(RandomFilter(random));
    const RecordSet all = whole.Select(filter, 0);
    std::vector<uint32_t> want;
    for (uint32_t i = 0; i < kept.size(); ++i) {
      if (all.contains(kept[i])) want.push_back(i);
    }
    EXPECT_EQ(Members(merged.Select(filter, 0)), want);
    EXPECT_EQ(Members(stored->Select(filter, 0)), want);
  }
}

TEST(FilterColumnsTest, DamagedColumnsAreRefused) {
  FilterColumns columns;
  columns.Add(MakeFilterRow(MakeProduct("a", "Red kettle", "Sony", "A > B", 5)));
  const auto refuses = [&](const std::function<void(FilterColumnData&)>& damage) {
    FilterColumnData data = columns.data();
    damage(data);
    return FilterColumns::FromData(std::move(data)).status().code() == absl::StatusCode::kDataLoss;
  };
  EXPECT_TRUE(refuses([](auto& data) { data.texts[0].ids[0] = 9; }));
  EXPECT_TRUE(refuses([](auto& data) { data.texts[0].ends.clear(); }));
  EXPECT_TRUE(refuses([](auto& data) { data.prices[0].currency = 7; }));
  EXPECT_TRUE(refuses([](auto& data) { data.availability[0] = 4; }));
  EXPECT_TRUE(refuses([](auto& data) { data.term_records[0] = "\x05"; }));
  EXPECT_TRUE(refuses([](auto& data) { data.term_records[0] = "\x80"; }));
  EXPECT_TRUE(refuses([](auto& data) { data.rating.push_back(1); }));
  EXPECT_TRUE(refuses([](auto& data) { data.popularity.clear(); }));
  EXPECT_TRUE(refuses([](auto& data) { data.popularity[0] = INFINITY; }));
}

TEST(FilterColumnsTest, KnowsWhatTheCatalogCallsAValue) {
  FilterColumns columns;
  columns.Add(MakeFilterRow(MakeProduct("a", "Sony kettle", "SONY")));
  columns.Add(MakeFilterRow(MakeProduct("b", "Case for Sony", "Sony")));
  const auto known = columns.Find(FilterField::kBrand, "sony");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->text, "SONY");
  EXPECT_EQ(known->records, 2u);
  EXPECT_EQ(columns.CountTerm("sony"), 2u);
  EXPECT_EQ(columns.CountTerm("kettle"), 1u);
  EXPECT_FALSE(columns.Find(FilterField::kBrand, "bose"));
}

}  // namespace
}  // namespace emptor::retrieval
