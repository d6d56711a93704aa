// Which titles are of a type, which belong to one, and which categories a name stands for.
#include "services/assistant/types/product_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/types/departments.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"
#include "tests/support/test_name.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The type of that name in a shop without categories.
ProductType TypeNamed(const std::string& name, const std::string& language = "en") {
  const auto type = FindProductType(name, language, ShopProfile());
  EXPECT_TRUE(type.has_value()) << name;
  return type.value_or(ProductType{});
}

TEST(ProductTypesTest, AreNamedWithOtherJointsOrWithNone) {
  EXPECT_EQ(TypeNamed("casque velo blanc", "fr").name, TypeNamed("casque de vélo", "fr").name);
  EXPECT_EQ(TypeNamed("brosse a dent", "fr").name, TypeNamed("brosse à dents", "fr").name);
  EXPECT_EQ(TypeNamed("cepillo dientes", "es").name, TypeNamed("cepillo de dientes", "es").name);
  EXPECT_EQ(TypeNamed("maleta cabina", "es").name, TypeNamed("maleta de cabina", "es").name);
  EXPECT_TRUE(NamesTypeAcross("busco un cepillo", "los dientes", "es"));
  EXPECT_FALSE(NamesTypeAcross("busco un cepillo", "mi padre", "es"));
}

TEST(ProductTypesTest, TheLastOfNamesThatFollowEachOtherIsAskedFor) {
  EXPECT_EQ(TypeNamed("smart watch strap").name, "watch strap");
  EXPECT_EQ(TypeNamed("samsung galaxy earphones").name, "earbud");
  EXPECT_EQ(TypeNamed("kettle and a toaster").name, "kettle") << "they do not follow each other";
  EXPECT_EQ(TypeNamed("手机的保护壳", "zh").name, "phone case");
}

TEST(ProductTypesTest, GoodsForAPurposeAreOfATypeOfTheirOwn) {
  const auto tablet_case = TypeOfBoth("tablet", "phone case", ShopProfile());
  ASSERT_TRUE(tablet_case.has_value());
  EXPECT_EQ(tablet_case->name, "tablet case");
  EXPECT_FALSE(TypeOfBoth("kettle", "phone case", ShopProfile()).has_value());
}

TEST(ProductTypesTest, ACategoryThatEndsAsATypeIsOfThatNamedInFull) {
  ShopProfile profile;
  profile.categories = {{"Audio > Headphones", 3}};
  const auto phone = FindProductType("phone", "en", profile);
  ASSERT_TRUE(phone.has_value());
  EXPECT_TRUE(phone->categories.empty());
}

TEST(ProductTypesTest, ACategoryThatEndsWithANameOfTwoWordsIsAKindOfIt) {
  ShopProfile profile;
  profile.categories = {{"Toddler Hair Clips", 3}, {"Paper Clips", 2}};
  const auto type = FindProductType("hair clips", "en", profile);
  ASSERT_TRUE(type);
  EXPECT_THAT(type->categories, ElementsAre("Toddler Hair Clips"));
}

TEST(ProductTypesTest, ATypeWithoutACategoryIsThatOfItsKinds) {
  ShopProfile profile;
  profile.categories = {{"Books > Fiction", 3}, {"Books > Cookbooks", 2}, {"Paper > Pens", 4}};
  const auto book = FindProductType("do you have books", "en", profile);
  ASSERT_TRUE(book.has_value());
  EXPECT_THAT(book->categories,
              ::testing::UnorderedElementsAre("Books > Fiction", "Books > Cookbooks"));
  EXPECT_THAT(FindProductType("a novel", "en", profile)->categories,
              ElementsAre("Books > Fiction"));
}

TEST(ProductTypesTest, AKindIsOfItsWiderTypeAndNotTheOtherWayRound) {
  const ProductType clock = TypeNamed("clock"), wall_clock = TypeNamed("wall clock");
  EXPECT_EQ(wall_clock.name, "wall clock");
  EXPECT_TRUE(IsOfType("Torvane Wall Clock 30 cm", clock));
  EXPECT_TRUE(IsOfType("Torvane Alarm Clock", clock));
  EXPECT_FALSE(IsOfType("Torvane Alarm Clock", wall_clock));
}

TEST(ProductTypesTest, ShortForeignNamesDoNotCountInTitles) {
  EXPECT_FALSE(IsOfType("Toy Alarm IC Four Sound", TypeNamed("oven")));
}

