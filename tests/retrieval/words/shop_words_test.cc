// The dictionary of a changing shop, and searches with it.
#include "retrieval/words/shop_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"
#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(VocabularyTest, CountsRecordsNotOccurrences) {
  const auto words = testing::WordsOf({"red red shoe", "red hat", "blue hat"});
  const auto dictionary = words->dictionary();
  const Vocabulary& vocabulary = dictionary->vocabulary();
  const WordId red = *vocabulary.Find("red");
  const WordId hat = *vocabulary.Find("hat");
  EXPECT_EQ(vocabulary.record_count(red), 2u);
  EXPECT_EQ(vocabulary.CountTogether(red, hat), 1u);
  EXPECT_EQ(vocabulary.CountTogether(red, red), 2u);
  const std::vector<WordId> both = {red, hat};
  EXPECT_EQ(vocabulary.RecordsWithAll(both).size(), 1u);
  EXPECT_THAT(vocabulary.RecordsWithAll({}), IsEmpty());
  EXPECT_FALSE(vocabulary.Find("re"));
  const auto [first, last] = vocabulary.PrefixRange("re");
  ASSERT_EQ(last - first, 1u);
  EXPECT_EQ(vocabulary.text(static_cast<WordId>(first)), "red");
}

TEST(ShopWordsTest, FollowsTheCatalog) {
  ShopWords words(*Analyzer::Create());
  EXPECT_TRUE(words.dictionary()->vocabulary().empty());
  words.Put(testing::Titled("a", "steel kettle"));
  words.Put(testing::Titled("b", "glass kettle"));
  words.WaitUntilCurrent();
  EXPECT_EQ(words.dictionary()->vocabulary().record_count(), 2u);
  words.Put(testing::Titled("a", "copper pan"));
  words.Remove(std::vector<std::string>{"b", "unknown"});
  words.WaitUntilCurrent();
  const auto dictionary = words.dictionary();
  EXPECT_EQ(dictionary->vocabulary().record_count(), 1u);
  EXPECT_FALSE(dictionary->vocabulary().Find("kettle"));
  EXPECT_TRUE(dictionary->vocabulary().Find("copper"));
  EXPECT_GE(words.stats().dictionaries, 2u);
  const uint64_t dictionaries = words.stats().dictionaries;
  words.Put(testing::Titled("a", "copper pan"));  // nothing new: no dictionary
  words.WaitUntilCurrent();
  EXPECT_EQ(words.stats().dictionaries, dictionaries);
  words.Put(testing::Titled("c", "kettle"));
  words.WaitUntilCurrent();
  EXPECT_TRUE(words.dictionary()->vocabulary().Find("kettle"));
}

TEST(ShopWordsTest, LoadingDoesNotOverwriteLaterChanges) {
  ShopWords words(*Analyzer::Create());
  words.BeginLoading();
  words.Put(testing::Titled("a", "copper pan"));
  words.Remove(std::vector<std::string>{"b"});
  words.Load(testing::Titled("a", "steel kettle"));
  words.Load(testing::Titled("b", "glass lamp"));
  words.Load(testing::Titled("c", "wooden spoon"));
  words.EndLoading();
  words.WaitUntilCurrent();
  const auto dictionary = words.dictionary();
  EXPECT_EQ(dictionary->vocabulary().record_count(), 2u);
  EXPECT_TRUE(dictionary->vocabulary().Find("copper"));
  EXPECT_TRUE(dictionary->vocabulary().Find("spoon"));
  EXPECT_FALSE(dictionary->vocabulary().Find("kettle"));
  EXPECT_FALSE(dictionary->vocabulary().Find("lamp"));
}

TEST(ShopWordsTest, ADictionaryInUseOutlivesItsShop) {
  std::shared_ptr<const Dictionary> dictionary;
  {
    const auto words = testing::WordsOf({"steel kettle"});
    dictionary = words->dictionary();
  }
  EXPECT_TRUE(dictionary->vocabulary().Find("kettle"));
}

TEST(ShopWordsTest, ReadersAndWritersRunConcurrently) {
  ShopWords words(*Analyzer::Create(), {.quiet = std::chrono::milliseconds(0), .rest_factor = 0});
  std::atomic<bool> stop = false;
  std::vector<std::jthread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      while (!stop) {
        const auto dictionary = words.dictionary();
        dictionary->Complete("kettl", 5);
        words.CountQuery("steel kettle");
        dictionary->rewriter().Rewrite({.query = "ketttle"}, *words.synonyms(),
                                       [](std::string_view) { return uint64_t{0}; });
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    words.Put(testing::Titled("p" + std::to_string(i % 20), "steel kettle " + std::to_string(i)));
    if (i % 7 == 0) words.Remove(std::vector<std::string>{"p" + std::to_string(i % 20)});
    if (i % 50 == 0) words.SetSynonyms(DefaultSynonyms());
  }
  words.WaitUntilCurrent();
  stop = true;
  readers.clear();
  EXPECT_LE(words.dictionary()->vocabulary().record_count(), 20u);
}

