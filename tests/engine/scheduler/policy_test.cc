#include "engine/scheduler/policy.h"

#include <algorithm>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

SequenceView Waiting(int known) { return {.running = false, .known_tokens = known}; }
SequenceView Running(int known, int computed, int blocks) {
  return {.running = true, .known_tokens = known, .computed_tokens = computed, .blocks = blocks};
}

struct PolicyCase {
  std::string name;
  SchedulerLimits limits;
  std::vector<SequenceView> sequences;
  int free_blocks;
  std::vector<StepWork> work;
  std::vector<int> preempted;
};

const SchedulerLimits kLimits{.block_tokens = 4, .max_running = 3, .max_step_tokens = 8};

std::vector<PolicyCase> AdmissionCases() {
  return {
      {"NothingToDo", kLimits, {}, 4, {}, {}},
      {"AdmitsAPrompt", kLimits, {Waiting(5)}, 4, {{0, 5, 2}}, {}},
      {"CutsAPromptAtTheBudget", kLimits, {Waiting(11)}, 4, {{0, 8, 2}}, {}},
      {"ContinuesACutPrompt", kLimits, {Running(11, 8, 2)}, 2, {{0, 3, 1}}, {}},
      {"DecodesBeforePromptChunks",
       kLimits,
       {Running(20, 4, 1), Running(6, 5, 2)},
       9,
       {{1, 1, 0}, {0, 7, 2}},
       {}},
      {"NewRequestJoinsTheDecodingOne",
       kLimits,
       {Running(6, 5, 2), Waiting(4)},
       2,
       {{0, 1, 0}, {1, 4, 1}},
       {}},
      {"DecodeTakesABlockAtTheBorder", kLimits, {Running(9, 8, 2)}, 1, {{0, 1, 1}}, {}},
      {"FirstComeFirstServedHoldsBackTheSmallOne", kLimits, {Waiting(8), Waiting(1)}, 1, {}, {}},
      {"DoesNotAdmitIntoPromisedBlocks",
       kLimits,
       {Running(16, 0, 0), Waiting(4)},
       4,
       {{0, 8, 2}},
       {}},
      {"MaxRunningBoundsAdmission",
       {.block_tokens = 4, .max_running = 2, .max_step_tokens = 8},
       {Running(2, 1, 1), Waiting(1), Waiting(1)},
       9,
       {{0, 1, 0}, {1, 1, 1}},
       {}},
      {"DecodesBeyondTheBudgetWaitOldestFirst",
       {.block_tokens = 4, .max_running = 3, .max_step_tokens = 2},
       {Running(2, 1, 1), Running(2, 1, 1), Running(2, 1, 1)},
       0,
       {{0, 1, 0}, {1, 1, 0}},
       {}},
  };
}

std::vector<PolicyCase> PreemptionCases() {
  return {
      {"PreemptsTheYoungestWhenADecodeFindsNoBlock",
       kLimits,
       {Running(9, 8, 2), Running(6, 5, 2)},
       0,
       {{0, 1, 1}},
       {1}},
      {"PreemptsItselfWhenItIsTheYoungest",
       kLimits,
       {Running(6, 5, 2), Running(9, 8, 2)},
       0,
       {{0, 1, 0}},
       {1}},
      {"AStepThatPreemptsAdmitsNobody",
       kLimits,
       {Running(9, 8, 2), Running(9, 8, 2), Waiting(1)},
       0,
       {{0, 1, 1}},
       {1}},
      {"PreemptedSequenceComesBackBeforeYoungerOnes",
       kLimits,
       {Running(9, 8, 3), Waiting(6), Waiting(1)},
       2,
       {{0, 1, 0}, {1, 6, 2}},
       {}},
      {"PromptChunkShrinksToTheFreeBlocks",
       kLimits,
       {Running(12, 4, 1), Running(2, 1, 1)},
       1,
       {{1, 1, 0}, {0, 4, 1}},
       {}},
  };
}

class PolicyTest : public ::testing::TestWithParam<PolicyCase> {};

TEST_P(PolicyTest, PlansAsTheTableSays) {
  const PolicyCase& c = GetParam();
  const StepPlan plan = PlanStep(c.limits, c.sequences, c.free_blocks);
  EXPECT_EQ(plan.work, c.work);
  EXPECT_EQ(plan.preempted, c.preempted);
}

INSTANTIATE_TEST_SUITE_P(Admission, PolicyTest, ::testing::ValuesIn(AdmissionCases()),
                         [](const auto& tested) { return tested.param.name; });
INSTANTIATE_TEST_SUITE_P(Preemption, PolicyTest, ::testing::ValuesIn(PreemptionCases()),
                         [](const auto& tested) { return tested.param.name; });

/// Random loads: the plan never breaks its limits, and every sequence ends.
TEST(PolicyPropertyTest, KeepsItsLimitsAndFinishesEverything) {
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
        if (s.computed_tokens == s.known_tokens) ++s.known_tokens;
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
}

}  // namespace
}  // namespace emptor::engine
