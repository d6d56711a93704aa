// What messages are about: language, policies, needs, types, what is not sold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/reading/message_spelling.h"
#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/reading/type_reading.h"
#include "services/assistant/reading/unsold.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/cue_starts.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/quantity_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MessageLanguageTest, IsToldBySmallWordsAndByTheLexicon) {
  EXPECT_EQ(LanguageOfMessage("which of these is the quietest"), "en");
  EXPECT_EQ(LanguageOfMessage("am liebsten große Ziffern", "de"), "de");
  EXPECT_EQ(LanguageOfMessage("größer?"), "de");
  EXPECT_EQ(LanguageOfMessage("¿pequeño?"), "es");
  EXPECT_EQ(LanguageOfMessage("la segunda?", "fr"), "fr") << "one word of several languages";
  EXPECT_EQ(LanguageOfMessage("canon digital camera"), "en");
  EXPECT_EQ(LanguageOfMessage("samsung monitor"), "en");
  EXPECT_EQ(LanguageOfMessage("un sac à dos"), "fr");
  EXPECT_EQ(LanguageOfMessage("Wasserkocher aus Edelstahl"), "de");
  EXPECT_EQ(LanguageOfMessage("une bouilloire pas trop chère"), "fr");
  EXPECT_EQ(LanguageOfMessage("busco una maleta de cabina"), "es");
  EXPECT_EQ(LanguageOfMessage("第二个多少钱"), "zh");
  EXPECT_EQ(LanguageOfMessage("16 GB?"), "") << "the conversation keeps its language";
  EXPECT_EQ(LanguageOfMessage("j'ai besoin d'un chauffe-eau 15 litres"), "fr");
}

TEST(MessageLanguageTest, TheLanguageThatHasMostOfTheWordsIsSpoken) {
  EXPECT_EQ(LanguageOfMessage("imprimante laser couleur"), "fr") << "'laser' is English, too";
  EXPECT_EQ(LanguageOfMessage("27 zoll monitor"), "de");
  EXPECT_EQ(LanguageOfMessage("farblaserdrucker"), "de") << "a compound that no lexicon lists";
  EXPECT_EQ(LanguageOfMessage("1000 piece puzzles"), "en");
}

TEST(MessageLanguageTest, TheConversationDecidesWhereLittleTells) {
  EXPECT_EQ(LanguageOfMessage("was wiegt die", "de"), "de");
  EXPECT_EQ(LanguageOfMessage("en azul", "es"), "es");
  EXPECT_EQ(LanguageOfMessage("USB kettle?", "de"), "de");
  EXPECT_EQ(LanguageOfMessage("how heavy is it", "de"), "en");
}

TEST(MessageSpellingTest, WritesShortFormsOut) {
  EXPECT_EQ(SpellOut("ich such nen Toaster.", "de"), "ich suche einen Toaster.");
  EXPECT_EQ(SpellOut("q precio tiene, la 2da?", "es"), "que precio tiene, la segunda?");
  EXPECT_EQ(SpellOut("c combien la 2eme", "fr"), "c est combien la deuxieme");
  EXPECT_EQ(SpellOut("有木有無線耳機", "zh"), "有没有无线耳机");
  EXPECT_EQ(SpellOut("such a kettle", "en"), "such a kettle");
}

TEST(MessageSpellingTest, WritesMakersInLatinLetters) {
  EXPECT_EQ(SpellOut("要罗技的", "zh"), "要 Logitech 的");
}

TEST(MessageSpellingTest, AChineseNumeralBeforeAMeasureIsANumber) {
  EXPECT_EQ(SpellOut("两米的usb线", "zh"), "2米的usb线");
  EXPECT_EQ(SpellOut("三人帐篷", "zh"), "3人帐篷");
  EXPECT_EQ(SpellOut("第二个", "zh"), "第二个");
  EXPECT_EQ(SpellOut("二十米", "zh"), "二十米") << "numerals of several characters are left";
}

TEST(MessageSpellingTest, ElidedWordsStandApart) {
  EXPECT_TRUE(FoldedMessage("laquelle a le plus d'avis ?").Has("plus d avis"));
  EXPECT_TRUE(FoldedMessage("qu’est-ce que c’est").Has("qu est ce que c est"));
  EXPECT_FALSE(FoldedMessage("the kid's bike").Has("s bike"));
}

TEST(UnsoldTest, WordsOfTheLexiconsAreNoGibberish) {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.mentions = [](const std::string&) -> size_t { return 0; };
  EXPECT_FALSE(IsGibberish(retrieval::TokenizeQuery("alumbra luminosidad"), vocabulary));
  EXPECT_TRUE(IsGibberish(retrieval::TokenizeQuery("asdf qwertzu"), vocabulary));
  EXPECT_TRUE(IsGibberish(retrieval::TokenizeQuery("sdfghj"), vocabulary)) << "a row of keys";
  EXPECT_FALSE(IsGibberish(retrieval::TokenizeQuery("nespresso"), vocabulary)) << "a maker";
}