TEST(ShopWordsTest, CountsOfQueriesStayBounded) {
  ShopWords words(*Analyzer::Create(), {.max_asked = 8});
  std::string title;
  for (int i = 0; i < 50; ++i) title += "w" + std::to_string(i) + " ";
  words.Put(testing::Titled("p", title));
  words.WaitUntilCurrent();
  for (int i = 0; i < 50; ++i) words.CountQuery("w" + std::to_string(i));
  EXPECT_LE(words.stats().completions_asked, 8u);
}

/// A searcher over titles, with the shop's words.
struct World {
  HashingEmbedder embedder{16};
  std::unique_ptr<ShopWords> words;
  std::unique_ptr<HybridSearcher> searcher;

  explicit World(const std::vector<std::string>& titles, const std::string& locale = "en")
      : words(testing::WordsOf(titles, locale)) {
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < titles.size(); ++i) {
      records.push_back(
          testing::Indexed(embedder, testing::Titled("p" + std::to_string(i), titles[i], locale)));
    }
    HybridOptions options;
    options.words = words.get();
    searcher = *HybridSearcher::Build(std::move(records), embedder, options);
  }

  SearchResult Find(SearchRequest request) const {
    request.mode = SearchMode::kLexical;
    auto result = searcher->Search(request);
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  }
};

TEST(SearchWithWordsTest, FindsMisspelledProductsAndReportsTheCorrection) {
  const World world({"kitchen cabinet", "ceiling fan", "cabinet hinge"});
  const SearchResult result = world.Find({.query = "kitchen cabinent"});
  ASSERT_FALSE(result.hits.empty());
  EXPECT_EQ(result.hits[0].id, "p0");
  EXPECT_EQ(result.hits.size(), 2u);
  EXPECT_THAT(result.corrections, ElementsAre(Correction{"cabinent", "cabinet"}));
  EXPECT_EQ(result.corrected_query, "kitchen cabinet");
  const SearchResult typed = world.Find({.query = "kitchen cabinent", .correct = false});
  EXPECT_THAT(testing::Ids(typed), ElementsAre("p0"));
  EXPECT_THAT(typed.corrections, IsEmpty());
  EXPECT_EQ(typed.corrected_query, "");
}

TEST(SearchWithWordsTest, ExactWordsRankBeforeTheirVariants) {
  const World world({"insulation foam", "insulated foam", "cooling unit"});
  EXPECT_THAT(testing::Ids(world.Find({.query = "insulated"})), ElementsAre("p1", "p0"));
  EXPECT_THAT(testing::Ids(world.Find({.query = "insulation"})), ElementsAre("p0", "p1"));
}

TEST(SearchWithWordsTest, SynonymsAreReloadedAndRankAfterExactWords) {
  const World world({"navy settee", "navy sofa", "navy lamp"});
  world.words->SetSynonyms(Synonyms());
  EXPECT_THAT(testing::Ids(world.Find({.query = "sofa"})), ElementsAre("p1"));
  world.words->SetSynonyms(DefaultSynonyms());
  EXPECT_THAT(testing::Ids(world.Find({.query = "sofa"})), ElementsAre("p1", "p0"));
}

TEST(SearchWithWordsTest, ARecordThatIsNamedIsNotCorrectedAway) {
  World world({"kettle", "cattle brush"});
  catalog::Product product = testing::Titled("x", "pump");
  product.mpn = "kattle";
  ASSERT_TRUE(world.searcher->Upsert({testing::Indexed(world.embedder, product)}).ok());
  const SearchResult result = world.Find({.query = "kattle"});
  EXPECT_EQ(result.hits.at(0).id, "x");
  EXPECT_THAT(result.corrections, IsEmpty());
}

TEST(SearchWithWordsTest, AGermanShopFindsCompoundsAndInflections) {
  const World world({"Wasserkocher Edelstahl", "Kühlschränke", "Wasser", "Toaster"}, "de-DE");
  EXPECT_THAT(testing::Ids(world.Find({.query = "Kühlschrank"})), ElementsAre("p1"));
  EXPECT_THAT(testing::Ids(world.Find({.query = "kuehlschrank"})), ElementsAre("p1"));
  EXPECT_THAT(testing::Ids(world.Find({.query = "wasser kocher"})), ::testing::Contains("p0"));
}

TEST(SearchWithWordsTest, FrenchAndSpanishInflectionsMatch) {
  const World french({"bouilloire électrique", "lampe"}, "fr-FR");
  EXPECT_THAT(testing::Ids(french.Find({.query = "electriques"})), ElementsAre("p0"));
  const World spanish({"zapatillas rojas", "lámpara"}, "es-ES");
  EXPECT_THAT(testing::Ids(spanish.Find({.query = "rojo"})), ElementsAre("p0"));
}

TEST(SearchWithWordsTest, ChineseAndJapaneseAreSearchedAsTheyAre) {
  const World world({"无线耳机", "ワイヤレスイヤホン"}, "zh-CN");
  EXPECT_THAT(testing::Ids(world.Find({.query = "耳机"})), ElementsAre("p0"));
  EXPECT_THAT(testing::Ids(world.Find({.query = "イヤホン"})), ElementsAre("p1"));
}

}  // namespace
}  // namespace emptor::retrieval
