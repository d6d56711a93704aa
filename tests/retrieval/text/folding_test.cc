// Whole-value folding, English plurals, numbers and units.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "retrieval/text/english.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/quantity.h"
#include "retrieval/text/stop_words.h"

namespace emptor::retrieval {
namespace {

TEST(FoldTest, ComparesWholeValues) {
  EXPECT_EQ(FoldForComparison("  Hewlett\t Packard "), "hewlett packard");
  EXPECT_EQ(FoldForComparison("MIELE"), FoldForComparison("Miele"));
  EXPECT_EQ(FoldForComparison("Gro\u00DF"), "gross");
  EXPECT_EQ(FoldForComparison(""), "");
  EXPECT_EQ(FoldForComparison("\xff"), "\uFFFD");
}

TEST(FoldTest, ReducesIdentifiersToLettersAndDigits) {
  EXPECT_EQ(FoldIdentifier("WH-1000 XM5"), "wh1000xm5");
  EXPECT_EQ(FoldIdentifier("--"), "");
}

TEST(FoldTest, KnowsIllFormedUtf8) {
  EXPECT_TRUE(IsValidUtf8("caf\u00E9 \U0001F600"));
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_FALSE(IsValidUtf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(IsValidUtf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(IsValidUtf8("abc\xe2\x82"));       // cut
  EXPECT_FALSE(IsValidUtf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
}

TEST(EnglishTest, FoldsPluralsAndSpellings) {
  const std::pair<std::string, std::string> cases[] = {
      {"kettles", "kettle"}, {"batteries", "battery"},
      {"boxes", "box"},      {"watches", "watch"},
      {"glasses", "glass"},  {"glass", "glass"},
      {"shelves", "shelf"},  {"mice", "mouse"},
      {"women", "woman"},    {"lenses", "lens"},
      {"lens", "lens"},      {"shoes", "shoe"},
      {"sizes", "size"},     {"tvs", "tv"},
      {"gas", "gas"},        {"bus", "bus"},
      {"status", "status"},  {"cookies", "cookie"},
      {"colour", "color"},   {"grey", "gray"},
      {"is", "is"},          {"tennis", "tennis"},
      {"dresses", "dress"},  {"toothbrushes", "toothbrush"},
  };
  for (const auto& [word, folded] : cases) {
    std::string out = word;
    FoldEnglish(out);
    EXPECT_EQ(out, folded) << word;
    FoldEnglish(out);
    EXPECT_EQ(out, folded) << word << " folded twice";
  }
}

TEST(QuantityTest, GivesNumbersOneSpelling) {
  const std::pair<std::string, std::string> cases[] = {
      {"1,7", "1.7"},           {"1,000", "1000"},      {"1,000,000", "1000000"},
      {"0,125", "0.125"},       {"1.000,50", "1000.5"}, {"1,000.50", "1000.5"},
      {"2.50", "2.5"},          {"5.0", "5"},           {"1.000", "1.000"},
      {"802.11", "802.11"},     {"1.2.3", "1.2.3"},     {"27", "27"},
      {"12,34,56", "12.34.56"}, {"3.5mm", "3.5mm"},     {"", ""},
  };
  for (const auto& [number, normal] : cases) EXPECT_EQ(NormalizeNumber(number), normal) << number;
}

TEST(QuantityTest, NamesUnits) {
  EXPECT_EQ(CanonicalUnit("inches"), "inch");
  EXPECT_EQ(CanonicalUnit("litres"), "l");
  EXPECT_EQ(CanonicalUnit("zoll"), "inch");
  EXPECT_EQ(CanonicalUnit("kettle"), "");
  EXPECT_EQ(CanonicalUnit(""), "");
}

TEST(StopWordsTest, DistinguishesFunctionWordsFromRequestWords) {
  EXPECT_TRUE(IsStopWord("the"));
  EXPECT_FALSE(IsStopWord("under"));
  EXPECT_TRUE(IsRequestWord("under"));
  EXPECT_FALSE(IsRequestWord("kettle"));
}

}  // namespace
}  // namespace emptor::retrieval
