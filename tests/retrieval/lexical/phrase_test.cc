// Quoted phrases in queries, and their matches in records.
#include "retrieval/lexical/phrase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/retrieval/support/random_text.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using testing::SharedAnalyzer;

struct QuoteCase {
  std::string query;
  std::vector<std::string_view> want;
};

TEST(PhraseTest, FindsTheTextBetweenQuotes) {
  const std::vector<QuoteCase> cases = {
      {"\"noise cancelling\" headphones", {"noise cancelling"}},
      {"case \"for iphone\", \"hard shell\"", {"for iphone", "hard shell"}},
      {"27\" monitor", {}},
      {"27\" monitor and 24\" monitor", {}},
      {"tv 55\" \"wall mount\"", {"wall mount"}},
      {"\"27 inch\"", {"27 inch"}},
      {"\"not closed", {}},
      {"\"\" \" \" \"x\"", {"x"}},
      {"\xE2\x80\x9Cnoise cancelling\xE2\x80\x9D", {"noise cancelling"}},
      {"\xE2\x80\x9Eohne Kabel\xE2\x80\x9C lampe", {"ohne Kabel"}},
      {"\xC2\xABsans fil\xC2\xBB", {"sans fil"}},
      {"\xE8\x80\xB3\"noise cancelling\"", {"noise cancelling"}},
      {"a\xE2\x80\x9Cnoise cancelling\xE2\x80\x9D", {}},
      {"", {}},
  };
  for (const auto& [query, want] : cases) EXPECT_EQ(FindQuoted(query), want) << query;
}

class PhraseMatchTest : public ::testing::Test {
 protected:
  std::vector<uint32_t> Match(std::string_view query, const RecordSet* allowed = nullptr) const {
    std::vector<uint32_t> records;
    MatchPhrases(index_, CompilePhrases(SharedAnalyzer(), query), allowed)
        .ForEach([&](uint32_t record) { records.push_back(record); });
    return records;
  }

  InvertedIndex Build() const {
    InvertedIndexBuilder builder{Bm25Options{}};
    builder.Add(SharedAnalyzer(), {"Noise cancelling headphones", "", "", "", ""});
    builder.Add(SharedAnalyzer(), {"Headphones", "", "", "", "cancelling all noise"});
    builder.Add(SharedAnalyzer(), {"Noise", "cancelling", "", "", "a noise-cancelling headphone"});
    builder.Add(SharedAnalyzer(), {"Noise", "Cancelling", "", "", ""});
    builder.Add(SharedAnalyzer(), {"Case for iPhone 15", "", "", "27-inch monitor", "2,5 l pot"});
    builder.Add(SharedAnalyzer(), {"\xE8\x93\x9D\xE7\x89\x99\xE8\x80\xB3\xE6\x9C\xBA", "", "", "",
                                   "WH-1000XM5 by Sony"});
    builder.Add(SharedAnalyzer(),
                {"\xE8\x93\x9D\xE7\x89\x99", "", "", "", "\xE9\x9F\xB3\xE7\xAE\xB1"});
    return std::move(builder).Seal();
  }

  const InvertedIndex index_ = Build();
};

TEST_F(PhraseMatchTest, WordsMustBeInOrderInOneField) {
  EXPECT_THAT(Match("\"noise cancelling\""), ElementsAre(0, 2));
  EXPECT_THAT(Match("\"noise-cancelling\" headphones"), ElementsAre(0, 2));
  EXPECT_THAT(Match("\"cancelling noise\""), ElementsAre());
  EXPECT_THAT(Match("\"noise cancelling headphones\""), ElementsAre(0, 2));
  EXPECT_THAT(Match("\"noise cancelling\" \"headphones\""), ElementsAre(0, 2));
  EXPECT_THAT(Match("\"noise cancelling\" \"sony\""), ElementsAre());
}

TEST_F(PhraseMatchTest, NumbersUnitsAndModelNames) {
  EXPECT_THAT(Match("\"case for iphone\""), ElementsAre(4));
  EXPECT_THAT(Match("\"27 inch monitor\""), ElementsAre(4));
  EXPECT_THAT(Match("\"2.5 l\""), ElementsAre(4));
  EXPECT_THAT(Match("\"wh-1000xm5\""), ElementsAre(5));
  EXPECT_THAT(Match("\"WH 1000XM5\""), ElementsAre(5));
}

TEST_F(PhraseMatchTest, ChineseAsksForAllTerms) {
  EXPECT_THAT(Match("\"\xE8\x93\x9D\xE7\x89\x99\""), ElementsAre(5, 6));
  EXPECT_THAT(Match("\"\xE8\x93\x9D\xE7\x89\x99\xE8\x80\xB3\xE6\x9C\xBA\""), ElementsAre(5));
  EXPECT_THAT(Match("\"\xE8\x80\xB3\xE6\x9C\xBA\xE8\x93\x9D\xE7\x89\x99\""), ElementsAre());
}

TEST_F(PhraseMatchTest, ChineseWordsMayStandInAnyOrderInOneField) {
  EXPECT_THAT(Match("\"\xE8\x80\xB3\xE6\x9C\xBA \xE8\x93\x9D\xE7\x89\x99\""), ElementsAre(5));
  EXPECT_THAT(Match("\"\xE8\x93\x9D\xE7\x89\x99 \xE9\x9F\xB3\xE7\xAE\xB1\""), ElementsAre());
}

TEST_F(PhraseMatchTest, KeepsToTheAllowedAndToTheQuotes) {
  RecordSet allowed(index_.record_count());
  allowed.Insert(2);
  allowed.Insert(3);
  EXPECT_THAT(Match("\"noise cancelling\"", &allowed), ElementsAre(2));
  EXPECT_EQ(Match("noise cancelling").size(), index_.record_count());
  EXPECT_EQ(Match("\"the of\"").size(), index_.record_count());
}

// Against a walk over the words themselves, over lists of many blocks.
TEST(PhrasePropertyTest, AgreesWithTheText) {
  std::mt19937 random(11);
  InvertedIndexBuilder builder{Bm25Options{}};
  std::vector<std::string> texts;
  for (int r = 0; r < 3000; ++r) {
    texts.push_back(' ' + testing::RandomText(random, 3 + random() % 20));
    builder.Add(SharedAnalyzer(), {"", "", "", texts.back(), "q1 q2"});
  }
  const InvertedIndex index = std::move(builder).Seal();
  for (int round = 0; round < 60; ++round) {
    const std::string words = testing::RandomText(random, 2 + random() % 2);
    const std::string phrase = words.substr(0, words.size() - 1);
    const RecordSet found =
        MatchPhrases(index, CompilePhrases(SharedAnalyzer(), '"' + phrase + '"'), nullptr);
    for (uint32_t r = 0; r < texts.size(); ++r) {
      const bool want = phrase == "q1 q2" || texts[r].find(' ' + phrase + ' ') != std::string::npos;
      ASSERT_EQ(found.contains(r), want) << phrase << " in" << texts[r];
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
