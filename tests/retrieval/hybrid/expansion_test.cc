// Query expansion: weights, and when a query is left unchanged.
#include "retrieval/hybrid/expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/word_trust.h"
#include "retrieval/lexical/bm25.h"
#include "retrieval/lexical/index_builder.h"
#include "tests/retrieval/support/shop.h"
#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

InvertedIndex IndexOfTitles(const std::vector<std::string>& titles) {
  const Analyzer analyzer = *Analyzer::Create();
  InvertedIndexBuilder builder((Bm25Options()));
  for (const std::string& title : titles) builder.Add(analyzer, {title, "", "", "", ""});
  return std::move(builder).Seal(nullptr);
}

class ExpandTest : public ::testing::Test {
 protected:
  /// The weight that the terms have for `text`; 0: it is not among them.
  float WeightOf(const std::string& text) const {
    for (const QueryTerm& term : terms_) {
      if (term.text == text) return term.weight;
    }
    return 0;
  }
  void Add(const std::vector<Expansion>& expansions) {
    terms_ = Expand(terms_, expansions, 1, segments_).terms;
  }

  // Two segments, which count as one: kettle 3, kettles 1 (stemmed away), boiler 1, heating 2.
  const InvertedIndex first_ = IndexOfTitles({"steel kettle", "glass kettle", "heating mat"});
  const InvertedIndex second_ = IndexOfTitles({"copper kettle", "boiler", "heating pad"});
  const std::vector<const InvertedIndex*> segments_ = {&first_, &second_};
  std::vector<QueryTerm> terms_ = {{"kettle", ComputeIdf(6, 3)}};
};

TEST_F(ExpandTest, IsWorthItsFactorOfTheIdfOfTheMoreFrequent) {
  Add({{"boiler", "kettle", 0.5f}, {"heating", "boiler", 0.5f}, {"glass", "", 0.4f}});
  EXPECT_FLOAT_EQ(WeightOf("boiler"), 0.5f * ComputeIdf(6, 3));   // no more than the kettle's
  EXPECT_FLOAT_EQ(WeightOf("heating"), 0.5f * ComputeIdf(6, 2));  // its own: it is the commoner
  EXPECT_FLOAT_EQ(WeightOf("glass"), 0.4f * ComputeIdf(6, 1));    // of nothing: its own
}

TEST_F(ExpandTest, LeavesOutWhatOccursNowhere) {
  Add({{"samovar", "kettle", 0.9f}});
  EXPECT_THAT(terms_, SizeIs(1));
}

TEST_F(ExpandTest, ATermThatIsThereKeepsTheGreaterWeight) {
  const float own = terms_[0].weight;
  Add({{"kettle", "boiler", 0.5f}});
  EXPECT_FLOAT_EQ(WeightOf("kettle"), own);
  Add({{"heating", "kettle", 0.1f}, {"heating", "kettle", 0.6f}, {"heating", "kettle", 0.2f}});
  EXPECT_THAT(terms_, SizeIs(2));
  EXPECT_FLOAT_EQ(WeightOf("heating"), 0.6f * ComputeIdf(6, 3));
}

TEST_F(ExpandTest, ChangesNothingWithoutExpansionsOrSegments) {
  Add({});
  EXPECT_THAT(terms_, SizeIs(1));
  terms_ = Expand(terms_, std::vector<Expansion>{{"boiler", "kettle", 0.5f}}, 1, {}).terms;
  EXPECT_THAT(terms_, SizeIs(1));
}

/// The best share of the words of `rewritten` that one record of these titles has.
float CoverageOf(const RewrittenQuery& rewritten, const std::vector<std::string>& titles) {
  const Analyzer analyzer = *Analyzer::Create();
  const InvertedIndex index = IndexOfTitles(titles);
  const std::vector<const InvertedIndex*> segments = {&index};
  const ExpandedQuery query =
      Expand(CompileQuery(analyzer, rewritten.text, segments), rewritten.expansions, 1, segments);
  std::vector<uint32_t> records(titles.size());
  std::iota(records.begin(), records.end(), 0u);
  return BestCoverage(index, query, WordsOfQuery(analyzer, rewritten, query, segments), records);
}