TEST(MessageSpellingTest, ReadsGermanWithoutUmlauts) {
  EXPECT_EQ(SpellOut("Kopfhoerer fuer unterwegs", "de"), "kopfhorer fur unterwegs");
  EXPECT_EQ(SpellOut("neue Treue", "de"), "neue Treue");
}

TEST(MessageSpellingTest, PartsCompoundsThatNoLexiconLists) {
  EXPECT_EQ(SpellOut("Mixer mit Glaskrug", "de"), "Mixer mit glas krug");
  EXPECT_EQ(SpellOut("Edelstahlwasserkocher", "de"), "edelstahl wasserkocher");
  EXPECT_EQ(SpellOut("Wasserkocher", "de"), "Wasserkocher");
  EXPECT_EQ(SpellOut("Rotwein trinken", "de"), "Rotwein trinken") << "of no red thing";
  EXPECT_EQ(SpellOut("Tasche für den Laptop in rot", "de"), "laptoptasche in rot");
}

std::string TopicOf(const std::string& message) {
  const auto topic = FindPolicyTopic(FoldedMessage(message));
  return topic ? topic->name : "";
}

TEST(PolicyTopicsTest, TheLongestPhraseDecidesInFiveLanguages) {
  EXPECT_EQ(TopicOf("do you take apple pay"), "digital wallets");
  EXPECT_EQ(TopicOf("how soon do i get my money back"), "refund time");
  EXPECT_EQ(TopicOf("Wann bekomme ich mein Geld zurück?"), "refund time");
  EXPECT_EQ(TopicOf("délai de remboursement"), "refund time");
  EXPECT_EQ(TopicOf("how long does the battery last"), "");
  EXPECT_EQ(TopicOf("a quiet kettle under 50"), "");
}

TEST(NeedsTest, WhatSomebodyDoesSaysMoreThanWhoItIs) {
  const auto need = FindNeed(FoldedMessage("a present for my wife, she loves cooking"));
  ASSERT_TRUE(need.has_value());
  EXPECT_EQ(need->name, "cooking");
  EXPECT_THAT(need->types, Contains("cookbook"));
  EXPECT_EQ(FindNeed(FoldedMessage("a gift for my mother who loves gardening"))->name, "gardening");
  EXPECT_EQ(FindNeed(FoldedMessage("ein geschenk fur meine mutter"))->name, "mothers day");
  EXPECT_FALSE(FindNeed(FoldedMessage("a kettle under 50")).has_value());
}

TEST(SaidWordsTest, WhatIsDeniedIsRepeatedWithItsNegation) {
  const auto said = [](const std::string& text, const std::string& word) {
    const FoldedMessage message(text);
    return WithNegation(message, message.FindLongest({word}));
  };
  EXPECT_EQ(said("our car, i dont think it has isofix", "isofix"), "dont think it has isofix");
  EXPECT_EQ(said("boots without laces", "laces"), "without laces");
  EXPECT_EQ(said("ohne Deckel", "deckel"), "ohne deckel");
  EXPECT_EQ(said("a red one", "red"), "a red");
}

TEST(NeedsTest, AnAgeIsReadFromMessagesAndRecords) {
  EXPECT_EQ(ReadAge(FoldedMessage("gift for a 4 year old girl")), 4);
  EXPECT_EQ(ReadAge(FoldedMessage("my nephew turns 6 on saturday")), 6);
  EXPECT_EQ(ReadAge(FoldedMessage("für ein Kind, 3 Jahre alt")), 3);
  EXPECT_EQ(ReadAge(FoldedMessage("5岁男孩")), 5);
  EXPECT_EQ(ReadAge(FoldedMessage("18 months old")), 1.5);
  EXPECT_EQ(ReadAge(FoldedMessage("board game for my son, he is 6")), 6);
  EXPECT_EQ(ReadAge(FoldedMessage("my son is 9 and loves trains")), 9);
  EXPECT_EQ(ReadAge(FoldedMessage("he is 6 feet tall")), std::nullopt);
  EXPECT_EQ(ReadAge(FoldedMessage("the second is 6")), std::nullopt);
  EXPECT_FALSE(ReadAge(FoldedMessage("two of the first one")).has_value());
  catalog::Product puzzle;
  puzzle.attributes = {{"recommended age (max)", "99"}, {"recommended age (min)", "9"}};
  EXPECT_EQ(MinAgeOf(puzzle), 9);
}

