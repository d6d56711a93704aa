// Query rewriting: what is corrected, what is expanded, and what is left unchanged.
#include "retrieval/words/query_rewriter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "retrieval/text/english.h"
#include "retrieval/words/language.h"
#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

/// A made shop whose index holds the titles and nothing else.
class Shop {
 public:
  explicit Shop(const std::vector<std::string>& titles, const std::string& locale = "en")
      : words_(testing::WordsOf(titles, locale)), dictionary_(words_->dictionary()) {
    const Analyzer analyzer = *Analyzer::Create();
    for (const std::string& title : titles) {
      for (const std::string& term : analyzer.Analyze(title, TextRole::kRecord)) ++terms_[term];
    }
  }

  RewrittenQuery Rewrite(std::string_view query, Language language = Language::kOther,
                         bool correct = true, const Synonyms& synonyms = {}) const {
    return dictionary_->rewriter().Rewrite(
        {.query = query, .language = language, .correct = correct}, synonyms,
        [this](std::string_view term) {
          const auto found = terms_.find(std::string(term));
          return found == terms_.end() ? uint64_t{0} : found->second;
        });
  }

  std::vector<std::string> Beside(std::string_view query,
                                  Language language = Language::kOther) const {
    std::vector<std::string> terms;
    for (const Expansion& expansion : Rewrite(query, language).expansions) {
      terms.push_back(expansion.term);
    }
    return terms;
  }

 private:
  std::unique_ptr<ShopWords> words_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::map<std::string, uint64_t> terms_;
};

const Shop& Tools() {
  static const Shop shop({"white pantry cabinets", "wood cabinet with mirror", "medicine cabinet",
                          "cordless drill", "DRC-120 drill bits", "light bulb led",
                          "light bulb halogen", "light bulb warm", "snowblower", "gas heater",
                          "heating element", "screwdriver set", "snow shovel", "leaf blower",
                          "screw", "driver seat", "insulation foam", "refrigerator 20 cu ft",
                          "chlorine tablets"});
  return shop;
}

TEST(QueryRewriterTest, CorrectsUnknownWordsAndReportsIt) {
  const RewrittenQuery query = Tools().Rewrite("White  CABINENT, with mirrow!");
  EXPECT_EQ(query.text, "White  cabinet, with mirror!");
  EXPECT_THAT(query.corrections,
              ElementsAre(Correction{"CABINENT", "cabinet"}, Correction{"mirrow", "mirror"}));
}

TEST(QueryRewriterTest, CorrectsForgottenAndSuperfluousBlanks) {
  EXPECT_EQ(Tools().Rewrite("lightbulb").text, "light bulb");
  const RewrittenQuery joined = Tools().Rewrite("big refrig erator");
  EXPECT_EQ(joined.text, "big refrigerator");
  EXPECT_THAT(joined.corrections, ElementsAre(Correction{"refrig erator", "refrigerator"}));
}

TEST(QueryRewriterTest, LeavesKnownWordsNumbersModelsAndUnitsAlone) {
  for (const char* query : {"cabinets", "drill bits", "DRC-121", "drc121", "wh1000xm5", "20 cu ft",
                            "2,5 l", "for the", "show me", "inches", "洗濯機", "xyzzyplugh", ""}) {
    const RewrittenQuery rewritten = Tools().Rewrite(query);
    EXPECT_EQ(rewritten.text, query);
    EXPECT_THAT(rewritten.corrections, IsEmpty()) << query;
  }
}

TEST(QueryRewriterTest, MoneyIsNoSlip) {
  const Shop shop({"laptop roller bag", "roller blind", "roller skates", "laptop sleeve"});
  EXPECT_EQ(shop.Rewrite("laptop rolller").text, "laptop roller");
  EXPECT_EQ(shop.Rewrite("500 dollar laptop").text, "500 dollar laptop");
}

TEST(QueryRewriterTest, SearchesWhatWasTypedWhenAsked) {
  const RewrittenQuery query = Tools().Rewrite("cabinent", Language::kEnglish, false);
  EXPECT_EQ(query.text, "cabinent");
  EXPECT_THAT(query.corrections, IsEmpty());
}

TEST(QueryRewriterTest, ExpandsByInflectionsJoinsAndParts) {
  EXPECT_THAT(Tools().Beside("insulated pipe"), Contains("insulation"));
  EXPECT_THAT(Tools().Beside("snow blower"), Contains("snowblower"));
  EXPECT_THAT(Tools().Beside("screw driver set"), Contains("screwdriver"));
  // A stem that only another word of the catalog has is no misspelling.
  const RewrittenQuery heated = Tools().Rewrite("heated");
  EXPECT_THAT(heated.corrections, IsEmpty());
  EXPECT_THAT(Tools().Beside("heated"), Contains("heating"));
  for (const Expansion& expansion : Tools().Rewrite("insulated snow blower").expansions) {
    EXPECT_GT(expansion.factor, 0);
    EXPECT_LT(expansion.factor, 1);
  }
}

