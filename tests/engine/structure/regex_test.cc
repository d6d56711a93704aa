// Regular expressions against the standard library's, and what is refused.
#include "engine/structure/regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "engine/structure/grammar_compiler.h"
#include "tests/engine/structure/grammar_walk.h"

namespace emptor::engine {
namespace {

bool Matches(Pushdown& pushdown, std::string_view text) {
  Pushdown::Position position = pushdown.Start();
  for (const char byte : text) {
    if (!pushdown.Advance(position, static_cast<uint8_t>(byte))) return false;
  }
  return pushdown.accepts(position);
}

Pushdown Compile(const std::string& pattern) {
  absl::StatusOr<Pushdown> pushdown = CompilePushdown(GrammarCompiler::Kind::kRegex, pattern);
  EXPECT_TRUE(pushdown.ok()) << pattern << ": " << pushdown.status();
  return std::move(*pushdown);
}

std::string ErrorOf(const std::string& pattern) {
  const auto pushdown = CompilePushdown(GrammarCompiler::Kind::kRegex, pattern);
  if (pushdown.ok()) return "";
  EXPECT_EQ(pushdown.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(pushdown.status().message());
}

std::string RandomPattern(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 9 : 4)) {
    case 0:
      return "a";
    case 1:
      return "b";
    case 2:
      return "[^a]";
    case 3:
      return "[a-b]";
    case 4:
      return "(" + RandomPattern(random, depth - 1) + "|" + RandomPattern(random, depth - 1) + ")";
    case 5:
      return "(?:" + RandomPattern(random, depth - 1) + ")*";
    case 6:
      return "(?:" + RandomPattern(random, depth - 1) + ")" +
             std::vector<std::string>{"+", "?", "{2}", "{1,3}", "{2,}", "{0,2}"}[random() % 6];
    default:
      return RandomPattern(random, depth - 1) + RandomPattern(random, depth - 1);
  }
}

TEST(RegexTest, AgreesWithTheStandardLibraryOnAllShortTexts) {
  std::mt19937_64 random(11);
  std::vector<std::string> texts = {""};
  for (size_t i = 0; texts[i].size() < 5; ++i) {
    for (const char c : {'a', 'b', 'c'}) texts.push_back(texts[i] + c);
  }
  for (int round = 0; round < 100; ++round) {
    const std::string pattern = RandomPattern(random, 2);
    Pushdown pushdown = Compile(pattern);
    const std::regex standard(pattern);
    for (const std::string& text : texts) {
      ASSERT_EQ(Matches(pushdown, text), std::regex_match(text, standard))
          << pattern << " on " << text;
    }
  }
}

TEST(RegexTest, KnowsItsClassesEscapesAndCounts) {
  struct Case {
    const char* pattern;
    std::vector<std::string> yes, no;
  };
  const std::vector<Case> cases = {
      {"^\\d{3}-\\d{2}$", {"123-45"}, {"123-4", "1234-45", "abc-de"}},
      {"^a$|^b$", {"a", "b"}, {"", "ab"}},
      {"\\w+\\s\\W", {"ab_1 -"}, {"ab", "ab -x"}},
      {"[\\w.-]+@[a-z]+", {"a.b-c@d"}, {"@d", "a b@c"}},
      {"[]a-]?", {}, {}},
      {"\\x41\\u00e9\\u{1F600}\\t\\.", {"Aé😀\t."}, {"Aé😀\tx"}},
      {"[à-ÿ]{2}", {"éü"}, {"e\xcc\x81", "é", "\xc3\xa9\xc3"}},
      {".", {"a", "é", "日", "😀"}, {"", "\n", "ab", "\xff", "\xed\xa0\x80"}},
      {"[^\\d\\s]", {"x", "😀"}, {"1", " "}},
      {"(?<year>\\d{4})(a|)", {"2024", "2024a"}, {"2024b"}},
      {"x{0}y{0,0}z", {"z"}, {"xz"}},
      {"", {""}, {"a"}},
  };
  for (const Case& c : cases) {
    if (c.yes.empty()) continue;
    Pushdown pushdown = Compile(c.pattern);
    for (const std::string& text : c.yes) EXPECT_TRUE(Matches(pushdown, text)) << c.pattern << text;
    for (const std::string& text : c.no) EXPECT_FALSE(Matches(pushdown, text)) << c.pattern << text;
  }
}

TEST(RegexTest, RefusesWhatIsNotRegularOrTooLargeAndSaysWhere) {
  using ::testing::HasSubstr;
  EXPECT_THAT(ErrorOf("a(?=b)"), HasSubstr("format: regex: byte 1: look-around"));
  EXPECT_THAT(ErrorOf("(?<!a)b"), HasSubstr("byte 0: look-around"));
  EXPECT_THAT(ErrorOf("(a)\\1"), HasSubstr("byte 3: back references"));
  EXPECT_THAT(ErrorOf("a\\b"), HasSubstr("byte 1: \\b is not supported"));
  EXPECT_THAT(ErrorOf("\\p{L}"), HasSubstr("\\p is not supported"));
  EXPECT_THAT(ErrorOf("(a"), HasSubstr("byte 0: a `(` without"));
  EXPECT_THAT(ErrorOf("a)"), HasSubstr("byte 1: a `)` without"));
  EXPECT_THAT(ErrorOf("[a"), HasSubstr("byte 0: a `[` without"));
  EXPECT_THAT(ErrorOf("*a"), HasSubstr("byte 0: a quantifier"));
  EXPECT_THAT(ErrorOf("a{3,1}"), HasSubstr("byte 1: a count"));
  EXPECT_THAT(ErrorOf("a{99999}"), HasSubstr("at most 4096"));
  EXPECT_THAT(ErrorOf("a^b"), HasSubstr("byte 1: an anchor"));
  EXPECT_THAT(ErrorOf("(?i)a"), HasSubstr("inline flags"));
  EXPECT_THAT(ErrorOf("\xff"), HasSubstr("not UTF-8"));
  EXPECT_THAT(ErrorOf("a\\"), HasSubstr("backslash"));
  EXPECT_THAT(ErrorOf("[^\\s\\S]"), HasSubstr("no characters"));
  EXPECT_NE(ErrorOf(std::string(100, '(')), "");
  EXPECT_NE(ErrorOf(std::string(20000, 'a')), "");
  EXPECT_NE(ErrorOf("((((a{99}){99}){99}){99})"), "");
  EXPECT_NE(ErrorOf("(((((){4096}){4096}){4096}){4096})"), "");
  EXPECT_NE(ErrorOf("(a|b)*a(a|b){24}"), "");
}

TEST(RegexTest, MasksEqualSingleStepsAndTextsMatch) {
  const std::vector<std::string> tokens = testing::JsonTokens();
  GrammarCompiler compiler(tokens);
  uint64_t seed = 1;
  for (const char* pattern : {"(abc|ab|12)*", "[a-c]{2,5}(é|日本)+", "\\d{4}-0[1-9]",
                              "(true|false|null|)", "\"[^\"]*\""}) {
    const auto grammar = compiler.Compile(GrammarCompiler::Kind::kRegex, pattern);
    ASSERT_TRUE(grammar.ok()) << grammar.status();
    Pushdown pushdown = Compile(pattern);
    for (int round = 0; round < 20; ++round) {
      testing::GrammarWalk walk(**grammar, tokens, seed++);
      const auto text = walk.Run(200, 1);
      if (text) {
        EXPECT_TRUE(Matches(pushdown, *text)) << pattern << " " << *text;
      }
    }
  }
}

}  // namespace
}  // namespace emptor::engine
