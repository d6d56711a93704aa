// Searches limited to some records, and searches that leave some out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Three kettles and a toaster; the kettle "late" came after the index was built.
class RecordChoiceTest : public ::testing::Test {
 protected:
  RecordChoiceTest() {
    auto built = HybridSearcher::Build(
        {Record("k1", "Torvane Kettle", "Torvane"), Record("k2", "Quellin Kettle", "Quellin"),
         Record("t1", "Torvane Toaster", "Torvane")},
        embedder_, {});
    EXPECT_TRUE(built.ok()) << built.status();
    searcher_ = *std::move(built);
    EXPECT_TRUE(searcher_->Upsert({Record("late", "Velsar Kettle", "Velsar")}).ok());
  }

  IndexedProduct Record(const std::string& id, const std::string& title, const std::string& brand) {
    return testing::Indexed(embedder_, testing::MakeProduct(id, title, brand));
  }

  std::vector<std::string> Find(const SearchRequest& request) {
    const auto result = searcher_->Search(request);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? testing::Ids(*result) : std::vector<std::string>();
  }

  static SearchRequest All() {
    SearchRequest request;
    request.browse = true;
    return request;
  }

  HashingEmbedder embedder_{64};
  std::unique_ptr<HybridSearcher> searcher_;
};

using IdSet = std::unordered_set<std::string>;

TEST_F(RecordChoiceTest, OnlyTheChosenRecordsAreFoundInEveryMode) {
  const IdSet only = {"k2", "late", "t1", "unknown"};
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kHybrid, SearchMode::kVector}) {
    SearchRequest request{.query = "kettle", .mode = mode, .only = &only};
    const std::vector<std::string> found = Find(request);
    EXPECT_THAT(found, ::testing::IsSupersetOf({"k2", "late"})) << static_cast<int>(mode);
    EXPECT_THAT(found, ::testing::Not(::testing::Contains("k1"))) << static_cast<int>(mode);
  }
  SearchRequest request = All();
  request.only = &only;
  EXPECT_THAT(Find(request), UnorderedElementsAre("k2", "late", "t1"));
}

TEST_F(RecordChoiceTest, ExceptionsAreNotFoundInAnyMode) {
  const IdSet except = {"k2", "late", "unknown"};
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kHybrid, SearchMode::kVector}) {
    const std::vector<std::string> found =
        Find({.query = "kettle", .mode = mode, .except = &except});
    EXPECT_THAT(found, ::testing::Contains("k1")) << static_cast<int>(mode);
    EXPECT_THAT(found, ::testing::IsSubsetOf({"k1", "t1"})) << static_cast<int>(mode);
  }
  SearchRequest request = All();
  request.except = &except;
  EXPECT_THAT(Find(request), UnorderedElementsAre("k1", "t1"));
}

TEST_F(RecordChoiceTest, BothHoldWithTheFilterAndTheLimit) {
  const IdSet only = {"k1", "k2", "t1"}, except = {"t1"};
  SearchRequest request = All();
  request.only = &only;
  request.except = &except;
  EXPECT_THAT(Find(request), UnorderedElementsAre("k1", "k2"));
  request.filter.brands = {"Torvane"};
  EXPECT_THAT(Find(request), ElementsAre("k1"));
  request.filter = {};
  request.limit = 1;
  request.only = nullptr;
  const IdSet all_but_one = {"k1", "k2", "t1"};
  request.except = &all_but_one;
  EXPECT_THAT(Find(request), ElementsAre("late")) << "what is left out takes no place";
}

TEST_F(RecordChoiceTest, AnEmptySetIsACondition) {
  const IdSet none;
  SearchRequest request = All();
  request.only = &none;
  EXPECT_THAT(Find(request), IsEmpty());
  EXPECT_THAT(Find({.query = "kettle", .only = &none}), IsEmpty());
  request.only = nullptr;
  request.except = &none;
  EXPECT_EQ(Find(request).size(), 4u);
}

TEST_F(RecordChoiceTest, AnIdentifierAsTheQueryObeysThem) {
  const IdSet k1 = {"k1"};
  EXPECT_THAT(Find({.query = "k1", .mode = SearchMode::kLexical, .except = &k1}), IsEmpty());
  EXPECT_THAT(Find({.query = "k2", .mode = SearchMode::kLexical, .only = &k1}), IsEmpty());
  EXPECT_THAT(Find({.query = "k1", .mode = SearchMode::kLexical, .only = &k1}), ElementsAre("k1"));
}

TEST_F(RecordChoiceTest, PagesOfExceptionsReadEveryRecordOnce) {
  IdSet seen;
  for (int page = 0; page < 4; ++page) {
    SearchRequest request = All();
    request.limit = 1;
    request.except = &seen;
    const std::vector<std::string> found = Find(request);
    ASSERT_EQ(found.size(), 1u) << page;
    EXPECT_TRUE(seen.insert(found[0]).second) << found[0];
  }
  EXPECT_EQ(seen, (IdSet{"k1", "k2", "t1", "late"}));
}

TEST_F(RecordChoiceTest, ARecordThatWasRemovedOrReplacedDoesNotComeBack) {
  const std::string removed = "k2";
  searcher_->Remove({&removed, 1});
  ASSERT_TRUE(searcher_->Upsert({Record("k1", "Torvane Lamp", "Torvane")}).ok());
  const IdSet only = {"k1", "k2"};
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kHybrid}) {
    const SearchRequest request{.query = "kettle", .mode = mode, .only = &only};
    EXPECT_THAT(Find(request), ::testing::Not(::testing::Contains("k2")));
  }
  EXPECT_THAT(Find({.query = "kettle", .mode = SearchMode::kLexical, .only = &only}), IsEmpty());
  EXPECT_THAT(Find({.query = "lamp", .mode = SearchMode::kLexical, .only = &only}),
              ElementsAre("k1"));
  SearchRequest request = All();
  request.only = &only;
  EXPECT_THAT(Find(request), ElementsAre("k1"));
}

}  // namespace
}  // namespace emptor::retrieval
