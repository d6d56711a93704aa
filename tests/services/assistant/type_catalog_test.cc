// Which products of a shop are of a type: by categories, titles, prices and attributes.
#include "services/assistant/types/type_catalog.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "services/assistant/types/type_warmer.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

using Ids = std::vector<std::string>;

std::string Line(const std::string& id, const std::string& title, const std::string& category,
                 int cents) {
  return fmt::format(
      R"({{"id":"{}","title":"{}","categories":["{}"],"price":{{"amount":{},"currency":"USD"}}}})"
      "\n",
      id, title, category, cents);
}

/// The test shop (kettles and a monitor), and what a test adds.
class TypeCatalogTest : public ::testing::Test {
 protected:
  ProductType TypeOf(const std::string& name) {
    const auto type = FindProductType(name, "en", *shop_.shop().reader().profile());
    EXPECT_TRUE(type.has_value()) << name;
    return type.value_or(ProductType{});
  }
  std::shared_ptr<const TypeTable> TableOf(const std::string& name) {
    TypeCatalog catalog;
    const auto table = catalog.Get(shop_.shop().reader(), TypeOf(name), "");
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? *table : std::make_shared<const TypeTable>();
  }
  /// Washing machines of about $400, twelve and their category's accessories.
  void ImportWashers(const std::string& accessories) {
    std::string lines;
    for (int i = 0; i < 12; ++i) {
      lines += Line(fmt::format("w{}", i), fmt::format("Quellin Washing Machine Pro {}", i),
                    "Home > Washing Machines", 40000 + i);
    }
    shop_.Import(lines + accessories);
  }
  static Ids Washers() {
    Ids ids;
    for (int i = 0; i < 12; ++i) ids.push_back(fmt::format("w{}", i));
    return ids;
  }

  testing::TestShop shop_;
};

TEST_F(TypeCatalogTest, ACategoryOfOneKindKeepsProductsWhoseTitlesNameNoType) {
  ImportWashers(Line("x7", "Quellin AquaSpin 7000", "Home > Washing Machines", 39000));
  const auto table = TableOf("washing machine");
  Ids all = Washers();
  all.push_back("x7");
  EXPECT_THAT(table->members, UnorderedElementsAreArray(all));
  EXPECT_THAT(table->ids, IsEmpty()) << "the category decides";
  EXPECT_EQ(table->schema.product_count(), 13u);
}

/// A large shop tells departments apart: its titles are read beyond the categories of a type.
TEST_F(TypeCatalogTest, InALargeShopGoodsOfATypeLieInSeveralCategories) {
  std::string lines;
  for (int i = 0; i < 1100; ++i) {
    lines += Line(fmt::format("m{}", i), "Orvex wireless bluetooth gaming mouse", "Computing", 900);
    lines += Line(fmt::format("o{}", i), "Himavita zinc herbal extract hair oil", "Health", 700);
  }
  for (int i = 0; i < 12; ++i) {
    lines += Line(fmt::format("t{}", i), "Torvane 43 inch LED TV", "Televisions", 30000 + i);
    lines += Line(fmt::format("b{}", i), "Torvane Men Jeans", "Jeans", 2000 + i);
  }
  lines += Line("kids", "Torvane Boys Slim Fit Jeans", "Kids' Clothing", 1500);
  lines += Line("set", "Torvane Jacket, Jeans", "Kids' Clothing", 1500);
  shop_.Import(lines);
  const auto jeans = TableOf("jeans");
  EXPECT_TRUE(jeans->is_wider);
  EXPECT_THAT(jeans->members, Contains("kids"));
  EXPECT_THAT(jeans->members, Not(Contains("set"))) << "names other goods as well";
  EXPECT_TRUE(jeans->ids.contains("b0"));
  const auto tvs = TableOf("television");
  EXPECT_THAT(tvs->members, Contains("t0")) << "its titles have another name of the lexicon";
}