/// A shop of kettles and irons.
class TypeReadingTest : public ::testing::Test {
 protected:
  TypeReadingTest() {
    profile_.categories = {{"Kitchen > Kettles", 2}, {"Kitchen > Cookbooks", 2}};
    kettle_.attributes = {{"battery life", "3 h"}, {"material", "steel"}};
  }

  std::string Read(const std::string& message, const ProductType* topic = nullptr) {
    const FoldedMessage folded(message);
    const std::string language = "en";
    const TypeSchema known = TypeSchema::Learn({&kettle_}), none;
    const SchemaLookup schema_of = [&](const ProductType& type, const std::string&) {
      return type.categories.empty() ? &none : &known;
    };
    const auto type = ReadNamedType({message, folded, language, &profile_, topic, schema_of, {}});
    return type ? type->name : "";
  }

  ShopProfile profile_;
  catalog::Product kettle_;
};

TEST_F(TypeReadingTest, ANameInsideOfAValueOrAnAttributeIsNoType) {
  const ProductType kettle{"kettle", {"Kitchen > Kettles"}, {"kettle"}, true};
  EXPECT_EQ(Read("a kettle please"), "kettle");
  EXPECT_EQ(Read("made of cast iron"), "") << "cast iron is no iron";
  EXPECT_EQ(Read("how long does the battery last", &kettle), "");
  EXPECT_EQ(Read("which one makes the most cups", &kettle), "");
  EXPECT_EQ(Read("do you sell batteries"), "battery") << "and the shop has none";
}

TEST_F(TypeReadingTest, ANeedStandsForTheTypesThatTheShopHas) {
  EXPECT_EQ(Read("something for someone who loves cooking"), "cooking");
}

TEST(UnsoldTest, NamesWhatNoRecordMentions) {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.mentions = [](const std::string& term) { return term == "car" ? 3u : 0u; };
  const auto unsold = [&](const std::string& message) {
    return FindUnsoldName(retrieval::TokenizeQuery(message), vocabulary, nullptr, "en");
  };
  EXPECT_EQ(unsold("do you sell car tires"), "tires");
  EXPECT_EQ(unsold("do you sell cars"), "");
  EXPECT_EQ(unsold("do you have something for my grandfather"), "") << "what it is for";
}

TEST(UnsoldTest, InOtherLanguagesOnlyTheGoodsMayBeUnknown) {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.mentions = [](const std::string& word) { return word == "robot" ? 3u : 0u; };
  const auto find = [&](const std::string& message) {
    return FindUnsoldName(retrieval::TokenizeQuery(message), vocabulary, nullptr, "fr");
  };
  EXPECT_EQ(find("vous avez des robots qui lavent"), "");
  EXPECT_EQ(find("vous avez des wombats"), "wombats");
}

TEST(ValueWordsTest, AreFoundInTheLanguageAndTranslated) {
  const auto found = FindNamedValues(FoldedMessage("eine Babytrage aus Baumwolle"), "de");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].canonical, "cotton");
  EXPECT_EQ(TranslateValue("stainless steel", "de"), "Edelstahl");
  EXPECT_EQ(TranslateValue("yes", "fr"), "oui");
  EXPECT_EQ(TranslateValue("X2000", "de"), "");
}

TEST(QuantityWordsTest, AreTranslatedWithTheirRangeAndUnit) {
  EXPECT_EQ(TranslateQuantity("6 people", "de"), "6 Personen");
  EXPECT_EQ(TranslateQuantity("72 to 118 cm", "fr"), "72 à 118 cm");
  EXPECT_EQ(TranslateQuantity("2 to 5", "es"), "de 2 a 5");
  EXPECT_EQ(TranslateQuantity("3 years and up", "zh"), "3 岁以上");
  EXPECT_EQ(TranslateQuantity("1 year and up", "de"), "ab 1 Jahr");
  EXPECT_EQ(TranslateQuantity("4.8 kg", "de"), "") << "the same in German";
  EXPECT_EQ(TranslateQuantity("6 people", "en"), "");
  EXPECT_EQ(TranslateQuantity("2 blinkers", "de"), "") << "no word for it";
}

TEST(TypeSchemaTest, ALabelKeepsTheRemarkOfItsName) {
  EXPECT_EQ(LabelOf("noise level (spin)", "fr"), "bruit (essorage)");
  EXPECT_EQ(LabelOf("play time", "es"), "duración de la partida") << "no 'autonomía'";
}

