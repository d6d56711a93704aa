// Boolean matching of query words.
#include "retrieval/hybrid/word_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WordMatchTest : public ::testing::Test {
 protected:
  /// Finds by words alone in the order of the ids.
  std::vector<std::string> Every(const std::vector<std::string>& titles, const std::string& query,
                                 Filter filter = {}) const {
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < titles.size(); ++i) {
      records.push_back(testing::Indexed(
          embedder_, testing::MakeProduct(std::string(1, static_cast<char>('a' + i)), titles[i])));
    }
    const auto searcher = *HybridSearcher::Build(std::move(records), embedder_, {});
    SearchRequest request{
        .query = query, .filter = std::move(filter), .mode = SearchMode::kLexical};
    request.sort = SortOrder::kPopularity;  // nobody counts: by id
    return testing::Ids(*searcher->Search(request));
  }

  HashingEmbedder embedder_{16};
};

TEST_F(WordMatchTest, AWordMatchesInAnyOfItsReadings) {
  const std::vector<std::string> titles = {"noise-cancelling headphones",
                                           "noise cancelling headphones",
                                           "headphones with noise",
                                           "Sony WH-1000XM5",
                                           "wh 1000xm5 case",
                                           "WH wire"};
  EXPECT_THAT(Every(titles, "noise-cancelling headphones"), ElementsAre("a", "b"));
  EXPECT_THAT(Every(titles, "noise cancelling"), ElementsAre("a", "b"));
  EXPECT_THAT(Every(titles, "wh-1000xm5"), ElementsAre("d", "e"));
  EXPECT_THAT(Every(titles, "sony wh-1000xm5"), ElementsAre("d"));
}

TEST_F(WordMatchTest, MeasuresAndStopWords) {
  const std::vector<std::string> titles = {"27\" monitor", "monitor 27-inch", "24 inch monitor",
                                           "kettle 1,7 l", "kettle 2 l"};
  EXPECT_THAT(Every(titles, "show me a 27 inch monitor"), ElementsAre("a", "b"));
  EXPECT_THAT(Every(titles, "kettle with 1.7 liter"), ElementsAre("d"));
}

TEST_F(WordMatchTest, PhrasesMatch) {
  const std::vector<std::string> titles = {"red desk lamp", "lamp for a red desk"};
  EXPECT_THAT(Every(titles, "red lamp"), ElementsAre("a", "b"));
  EXPECT_THAT(Every(titles, "\"desk lamp\" red"), ElementsAre("a"));
}

TEST_F(WordMatchTest, ScriptsWithoutBlanks) {
  const std::vector<std::string> titles = {"无线降噪耳机", "无线鼠标", "降噪耳塞", "電気ケトル"};
  EXPECT_THAT(Every(titles, "无线耳机"), ElementsAre("a"));
  EXPECT_THAT(Every(titles, "降噪"), ElementsAre("a", "c"));
  EXPECT_THAT(Every(titles, "ケトル"), ElementsAre("d"));
}

TEST_F(WordMatchTest, NothingMatchesWhereNoWordOccursOrTheFilterKeepsNone) {
  EXPECT_THAT(Every({"desk lamp"}, "xylophone"), IsEmpty());
  EXPECT_THAT(Every({"desk lamp"}, "lamp", {.brands = {"Sony"}}), IsEmpty());
}

}  // namespace
}  // namespace emptor::retrieval
