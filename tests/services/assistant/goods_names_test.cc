// Names of goods, and types of lines, that titles teach; mistyped words.
#include "services/assistant/types/goods_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/reading/message_spelling.h"
#include "services/assistant/reading/type_reading.h"
#include "services/assistant/words/condition_words.h"

namespace emptor::services {
namespace {

GoodsNames NamesOf(const std::vector<std::string>& titles) {
  GoodsNames names;
  for (const std::string& each : titles) names.Add(each);
  names.Finish();
  return names;
}

const std::vector<std::string>& Titles() {
  static const std::vector<std::string> titles = {"Quorl 1120 Lens Hood",
                                                  "Quorl ET Petal Hood, Black",
                                                  "Brindle Rubber Hood",
                                                  "Brindle Wide Lens Hood (77 mm)",
                                                  "Torvane Steel Lens Hood - 2",
                                                  "Torvane Pro Kettle 1.7 l",
                                                  "Torvane Vacuum Cleaner Bags",
                                                  "Quellin Vacuum Cleaner Bags XL",
                                                  "Quorl Guitar Bag for 41 inch",
                                                  "Brindle Padded Guitar Bag, Black",
                                                  "Quorl Swift 14 Laptop, 16 GB",
                                                  "Quorl Swift 15 Laptop, 32 GB",
                                                  "Quorl Swift 13 Laptop",
                                                  "Brindle Red Mug",
                                                  "Brindle Blue Mug, set of 2",
                                                  "Torvane Toilet Roll, pack of 12",
                                                  "Quellin Soft Toilet Roll, 3 ply",
                                                  "Brindle Kitchen Towel Roll",
                                                  "Quorl Foil Roll"};
  return titles;
}

TEST(GoodsNamesTest, AWordThatEndsTheNamesOfDifferentGoodsIsAHead) {
  const GoodsNames names = NamesOf(Titles());
  EXPECT_TRUE(names.IsHead("hood"));
  EXPECT_FALSE(names.IsHead("swift"));
  EXPECT_FALSE(names.IsHead("black")) << "a colour ends no name";
  EXPECT_FALSE(names.IsHead("pack"));
}

TEST(GoodsNamesTest, NamesAreWhatSeveralTitlesEndWith) {
  const GoodsNames names = NamesOf(Titles());
  EXPECT_TRUE(names.Has("lens hood"));
  EXPECT_TRUE(names.Has("guitar bag"));
  EXPECT_FALSE(names.Has("rubber hood")) << "one title";
  EXPECT_FALSE(names.Has("red mug")) << "a colour is a condition";
}

TEST(GoodsNamesTest, ANameIsFoundByItsEnds) {
  const GoodsNames names = NamesOf(Titles());
  EXPECT_EQ(names.Between("guitar", "bag"), "guitar bag");
  EXPECT_EQ(names.Between("vacuum", "bag"), "vacuum cleaner bag");
  EXPECT_EQ(names.Between("guitar", "hood"), "");
}

TEST(GoodsNamesTest, ALineTellsItsType) {
  const GoodsNames names = NamesOf(Titles());
  EXPECT_EQ(names.TypeOfLine("swift"), "laptop");
  EXPECT_EQ(names.TypeOfLine("swifts"), "laptop");
  EXPECT_EQ(names.TypeOfLine("torvane"), "") << "a maker of several types";
}

TEST(GoodsNamesTest, WithoutTitlesNothingIsKnown) {
  const GoodsNames names = NamesOf({});
  EXPECT_FALSE(names.IsHead("hood"));
  EXPECT_EQ(names.Nearest("hood"), "");
  EXPECT_EQ(names.TypeOfLine(""), "");
}

TEST(NearestWordTest, DiffersByOneMistakeAndByTwoInLongWords) {
  EXPECT_EQ(NearestWord("chargr", {"charger", "charity"}), "charger");
  EXPECT_EQ(NearestWord("hca", {"cable"}), "");
  EXPECT_EQ(NearestWord("keybaord", {"keyboard"}), "keyboard");
  EXPECT_EQ(NearestWord("wirless", {"wireless", "wires"}), "wireless");
  EXPECT_EQ(NearestWord("cort", {"cord", "corn"}), "") << "either";
}

/// What `message` names in a shop without categories that sells everything.
std::string TypeIn(const std::string& message) {
  const GoodsNames names = NamesOf(Titles());
  const FoldedMessage folded(message);
  const std::string language = "en";
  const ShopProfile profile;
  const SchemaLookup no_schema;
  const SoldLookup sells_all = [](const ProductType&, const std::string&) { return true; };
  const auto type =
      ReadNamedType({message, folded, language, &profile, nullptr, no_schema, sells_all, &names});
  return type ? type->name : "";
}

TEST(OwnNameTest, GoesBeyondTheNameOfTheLexicon) {
  EXPECT_EQ(TypeIn("10 toilet rolls please"), "toilet roll");
  EXPECT_EQ(TypeIn("do you have a petal hood"), "hood");
  EXPECT_EQ(TypeIn("a hood, black"), "hood");
}

TEST(OwnNameTest, IsJoinedFromGoodsAndTheirPurpose) {
  EXPECT_EQ(TypeIn("bags for a Philips vacuum"), "vacuum cleaner bag");
  EXPECT_EQ(TypeIn("a bag for my acoustic guitar"), "guitar bag");
  EXPECT_EQ(TypeIn("a bed for my dog"), "dog bed") << "a name of the lexicon";
}

TEST(OwnNameTest, AnAccessoryIsAskedForByTheLineThatItFits) {
  EXPECT_EQ(TypeIn("a case for a Redmi Note 12"), "phone case");
  EXPECT_EQ(TypeIn("iphone 14 transparent back cover"), "phone case");
  EXPECT_EQ(TypeIn("iphone with a good camera"), "phone");
}

TEST(OwnNameTest, PartOfTheNameOfUnsoldGoodsNamesNoOthers) {
  const std::string message = "drawing tablet", language = "en";
  const FoldedMessage folded(message);
  const ShopProfile profile;
  const SchemaLookup no_schema = [](const ProductType&, const std::string&) { return nullptr; };
  const SoldLookup is_sold = [](const ProductType& type, const std::string&) {
    return type.name == "tablet";
  };
  const auto type =
      ReadNamedType({message, folded, language, &profile, nullptr, no_schema, is_sold, nullptr});
  ASSERT_TRUE(type.has_value());
  EXPECT_EQ(type->name, "graphic tablet") << "which is not sold";
}

TEST(OwnNameTest, OfALineIsItsType) {
  EXPECT_EQ(TypeIn("the swift with 16 gb"), "laptop");
  EXPECT_EQ(TypeIn("something nice"), "");
}

retrieval::QueryVocabulary VocabularyOf(const std::string& word) {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.mentions = [word](const std::string& term) { return term == word ? 1 : 0; };
  return vocabulary;
}

TEST(OwnNameTest, ThePropertyOfWhatWasShownIsNoNewTopic) {
  const ProductType fan{"ceiling fan", {}, {"ceiling fan"}, true};
  const std::string message = "which has a remote control", language = "en";
  const FoldedMessage folded(message);
  const ShopProfile profile;
  const SchemaLookup no_schema;
  const SoldLookup sells_all = [](const ProductType&, const std::string&) { return true; };
  EXPECT_FALSE(
      ReadNamedType({message, folded, language, &profile, &fan, no_schema, sells_all, nullptr}));
}

TEST(CorrectWordsTest, CorrectsWhatIsNoWord) {
  const GoodsNames names = NamesOf(Titles());
  const auto vocabulary = VocabularyOf("quorl");
  EXPECT_EQ(CorrectWords("need a chargr, 65w", vocabulary, nullptr), "need a charger, 65w");
  EXPECT_EQ(CorrectWords("a wireles keybord", vocabulary, nullptr), "a wireless keyboard");
  EXPECT_EQ(CorrectWords("a lens hoood", vocabulary, &names), "a lens hood");
}

TEST(CorrectWordsTest, KeepsWordsOfTheLanguageAndOfTheShop) {
  const auto vocabulary = VocabularyOf("keybord");
  EXPECT_EQ(CorrectWords("thank you for listening", vocabulary, nullptr),
            "thank you for listening");
  EXPECT_EQ(CorrectWords("whats the weather", vocabulary, nullptr), "whats the weather");
  EXPECT_EQ(CorrectWords("the Keybord", vocabulary, nullptr), "the Keybord");
  EXPECT_EQ(CorrectWords("chargr", {}, nullptr), "chargr") << "a shop of unknown words";
}

TEST(CorrectWordsTest, CorrectsWhatSellersMistypeToo) {
  retrieval::QueryVocabulary vocabulary;
  size_t mistyped = 3;
  vocabulary.mentions = [&](const std::string& word) -> size_t {
    return word == "keybord" ? mistyped : word == "keyboard" ? 900 : 0;
  };
  EXPECT_EQ(CorrectWords("a keybord", vocabulary, nullptr), "a keyboard");
  mistyped = 300;
  EXPECT_EQ(CorrectWords("a keybord", vocabulary, nullptr), "a keybord") << "a maker's name";
}

TEST(OwnNameTest, GoodsAreThoseOfThePetThatTheyAreFor) {
  const auto type_for = [](const std::string& message, std::string_view pet) -> std::string {
    const GoodsNames names = NamesOf(Titles());
    const FoldedMessage folded(message);
    const std::string language = "en";
    const ShopProfile profile;
    const SchemaLookup no_schema;
    const SoldLookup sells_all = [](const ProductType&, const std::string&) { return true; };
    const auto type = ReadNamedType(
        {message, folded, language, &profile, nullptr, no_schema, sells_all, &names, pet});
    return type ? type->name : "";
  };
  EXPECT_EQ(type_for("he also needs a bed", "dog"), "dog bed");
  EXPECT_EQ(type_for("he also needs a bed", ""), "bed");
  EXPECT_EQ(type_for("do you have a laptop", "dog"), "laptop") << "no goods of dogs";
}

TEST(RecipientTest, IsKnownByTheRelationInFiveLanguages) {
  for (const char* message : {"a watch for my wife", "Geschenk für meine Mutter", "pour ma copine",
                              "para mi abuela", "送妈妈的礼物"}) {
    EXPECT_EQ(RecipientOf(FoldedMessage(message)), "women's") << message;
  }
  EXPECT_EQ(RecipientOf(FoldedMessage("shoes for my dad")), "men's");
  EXPECT_EQ(RecipientOf(FoldedMessage("my wife and I need a tent")), "");
}

TEST(PetTest, IsKnownByItsBreedInFiveLanguages) {
  for (const char* message : {"my labrador pulls", "our golden retriever", "mein Welpe",
                              "mon chiot", "mi perro", "我的狗"}) {
    EXPECT_EQ(PetOf(FoldedMessage(message)), "dog") << message;
  }
  EXPECT_EQ(PetOf(FoldedMessage("a kitten moved in")), "cat");
  EXPECT_EQ(PetOf(FoldedMessage("a category")), "");
}

}  // namespace
}  // namespace emptor::services