TEST(WordTrustTest, IsTheShareOfTheWordsThatOneRecordHas) {
  const std::vector<std::string> titles = {"steel kettle", "glass teapot", "towel bar"};
  EXPECT_FLOAT_EQ(CoverageOf({.text = "steel kettle"}, titles), 1);
  EXPECT_FLOAT_EQ(CoverageOf({.text = "steel teapot"}, titles), 0.5f);  // not in one record
  EXPECT_FLOAT_EQ(CoverageOf({.text = "wasserkocher"}, titles), 0);
  EXPECT_FLOAT_EQ(CoverageOf({.text = ""}, titles), 1);
  // A word by chance, three that no record has.
  EXPECT_LT(CoverageOf({.text = "bar aus rostfreiem stahl"}, titles), 0.3f);
}

TEST(WordTrustTest, AnExpansionCountsAsItsWordAndACorrectionHalf) {
  const std::vector<std::string> titles = {"steel kettle", "glass teapot"};
  EXPECT_FLOAT_EQ(
      CoverageOf({.text = "kettel", .expansions = {{"kettle", "kettel", 0.5f}}}, titles), 1);
  EXPECT_FLOAT_EQ(CoverageOf({.text = "kettle", .corrections = {{"kettel", "kettle"}}}, titles),
                  0.5f);
}

class RewriteForSearchTest : public ::testing::Test {
 protected:
  RewriteForSearchTest() {
    for (const auto& [id, title] : {std::pair{"K-20", "steel kettle"}, {"kettel", "copper pan"}}) {
      catalog::Product product = testing::Titled(id, title);
      words_.Put(product);
      records_.push_back(testing::Indexed(embedder_, std::move(product)));
    }
    words_.WaitUntilCurrent();
    HybridOptions options;
    options.words = &words_;
    searcher_ = *HybridSearcher::Build(std::move(records_), embedder_, options);
  }

  SearchResult Find(const SearchRequest& request) const { return *searcher_->Search(request); }

  HashingEmbedder embedder_{32};
  ShopWords words_{*Analyzer::Create()};
  std::vector<IndexedProduct> records_;
  std::unique_ptr<HybridSearcher> searcher_;
};

TEST_F(RewriteForSearchTest, CorrectsAWordThatNoRecordHas) {
  const SearchResult found = Find({.query = "steel kettlle"});
  ASSERT_THAT(found.corrections, SizeIs(1));
  EXPECT_EQ(found.corrected_query, "steel kettle");
  EXPECT_EQ(found.hits.at(0).id, "K-20");
}

TEST_F(RewriteForSearchTest, LeavesTheNameOfARecordAlone) {
  const SearchResult found = Find({.query = "kettel"});  // an id, however like a misspelling
  EXPECT_THAT(found.corrections, IsEmpty());
  EXPECT_EQ(found.hits.at(0).id, "kettel");
}

TEST_F(RewriteForSearchTest, SearchesWhatWasTypedWhereThatIsAskedFor) {
  EXPECT_THAT(Find({.query = "kettlle", .correct = false}).corrections, IsEmpty());
  EXPECT_THAT(Find({.query = "kettlle", .mode = SearchMode::kVector}).corrections, IsEmpty());
  SearchRequest sorted{.query = "steel kettlle"};
  sorted.sort = SortOrder::kPopularity;
  EXPECT_EQ(Find(sorted).corrected_query, "steel kettle");
}

TEST_F(RewriteForSearchTest, FacetsCountWhatTheCorrectedWordsFind) {
  const auto facets = searcher_->CountFacets({.query = "kettlle"}, "USD");
  ASSERT_TRUE(facets.ok());
  ASSERT_THAT(facets->availability, SizeIs(1));
  EXPECT_EQ(facets->availability[0].count, 1u);
}

}  // namespace
}  // namespace emptor::retrieval
