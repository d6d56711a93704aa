// Made-up prompts: as long as asked for, shared where they should be.
#include "services/bench/prompt_maker.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace emptor::services {
namespace {

int Words(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), ' ')) + 1;
}

TEST(TokenScaleTest, FitsWhatTheServerCounted) {
  const TokenScale scale = TokenScale::Fit(4, 26, 40, 98);
  EXPECT_EQ(scale.per_word, 2);
  EXPECT_EQ(scale.per_request, 18);
  EXPECT_EQ(Words(MakePrompt({.input_tokens = 118}, scale, 1)), 50);
}

TEST(TokenScaleTest, KeepsTheDefaultWhereCountsAreUninformative) {
  EXPECT_EQ(TokenScale::Fit(4, 9, 40, 9).per_word, TokenScale().per_word);
  EXPECT_EQ(TokenScale::Fit(4, 9, 4, 12).per_word, TokenScale().per_word);
  EXPECT_EQ(TokenScale::Fit(4, 0, 40, 720).per_request, 0);  // never below nothing
}

TEST(MakePromptTest, OwnTextIsOfTheSeedAlone) {
  const TokenScale scale{0, 1};
  const PromptShape shape{.input_tokens = 30};
  EXPECT_EQ(MakePrompt(shape, scale, 5), MakePrompt(shape, scale, 5));
  EXPECT_NE(MakePrompt(shape, scale, 5), MakePrompt(shape, scale, 6));
  EXPECT_EQ(Words(MakePrompt({.input_tokens = 0}, scale, 1)), 1);
}

TEST(MakePromptTest, EqualBlocksAreEqualText) {
  const TokenScale scale{0, 1};
  const PromptShape a{.input_tokens = 25, .prefix_blocks = {1, 2, 3}, .block_tokens = 10};
  const PromptShape b{.input_tokens = 30, .prefix_blocks = {1, 2, 9}, .block_tokens = 10};
  const std::string left = MakePrompt(a, scale, 1), right = MakePrompt(b, scale, 2);
  EXPECT_EQ(Words(left), 25);
  EXPECT_EQ(Words(right), 30);
  const std::string shared =
      MakePrompt({.input_tokens = 20, .prefix_blocks = {1, 2}, .block_tokens = 10}, scale, 3);
  EXPECT_EQ(left.find(shared), 0u);
  EXPECT_EQ(right.find(shared), 0u);
  EXPECT_NE(left, right.substr(0, left.size()));
}

TEST(MakePromptTest, SharesABeginning) {
  const TokenScale scale{0, 1};
  const std::string a = MakePrompt({.input_tokens = 40, .shared_tokens = 20}, scale, 1);
  const std::string b = MakePrompt({.input_tokens = 40, .shared_tokens = 20}, scale, 2);
  const std::string shared = MakePrompt({.input_tokens = 20, .shared_tokens = 20}, scale, 9);
  EXPECT_EQ(a.find(shared), 0u);
  EXPECT_EQ(b.find(shared), 0u);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace emptor::services
