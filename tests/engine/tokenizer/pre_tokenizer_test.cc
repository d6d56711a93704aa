// The splitting rules on cases written by hand.
#include "engine/tokenizer/pre_tokenizer.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

std::vector<std::string> Words(PreTokenizer pre_tokenizer, std::string_view text) {
  std::vector<std::string> words;
  ForEachWord(SplitRules(pre_tokenizer), text,
              [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

constexpr PreTokenizer kAll[] = {PreTokenizer::kGpt2,         PreTokenizer::kStarcoder,
                                 PreTokenizer::kFalcon,       PreTokenizer::kLlama3,
                                 PreTokenizer::kQwen2,        PreTokenizer::kDeepSeekLlm,
                                 PreTokenizer::kDeepSeekCoder};

struct SplitCase {
  std::string text;
  std::vector<std::string> words;
};

TEST(PreTokenizerTest, Gpt2CutsAsTheRegularExpressionDoes) {
  const std::vector<SplitCase> cases = {
      {"Hello world", {"Hello", " world"}},
      {"it's we'll I'd they've you're don't I'm",
       {"it", "'s", " we", "'ll", " I", "'d", " they", "'ve", " you", "'re", " don", "'t", " I",
        "'m"}},
      {"'S 'x '", {"'", "S", " '", "x", " '"}},
      {" 's", {" '", "s"}},
      {"a1b22", {"a", "1", "b", "22"}},
      {"a  b", {"a", " ", " b"}},
      {"a   ", {"a", "   "}},
      {"a \n b", {"a", " \n", " b"}},
      {"a\nb", {"a", "\n", "b"}},
      {"a\n\nb", {"a", "\n", "\n", "b"}},
      {"\t\tx", {"\t", "\t", "x"}},
      {"  1", {" ", " 1"}},
      {"!!! ?", {"!!!", " ?"}},
      {"$49.99", {"$", "49", ".", "99"}},
      {"Ünïcödé 東京 ½", {"Ünïcödé", " 東京", " ½"}},
      {"e\xcc\x81x", {"e", "\xcc\x81", "x"}},  // a combining accent is no letter
      {"a\xe2\x80\x83"
       "b",
       {"a", "\xe2\x80\x83", "b"}},              // em space
      {"a\xc2\xa0 b", {"a", "\xc2\xa0", " b"}},  // no-break space
      {"a\xffz", {"a", "\xff", "z"}},            // not UTF-8
      {"\xe4\xb8", {"\xe4\xb8"}},                // cut short
      {"\x1c", {"\x1c"}},
      {" ", {" "}},
      {"\xf0\x9f\x98\x80 ok", {"\xf0\x9f\x98\x80", " ok"}},
  };
  for (const SplitCase& c : cases) {
    EXPECT_EQ(Words(PreTokenizer::kGpt2, c.text), c.words) << c.text;
  }
}

struct RuleCase {
  PreTokenizer rules;
  std::string text;
  std::vector<std::string> words;
};

TEST(PreTokenizerTest, OtherModelsCutByTheirOwnRules) {
  using enum PreTokenizer;
  const std::vector<RuleCase> cases = {
      {kStarcoder, "a 123 b", {"a", " ", "1", "2", "3", " b"}},
      {kStarcoder, "v2.0", {"v", "2", ".", "0"}},
      {kFalcon, "a 12345 $b!", {"a", " ", "123", "45", " ", "$", "b", "!"}},
      {kLlama3, "I'LL pay 12345\n\n now", {"I", "'LL", " pay", " ", "123", "45", "\n\n", " now"}},
      {kLlama3, "(word) ...\n\nx", {"(word", ")", " ...\n\n", "x"}},
      {kLlama3, "a \n  b  ", {"a", " \n", " ", " b", "  "}},
      {kLlama3, "\tx\n\tx", {"\tx", "\n", "\tx"}},
      {kQwen2, "2024 ok", {"2", "0", "2", "4", " ok"}},
      {kDeepSeekLlm, "Führer \n", {"F", "ü", "hrer", " ", "\n"}},
      {kDeepSeekLlm, "ab 12  !x", {"ab", " ", "1", "2", " ", " !", "x"}},
      {kDeepSeekLlm, "x 东京。ok", {"x", " ", "东京", "。", "ok"}},
      {kDeepSeekLlm, "я иду", {"я", " иду"}},
      {kDeepSeekCoder, "a+b, c42", {"a", "+", "b", ",", " c", "4", "2"}},
  };
  for (const RuleCase& c : cases) EXPECT_EQ(Words(c.rules, c.text), c.words) << c.text;
}

TEST(PreTokenizerTest, OnlyKnownNamesAreFound) {
  EXPECT_EQ(FindPreTokenizer("deepseek-llm")->rules, PreTokenizer::kDeepSeekLlm);
  EXPECT_TRUE(FindPreTokenizer("llama-bpe")->whole_words_first);
  EXPECT_FALSE(FindPreTokenizer("smaug-bpe")->whole_words_first);
  EXPECT_FALSE(FindPreTokenizer("default").has_value());
  EXPECT_FALSE(FindPreTokenizer("").has_value());
  EXPECT_NE(PreTokenizerNames().find("qwen2"), std::string::npos);
}

TEST(PreTokenizerTest, EveryByteStringIsCoveredAndTerminates) {
  for (const PreTokenizer rules : kAll) {
    for (int a = 0; a < 256; ++a) {
      for (int b = 0; b < 256; ++b) {
        const std::string text = {static_cast<char>(a), static_cast<char>(b), ' ',
                                  static_cast<char>(a)};
        std::string joined;
        for (const std::string& word : Words(rules, text)) joined += word;
        ASSERT_EQ(joined, text);
      }
    }
  }
}

/// Processor seconds that the words of so many bytes take, all of them the same character.
double SplitSeconds(PreTokenizer rules, const char* unit, size_t size) {
  std::string text;
  while (text.size() < size) text += unit;
  size_t bytes = 0;
  const std::clock_t begin = std::clock();
  ForEachWord(SplitRules(rules), text + "x", [&](std::string_view word) { bytes += word.size(); });
  const std::clock_t end = std::clock();
  EXPECT_EQ(bytes, text.size() + 1);
  return static_cast<double>(end - begin) / CLOCKS_PER_SEC;
}

// Sixteen times the text takes about sixteen times as long; a square law would take 256.
TEST(PreTokenizerTest, LongRunsTakeLinearTime) {
  for (const PreTokenizer rules : kAll) {
    for (const char* unit : {" ", "\n", "a", "1", "!", "\xff", "\xe2\x80\x83"}) {
      const double small = SplitSeconds(rules, unit, 1 << 16);
      EXPECT_LT(SplitSeconds(rules, unit, 1 << 20), 80 * std::max(small, 0.001)) << unit;
    }
  }
}

}  // namespace
}  // namespace emptor::engine
