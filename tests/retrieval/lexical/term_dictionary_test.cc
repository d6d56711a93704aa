// Terms in order, by name and by prefix.
#include "retrieval/lexical/term_dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/retrieval/support/random_text.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

InvertedIndex IndexOf(const std::vector<std::string>& titles) {
  InvertedIndexBuilder builder{Bm25Options{}};
  for (const std::string& title : titles) {
    builder.Add(testing::SharedAnalyzer(), {title, "", "", "", ""});
  }
  return std::move(builder).Seal();
}

std::vector<std::pair<std::string, uint32_t>> WithPrefix(const InvertedIndex& index,
                                                         std::string_view prefix) {
  std::vector<std::pair<std::string, uint32_t>> found;
  for (TermIterator it = index.terms().Seek(prefix); it.valid(); it.Next()) {
    if (!it.term().starts_with(prefix)) break;
    found.emplace_back(it.term(), it.document_frequency());
  }
  return found;
}

TEST(TermDictionaryTest, WalksOverAPrefixWithDocumentFrequencies) {
  const InvertedIndex index =
      IndexOf({"kettle kettle red", "kettle", "keyboard", "key", "lamp", "kiwi"});
  EXPECT_THAT(WithPrefix(index, "ke"),
              ElementsAre(Pair("kettle", 2), Pair("key", 1), Pair("keyboard", 1)));
  EXPECT_THAT(WithPrefix(index, "kz"), ElementsAre());
  EXPECT_THAT(WithPrefix(index, "zzz"), ElementsAre());
  EXPECT_EQ(WithPrefix(index, "").size(), index.term_count());
}

TEST(TermDictionaryTest, FindsEachOfManyTermsAndNothingElse) {
  std::vector<std::string> titles;
  for (size_t i = 0; i < 3000; ++i) titles.push_back(testing::Numbered("x", i * 7));
  const InvertedIndex index = IndexOf(titles);
  ASSERT_EQ(index.term_count(), 3000u);
  for (size_t i = 0; i < 21000; ++i) {
    EXPECT_EQ(index.document_frequency(testing::Numbered("x", i)), i % 7 == 0 ? 1u : 0u) << i;
  }
  std::string before;
  uint32_t id = 0;
  for (TermIterator it = index.terms().Seek({}); it.valid(); it.Next(), ++id) {
    EXPECT_LT(before, it.term());
    EXPECT_EQ(it.id(), id);
    before = it.term();
  }
  EXPECT_EQ(id, 3000u);
}

TEST(TermDictionaryTest, EmptyIndexHasNoTerms) {
  const InvertedIndex index = IndexOf({});
  EXPECT_FALSE(index.terms().Seek("a").valid());
  EXPECT_FALSE(InvertedIndex().terms().Seek("a").valid());
  EXPECT_EQ(index.document_frequency("a"), 0u);
}

}  // namespace
}  // namespace emptor::retrieval
