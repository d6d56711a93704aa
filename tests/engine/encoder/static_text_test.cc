#include "engine/encoder/static_text.h"

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

std::string Words(std::string_view text) { return NormalizeStaticText(StaticText::kWords, text); }

TEST(StaticTextTest, NamesOfFilesAreKnown) {
  EXPECT_EQ(ParseStaticText("nfkc_casefold"), StaticText::kCaseFolded);
  EXPECT_EQ(ParseStaticText("nfkc_casefold_words"), StaticText::kWords);
  EXPECT_EQ(ParseStaticText("none"), std::nullopt);
}

TEST(StaticTextTest, PunctuationAndBlanksOfAnyKindAreOneBlank) {
  EXPECT_EQ(Words("  Wet/Dry\n(Black),\t2-pack! "), "wet dry black 2 pack");
  EXPECT_EQ(Words("Straße Café"), "strasse café");
  EXPECT_EQ(Words(" ... "), "");
  EXPECT_EQ(Words(""), "");
}

TEST(StaticTextTest, DigitsLettersAndChineseStandApart) {
  EXPECT_EQ(Words("WH1000XM5"), "wh 1000 xm 5");
  EXPECT_EQ(Words("推荐一款4K显示器"), "推荐一款 4 k 显示器");
  EXPECT_EQ(Words("ＵＳＢ－Ｃ"), "usb c");
}

TEST(StaticTextTest, APointBetweenDigitsIsKeptAndACommaIsOne) {
  EXPECT_EQ(Words("1.7l, 1,7 L. 3."), "1.7 l 1.7 l 3");
  EXPECT_EQ(Words(".5 v1."), "5 v 1");
}

TEST(StaticTextTest, BytesThatAreNotUtf8AreSeparators) {
  EXPECT_EQ(Words("a\xff"
                  "b"),
            "a b");
  EXPECT_EQ(Words(std::string_view("a\0b", 3)), "a b");
}

}  // namespace
}  // namespace emptor::engine
