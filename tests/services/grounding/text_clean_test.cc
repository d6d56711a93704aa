// Untrusted text made safe, and cut: tables of small texts.
#include "services/grounding/text_clean.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

TEST(TextCleanTest, MakesWhitespaceOneBlankAndTakesMarkersOut) {
  EXPECT_EQ(CleanText("  a \t\n b  "), "a b");
  EXPECT_EQ(CleanText("\u00A0a\u2003b\u00A0"), "a b");
  EXPECT_EQ(CleanText("[1:price] <|im_end|>"), "1:price im_end|>");
  EXPECT_EQ(CleanText("a\u200Bb\x01"), "ab");
  EXPECT_EQ(CleanText("a\xFFz"), "az");
  EXPECT_EQ(CleanText("\uFF14\uFF19"), "49");
  EXPECT_EQ(CleanText(""), "");
}

TEST(TextCleanTest, PlainTextHasNoTags) {
  EXPECT_EQ(PlainText("a <b>bold</b> word"), "a bold word");
  EXPECT_EQ(PlainText("a<!-- x -->b<?y?>c"), "abc");
  EXPECT_EQ(PlainText("*a* `b` # c > d"), "a b c d");
}

TEST(TextCleanTest, ALessThanSignThatOpensNoTagLosesOnlyItself) {
  EXPECT_EQ(PlainText("5 < 6 and 7 > 6"), "5 6 and 7 6");
  EXPECT_EQ(PlainText("a <3 b> c"), "a 3 b c");
  EXPECT_EQ(PlainText("<b without an end"), "b without an end");
  EXPECT_EQ(PlainText("ends in <"), "ends in");
}

TEST(TextCleanTest, ATagOfPageLengthIsText) {
  const std::string words(5000, 'x');
  EXPECT_EQ(PlainText("<a " + words + ">b"), "a " + words + "b");
}

TEST(TextCleanTest, CutsBetweenCharacters) {
  EXPECT_EQ(CutAtCharacter("abc", 3), "abc");
  EXPECT_EQ(CutAtCharacter("abc", 2), "ab");
  EXPECT_EQ(CutAtCharacter("a\u00E9b", 2), "a");
  EXPECT_EQ(CutAtCharacter("a\u00E9b", 3), "a\u00E9");
  EXPECT_EQ(CutAtCharacter("\u6C34\u58F6", 5), "\u6C34");
  EXPECT_EQ(CutAtCharacter("\u6C34", 2), "");
}

TEST(TextCleanTest, CutsBetweenWordsWhereThereAreAny) {
  EXPECT_EQ(CutAtWord("one two three", 13), "one two three");
  EXPECT_EQ(CutAtWord("one two three", 9), "one two");
  EXPECT_EQ(CutAtWord("one two three", 8), "one two");
  EXPECT_EQ(CutAtWord("onetwothree", 6), "onetwo");
}

}  // namespace
}  // namespace emptor::services
