// The words of records: what a message demands that no attribute states.
#include "services/assistant/schema/record_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

catalog::Product Record(const std::string& title, std::vector<catalog::Attribute> attributes = {}) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

RecordWords WordsOfRecords(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  return RecordWords::Learn(pointers);
}

/// Washing machines, and what their records state.
RecordWords Washers() {
  return WordsOfRecords(
      {Record("Quellin Front Load Washer 7 kg", {{"child lock", "yes"}, {"steam", "no"}}),
       Record("Quellin Top Loading Washer 6.5 kg", {{"drum", "ribbed steel"}}),
       Record("Quellin Semi Automatic Washer", {{"hose", "mesh, 50 cm"}}),
       Record("Torvane Front Loader 9 kg Zorb 50", {{"notes", std::string(401, 'a') + " zebra"}})});
}

std::vector<std::string> Texts(const std::string& message, const std::string& language,
                               const RecordWords& words) {
  std::vector<std::string> texts;
  for (const WordCondition& each : ReadWordConditions(FoldedMessage(message), language, words)) {
    texts.push_back(each.text);
  }
  return texts;
}

/// The records that meet every word that the message demands.
std::vector<uint32_t> RecordsFor(const std::string& message, const std::string& language) {
  const RecordWords words = Washers();
  const auto conditions = ReadWordConditions(FoldedMessage(message), language, words);
  return conditions.empty() ? std::vector<uint32_t>{} : words.ByCoverage(conditions).front();
}

TEST(RecordWordsTest, FindsTitlesAndValuesByStems) {
  const RecordWords words = Washers();
  EXPECT_THAT(words.Find(DemandOf("loading")), ElementsAre(0, 1)) << "\"load\" is its stem";
  EXPECT_THAT(words.Find(DemandOf("loads")), ElementsAre(0, 1));
  EXPECT_THAT(words.Find(DemandOf("mesh")), ElementsAre(2));
  EXPECT_THAT(words.Find({"front load", {{"front", "load"}}}), ElementsAre(0));
  EXPECT_THAT(words.Find({"front", {{"front", "load"}, {"front", "loader"}}}), ElementsAre(0, 3));
  EXPECT_THAT(words.Find({"front zebra", {{"front", "zebra"}}}), IsEmpty());
  EXPECT_FALSE(words.Knows(DemandOf("dishwasher")));
}

TEST(RecordWordsTest, YesStandsForTheAttributeAndNoForNothing) {
  const RecordWords words = Washers();
  EXPECT_THAT(words.Find(DemandOf("child")), ElementsAre(0));
  EXPECT_FALSE(words.Knows(DemandOf("steam"))) << "the record denies it";
  EXPECT_FALSE(words.Knows(DemandOf("drum"))) << "the value is no yes";
  EXPECT_FALSE(words.Knows(DemandOf("zebra"))) << "prose is no value";
}

TEST(RecordWordsTest, GroupsRecordsByTheNumberOfConditionsMet) {
  const RecordWords words = Washers();
  const std::vector<WordCondition> conditions = {DemandOf("front"), DemandOf("quellin"),
                                                 DemandOf("kg")};
  EXPECT_THAT(words.ByCoverage(conditions),
              ElementsAre(ElementsAre(0), ElementsAre(1, 3), ElementsAre(2)));
  EXPECT_THAT(words.ByCoverage({DemandOf("front"), DemandOf("mesh")}),
              ElementsAre(IsEmpty(), ElementsAre(0, 2, 3)));
  EXPECT_THAT(words.ByCoverage({}), IsEmpty());
}

TEST(RecordWordsTest, ASmallNumberIsOfTheNameBeforeIt) {
  const RecordWords words = Washers();
  EXPECT_THAT(Texts("a case for zorb 13", "en", words), ElementsAre("zorb", "zorb 13"))
      << "no record has it, which is said";
  EXPECT_THAT(Texts("zorb 50", "en", words), ElementsAre("zorb", "zorb 50"));
}

TEST(RecordWordsTest, AFeatureIsDemandedThoughNoRecordHasIt) {
  const RecordWords words = Washers();
  EXPECT_THAT(Texts("an external one", "en", words), ElementsAre("external"));
  EXPECT_THAT(Texts("ein externes", "de", words), ElementsAre("externes"));
  EXPECT_THAT(Texts("a large one", "en", words), IsEmpty()) << "says little of goods";
}

TEST(RecordWordsTest, AMakerBeginsSeveralTitles) {
  const RecordWords words = Washers();
  EXPECT_TRUE(words.IsMaker("quellin"));
  EXPECT_FALSE(words.IsMaker("torvane")) << "one title";
  EXPECT_FALSE(words.IsMaker("washer")) << "three titles, and begins none";
}

struct WordCase {
  std::string name, message, language;
  std::vector<std::string> texts;
};

class WordConditionTest : public ::testing::TestWithParam<WordCase> {};

TEST_P(WordConditionTest, IsReadFromWhatIsLeftOfAMessage) {
  const WordCase& tested = GetParam();
  EXPECT_THAT(Texts(tested.message, tested.language, Washers()),
              ::testing::ElementsAreArray(tested.texts));
}

