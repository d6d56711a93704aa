// Types, attributes and statements: what code decides from the records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/plan/phrasing.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/title_types.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

ShopProfile Profile() {
  ShopProfile profile;
  profile.categories = {{"Kitchen > Kettles", 10},
                        {"Shoes > Running Shoes", 5},
                        {"Shoes > Hiking Shoes", 5},
                        {"Computers > Laptops", 9}};
  return profile;
}

std::vector<std::string> CategoriesOf(const std::string& message, const std::string& language) {
  const auto type = FindProductType(message, language, Profile());
  return type ? type->categories : std::vector<std::string>{"no type"};
}

TEST(ProductTypesTest, FindsTheShopsCategoriesInFiveLanguages) {
  EXPECT_THAT(CategoriesOf("need a quiet kettle", "en"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("ein leiser Wasserkocher", "de"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("une bouilloire", "fr"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("un hervidor de agua", "es"), ElementsAre("Kitchen > Kettles"));
  EXPECT_THAT(CategoriesOf("running shoes", "en"), ElementsAre("Shoes > Running Shoes"));
  EXPECT_THAT(CategoriesOf("shoes", "en"),
              UnorderedElementsAre("Shoes > Running Shoes", "Shoes > Hiking Shoes"));
  EXPECT_THAT(CategoriesOf("wie schwer ist er, hat er WLAN", "de"), ElementsAre("no type"))
      << "\"hat\" is no hat";
}

catalog::Product Kettle(const std::string& id, int64_t cents, const std::string& noise,
                        const std::string& keeps_warm) {
  catalog::Product product;
  product.id = id;
  product.title = "Kettle " + id;
  product.price = catalog::Money{cents, "USD"};
  product.availability = catalog::Availability::kInStock;
  product.attributes = {{"noise level", noise}, {"keep warm", keeps_warm}, {"capacity", "1.7 l"}};
  return product;
}

TypeSchema SchemaOf(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  return TypeSchema::Learn(pointers);
}

std::string KeyOf(const std::string& question, const TypeSchema& schema) {
  const auto keys = ResolveAttributes(FoldedMessage(question), schema);
  return keys.empty() ? "" : keys.front()->name;
}

TEST(AttributeBindingTest, WordsOfAQuestionNameKeysOfTheRecords) {
  const TypeSchema schema = SchemaOf({Kettle("A", 1, "72 dB", "no")});
  EXPECT_EQ(KeyOf("how loud is it", schema), "noise level");
  EXPECT_EQ(KeyOf("wie laut ist er", schema), "noise level");
  EXPECT_EQ(KeyOf("声音大吗", schema), "noise level");
  EXPECT_EQ(KeyOf("is it red", schema), "");
}

TEST(AttributeBindingTest, TheTellingWordsOfANameAreEnough) {
  catalog::Product mouse;
  mouse.attributes = {{"buttons quantity", "3"},
                      {"near field communication (nfc)", "no"},
                      {"duplex scanning", "yes"}};
  mouse.attributes.push_back({"capacity", "12 cups"});
  const TypeSchema schema = SchemaOf({mouse});
  EXPECT_EQ(KeyOf("which one makes the most cups", schema), "capacity");
  EXPECT_EQ(KeyOf("how many buttons does it have", schema), "buttons quantity");
  EXPECT_EQ(KeyOf("nfc?", schema), "near field communication (nfc)");
  catalog::Product fridge;
  fridge.attributes = {{"no frost (freezer)", "yes"}};
  EXPECT_EQ(KeyOf("is the freezer loud", SchemaOf({fridge})), "") << "no abbreviation";
  EXPECT_EQ(KeyOf("does it do duplex", schema), "duplex scanning");
}

std::string RankOf(const std::string& question) {
  const auto rank = ResolveRank(FoldedMessage(question), SchemaOf({Kettle("A", 1, "72 dB", "no")}));
  if (!rank) return "none";
  return (rank->is_least ? "least " : "most ") + rank->key + (rank->is_superlative ? "!" : "");
}

TEST(AttributeBindingTest, SuperlativesRankAndBoundsDoNot) {
  EXPECT_EQ(RankOf("which one is the quietest"), "least noise level!");
  EXPECT_EQ(RankOf("which one is quieter"), "least noise level");
  EXPECT_EQ(RankOf("the one with the highest capacity"), "most capacity!");
  EXPECT_EQ(RankOf("the cheapest"), "least price!");
  EXPECT_EQ(RankOf("i could spend a bit more"), "none");
  EXPECT_EQ(RankOf("with at least 1 l capacity"), "none");
}

TEST(AttributeBindingTest, ASuperlativeMayNameAPlaceAndANumber) {
  const TypeSchema schema = SchemaOf({Kettle("A", 1, "72 dB", "no")});
  const auto rank = [&](const std::string& question) {
    const auto found = ResolveRank(FoldedMessage(question), schema);
    return found ? std::pair(found->place, found->count) : std::pair(0, 0);
  };
  EXPECT_EQ(rank("the second cheapest kettle"), std::pair(2, 0));
  EXPECT_EQ(rank("der zweitbilligste Wasserkocher"), std::pair(2, 0));
  EXPECT_EQ(rank("le troisième moins cher"), std::pair(3, 0));
  EXPECT_EQ(rank("top 3 most reviewed kettles"), std::pair(1, 3));
  EXPECT_EQ(rank("the three quietest kettles"), std::pair(1, 3));
  EXPECT_EQ(rank("the cheapest of the second shelf"), std::pair(1, 0));
}

TEST(AttributeBindingTest, AnAttributeOfFewRecordsRanksNoType) {
  std::vector<catalog::Product> kettles(30, Kettle("A", 1, "72 dB", "no"));
  kettles[0].attributes.push_back({"weight", "900 g"});
  const TypeSchema schema = SchemaOf(kettles);
  EXPECT_FALSE(ResolveRank(FoldedMessage("the lightest kettle"), schema).has_value());
  EXPECT_TRUE(ResolveRank(FoldedMessage("the quietest kettle"), schema).has_value());
}

TEST(AttributeBindingTest, WhatAPartOfGoodsDoesRanksThemLast) {
  catalog::Product printer;
  printer.attributes = {{"print speed (black) normal quality (a4 us letter)", "30"}};
  std::vector<catalog::Product> printers(4, printer);
  // More of them state the clock of their processor.
  catalog::Product other;
  other.attributes = {{"processor frequency", "800"}};
  printers.resize(12, other);
  const TypeSchema schema = SchemaOf(printers);
  for (const std::string question : {"fastest one", "el más rápido", "最快的"}) {
    const auto rank = ResolveRank(FoldedMessage(question), schema);
    ASSERT_TRUE(rank.has_value()) << question;
    EXPECT_EQ(rank->key, "print speed (black) normal quality (a4 us letter)") << question;
  }
  EXPECT_EQ(ResolveRank(FoldedMessage("fastest one"), SchemaOf({other}))->key,
            "processor frequency");
}

TEST(AttributeBindingTest, AUnitNamesTheAttribute) {
  catalog::Product cream;
  cream.attributes = {{"volume", "50 ml"}, {"pieces", "2"}};
  const auto rank = ResolveRank(FoldedMessage("which gives the most ml"), SchemaOf({cream}));
  ASSERT_TRUE(rank.has_value());
  EXPECT_EQ(rank->key, "volume");
}

struct DemandCase {
  std::string name, message, key;
  std::vector<std::string> values;
};

class DemandTest : public ::testing::TestWithParam<DemandCase> {};

/// Shoes of four kinds.
TypeSchema Shoes() {
  std::vector<catalog::Product> products(4);
  products[0].attributes = {{"waterproof", "yes"},   {"fit", "wide"},
                            {"weight", "200 g"},     {"memory", "8 GB"},
                            {"size", "54 to 58 cm"}, {"upper", "cotton mesh"}};
  products[1].attributes = {{"waterproof", "no"}, {"fit", "regular"},      {"weight", "250 g"},
                            {"memory", "16 GB"},  {"size", "58 to 62 cm"}, {"upper", "leather"}};
  products[2].attributes = {
      {"waterproof", "yes"}, {"weight", "300 g"}, {"slots", "2"}, {"pieces", "500"}};
  products[3].attributes = {
      {"waterproof", "no"}, {"weight", "900 g"}, {"slots", "4"}, {"pieces", "1000"}};
  return SchemaOf(products);
}

TEST_P(DemandTest, BecomesTheValuesThatMeetIt) {
  const DemandCase& demand = GetParam();
  std::vector<retrieval::NumericRange> ranges;
  if (demand.message.find("16 gb") != std::string::npos) {
    ranges.push_back({.unit = "gb", .min = 16, .max = 16});
  }
  if (demand.message.find("under 260 g") != std::string::npos) {
    ranges.push_back({.unit = "g", .max = 260});
  }
  if (demand.message.find("60 cm") != std::string::npos) {
    ranges.push_back({.unit = "cm", .min = 60, .max = 60});
  }
  const std::string language = demand.name.starts_with("German") ? "de" : "en";
  const BoundConditions bound =
      BindConditions(FoldedMessage(demand.message), language, Shoes(), {"shoe"}, ranges);
  std::vector<retrieval::AttributeCondition> all = bound.attributes;
  all.insert(all.end(), bound.wishes.begin(), bound.wishes.end());
  if (demand.key.empty()) {
    EXPECT_TRUE(all.empty()) << all[0].name;
    return;
  }
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, demand.key);
  EXPECT_THAT(all[0].values, ::testing::UnorderedElementsAreArray(demand.values));
}

INSTANTIATE_TEST_SUITE_P(
    Table, DemandTest,
    ::testing::Values(DemandCase{"Name", "waterproof shoes", "waterproof", {"yes"}},
                      DemandCase{"Denied", "shoes without waterproof", "waterproof", {"no"}},
                      DemandCase{"Value", "any wide ones", "fit", {"wide"}},
                      DemandCase{"DeniedValue", "not wide", "fit", {"regular"}},
                      DemandCase{"PartOfAValue", "something in cotton", "upper", {"cotton mesh"}},
                      DemandCase{"GermanValue", "Schuhe aus Baumwolle", "upper", {"cotton mesh"}},
                      DemandCase{"Quantity", "16 gb memory", "memory", {"16 GB"}},
                      DemandCase{"Bound", "under 260 g", "weight", {"200 g", "250 g"}},
                      DemandCase{"Interval", "my head is 60 cm", "size", {"58 to 62 cm"}},
                      DemandCase{"Count", "with 4 slots", "slots", {"4"}},
                      DemandCase{"CountAtLeast", "at least 500 pieces", "pieces", {"500", "1000"}},
                      DemandCase{"Wish", "something light", "weight", {"200 g", "250 g"}},
                      DemandCase{"Nothing", "shoes please", "", {}}),
    [](const auto& test) { return test.param.name; });

TEST(AttributeBindingTest, AConditionIsLifted) {
  std::vector<retrieval::NumericRange> ranges;
  const BoundConditions bound =
      BindConditions(FoldedMessage("dont need waterproof then"), "en", Shoes(), {"shoe"}, ranges);
  EXPECT_TRUE(bound.attributes.empty());
  EXPECT_THAT(bound.lifted, ElementsAre("waterproof"));
}

TEST(ProductTypesTest, AccessoriesAreNotOfTheType) {
  const ProductType laptop = *FindProductType("laptop", "en", ShopProfile());
  EXPECT_TRUE(IsOfType("HP 250 G7 Notebook Silver 15.6 inch", laptop));
  EXPECT_FALSE(IsOfType("Targus notebook sleeve 15 inch", laptop));
  EXPECT_FALSE(IsOfType("Philips Notebook webcam SPZ6500", laptop));
  EXPECT_FALSE(IsOfType("Battery for HP laptop", laptop));
}

std::string Write(const std::string& question, bool about_shown,
                  const std::string& language = "en") {
  Understanding understanding;
  understanding.language = language;
  understanding.intents = {Intent::kProductDetails};
  const std::vector<Source> sources = {{Kettle("A", 4999, "72 dB", "no")},
                                       {Kettle("B", 5999, "65 dB", "30 min")}};
  const PlanInput input{understanding, sources, question, about_shown, 0, {}};
  return WriteAnswer(input, language);
}

TEST(PlanTest, TheWinnerIsComputed) {
  EXPECT_THAT(Write("which is the quietest", true),
              HasSubstr("lowest noise level is [2:title]: noise level [2:attr.noise level]"));
  EXPECT_THAT(Write("which is cheaper", true), HasSubstr("lowest price is [1:title]"));
  EXPECT_THAT(Write("welcher ist am leisesten", true, "de"),
              HasSubstr("Von diesen hat [2:title] den niedrigsten Wert bei Lautstärke"));
}

TEST(PlanTest, WhatANeedIsAnsweredWithIsSaidWithItsAlternatives) {
  Understanding need;
  need.language = "en";
  need.type = ProductType{"ear plugs", {}, {}, true, true};
  EXPECT_EQ(WriteHelp(need), "") << "goods of many types, as for a gift";
  need.type->advised = {"ear plugs"};
  EXPECT_EQ(WriteHelp(need), "What may help: ear plugs.");
  need.type->alternatives = {"pillow", "mattress"};
  EXPECT_EQ(WriteHelp(need), "What may help: ear plugs. Also possible: pillow, mattress.");
  need.language = "de";
  EXPECT_THAT(WriteHelp(need), HasSubstr("Auch möglich: Kissen, Matratze"));
}

TEST(PlanTest, TotalsAreComputedAndPolaritiesAreThoseOfTheRecords) {
  EXPECT_THAT(Write("how much are both together", true), HasSubstr("$109.98"));
  EXPECT_THAT(Write("does it have keep warm", true),
              HasSubstr("No. The listing of [1:title] says: keep warm [1:attr.keep warm]"));
  EXPECT_THAT(Write("hat er eine Warmhaltefunktion?", true, "de"), HasSubstr("Nein. "));
  EXPECT_THAT(Write("what colour is it", true), HasSubstr("does not say that"));
  EXPECT_THAT(Write("a kettle", false), HasSubstr("Here is what I found"));
}

TEST(PlanTest, AnAnswerToItsTitleAloneIsShownWithTheTitle) {
  const auto write = [](const std::string& text) {
    Understanding understanding;
    understanding.language = "en";
    understanding.asks_policy = true;
    catalog::Document entry;
    entry.kind = "faq";
    entry.title = "Do your shoes run true to size?";
    entry.text = text;
    const std::string question = "do they run small";
    const std::vector<Source> sources = {{entry}};
    return WriteAnswer({understanding, sources, question, false, 0, {}}, "en");
  };
  EXPECT_EQ(write("Most do. Exchanges are free."), "[1:question] [1:answer] [1]");
  EXPECT_EQ(write("Yes. Exchanges are free."), "[1:answer] [1]");
  EXPECT_EQ(write("We are sorry. Send a photo."), "[1:answer] [1]");
}

std::string WriteAbout(const std::string& question, const retrieval::Filter& filter) {
  Understanding understanding;
  understanding.language = "en";
  understanding.intents = {Intent::kProductDetails};
  understanding.referenced_products = {"A"};
  understanding.filter = filter;
  catalog::Product kettle = Kettle("A", 5999, "72 dB", "no");
  kettle.brand = "Torvane";
  kettle.sale_price = catalog::Money{4999, "USD"};
  kettle.rating = catalog::Rating{4.4, 312};
  const std::vector<Source> sources = {{kettle}};
  return WriteAnswer({understanding, sources, question, true, 0, {}}, "en");
}

TEST(PlanTest, BoundsBrandsAndSalesAreAnsweredByYesOrNo) {
  EXPECT_THAT(WriteAbout("is it below 60 dollars?", {.max_price = 6000, .currency = "USD"}),
              HasSubstr("Yes. "));
  EXPECT_THAT(WriteAbout("is it below 40 dollars?", {.max_price = 4000, .currency = "USD"}),
              HasSubstr("No. "));
  EXPECT_THAT(WriteAbout("is it a Torvane?", {.brands = {"Torvane"}}), HasSubstr("Yes. "));
  EXPECT_THAT(WriteAbout("is it a Quellin?", {.brands = {"Quellin"}}), HasSubstr("No. "));
  EXPECT_THAT(WriteAbout("is it on sale?", {}), HasSubstr("instead of [1:was_price]"));
  EXPECT_THAT(WriteAbout("how many reviews does it have", {}), HasSubstr("[1:reviews]"));
}

TEST(PlanTest, TheBestOfTheShopIsNamedBehindThatOfTheList) {
  Understanding understanding;
  understanding.language = "en";
  understanding.rank = RankedKey{.key = "price", .is_least = true, .is_superlative = true};
  understanding.referenced_products = {"A", "B"};
  const std::vector<Source> sources = {{Kettle("A", 4999, "72 dB", "no")},
                                       {Kettle("B", 5999, "65 dB", "30 min")},
                                       {Kettle("C", 1999, "70 dB", "no")}};
  PlanInput input{understanding, sources, "the cheapest?", true, 0, {}};
  input.shop_best = 3;
  const std::string text = WriteAnswer(input, "en");
  EXPECT_THAT(text, HasSubstr("Of these, the one with the lowest price is [1:title]"));
  EXPECT_THAT(text, HasSubstr("In the whole shop, of all that fit, the one with the lowest price "
                              "is [3:title]: [3:price]"));
}

TEST(PlanTest, ARequestForGoodsIsNoQuestionAboutThem) {
  const auto write = [](const std::string& question) {
    Understanding understanding;
    understanding.language = "en";
    understanding.intents = {Intent::kProductDetails};
    const std::vector<Source> sources = {{Kettle("A", 4999, "72 dB", "no")}};
    return WriteAnswer({understanding, sources, question, true, 0, {}}, "en");
  };
  for (const char* question : {"do you have the red kettle A", "red kettle A"}) {
    EXPECT_THAT(write(question), HasSubstr("[1:title] costs [1:price]")) << question;
  }
  EXPECT_THAT(write("is the kettle A red"), HasSubstr("does not say that"));
}

TEST(PlanTest, NothingCheaperIsSaid) {
  Understanding understanding;
  const std::vector<Source> none;
  for (const char* language : {"en", "de", "fr", "es", "zh"}) {
    understanding.language = language;
    PlanInput input{understanding, none, "anything cheaper", false, 0, {}};
    const std::string other = WriteAnswer(input, language);
    input.none_beyond = true;
    const std::string cheaper = WriteAnswer(input, language);
    EXPECT_NE(cheaper, other) << language;
    understanding.comparison = Comparison{Comparison::Aspect::kMeasure, false, {}, "noise level"};
    const std::string quieter = WriteAnswer(input, language);
    EXPECT_THAT(quieter, HasSubstr(LabelOf("noise level", language)));
    understanding.comparison->wants_more = true;
    EXPECT_NE(WriteAnswer(input, language), quieter) << language;
    understanding.comparison.reset();
  }
}

}  // namespace
}  // namespace emptor::services
