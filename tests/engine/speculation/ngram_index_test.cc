#include "engine/speculation/ngram_index.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

std::vector<int32_t> TextTokens(const std::string& text) { return {text.begin(), text.end()}; }

struct NgramCase {
  std::string text;
  int length;
  size_t next;
};

class NgramIndexTest : public ::testing::TestWithParam<NgramCase> {};

TEST_P(NgramIndexTest, FindsTheEndOfTheText) {
  NgramIndex index;
  const NgramIndex::Match match = index.Find(TextTokens(GetParam().text));
  EXPECT_EQ(match.length, GetParam().length);
  if (match.length > 0) {
    EXPECT_EQ(match.next, GetParam().next);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, NgramIndexTest,
    ::testing::Values(NgramCase{"", 0, 0}, NgramCase{"a", 0, 0}, NgramCase{"ab", 0, 0},
                      NgramCase{"abcdefgb", 0, 0},       // one token is no match
                      NgramCase{"abcdab", 2, 2},         // two are
                      NgramCase{"abcdxbcd", 3, 4},       // to the length that is equal
                      NgramCase{"ab1ab2ab", 2, 5},       // the latest place
                      NgramCase{"xyab1zab2xyab", 4, 4},  // but the longest first
                      NgramCase{"aaaa", 3, 3},           // also where they overlap
                      NgramCase{"abcdefghabcdefgh", 8, 8}));

TEST(NgramIndexTest, StaysAtAPlaceForAsLongAsTheTextGoesOnAsThere) {
  const std::vector<int32_t> tokens = TextTokens("one two three. on the two there. one two three");
  NgramIndex index;
  NgramIndex::Match match;
  for (size_t end = 35; end <= tokens.size(); ++end) {
    match = index.Find(std::span(tokens).first(end));
  }
  EXPECT_EQ(match.length, 13);
  EXPECT_EQ(match.next, 13u);
}

TEST(NgramIndexTest, SeveralTokensAtOnceAreLikeOneAfterTheOther) {
  std::mt19937_64 random(5);
  int found = 0, occurred = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<int32_t> tokens(60);
    for (int32_t& token : tokens) token = static_cast<int32_t>(random() % 3);
    NgramIndex index;
    for (size_t end = 5; end <= tokens.size(); end += 1 + random() % 6) {
      const auto text = std::span(tokens).first(end);
      const NgramIndex::Match match = index.Find(text);
      // The match is one; two tokens that occurred before are found unless others have their slot.
      ASSERT_LT(match.next, end);
      const auto length = static_cast<size_t>(match.length);
      ASSERT_TRUE(std::equal(text.end() - static_cast<long>(length), text.end(),
                             text.begin() + static_cast<long>(match.next - length)));
      const auto two = text.last(2), before = text.first(end - 1);
      const bool known =
          std::search(before.begin(), before.end(), two.begin(), two.end()) != before.end();
      ASSERT_TRUE(known || match.length == 0);
      found += match.length > 0 ? 1 : 0;
      occurred += known ? 1 : 0;
    }
  }
  EXPECT_GT(found, 0.95 * occurred);
}

}  // namespace
}  // namespace emptor::engine