TEST_F(TypeCatalogTest, ACategoryWithAccessoriesIsDecidedByTitlesAndPrices) {
  ImportWashers(Line("cover", "Washing Machine Cover", "Home > Washing Machines", 1500) +
                Line("hose", "Hose for Washing Machine", "Home > Washing Machines", 1200) +
                Line("toy", "Washing Machine Toy for children", "Home > Washing Machines", 1900) +
                Line("trolley", "Washing Machine Trolley", "Home > Washing Machines", 7900) +
                Line("small", "Washing Machine", "Home > Washing Machines", 7900) +
                Line("x7", "Quellin AquaSpin 7000", "Home > Washing Machines", 39000));
  const auto table = TableOf("washing machine");
  Ids all = Washers();
  all.push_back("small");
  EXPECT_THAT(table->members, UnorderedElementsAreArray(all))
      << "the trolley is cheap and its title goes on as no dear one's does";
  EXPECT_THAT(table->ids, UnorderedElementsAreArray(all));
}

TEST_F(TypeCatalogTest, PricesOfAFewProductsDecideNothing) {
  shop_.Import(Line("f1", "Torvane Ceiling Fan", "Home > Ceiling Fans", 9000) +
               Line("f2", "Quellin Ceiling Fan", "Home > Ceiling Fans", 8000) +
               Line("cap", "Capacitor for Ceiling Fan", "Home > Ceiling Fans", 300) +
               Line("f3", "Ceiling Fan Special", "Home > Ceiling Fans", 200));
  EXPECT_THAT(TableOf("ceiling fan")->members, UnorderedElementsAre("f1", "f2", "f3"));
}

TEST_F(TypeCatalogTest, AnAttributeMayNameTheTypeWhereTitlesDecide) {
  ImportWashers(Line("cover", "Washing Machine Cover", "Home > Washing Machines", 1500) +
                Line("hose", "Hose for Washing Machine", "Home > Washing Machines", 1200));
  shop_.Import(
      R"({"id":"typed","title":"Quellin X9","categories":["Home > Washing Machines"],"price":{"amount":39000,"currency":"USD"},"attributes":{"product type":"compact washing machine"}}
{"id":"other","title":"Quellin X8","categories":["Home > Washing Machines"],"price":{"amount":39000,"currency":"USD"},"attributes":{"use":"for a washing machine"}}
)");
  const Ids members = TableOf("washing machine")->members;
  EXPECT_THAT(members, Contains("typed"));
  EXPECT_THAT(members, Not(Contains("other")));
}

TEST_F(TypeCatalogTest, WithoutACategoryTitlesDecideInTheWholeShop) {
  shop_.Import(Line("m1", "Brindle Laptop 14", "Computing > Other", 90000) +
               Line("m2", "Sleeve for Laptop 14", "Computing > Other", 2000));
  const auto table = TableOf("laptop");
  EXPECT_THAT(table->members, UnorderedElementsAre("m1"));
  EXPECT_THAT(table->ids, UnorderedElementsAre("m1"));
}

TEST_F(TypeCatalogTest, ATableCountsTheReviewsOfItsMembers) {
  const auto table = TableOf("kettle");
  ASSERT_EQ(table->members.size(), table->reviews.size());
  for (size_t i = 0; i < table->members.size(); ++i) {
    EXPECT_EQ(table->reviews[i], table->members[i] == "k20" ? 312 : 0) << table->members[i];
  }
  EXPECT_THAT(table->members, UnorderedElementsAre("k20", "k80"));
}

TEST_F(TypeCatalogTest, EqualTypesAndLocalesHaveOneTable) {
  TypeCatalog catalog;
  const ShopReader& shop = shop_.shop().reader();
  const ProductType kettle = TypeOf("kettle");
  const auto first = catalog.Get(shop, kettle, ""), again = catalog.Get(shop, kettle, "");
  const auto other = catalog.Get(shop, TypeOf("monitor"), "");
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(*first, *again);
  EXPECT_NE(*first, *other);
  EXPECT_NE(TypeCatalog::KeyOf(kettle, "en"), TypeCatalog::KeyOf(kettle, "de"));
}