TEST(QueryRewriterTest, SearchesAQuantityInTheUnitsOfTheCatalog) {
  const Shop shop({"Kettle 1,7 l", "Monitor 68.6 cm (wide)", "Cable 2 m", "Hose 50 ft"});
  EXPECT_THAT(shop.Beside("kettle 1700 ml"), Contains("1.7l"));
  EXPECT_THAT(shop.Beside("kettle 1700ml"), Contains("1.7l"));
  EXPECT_THAT(shop.Beside("27 inch monitor"), Contains("68.6cm"));
  EXPECT_THAT(shop.Beside("27\" monitor"), Contains("68.6cm"));
  EXPECT_THAT(shop.Beside("27-inch monitor"), Contains("68.6cm"));
  EXPECT_THAT(shop.Beside("cable 200 cm"), Contains("2m"));
  EXPECT_THAT(shop.Beside("cable 2 m"), Not(Contains("2m")));
  EXPECT_THAT(shop.Beside("kettle 1.8 l"), IsEmpty());
  EXPECT_THAT(shop.Beside("27 monitor"), Not(Contains("68.6cm")));
}

TEST(QueryRewriterTest, AMisspellingByTheShopIsAlsoSearchedByTheCommonWord) {
  std::vector<std::string> titles(30, "chlorine tablets");
  titles.push_back("clorine powder");
  const Shop shop(titles);
  const RewrittenQuery query = shop.Rewrite("clorine");
  EXPECT_EQ(query.text, "clorine");
  EXPECT_THAT(shop.Beside("clorine"), Contains("chlorine"));
  EXPECT_THAT(shop.Beside("chlorine"), Not(Contains("clorine")));
}

TEST(QueryRewriterTest, SynonymsOfAPhraseShareItsWeight) {
  const auto synonyms = Synonyms::Parse("s", "cupboard, cabinet\ndriver bit => screwdriver set");
  const auto cupboard = Tools().Rewrite("cupboard", Language::kEnglish, true, *synonyms);
  EXPECT_THAT(cupboard.corrections, IsEmpty());
  ASSERT_EQ(cupboard.expansions.size(), 1u);
  EXPECT_EQ(cupboard.expansions[0].term, "cabinet");
  EXPECT_EQ(cupboard.expansions[0].of, "cupboard");
  const auto phrase = Tools().Rewrite("driver bit", Language::kEnglish, false, *synonyms);
  float share = 0;
  for (const Expansion& expansion : phrase.expansions) {
    if (expansion.term == "screwdriver") share = expansion.factor;
  }
  EXPECT_GT(share, 0);
  EXPECT_LT(share, RewriteWeights().synonym);
}

const Shop& Kettles() {
  static const Shop shop({"Wasserkocher Edelstahl 1,7 l", "Edelstahlwasserkocher", "Eierkocher",
                          "Wasserfilter", "Kocher für Camping", "Kühlschrank",
                          "Arbeitszimmer Tisch", "Arbeit", "Zimmer", "Eier", "Wasser still"},
                         "de-DE");
  return shop;
}

TEST(QueryRewriterTest, GermanCompoundsAreFoundByTheirHeads) {
  EXPECT_THAT(Kettles().Beside("Kocher"),
              ::testing::IsSupersetOf({"wasserkocher", "edelstahlwasserkocher", "eierkocher"}));
  EXPECT_THAT(Kettles().Beside("Kocher"), Not(Contains("wasserfilter")));
  EXPECT_THAT(Kettles().Beside("Wasserkocher"), Contains("kocher"));
  EXPECT_THAT(Kettles().Beside("Zimmer"), Contains("arbeitszimmer"));  // with its linking s
  EXPECT_THAT(Kettles().Beside("wasser kocher"), Contains("wasserkocher"));
}

TEST(QueryRewriterTest, GermanUmlautsMayBeSpelledOut) {
  EXPECT_THAT(Kettles().Rewrite("Kuehlschrank").corrections, IsEmpty());
  EXPECT_THAT(Kettles().Beside("Kuehlschrank"), Contains("kuhlschrank"));
  EXPECT_EQ(Kettles().Rewrite("Kühlschrnk").text, "kühlschrank");  // shown with its accent
}

TEST(QueryRewriterTest, LongQueriesCostBoundedWork) {
  std::string query;
  for (int i = 0; i < 300; ++i) query += "cabinemt ";
  EXPECT_LE(Tools().Rewrite(query).corrections.size(), 8u);
}

TEST(LanguageTest, FunctionWordsAndLettersDecide) {
  EXPECT_EQ(DetectLanguage("a kettle for the office"), Language::kEnglish);
  EXPECT_EQ(DetectLanguage("Kopfhörer mit Mikrofon"), Language::kGerman);
  EXPECT_EQ(DetectLanguage("casque sans fil pour enfant"), Language::kFrench);
  EXPECT_EQ(DetectLanguage("zapatos para niños"), Language::kSpanish);
  EXPECT_EQ(DetectLanguage("Sony WH-1000XM5"), Language::kOther);
  EXPECT_EQ(DetectLanguage(""), Language::kOther);
}

TEST(LanguageTest, AQueryIsInTheLanguageWhoseRecordsHaveItsWords) {
  ShopWords words(*Analyzer::Create());
  words.Put(testing::Titled("1", "electric kettle", "en"));
  words.Put(testing::Titled("2", "steel kettle", "en"));
  words.Put(testing::Titled("3", "Wasserkocher Edelstahl", "de"));
  words.WaitUntilCurrent();
  const Vocabulary& vocabulary = words.dictionary()->vocabulary();
  EXPECT_EQ(vocabulary.main_language(), Language::kEnglish);
  EXPECT_EQ(DetectQueryLanguage("wasserkocher", vocabulary), Language::kGerman);
  EXPECT_EQ(DetectQueryLanguage("kettle", vocabulary), Language::kEnglish);
  EXPECT_EQ(DetectQueryLanguage("xyz", vocabulary), Language::kEnglish);
}

}  // namespace
}  // namespace emptor::retrieval