TEST(QuantityValuesTest, AUnitThatRecordsLeaveOutIsFoundByTheirValues) {
  catalog::Product light, heavy;
  light.attributes = {{"weight", "1200"}, {"capacity", "64"}};
  heavy.attributes = {{"weight", "2600"}, {"capacity", "128"}};
  const TypeSchema schema = TypeSchema::Learn({&light, &heavy});
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(ValuesWithin(*schema.Find("weight"), "g", -infinity, 1500, 1000),
              ElementsAre("1200"));
  EXPECT_THAT(ValuesWithin(*schema.Find("capacity"), "mb", 128000, infinity, 1000),
              ElementsAre("128"));
  EXPECT_TRUE(StatesDimension(*schema.Find("capacity"), "mb"));
  EXPECT_FALSE(StatesDimension(*schema.Find("weight"), "mb"));
}

TEST(TypeSchemaTest, ANameWithARemarkIsThatOfTheLexicon) {
  catalog::Product watch;
  watch.attributes = {{"gps (satellite)", "yes"}};
  const TypeSchema schema = TypeSchema::Learn({&watch});
  EXPECT_EQ(ResolveAttributes(FoldedMessage("有定位吗"), schema).size(), 1u);
}

TEST(SearchConditionsTest, BoundsThatExcludeEachOtherAreSeen) {
  EXPECT_TRUE(Contradicts({.min_price = 30000, .max_price = 10000}));
  EXPECT_FALSE(Contradicts({.min_price = 10000, .max_price = 30000}));
  const auto exact = ExactQuantities("32 GB of memory", {});
  ASSERT_EQ(exact.size(), 1u);
  EXPECT_EQ(exact[0].unit, "mb");
  EXPECT_THAT(ExactQuantities("32 GB", {.ranges = {{.unit = "gb", .min = 32}}}), IsEmpty());
}

TEST(SearchConditionsTest, ASearchThatGoesOnForEverStaysBounded) {
  std::string text = "kettle";
  for (int i = 0; i < 500; ++i) text = ContinuedSearch(text, "in red number" + std::to_string(i));
  EXPECT_TRUE(text.starts_with("kettle in red number0"));
  EXPECT_LT(text.size(), 520u);
  EXPECT_EQ(ContinuedSearch("quiet kettle", "kettle in red"), "quiet kettle in red");
}

TEST(SearchConditionsTest, AColourBehindANumberIsNoUnit) {
  EXPECT_EQ(PartPrepositions("anything under 60 in black", "en"), "anything under 60, in black");
  EXPECT_EQ(PartPrepositions("a 27 in monitor", "en"), "a 27 in monitor");
}

TEST(CuesTest, AChineseMessageAsksByAParticle) {
  EXPECT_FALSE(HasCue(FoldedMessage("带触摸屏的"), Cue::kDetail));
  EXPECT_TRUE(HasCue(FoldedMessage("带触摸屏吗"), Cue::kDetail));
  EXPECT_TRUE(HasCue(FoldedMessage("宽度不超过60厘米"), Cue::kCondition));
  EXPECT_TRUE(StatesOnly(FoldedMessage("可调光的")));
  EXPECT_FALSE(StatesOnly(FoldedMessage("可以调光吗")));
}

TEST(Cues, OfAMessageAreThoseThatAreFoundOneByOne) {
  for (const char* const text :
       {"ok, and how loud is the second one?", "with wifi, under 50", "", "带触摸屏吗",
        "gibts den auch in schwarz", "add both to my cart"}) {
    const FoldedMessage message(text);
    const SaidCues said(message);
    for (size_t i = 0; i < kCueCount; ++i) {
      const auto cue = static_cast<Cue>(i);
      EXPECT_EQ(said.Has(cue), HasCue(message, cue)) << text << " " << i;
    }
  }
}

TEST(CuesTest, TheLongerBeginningTellsABoundFromAQuestion) {
  const auto states = [](std::string_view message) {
    const FoldedMessage folded(message);
    return LengthOfStart(folded, Cue::kCondition) > LengthOfStart(folded, Cue::kDetail);
  };
  EXPECT_TRUE(states("que no sea más ancha de 60 cm"));
  EXPECT_FALSE(states("que tiene de peso"));
  EXPECT_TRUE(states("au moins 20 litres"));
  EXPECT_FALSE(states("à partir de quel âge"));
  EXPECT_FALSE(states("ab welchem Alter"));
}

TEST(CuesTest, AQuestionWithoutAQuestionWordIsAnsweredByYesOrNo) {
  const auto asks = [](const std::string& message) {
    return AsksYesOrNo(message, FoldedMessage(message));
  };
  EXPECT_TRUE(asks("is it loud"));
  EXPECT_TRUE(asks("dishwasher safe?"));
  EXPECT_TRUE(asks("ok, and does it fold"));
  EXPECT_TRUE(asks("有蓝牙吗"));
  EXPECT_FALSE(asks("how loud is it?"));
  EXPECT_FALSE(asks("Wie schwer ist er?"));
}

}  // namespace
}  // namespace emptor::services