INSTANTIATE_TEST_SUITE_P(
    Table, WordConditionTest,
    ::testing::Values(WordCase{"Word", "mesh", "en", {"mesh"}},
                      WordCase{"Named", "front loading", "en", {"front loading"}},
                      WordCase{"Foreign", "einen Frontlader bitte", "de", {"frontlader"}},
                      WordCase{"Ordinary", "hello please show me the best one", "en", {}},
                      WordCase{"Unknown", "with an espresso grinder", "en", {}},
                      WordCase{"Some", "espresso washer quellin", "en", {"washer", "quellin"}},
                      WordCase{"Twice", "torvane and torvane", "en", {"torvane"}},
                      WordCase{"NumberBehindAWord", "zorb 50", "en", {"zorb", "zorb 50"}},
                      WordCase{"NumberAlone", "50", "en", {}},
                      WordCase{"NumberBehindUnknown", "espresso 50", "en", {}},
                      WordCase{"NumberBehindOrdinary", "zorb under 50", "en", {"zorb"}},
                      WordCase{"Short", "a kg", "en", {}}),
    [](const auto& test) { return test.param.name; });

TEST(RecordWordsTest, ANamedValueMeansTheSameInEveryWordingAndLanguage) {
  EXPECT_THAT(RecordsFor("front load", "en"), ElementsAre(0, 3));
  EXPECT_THAT(RecordsFor("front loading", "en"), ElementsAre(0, 3));
  EXPECT_THAT(RecordsFor("ein Frontlader", "de"), ElementsAre(0, 3));
  EXPECT_THAT(RecordsFor("carga frontal", "es"), ElementsAre(0, 3));
  EXPECT_THAT(RecordsFor("滚筒", "zh"), ElementsAre(0, 3));
  EXPECT_THAT(RecordsFor("ein Frontlader", "en"), IsEmpty()) << "no English word";
}

TEST(RecordWordsTest, AMessageDemandsAFewWordsAtMost) {
  const RecordWords words = WordsOfRecords({Record("aldo benno carlo dario emilio fabio")});
  EXPECT_THAT(Texts("aldo benno carlo dario emilio fabio", "en", words),
              ElementsAre("aldo", "benno", "carlo", "dario", "emilio"));
}

TEST(RecordWordsTest, ATextMeetsOneOfTheAlternatives) {
  const WordCondition front{"frontlader", {{"front", "load"}, {"front", "loader"}}};
  EXPECT_TRUE(Meets("Washer, Front Loading", front));
  EXPECT_TRUE(Meets("front loaders", {"", {{"front", "loader"}}}));
  EXPECT_FALSE(Meets("a washer to load", front));
  EXPECT_FALSE(Meets("front load", {"", {{}}})) << "no stems demand nothing that can be met";
  EXPECT_FALSE(Meets("front load", {"", {}}));
}

TEST(RecordWordsTest, TellingWordsAreNeitherSmallNorOfARequest) {
  const auto telling = [](const std::string& text) { return TellingWords(FoldedMessage(text)); };
  EXPECT_THAT(telling("do you have a cordless drill with 18 volts"),
              ElementsAre("cordless", "drill", "volts"));
  EXPECT_THAT(telling("an rx7"), ElementsAre("rx7")) << "a short word with a digit";
  EXPECT_THAT(telling("how much is it"), IsEmpty());
  EXPECT_THAT(telling("无线耳机"), IsEmpty());
}

TEST(RecordWordsTest, OrdinaryWordsSayNothingOfGoodsInAnyLanguage) {
  for (const char* word : {"between", "hello", "im", "und", "bonjour", "which", "les"}) {
    EXPECT_TRUE(IsOrdinaryWord(word)) << word;
  }
  for (const char* word : {"mesh", "cordless", "drill", "torvane", "front load", "无线"}) {
    EXPECT_FALSE(IsOrdinaryWord(word)) << word;
  }
}

TEST(RecordWordsTest, ConditionsWithTheSameDemandsAreEqual) {
  EXPECT_EQ((WordCondition{"frontlader", {{"front"}}}), (WordCondition{"front", {{"front"}}}));
  EXPECT_FALSE((WordCondition{"front", {{"front"}}}) == (WordCondition{"front", {{"load"}}}));
}

std::vector<std::string> TermsOf(const std::string& text) {
  std::vector<std::string> terms;
  for (const CountedTerm& each : FindCountedTerms(text)) terms.push_back(each.term);
  return terms;
}

TEST(CountedTermTest, IsANumberWithTheWordThatItCounts) {
  EXPECT_THAT(TermsOf("1.5 Ton 5 Star split AC"), ElementsAre("1.5 ton", "5 star"));
  EXPECT_THAT(TermsOf("3-blade fan, 1,5-ton"), ElementsAre("3 blade", "1.5 ton"));
  EXPECT_THAT(TermsOf("WH1000 mark 2, 8 GB, 123456 pieces"), IsEmpty())
      << "a model, a unit, and what is too long for a count";
}

TEST(CountedTermTest, IsMetAsAWhole) {
  const RecordWords words =
      WordsOfRecords({Record("Quorl 1.5 Ton 3 Star AC"), Record("Quorl 1 Ton 5 Star AC")});
  const auto terms = FindCountedTerms("a 1.5 ton 5 star one");
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_THAT(words.Find(DemandOf(terms[0])), ElementsAre(0u));
  EXPECT_THAT(words.Find(DemandOf(terms[1])), ElementsAre(1u));
  EXPECT_TRUE(Meets("Torvane 5-star freezer", DemandOf(terms[1])));
  EXPECT_FALSE(Meets("Torvane star freezer, 5 l", DemandOf(terms[1])));
}

}  // namespace
}  // namespace emptor::services
