#include "engine/speculation/speculator.h"

#include <string>

#include "engine/speculation/prompt_lookup.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

class SpeculatorTest : public ::testing::Test {
 protected:
  std::string Draft(const std::string& text, int room = 100) {
    const std::vector<int32_t> tokens(text.begin(), text.end());
    DraftSlot slot{.sequence = 1, .tokens = tokens, .room = room};
    speculator_.DraftInto(std::span(&slot, 1));
    return {slot.drafts.begin(), slot.drafts.end()};
  }

  Speculator speculator_{std::make_unique<PromptLookup>(), 4};
  const std::string quoted_ = "the quick brown fox jumps over it. the quick brown f";
};

TEST_F(SpeculatorTest, DraftsUpToTheMaximumAndTheRoom) {
  EXPECT_EQ(Draft(quoted_), "ox j");
  EXPECT_EQ(Draft(quoted_, 2), "ox");
  EXPECT_EQ(Draft(quoted_, 0), "");
  EXPECT_EQ(Draft(quoted_ + "#?"), "");
}

TEST_F(SpeculatorTest, StopsWhenDraftsFailAndSeesForItselfWhenTheyWouldNot) {
  for (int i = 0; i < 60; ++i) speculator_.Observe(1, 0, 0);  // nothing was compared
  EXPECT_EQ(Draft(quoted_), "ox j");
  for (int i = 0; i < 60; ++i) speculator_.Observe(1, 1, 0);
  EXPECT_EQ(Draft(quoted_), "");
  // It watches the drafts that it does not propose: each of these letters was right.
  std::string text = quoted_;
  std::string drafted;
  const std::string rest =
      "ox jumps over it. the quick brown fox jumps over it. the quick brown fox"
      " jumps over it. the quick brown fox";
  for (size_t i = 0; i < rest.size() && drafted.empty(); ++i) drafted = Draft(text += rest[i]);
  EXPECT_NE(drafted, "");
}

TEST_F(SpeculatorTest, StopsWhenEachTokenCostsItsFullTime) {
  for (int i = 0; i < 200; ++i) {
    for (int n = 1; n <= 7; ++n) speculator_.ObserveStep(n, 0.01 * n);
  }
  EXPECT_EQ(Draft(quoted_), "");
}

TEST_F(SpeculatorTest, ANewSequenceBeginsWithWhatOthersTaught) {
  Draft(quoted_);
  for (int i = 0; i < 60; ++i) speculator_.Observe(1, 1, 0);
  speculator_.Forget(1);
  speculator_.Observe(1, 1, 1);  // unknown: ignored
  EXPECT_EQ(Draft(quoted_), "");
}

}  // namespace
}  // namespace emptor::engine
