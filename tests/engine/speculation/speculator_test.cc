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

/// Drafts take a time that the test sets.
class SlowDrafter final : public Drafter {
 public:
  explicit SlowDrafter(std::chrono::steady_clock::time_point& now) : now_(now) {}

  std::optional<int> Classify(uint64_t, std::span<const int32_t>) override { return 3; }
  void Prefill(std::span<const DraftRequest>) override { now_ += prefill_time; }
  void DraftInto(std::span<DraftRequest> requests) override {
    for (DraftRequest& request : requests) {
      request.drafts.assign(static_cast<size_t>(request.count), 7);
      now_ += token_time * request.count;
      ++drafts;
    }
  }
  void Forget(uint64_t) override {}
  bool is_free() const override { return false; }

  std::chrono::milliseconds token_time{0}, prefill_time{0};
  int drafts = 0;

 private:
  std::chrono::steady_clock::time_point& now_;
};

class DraftingTimeTest : public ::testing::Test {
 protected:
  /// How often the drafter drafts in so many steps. A step takes 10 ms, and 1 ms more for each
  /// draft token; all of these are accepted, or none.
  int DraftsOf(int steps, bool accepted) {
    const int before = drafter_->drafts;
    const std::vector<int32_t> tokens = {1, 2, 3};
    for (int i = 0; i < steps; ++i) {
      DraftSlot slot{.sequence = 1, .tokens = tokens, .room = 8};
      speculator_.DraftInto(std::span(&slot, 1));
      const auto count = static_cast<int>(slot.drafts.size());
      speculator_.ObserveStep(1 + count, 0.01 + 0.001 * count);
      if (count > 0) speculator_.Observe(1, accepted ? count : 1, accepted ? count : 0);
    }
    return drafter_->drafts - before;
  }

  std::chrono::steady_clock::time_point now_{std::chrono::seconds(5)};
  SlowDrafter* drafter_ = new SlowDrafter(now_);  // the speculator's
  Speculator speculator_{std::unique_ptr<Drafter>(drafter_), 8, [this] { return now_; }};
};

TEST_F(DraftingTimeTest, OneSlowMomentStopsDraftsForAWhileOnly) {
  drafter_->token_time = std::chrono::seconds(20);
  EXPECT_EQ(DraftsOf(20, true), 1);
  drafter_->token_time = std::chrono::milliseconds(1);
  DraftsOf(1000, true);
  EXPECT_GT(DraftsOf(100, true), 90);
}

TEST_F(DraftingTimeTest, DraftsThatTakeTooLongAreHardlyTried) {
  drafter_->token_time = std::chrono::milliseconds(20);
  DraftsOf(100, true);
  const int drafts = DraftsOf(10000, true);
  EXPECT_GT(drafts, 10);
  EXPECT_LT(drafts, 200);
}

TEST_F(DraftingTimeTest, DraftsThatWereWrongAtFirstAreTriedAgain) {
  drafter_->token_time = std::chrono::milliseconds(1);
  EXPECT_LT(DraftsOf(50, false), 10);
  DraftsOf(1500, true);
  EXPECT_GT(DraftsOf(100, true), 90);
}

TEST_F(DraftingTimeTest, IsNotForgottenWhileDraftsWouldNotPayEvenWithoutIt) {
  const auto observe_steps = [&](double token_seconds) {
    for (int n = 1; n <= 9; ++n) speculator_.ObserveStep(n, 0.01 + token_seconds * (n - 1));
  };
  drafter_->token_time = std::chrono::milliseconds(20);
  EXPECT_EQ(DraftsOf(20, true), 1);
  const std::vector<int32_t> tokens = {1, 2, 3};
  for (int i = 0; i < 2000; ++i) {
    observe_steps(0.01);  // each token takes its full time, as in a full batch
    if (i < 200) continue;
    DraftSlot slot{.sequence = 1, .tokens = tokens, .room = 8};
    speculator_.DraftInto(std::span(&slot, 1));
    ASSERT_TRUE(slot.drafts.empty());
  }
  for (int i = 0; i < 1000; ++i) observe_steps(0.001);
  EXPECT_EQ(DraftsOf(1, true), 0);
}

TEST_F(DraftingTimeTest, ReadingATextIsNoPartOfIt) {
  drafter_->token_time = std::chrono::milliseconds(1);
  drafter_->prefill_time = std::chrono::milliseconds(50);
  EXPECT_GT(DraftsOf(100, true), 90);
}

}  // namespace
}  // namespace emptor::engine