TEST(ProductTypesTest, AnAmountBehindTheNameOfAProductIsAComponent) {
  EXPECT_FALSE(IsOfType("Orvex R7 (Forest Green, 8GB RAM, 128 GB)", TypeNamed("ram")));
  EXPECT_TRUE(IsOfType("Orvex 8GB RAM", TypeNamed("ram")));
}

TEST(ProductTypesTest, WhatFollowsTheNameAtOnceBelongsToTheProduct) {
  const ProductType headphones = TypeNamed("headphones");
  EXPECT_TRUE(NamesPartOf("Orvex Headphones Sleeve", headphones));
  EXPECT_FALSE(NamesPartOf("Orvex Headphones Pack of 2", headphones));
  EXPECT_TRUE(EndsWithOtherType("Orvex Blender 500 W", headphones));
  EXPECT_FALSE(EndsWithOtherType("Orvex Headphones", headphones));
  EXPECT_TRUE(EndsWithOtherType("Air Conditioner Outdoor Ac stand", TypeNamed("air conditioner")));
}

/// A shop of a pharmacy and a computer department, 1,500 titles each.
Departments TwoDepartments() {
  Departments departments;
  catalog::Product product;
  for (int i = 0; i < 1500; ++i) {
    product.title = "Orvex wireless bluetooth gaming mouse";
    product.categories = {"Computing"};
    departments.Add(product);
    product.title = "Himavita zinc herbal extract hair oil";
    product.categories = {"Health"};
    departments.Add(product);
  }
  departments.Finish();
  return departments;
}

TEST(DepartmentsTest, TellHomonymsApartByTheWordsAndCategoriesAroundThem) {
  const Departments departments = TwoDepartments();
  const ProductType tablet = TypeNamed("tablet");
  catalog::Product product;
  product.title = "Himavita Herbal Extract Tablet";
  product.categories = {"Health"};
  EXPECT_FALSE(departments.MayHold(product, tablet));
  product.title = "Orvex Wireless Gaming Tablet";
  product.categories = {"Computing"};
  EXPECT_TRUE(departments.MayHold(product, tablet));
}

TEST(DepartmentsTest, AShopOfFewTitlesTellsNothing) {
  Departments departments;
  catalog::Product product;
  product.title = "Himavita zinc herbal hair oil";
  departments.Add(product);
  departments.Finish();
  EXPECT_FALSE(departments.is_learned());
  product.title = "Himavita Herbal Extract Tablet";
  EXPECT_TRUE(departments.MayHold(product, TypeNamed("tablet")));
}

struct TitleCase {
  std::string title, type;
  bool is_of = false;
  bool is_for = false;
};

class TitleTest : public ::testing::TestWithParam<TitleCase> {};

TEST_P(TitleTest, NamesTheTypeOrWhatBelongsToIt) {
  const TitleCase& tested = GetParam();
  const ProductType type = TypeNamed(tested.type);
  EXPECT_EQ(IsOfType(tested.title, type), tested.is_of) << tested.title;
  EXPECT_EQ(IsForType(tested.title, type), tested.is_for) << tested.title;
}

const TitleCase kTitles[] = {
    {"Torvane 1200 mm Ceiling Fan", "ceiling fan", true, false},
    {"BLDC Motor with Remote 3 Blade Ceiling Fan", "ceiling fan", true, false},
    {"Ceiling Fan with Remote and Light", "ceiling fan", true, false},
    {"Ceiling Fans, set of 2", "ceiling fan", true, false},
    {"Torvane Pour Ceiling Fan", "ceiling fan", true, false},
    {"Housse pour ceiling fan", "ceiling fan", false, true},
    {"Capacitor for Ceiling Fan", "ceiling fan", false, true},
    {"Motor with bearing for ceiling fan", "ceiling fan", false, true},
    {"Quellin Front Load Washing Machine 7 kg", "washing machine", true, false},
    {"Washing Machine Cover, waterproof", "washing machine", false, true},
    {"Cover for washing machine", "washing machine", false, true},
    {"Drain Hose for Washing Machine", "washing machine", false, true},
    {"Garden Gloves, one pair", "gloves", true, false},
    {"Winter Gloves", "gloves", true, false},
    {"HP Laptop 15 inch with Battery 41 Wh", "laptop", true, false},
    {"Battery for laptops", "laptop", false, true},
    {"Replacement battery compatible with HP laptop", "laptop", false, true},
    {"Notebook webcam", "laptop", false, true},
    {"Isofix Car Seat 0-18 kg", "car seat", true, false},
    {"Steel Mug", "laptop", false, false},
    {"轻薄笔记本电脑", "laptop", true, false},
};
INSTANTIATE_TEST_SUITE_P(Table, TitleTest, ::testing::ValuesIn(kTitles), [](const auto& tested) {
  return testing::CaseName(tested.index, tested.param.title);
});