TEST_F(TypeCatalogTest, AProductThatMentionsTheWordIsNotTheType) {
  shop_.Import(Line("n1", "Volleyball Net", "Sport > Balls", 4000));
  TypeCatalog catalog;
  const ShopReader& shop = shop_.shop().reader();
  const auto sold = catalog.IsSold(shop, TypeOf("mosquito net"), "");
  ASSERT_TRUE(sold.ok()) << sold.status();
  EXPECT_FALSE(*sold);
}

TEST_F(TypeCatalogTest, TheWarmerLearnsWhatIsSold) {
  ImportWashers(Line("n1", "Volleyball Net", "Sport > Balls", 4000));
  auto catalog = std::make_shared<TypeCatalog>();
  const ShopReader& shop = shop_.shop().reader();
  const TypeWarmer warmer(shop, catalog, "en");
  const std::string locale = FilterLanguage(*shop.profile(), "en");
  const auto is_known = [&](const std::string& name) {
    return catalog->Knows(TypeOf(name), locale);
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_known("kettle") && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_known("kettle"));
  EXPECT_FALSE(is_known("mosquito net"));
}

TEST_F(TypeCatalogTest, OldNamesOfGoodsAnswerUntilTheRefresherHasReadTheNewOnes) {
  const ShopReader& shop = shop_.shop().reader();
  std::string first, more;
  for (int i = 0; i < 20; ++i) {
    std::string& lines = i < 12 ? first : more;
    lines += Line(fmt::format("k{}", i), fmt::format("Quellin Kettle Pro {}", i), "Kitchen", 4000);
  }
  shop_.Import(first);
  TypeCatalog catalog;
  catalog.AddRefresher();
  const auto before = catalog.NamesOf(shop);
  shop_.Import(more);
  EXPECT_EQ(catalog.NamesOf(shop), before) << "no shopper waits";
  EXPECT_FALSE(catalog.NextOutdated({}, std::chrono::seconds(60)).has_value()) << "and at once";
  catalog.RefreshOverview(shop);
  const auto after = catalog.NamesOf(shop);
  EXPECT_NE(after, before);
  catalog.RefreshOverview(shop);
  EXPECT_EQ(catalog.NamesOf(shop), after) << "nothing is outdated";
  catalog.RemoveRefresher();
}

TEST_F(TypeCatalogTest, OneThreadReadsTheNamesOfGoodsForAll) {
  const ShopReader& shop = shop_.shop().reader();
  TypeCatalog catalog;
  std::vector<std::shared_ptr<const GoodsNames>> names(4);
  {
    std::vector<std::jthread> threads;
    for (auto& each : names) threads.emplace_back([&] { each = catalog.NamesOf(shop); });
  }
  for (const auto& each : names) {
    ASSERT_NE(each, nullptr);
    EXPECT_EQ(each, names.front());
  }
}

/// A product that states `count` attributes of a kind.
std::string Described(const std::string& id, const std::string& title, const std::string& kind,
                      int count) {
  std::string attributes;
  for (int i = 0; i < count; ++i) {
    attributes += fmt::format(R"({}"{} {}":"x")", i > 0 ? "," : "", kind, i);
  }
  return fmt::format(R"({{"id":"{}","title":"{}","attributes":{{{}}}}})"
                     "\n",
                     id, title, attributes);
}

TEST_F(TypeCatalogTest, ANeedHasTheProductsOfEachTypeThatHelps) {
  shop_.Import(Line("pot", "Brindle Teapot", "Kitchen > Teapots", 2000) +
               Line("cup", "Brindle Mug", "Table", 900) +
               Line("lamp", "Brindle Lamp", "Table", 900));
  TypeCatalog catalog;
  const auto table = catalog.Get(shop_.shop().reader(), {"tea lover", {}, {}, true, true}, "");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT((*table)->members, UnorderedElementsAre("k20", "k80", "pot", "cup"))
      << "of categories and of titles";
  ASSERT_EQ((*table)->advised.size(), 3u);
  EXPECT_THAT((*table)->advised[0], UnorderedElementsAre("k20", "k80")) << "the best type first";
}

