#include "engine/speculation/prompt_lookup.h"

#include <string>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

std::vector<int32_t> LookupTokens(const std::string& text) { return {text.begin(), text.end()}; }

std::string DraftOf(PromptLookup& lookup, uint64_t sequence, const std::string& text, int count) {
  const std::vector<int32_t> tokens = LookupTokens(text);
  if (!lookup.Classify(sequence, tokens)) return "none";
  DraftRequest request{.sequence = sequence, .tokens = tokens, .count = count};
  lookup.DraftInto(std::span(&request, 1));
  return {request.drafts.begin(), request.drafts.end()};
}

TEST(PromptLookupTest, ProposesWhatFollowedTheSameTokens) {
  PromptLookup lookup;
  EXPECT_EQ(DraftOf(lookup, 1, "the kettle holds 1.7 l. Q? the k", 8), "ettle ho");
  EXPECT_EQ(DraftOf(lookup, 1, "the kettle holds 1.7 l. Q? the kettle h", 3), "old");
}

TEST(PromptLookupTest, RepeatsThePartUpToTheEndOfTheText) {
  PromptLookup lookup;
  EXPECT_EQ(DraftOf(lookup, 1, "abcabc", 8), "abcabcab");
  EXPECT_EQ(DraftOf(lookup, 2, "xaaa", 4), "aaaa");
}

TEST(PromptLookupTest, HasNoDraftWhereNothingRepeats) {
  PromptLookup lookup;
  EXPECT_EQ(DraftOf(lookup, 1, "abcdefg", 4), "none");
}

TEST(PromptLookupTest, SequencesDoNotMix) {
  PromptLookup lookup;
  EXPECT_EQ(DraftOf(lookup, 1, "abcXab", 2), "cX");
  EXPECT_EQ(DraftOf(lookup, 2, "defgab", 2), "none");
  EXPECT_EQ(lookup.size(), 2);
  lookup.Forget(1);
  lookup.Forget(7);
  EXPECT_EQ(lookup.size(), 1);
}

TEST(PromptLookupTest, LongerMatchesAreOfAHigherClass) {
  PromptLookup lookup;
  const std::string text = "abcdefghijklmnopqrstuvwxyz";
  const std::vector<int> want = {0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5};
  for (size_t length = 2; length < 18; ++length) {
    EXPECT_EQ(lookup.Classify(length, LookupTokens(text + "." + text.substr(0, length))),
              want[length - 2])
        << length;
  }
}

}  // namespace
}  // namespace emptor::engine
