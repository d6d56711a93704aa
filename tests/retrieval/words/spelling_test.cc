// Edit distances and spelling correction.
#include "retrieval/words/spelling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "retrieval/words/edit_distance.h"
#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

/// The textbook's table, without bounds.
int PlainDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string RandomWord(std::mt19937& random) {
  std::string word(random() % 9, 'a');
  for (char& c : word) c = static_cast<char>('a' + random() % 3);
  return word;
}

TEST(EditDistanceTest, AgreesWithTheTextbookUpToItsLimit) {
  std::mt19937 random(20);
  for (int round = 0; round < 20000; ++round) {
    const std::string a = RandomWord(random);
    const std::string b = RandomWord(random);
    for (const int limit : {0, 1, 2, 9}) {
      EXPECT_EQ(EditDistance(a, b, limit), std::min(PlainDistance(a, b), limit + 1))
          << a << " " << b << " " << limit;
    }
  }
}

TEST(WeightedEditDistanceTest, MakesTypistsErrorsCheap) {
  EXPECT_EQ(WeightedEditDistance("mirror", "mirror"), 0);
  EXPECT_LT(WeightedEditDistance("mirrror", "mirror"),
            WeightedEditDistance("mirxror", "mirror"));  // doubled
  EXPECT_LT(WeightedEditDistance("miror", "mirror"),
            WeightedEditDistance("mirro", "mirror"));  // lost double
  EXPECT_LT(WeightedEditDistance("mirorr", "mirror"), 1.2f);
  EXPECT_LT(WeightedEditDistance("vynil", "vinyl"),
            WeightedEditDistance("vknkl", "vinyl"));  // vowels
  EXPECT_LT(WeightedEditDistance("frame", "ftame"),
            WeightedEditDistance("frame", "fpame"));  // neighbours on the keys
  EXPECT_LT(WeightedEditDistance("floot", "floor"),
            WeightedEditDistance("gloor", "floor") + 0.01f);  // first letter
}

std::string Corrected(const ShopWords& words, std::string_view typed,
                      std::vector<std::string> context = {}) {
  const auto dictionary = words.dictionary();
  const Vocabulary& vocabulary = dictionary->vocabulary();
  const SpellingCorrector spelling(vocabulary);
  std::vector<WordId> others;
  for (const std::string& word : context) others.push_back(*vocabulary.Find(word));
  const auto reading = spelling.Correct(typed, others);
  std::string text;
  if (!reading) return text;
  for (const WordId word : reading->words) {
    text += (text.empty() ? "" : " ") + vocabulary.text(word);
  }
  return text;
}

const ShopWords& Tools() {
  static const auto words = testing::WordsOf(
      {"white pantry cabinet", "wood cabinet with mirror", "medicine cabinet mirror",
       "cordless drill battery", "drill bits", "light bulb led", "light bulb halogen",
       "ceiling fan blade", "ceiling light", "grass seed", "glass door", "garage door opener"});
  return *words;
}

TEST(SpellingCorrectorTest, FindsTheNearWordOfTheCatalog) {
  EXPECT_EQ(Corrected(Tools(), "cabinent"), "cabinet");
  EXPECT_EQ(Corrected(Tools(), "mirrow"), "mirror");
  EXPECT_EQ(Corrected(Tools(), "celing"), "ceiling");
  EXPECT_EQ(Corrected(Tools(), "batery"), "battery");
  EXPECT_EQ(Corrected(Tools(), "mirorr"), "mirror");
}

TEST(SpellingCorrectorTest, TheOtherWordsDecideBetweenNearCandidates) {
  EXPECT_EQ(Corrected(Tools(), "grsss", {"seed"}), "grass");
  EXPECT_EQ(Corrected(Tools(), "gllss", {"door"}), "glass");
  EXPECT_EQ(Corrected(Tools(), "clade", {"fan"}), "blade");
}

TEST(SpellingCorrectorTest, FindsTheBlankThatWasForgotten) {
  EXPECT_EQ(Corrected(Tools(), "lightbulb"), "light bulb");
  EXPECT_EQ(Corrected(Tools(), "garagedoor"), "garage door");
  EXPECT_EQ(Corrected(Tools(), "grassdoor"), "");  // never side by side
}

TEST(SpellingCorrectorTest, HasNoCorrectionWhenNoWordIsNear) {
  EXPECT_EQ(Corrected(Tools(), "aspiradora"), "");
  EXPECT_EQ(Corrected(Tools(), "bits"), "");  // itself is no correction
  EXPECT_EQ(Corrected(*testing::WordsOf({}), "anything"), "");
}

TEST(SpellingCorrectorTest, LeavesNumbersAndShortWordsAlone) {
  const auto dictionary = Tools().dictionary();
  const SpellingCorrector spelling(dictionary->vocabulary());
  for (const char* word : {"led", "wh1000xm5", "12v", "", "naïve", "Drill", "a b c d"}) {
    EXPECT_FALSE(spelling.IsCorrectable(word)) << word;
  }
  EXPECT_TRUE(spelling.IsCorrectable("dril"));
  EXPECT_FALSE(spelling.IsCorrectable(std::string(kMaxTypedBytes + 1, 'a')));
}

TEST(SpellingCorrectorTest, TheScanMissesNoWordWithinTheEdits) {
  std::mt19937 random(3);
  std::vector<std::string> titles;
  for (int i = 0; i < 300; ++i) titles.push_back(RandomWord(random) + " " + RandomWord(random));
  const auto words = testing::WordsOf(titles);
  const auto dictionary = words->dictionary();
  const Vocabulary& vocabulary = dictionary->vocabulary();
  SpellingOptions options;
  options.min_score = -1000;
  const SpellingCorrector spelling(vocabulary, options);
  for (int round = 0; round < 300; ++round) {
    const std::string typed = RandomWord(random);
    if (!spelling.IsCorrectable(typed)) continue;
    const int edits = typed.size() >= options.two_edits_from ? 2 : 1;
    bool any = false;
    for (size_t i = 0; i < vocabulary.size(); ++i) {
      const std::string& word = vocabulary.text(static_cast<WordId>(i));
      any = any || (word.size() >= 3 && word != typed && PlainDistance(typed, word) <= edits);
    }
    const auto reading = spelling.Correct(typed, {});
    EXPECT_TRUE(!any || reading.has_value()) << typed;
  }
}

}  // namespace
}  // namespace emptor::retrieval