TEST(TitleHeadTest, ALongerNameOfAnotherTypeIsNotTheType) {
  EXPECT_FALSE(IsOfType("Car Seat Cover, leather", TypeNamed("car seat")));
  EXPECT_FALSE(IsOfType("Laptop Sleeve 15 inch", TypeNamed("laptop")));
  EXPECT_TRUE(IsOfType("Garden Gloves", TypeNamed("gloves"))) << "a kind of the type";
}

/// The names in a title, those of accessories in brackets.
std::vector<std::string> NamesOf(const std::string& title) {
  std::vector<std::string> names;
  for (const TitleName& each : NamesInTitle(title)) {
    names.push_back(each.is_type ? each.name : "(" + each.name + ")");
  }
  return names;
}

TEST(TitleNamesTest, TheLastOneOfTheFirstPartSaysWhatItIs) {
  EXPECT_THAT(NamesOf("Torvane Smart TV LED Strip Light with Remote"),
              ElementsAre("tv", "led strip"));
  EXPECT_THAT(NamesOf("Torvane Kettle, Steel Water Bottle"), ElementsAre("kettle"));
  EXPECT_THAT(NamesOf("Torvane | Desk Lamp"), ElementsAre("desk lamp"))
      << "the first part names none";
  EXPECT_THAT(NamesOf("Torvane X for laptops"), IsEmpty()) << "what it is for";
  EXPECT_THAT(NamesOf(""), IsEmpty());
}

TEST(TitleNamesTest, ComponentsAndCountsAreNone) {
  EXPECT_THAT(NamesOf("Torvane Laptop Silver 8 GB RAM 512GB SSD"), ElementsAre("laptop"));
  EXPECT_THAT(NamesOf("Torvane Watch 2e Smartwatch"), ElementsAre("watch", "smartwatch"));
  EXPECT_THAT(NamesOf("Torvane Epilator White 40 tweezers"), ElementsAre("epilator"));
  EXPECT_THAT(NamesOf("Torvane Ink Yellow 1 pc(s)"), ElementsAre("ink cartridge"));
  EXPECT_THAT(NamesOf("Torvane 55 inch TV"), ElementsAre("tv")) << "no name stands before";
}

TEST(TitleNamesTest, AlternativesSayWhatItIsFor) {
  EXPECT_THAT(NamesOf("Torvane screen protector Desktop/Laptop"), ElementsAre("screen protector"));
  EXPECT_THAT(NamesOf("Torvane Desktop/Laptop"), ElementsAre("desktop computer", "laptop"));
  EXPECT_NE(NamesOf("Torvane laptop dock/port replicator").back(), "laptop") << "no alternatives";
}

TEST(TitleNamesTest, AnOwnNameBehindTheTypeSaysThatItIsAnother) {
  GoodsNames own;
  for (const char* const title :
       {"Quorl Hand Regulator", "Quorl Gas Regulator", "Brindle Speed Regulator",
        "Torvane Steel Regulator", "Quorl Milk Powder", "Quorl Chalk Powder", "Brindle Soft Powder",
        "Torvane Fine Powder"}) {
    own.Add(title);
  }
  own.Finish();
  const ProductType fan = TypeNamed("ceiling fan"), coffee = TypeNamed("coffee");
  EXPECT_FALSE(IsOfType("Quellin Ceiling Fan Regulator", fan, &own));
  EXPECT_TRUE(IsOfType("Quellin Ceiling Fan and Regulator", fan, &own)) << "both";
  EXPECT_TRUE(IsOfType("Brindle Coffee Powder", coffee, &own)) << "a form of it";
}

TEST(TitleHeadTest, AKindOfTheTypeIsOfIt) {
  EXPECT_TRUE(IsOfType("Torvane Wireless Earbuds", TypeNamed("headphones")));
  EXPECT_FALSE(IsOfType("Torvane Headphones", TypeNamed("earbuds")));
  EXPECT_TRUE(IsOfType("Torvane Patio Heater", TypeNamed("heater")));
  EXPECT_FALSE(IsOfType("Torvane Water Heater", TypeNamed("heater")));
}