/// A shop without categories.
class TypeCatalogProfilesTest : public ::testing::Test {
 protected:
  TypeCatalogProfilesTest() {
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    auto shop = Shop::Open(options, embedder_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    if (shop.ok()) shop_ = *std::move(shop);
  }
  void Import(const std::string& lines) {
    std::istringstream stream(lines);
    ASSERT_TRUE(shop_->writer().Import(stream, {}, {}, [](const auto&) {}).ok());
  }

  emptor::testing::TemporaryDirectory directory_;
  retrieval::HashingEmbedder embedder_{64};
  std::unique_ptr<Shop> shop_;
};

TEST_F(TypeCatalogProfilesTest, WithoutAnyCategoryAttributesTellWhatIsOfTheType) {
  std::string lines;
  Ids laptops;
  for (int i = 0; i < 10; ++i) {
    laptops.push_back(fmt::format("l{}", i));
    lines += Described(laptops.back(), fmt::format("Brindle Laptop {}", i), "computing", 12);
    lines += Described(fmt::format("d{}", i), fmt::format("Brindle Lamp {}", i), "light", 12);
  }
  lines += Described("service", "Brindle Laptop Service 3 Years", "contract", 2) +
           Described("x15", "Brindle X15", "computing", 11) +
           Described("webcam", "Brindle Webcam W1", "computing", 11);
  Import(lines);
  const auto type = FindProductType("laptop", "en", *shop_->reader().profile());
  ASSERT_TRUE(type.has_value());
  TypeCatalog catalog;
  const auto table = catalog.Get(shop_->reader(), *type, "");
  ASSERT_TRUE(table.ok()) << table.status();
  laptops.push_back("x15");
  EXPECT_THAT((*table)->members, UnorderedElementsAreArray(laptops))
      << "no service, no webcam, but what states the same";
}

TEST_F(TypeCatalogProfilesTest, GoodsBeforeANameOfSeveralWordsQualifyIt) {
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    lines += Described(fmt::format("d{}", i), fmt::format("Brindle Lamp {}", i), "light", 12);
  }
  lines += Described("w1", "Brindle Pitcher Water Filter Blue 2.4 L", "filter", 12) +
           Described("w2", "Brindle Pitcher Water Filter White 3.5 L", "filter", 12) +
           Described("c1", "Brindle Cable Boots 6.5 mm", "boot", 12) +
           Described("c2", "Brindle Cable Boots 5 mm", "boot", 12);
  Import(lines);
  TypeCatalog catalog;
  for (const auto& [name, expected] : {std::pair("water filter", true), {"boots", false}}) {
    const auto type = FindProductType(name, "en", *shop_->reader().profile());
    ASSERT_TRUE(type.has_value()) << name;
    const auto is_sold = catalog.IsSold(shop_->reader(), *type, "");
    ASSERT_TRUE(is_sold.ok()) << is_sold.status();
    EXPECT_EQ(*is_sold, expected) << name;
  }
}

TEST_F(TypeCatalogProfilesTest, AShopThatGrowsIsReadAgainAtOnce) {
  Import(Described("d0", "Brindle Lamp 0", "light", 12));
  const auto type = FindProductType("laptop", "en", *shop_->reader().profile());
  ASSERT_TRUE(type.has_value());
  TypeCatalog catalog;
  const auto is_sold = catalog.IsSold(shop_->reader(), *type, "");
  ASSERT_TRUE(is_sold.ok()) << is_sold.status();
  EXPECT_FALSE(*is_sold);
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    lines += Described(fmt::format("l{}", i), fmt::format("Brindle Laptop {}", i), "computing", 12);
  }
  Import(lines);
  const auto table = catalog.Get(shop_->reader(), *type, "");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ((*table)->members.size(), 10u);
}

}  // namespace
}  // namespace emptor::services
