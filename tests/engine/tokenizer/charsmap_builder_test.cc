// Maps that are built and read back.
#include "engine/tokenizer/charsmap_builder.h"

#include <random>

#include "engine/tokenizer/charsmap.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

using Rules = std::map<std::string, std::string>;

Charsmap Build(const Rules& rules) {
  const auto bytes = BuildCharsmap(rules);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  auto map = Charsmap::Create(*bytes);
  EXPECT_TRUE(map.ok()) << map.status();
  return *std::move(map);
}

void ExpectLongestMatch(const Charsmap& map, const Rules& rules, std::string_view text) {
  std::string_view source;
  for (const auto& [from, to] : rules) {
    if (text.starts_with(from) && from.size() > source.size()) source = from;
  }
  const auto match = map.FindLongest(text);
  ASSERT_EQ(match.has_value(), !source.empty()) << text;
  if (!match) return;
  EXPECT_EQ(match->consumed, source.size()) << text;
  EXPECT_EQ(match->replacement, rules.at(std::string(source))) << text;
}

TEST(CharsmapBuilderTest, EveryRuleIsFoundAndNothingElse) {
  const Rules rules = {{"\xc3\xa9", "e"},   {"e\xcc\x81", "e"}, {"e", ""},
                       {"e\xcc\x81x", "y"}, {"\xff", "1/2"},    {"\xc3", "c"}};
  const Charsmap map = Build(rules);
  for (const auto& [source, unused] : rules) {
    ExpectLongestMatch(map, rules, source);
    ExpectLongestMatch(map, rules, source + "x\x81");
    ExpectLongestMatch(map, rules, source + std::string("\0\x81", 2));
  }
  for (const char* text : {"", "x", "\xcc\x81", "\xfe"}) EXPECT_FALSE(map.FindLongest(text));
  EXPECT_FALSE(map.FindLongest(std::string_view("\0e", 2)));
}

TEST(CharsmapBuilderTest, RandomRulesAreFoundInRandomTexts) {
  std::mt19937 random(1);
  const auto text = [&](size_t length) {
    std::string bytes;
    while (bytes.size() < length) bytes += static_cast<char>(1 + random() % 5 * 50);
    return bytes;
  };
  Rules rules;
  while (rules.size() < 3000) rules[text(1 + random() % 7)] = text(random() % 4);
  const Charsmap map = Build(rules);
  for (int i = 0; i < 3000; ++i) ExpectLongestMatch(map, rules, text(8));
}

TEST(CharsmapBuilderTest, RefusesRulesThatTheLayoutCannotHold) {
  EXPECT_FALSE(BuildCharsmap({}).ok());
  EXPECT_FALSE(BuildCharsmap({{"", "x"}}).ok());
  EXPECT_FALSE(BuildCharsmap({{std::string("a\0b", 3), "x"}}).ok());
  EXPECT_FALSE(BuildCharsmap({{"a", std::string("\0", 1)}}).ok());
}

}  // namespace
}  // namespace emptor::engine
