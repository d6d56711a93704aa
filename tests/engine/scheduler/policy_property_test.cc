// The plans of random loads keep their limits.
#include <algorithm>
#include <random>

#include "engine/scheduler/policy.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

SequenceView Waiting(int known) { return {.running = false, .known_tokens = known}; }

/// Random loads: the plan never breaks its limits, and every sequence ends.
TEST(PolicyPropertyTest, KeepsItsLimitsAndFinishesEverything) {
  uint64_t drafts = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto draw = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const SchedulerLimits limits{
        .block_tokens = draw(1, 8), .max_running = draw(1, 6), .max_step_tokens = draw(1, 20)};
    const int capacity = draw(4, 12);
    const int longest = capacity * limits.block_tokens;
    std::vector<SequenceView> sequences;
    std::vector<int> goals;  // known tokens at which a sequence ends
    int free = capacity;
    int steps = 0;
    int arrivals = draw(1, 12);
    while (arrivals > 0 || !sequences.empty()) {
      ASSERT_LT(++steps, 20000);
      if (arrivals > 0 && draw(0, 2) == 0) {
        const int prompt = draw(1, std::max(1, longest - 1));
        sequences.push_back(Waiting(prompt));
        goals.push_back(draw(prompt, longest));
        --arrivals;
      }
      const StepPlan plan = PlanStep(limits, sequences, free);
      ASSERT_TRUE(sequences.empty() || !plan.work.empty());
      for (const int i : plan.preempted) {
        SequenceView& s = sequences[static_cast<size_t>(i)];
        ASSERT_TRUE(s.running);
        free += s.blocks;
        s = Waiting(s.known_tokens);
      }
      int tokens = 0;
      for (const StepWork& work : plan.work) {
        SequenceView& s = sequences[static_cast<size_t>(work.sequence)];
        s.running = true;
        s.blocks += work.new_blocks;
        s.computed_tokens += work.tokens;
        free -= work.new_blocks;
        tokens += work.tokens;
        ASSERT_LE(s.computed_tokens, s.known_tokens);
        ASSERT_GE(s.blocks * limits.block_tokens, s.computed_tokens);
        if (work.drafts > 0) {
          ASSERT_TRUE(s.decodes && work.tokens == 1 && work.drafts <= s.draft_tokens);
          ASSERT_GE(s.blocks * limits.block_tokens, s.computed_tokens + work.drafts);
          // Some are accepted; the blocks of the others return.
          const int accepted = draw(0, work.drafts);
          s.known_tokens += accepted;
          s.computed_tokens += accepted;
          const int held = BlocksFor(s.computed_tokens, limits.block_tokens);
          free += s.blocks - held;
          s.blocks = held;
          tokens += work.drafts;
          drafts += static_cast<uint64_t>(work.drafts);
        }
        if (s.computed_tokens == s.known_tokens) {
          ++s.known_tokens;
          s.decodes = true;
          s.draft_tokens = draw(0, 4);
        }
      }
      ASSERT_GE(free, 0);
      ASSERT_LE(tokens, limits.max_step_tokens);
      ASSERT_LE(std::count_if(sequences.begin(), sequences.end(),
                              [](const SequenceView& s) { return s.running; }),
                limits.max_running);
      for (size_t i = sequences.size(); i-- > 0;) {
        if (sequences[i].known_tokens <= goals[i]) continue;
        free += sequences[i].blocks;
        sequences.erase(sequences.begin() + static_cast<std::ptrdiff_t>(i));
        goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    EXPECT_EQ(free, capacity);
  }
  EXPECT_GT(drafts, 1000u);
}

}  // namespace
}  // namespace emptor::engine