TEST(TitleHeadTest, EndsBeforeWhatTheProductIsForOrComesWith) {
  EXPECT_EQ(HeadOf("Battery for Laptops"), "battery");
  EXPECT_EQ(HeadOf("Akku für Laptops"), "akku");
  EXPECT_EQ(HeadOf("Batterie pour ordinateur"), "batterie");
  EXPECT_EQ(HeadOf("Funda para tableta"), "funda");
  EXPECT_EQ(HeadOf("Motor with Remote"), "motor");
  EXPECT_EQ(HeadOf("Forest Lamp Withstand for Desks"), "forest lamp withstand");
  EXPECT_EQ(HeadOf("Knob compatible with stoves, fits all"), "knob");
}

TEST(TitleHeadTest, TheWordBehindTheNameTellsAccessories) {
  const ProductType fan = TypeNamed("ceiling fan");
  EXPECT_EQ(WordBehindName("Ceiling Fan Downrod 5 step", fan), "downrod");
  EXPECT_EQ(WordBehindName("Torvane Ceiling Fan", fan), "");
  EXPECT_EQ(WordBehindName("Torvane Ceiling Fan for bedrooms", fan), "") << "the head ends there";
  EXPECT_EQ(WordBehindName("Steel Mug", fan), "");
  EXPECT_EQ(WordBehindName("Cover", fan), "");
  EXPECT_EQ(WordBehindName("Ceiling Fan and Ceiling Fan Canopies", fan), "canopy")
      << "behind the last name";
}

TEST(TitleHeadTest, OtherTypesAreNamedInTheHeadAlone) {
  const ProductType laptop = TypeNamed("laptop");
  EXPECT_TRUE(NamesOtherType("Torvane Webcam HD", laptop));
  EXPECT_TRUE(NamesOtherType("Laptop Battery 41 Wh", laptop));
  EXPECT_FALSE(NamesOtherType("Torvane Laptop 15", laptop));
  EXPECT_FALSE(NamesOtherType("Torvane X15 with webcam", laptop));
  EXPECT_FALSE(NamesOtherType("Torvane X15", laptop)) << "it names none";
}

TEST(TitleHeadTest, AValueIsOfTheTypeThatEndsIt) {
  const ProductType tablet = TypeNamed("tablet");
  EXPECT_TRUE(EndsWithType("Mini tablet", tablet));
  EXPECT_TRUE(EndsWithType("tablets", tablet));
  EXPECT_FALSE(EndsWithType("tablet stand", tablet));
  EXPECT_FALSE(EndsWithType("phone", tablet));
  EXPECT_FALSE(EndsWithType("", tablet));
}

std::vector<std::string> CategoriesNamed(const std::string& message, const std::string& category) {
  ShopProfile profile;
  profile.categories = {{category, 20}};
  const auto type = FindProductType(message, "en", profile);
  return type ? type->categories : std::vector<std::string>{"no type"};
}

TEST(CategoryNamesTest, APartOfAWordNamesACategoryWhereItIsACompound) {
  EXPECT_THAT(CategoriesNamed("a room heater", "Home Audio & Theater"), IsEmpty())
      << "a theater is no heater";
  EXPECT_THAT(CategoriesNamed("a room heater", "Home > Heaters"), ElementsAre("Home > Heaters"));
  EXPECT_THAT(CategoriesNamed("a watch", "Wearables > Smartwatches"),
              ElementsAre("Wearables > Smartwatches"));
  EXPECT_THAT(CategoriesNamed("a fan", "Home > Turbofans"), IsEmpty()) << "too short a name";
}

TEST(CategoryNamesTest, OfAnotherScriptHoldNothingForEnglishShoppers) {
  ShopProfile profile;
  profile.languages = {{"en", 20}, {"zh", 10}};
  profile.categories = {{"宠物用品 > 饮水机", 4}};
  const auto english = FindProductType("a pet fountain", "en", profile);
  ASSERT_TRUE(english.has_value());
  EXPECT_THAT(english->categories, IsEmpty()) << "titles tell";
  const auto chinese = FindProductType("宠物饮水机", "zh", profile);
  ASSERT_TRUE(chinese.has_value());
  EXPECT_EQ(chinese->name, english->name);
}

}  // namespace
}  // namespace emptor::services
