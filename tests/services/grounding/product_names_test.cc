// Names of products in one answer.
#include "services/grounding/product_names.h"

#include <gtest/gtest.h>

#include "services/grounding/citation.h"
#include "services/grounding/fact_renderer.h"

namespace emptor::services {
namespace {

using catalog::Product;
using Marks = std::vector<std::string>;

Product Named(std::string id, std::string title) {
  Product product;
  product.id = std::move(id);
  product.title = std::move(title);
  return product;
}

Marks SetApartAll(const std::vector<Product>& products) {
  std::vector<const Product*> pointers;
  for (const Product& each : products) pointers.push_back(&each);
  return SetApart(pointers);
}

const std::string kLong =
    "Hewlett Packard Enterprise ProLiant DL380 Gen10 Performance Server, rack mounted, ";

TEST(SetApartTest, LeavesNamesAloneThatAreTheOnlyOnes) {
  EXPECT_EQ(SetApartAll({Named("a", "Kettle"), Named("b", "Toaster")}), (Marks{"", ""}));
  EXPECT_EQ(SetApartAll({Named("a", "Kettle"), Named("a", "Kettle")}), (Marks{"", ""}));
  EXPECT_EQ(SetApartAll({}), Marks());
}

TEST(SetApartTest, NamesTheOptionsThatDiffer) {
  Product red = Named("a", "Shirt"), blue = Named("b", "shirt");
  red.options = {{"color", "red"}, {"cut", "slim"}, {"size", "M"}};
  blue.options = {{"color", "blue"}, {"cut", "slim"}, {"size", "L"}};
  EXPECT_EQ(SetApartAll({red, Named("c", "Hat"), blue}), (Marks{"red, M", "", "blue, L"}));
}

TEST(SetApartTest, NamesThePartOfTheTitleThatWasCut) {
  EXPECT_EQ(SetApartAll({Named("a", kLong + "Intel Xeon 4208, 32 GB (P02462-B21)"),
                         Named("b", kLong + "Intel Xeon 5218, 64 GB (P20245-B21)")}),
            (Marks{"4208", "5218"}));
  EXPECT_EQ(SetApartAll({Named("a", kLong + "Sage Green"), Named("b", kLong + "Matte Black")}),
            (Marks{"Sage Green", "Matte Black"}));
  EXPECT_EQ(SetApartAll({Named("a", kLong + "red, (16 GB)"), Named("b", kLong + "red, (32 GB)"),
                         Named("c", kLong + "blue, (32 GB)")}),
            (Marks{"red 16 GB", "red 32 GB", "blue 32 GB"}));
}

TEST(SetApartTest, ANumberKeepsItsUnitAndWordsBetweenStay) {
  EXPECT_EQ(SetApartAll({Named("a", kLong + "Core Duo 160 GB Intel GMA 4500MHD"),
                         Named("b", kLong + "Core Duo 250 GB Intel GMA X3100")}),
            (Marks{"160 GB Intel GMA 4500MHD", "250 GB Intel GMA X3100"}));
}

TEST(SetApartTest, CardsShowTheBeginningOfATitle) {
  const Product red = Named("a", "Wrenfold Daily T-Shirt of organic cotton for men and women, red");
  const Product blue =
      Named("b", "Wrenfold Daily T-Shirt of organic cotton for men and women, blue");
  const Product* both[] = {&red, &blue};
  EXPECT_EQ(SetApart(both), (Marks{"", ""})) << "answers show it whole";
  EXPECT_EQ(SetApart(both, 56), (Marks{"red", "blue"}));
}

TEST(SetApartTest, NamesAnAttributeElseTheModelNumber) {
  Product one = Named("a", "Laptop 15"), two = Named("b", "Laptop 15");
  EXPECT_EQ(SetApartAll({one, two}), (Marks{"", ""})) << "nothing is known of them";
  one.mpn = "X15-A";
  two.mpn = "X15-B";
  EXPECT_EQ(SetApartAll({one, two}), (Marks{"X15-A", "X15-B"}));
  one.attributes = {{"internal memory", "8192"}, {"graphics", "Iris"}, {"Storage", "256 GB"}};
  two.attributes = {{"internal memory", "16384"}, {"graphics", "Arc"}, {"storage", "512 GB"}};
  EXPECT_EQ(SetApartAll({one, two}), (Marks{"256 GB", "512 GB"}));
  one.attributes.pop_back();
  EXPECT_EQ(SetApartAll({one, two}), (Marks{"Iris", "Arc"})) << "not a raw number";
}

TEST(SetApartTest, AnswersTellEqualNamesApart) {
  Product red = Named("a", "Shirt"), blue = Named("b", "Shirt");
  red.options = {{"color", "red"}};
  blue.options = {{"color", "[blue](x)"}};
  RenderOptions options;
  options.sources = {Source{red}, Source{blue}};
  FactRenderer renderer(options);
  EXPECT_EQ(renderer.Render({1, "title", ""}), "[Shirt (red)](/p/a)");
  EXPECT_EQ(renderer.Render({1, "title", ""}), "**Shirt (red)**");
  const auto second = renderer.Render({2, "title", ""});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->find("]("), second->rfind("]("))
      << "text of records makes no link: " << *second;
}

TEST(IsRawNumberTest, IsALargeNumberWithoutUnitThatCountsNothing) {
  for (const auto& [name, value] :
       {std::pair{"internal memory", "16384"}, std::pair{"battery capacity", "5000"},
        std::pair{"internal memory", "8192.0"}, std::pair{"edition", "2101"},
        std::pair{"edition", "1899"}, std::pair{"weight (shipping)", "1200"}}) {
    EXPECT_TRUE(IsRawNumber({name, value})) << name;
  }
  for (const auto& [name, value] :
       {std::pair{"internal memory", "16384 MB"}, std::pair{"hdmi ports", "2"},
        std::pair{"weight", "260"}, std::pair{"model year", "2021"},
        std::pair{"number of pages", "1200"}, std::pair{"memory", ""}, std::pair{"size", "XL"},
        std::pair{"edition", "2026"}, std::pair{"edition", "1900"}, std::pair{"Weight (g)", "1200"},
        std::pair{"size", "1,200"}}) {
    EXPECT_FALSE(IsRawNumber({name, value})) << name;
  }
}

TEST(IsRawNumberTest, IsNoQuotation) {
  Product laptop = Named("a", "Laptop");
  laptop.attributes = {{"internal memory", "16384"}, {"weight", "1.2 kg"}};
  RenderOptions options;
  options.sources = {Source{laptop}};
  const auto quote = [&](std::vector<Reference> facts) {
    return MakeCitation(FactRenderer(options), 1, facts).quote;
  };
  const auto passage = [&](std::vector<Reference> facts) {
    return MakeCitation(FactRenderer(options), 1, facts).passage_id;
  };
  EXPECT_EQ(passage({{1, "attr", "internal memory"}}), "a#title") << "what is quoted";
  EXPECT_EQ(passage({{1, "attr", "internal memory"}, {1, "attr", "weight"}}), "a#attr.weight");
  EXPECT_EQ(quote({{1, "attr", "internal memory"}, {1, "attr", "weight"}}), "weight: 1.2 kg");
  EXPECT_EQ(quote({{1, "attr", "internal memory"}}), "Laptop");
  options.unit_behind = [](const catalog::Attribute& attribute) {
    return attribute.name == "internal memory" ? " MB" : "";
  };
  EXPECT_EQ(quote({{1, "attr", "internal memory"}}), "internal memory: 16384 MB");
}

}  // namespace
}  // namespace emptor::services
