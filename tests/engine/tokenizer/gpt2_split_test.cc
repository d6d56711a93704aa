#include "engine/tokenizer/gpt2_split.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t n = Gpt2WordLength(text);
    words.emplace_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return words;
}

struct SplitCase {
  std::string text;
  std::vector<std::string> words;
};

TEST(Gpt2SplitTest, CutsAsTheRegularExpressionDoes) {
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
  for (const SplitCase& c : cases) EXPECT_EQ(Words(c.text), c.words) << c.text;
}

TEST(Gpt2SplitTest, EveryByteStringIsCoveredAndTerminates) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b), ' ',
                                static_cast<char>(a)};
      std::string joined;
      for (const std::string& word : Words(text)) joined += word;
      ASSERT_EQ(joined, text);
    }
  }
}

}  // namespace
}  // namespace emptor::engine
