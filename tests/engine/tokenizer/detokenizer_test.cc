#include "engine/tokenizer/detokenizer.h"

#include <random>

#include "engine/tokenizer/vocabulary.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

Vocabulary AnyVocabulary() {
  VocabularySpec spec;
  spec.tokens = {"a"};
  return *Vocabulary::Create(spec);
}

std::string FeedByteByByte(std::string_view bytes) {
  const Vocabulary vocabulary = AnyVocabulary();
  Detokenizer detokenizer(vocabulary);
  std::string out;
  for (const char byte : bytes) {
    const std::string piece = detokenizer.AppendBytes({&byte, 1});
    for (std::string_view rest = piece; !rest.empty();) {
      const int n = Utf8Prefix(rest);
      EXPECT_GT(n, 0) << "part of a character was let out";
      rest.remove_prefix(static_cast<size_t>(n > 0 ? n : 1));
    }
    out += piece;
  }
  return out + detokenizer.Flush();
}

TEST(DetokenizerTest, WholeCharactersSurviveAnyCut) {
  const std::string text = "a\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80z";
  EXPECT_EQ(FeedByteByByte(text), text);
}

TEST(DetokenizerTest, NothingOfACharacterComesBeforeItsLastByte) {
  const Vocabulary vocabulary = AnyVocabulary();
  Detokenizer detokenizer(vocabulary);
  EXPECT_EQ(detokenizer.AppendBytes("\xf0\x9f"), "");
  EXPECT_TRUE(detokenizer.holding());
  EXPECT_EQ(detokenizer.AppendBytes("\x98"), "");
  EXPECT_EQ(detokenizer.AppendBytes("\x80!"), "\xf0\x9f\x98\x80!");
  EXPECT_FALSE(detokenizer.holding());
}

TEST(DetokenizerTest, BadBytesBecomeReplacementCharacters) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(FeedByteByByte("a\xff"
                           "b"),
            "a" + r + "b");
  EXPECT_EQ(FeedByteByByte("\xe4\xb8"
                           "b"),
            r + "b");                                            // cut short by another character
  EXPECT_EQ(FeedByteByByte("\xed\xa0\x80"), r + r + r);          // surrogate
  EXPECT_EQ(FeedByteByByte("\xc0\xaf"), r + r);                  // overlong
  EXPECT_EQ(FeedByteByByte("\xf4\x90\x80\x80"), r + r + r + r);  // above U+10FFFF
  EXPECT_EQ(FeedByteByByte("x\xf0\x9f\x98"), "x" + r);           // cut short by the end
}

TEST(DetokenizerTest, CutOfThePiecesDoesNotMatter) {
  std::mt19937 random(1);
  const Vocabulary vocabulary = AnyVocabulary();
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) {
      static constexpr std::string_view kBytes = "a\x80\xbf\xc3\xe4\xb8\xf0\x9f\x98\xed\xff";
      bytes += kBytes[random() % kBytes.size()];
    }
    Detokenizer whole(vocabulary);
    std::string at_once = whole.AppendBytes(bytes);
    at_once += whole.Flush();
    ASSERT_EQ(FeedByteByByte(bytes), at_once);
  }
}

}  // namespace
}  // namespace emptor::engine
