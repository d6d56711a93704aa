#include "engine/scheduler/policy.h"

#include "gtest/gtest.h"
#include "tests/engine/scheduler/policy_cases.h"

namespace emptor::engine {
namespace {

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

SchedulerLimits Limits(const std::function<void(SchedulerLimits&)>& change) {
  SchedulerLimits limits = kLimits;
  change(limits);
  return limits;
}

std::vector<PolicyCase> PriorityCases() {
  return {
      {"InteractiveBeforeBatchWhateverCameFirst",
       kLimits,
       {Batch(Waiting(5)), Waiting(6)},
       9,
       {{1, 6, 2}, {0, 2, 1}},
       {}},
      {"BatchIsPreemptedWhenMaxSeqsRun",
       kLimits,
       {Batch(Running(6, 5, 2)), Running(6, 5, 2), Batch(Running(6, 5, 2)), Waiting(4)},
       9,
       {{1, 1, 0}, {0, 1, 0}},
       {2}},
      {"BatchIsPreemptedForBlocks",
       kLimits,
       {Batch(Running(6, 5, 2)), Batch(Running(6, 5, 2)), Waiting(8)},
       0,
       {{0, 1, 0}},
       {1}},
      {"BatchIsPreemptedWhenItsBlocksJustSuffice",
       kLimits,
       {Batch(Running(6, 5, 2)), Waiting(8)},
       0,
       {},
       {0}},
      {"NobodyIsPreemptedForWhatWouldNotFitAnyway",
       kLimits,
       {Running(9, 8, 3), Batch(Running(6, 5, 2)), Waiting(20)},
       2,
       {{0, 1, 0}, {1, 1, 0}},
       {}},
      {"NobodyIsPreemptedForEquals", kLimits, {Running(6, 5, 2), Waiting(8)}, 0, {{0, 1, 0}}, {}},
      {"BatchWaitsBehindInteractiveWorkThatDoesNotFit",
       Limits([](auto& l) { l.max_overtakes = 5; }),
       {Batch(Waiting(1)), Running(9, 8, 3), Waiting(20)},
       2,
       {{1, 1, 0}},
       {}},
      {"ADecodeOfBatchWorkNeverPreemptsInteractiveWork",
       kLimits,
       {Batch(Running(9, 8, 2)), Running(6, 5, 2)},
       0,
       {{1, 1, 0}},
       {0}},
      // At 20 tokens per second batch work starts behind 20 interactive ones: 1.5 s for its own 10.
      {"BatchCountsAllInteractiveWorkAheadOnce",
       Limits([](auto& l) { l.infeasible_factor = 2; }),
       {Of(1, 0, Waiting(10)), Of(2, 0, Waiting(10)), Of(1, 0, Batch(Due(1.4, Waiting(10)))),
        Of(1, 0, Batch(Due(1.6, Waiting(10))))},
       99,
       {{0, 8, 2}},
       {},
       {},
       {2},
       {.prefill_tokens_per_second = 10}},
  };
}

std::vector<PolicyCase> FairnessCases() {
  const SchedulerLimits passing = Limits([](auto& l) { l.max_overtakes = 2; });
  return {
      {"TheLeastServedTenantIsNext",
       kLimits,
       {Of(1, 50, Waiting(4)), Of(2, 10, Waiting(4))},
       9,
       {{1, 4, 1}, {0, 4, 1}},
       {}},
      {"WorkAdmittedInTheStepCounts",
       kLimits,
       {Of(1, 10, Waiting(3)), Of(1, 10, Waiting(3)), Of(2, 11, Waiting(3))},
       9,
       {{0, 3, 1}, {2, 3, 1}, {1, 2, 1}},
       {}},
      {"TenantsDoNotMixPriorities",
       kLimits,
       {Of(1, 10, Batch(Waiting(3))), Of(2, 90, Waiting(3))},
       9,
       {{1, 3, 1}, {0, 3, 1}},
       {}},
      {"ASmallOnePassesOneThatDoesNotFit",
       passing,
       {Running(6, 5, 2), Waiting(8), Waiting(3)},
       1,
       {{0, 1, 0}, {2, 3, 1}},
       {},
       {1}},
      {"NobodyPassesOneThatWasPassedOftenEnough",
       passing,
       {Running(6, 5, 2), Overtaken(2, Waiting(8)), Waiting(3)},
       1,
       {{0, 1, 0}},
       {}},
      {"NoMoreThanAllowedPassInOneStep",
       passing,
       {Overtaken(1, Waiting(30)), Running(2, 1, 1), Waiting(1), Waiting(1)},
       2,
       {{1, 1, 0}, {2, 1, 1}},
       {},
       {0}},
  };
}

std::vector<PolicyCase> ChunkCases() {
  const SchedulerLimits mixed = Limits([](auto& l) { l.mixed_prefill_tokens = 3; });
  const SchedulerLimits longs = Limits([](auto& l) { l.long_prefill_tokens = 5; });
  return {
      {"AStepThatDecodesTakesFewPromptTokens",
       mixed,
       {Running(6, 5, 2), Waiting(7), Waiting(7)},
       9,
       {{0, 1, 0}, {1, 3, 1}},
       {}},
      {"AStepThatDecodesTakesWhatIsComputedInTime",
       {.block_tokens = 16, .max_step_tokens = 512, .mixed_step_seconds = 0.1},
       {Running(6, 5, 1), Running(6, 5, 1), Waiting(200)},
       99,
       {{0, 1, 0}, {1, 1, 0}, {2, 98, 7}},
       {},
       {},
       {},
       {.prefill_tokens_per_second = 1000}},
      {"OnASlowMachineItTakesASmallChunk",
       {.block_tokens = 16, .max_step_tokens = 512, .mixed_step_seconds = 0.1},
       {Running(6, 5, 1), Waiting(200)},
       99,
       {{0, 1, 0}, {1, 32, 2}},
       {},
       {},
       {},
       {.prefill_tokens_per_second = 10}},
      {"AStepThatDoesNotTakesAll", mixed, {Waiting(7)}, 9, {{0, 7, 2}}, {}},
      {"ALongPromptLeavesRoomForAShortOne",
       longs,
       {Running(30, 4, 1), Waiting(3)},
       9,
       {{0, 5, 2}, {1, 3, 1}},
       {}},
      {"ALongPromptTakesWhatNobodyElseNeedsToTheLastToken",
       longs,
       {Running(30, 4, 1), Waiting(2)},
       9,
       {{0, 6, 2}, {1, 2, 1}},
       {}},
      {"ASecondLongPromptOnlyKeepsItsPlace",
       longs,
       {Running(30, 4, 1), Waiting(16), Waiting(2)},
       12,
       {{0, 5, 2}, {1, 1, 1}, {2, 2, 1}},
       {}},
      {"DecodesNeverTakeTheLastOfAStep",
       Limits([](auto& l) { l.max_step_tokens = 3; }),
       {Running(6, 5, 2), Running(6, 5, 2), Waiting(1)},
       9,
       {{0, 1, 0}, {1, 1, 0}},
       {}},
  };
}

std::vector<PolicyCase> BudgetCases() {
  const SchedulerLimits reserve = Limits([](auto& l) { l.reserve = true; });
  const SchedulerLimits wide{.block_tokens = 4, .max_running = 9, .max_step_tokens = 32};
  SchedulerLimits wide_reserve = wide;
  wide_reserve.reserve = true;
  const auto up_to = [](int most, SequenceView view) {
    view.most_tokens = most;
    return view;
  };
  const auto num_seqs = [](int n, SequenceView view) {
    view.num_seqs = n;
    return view;
  };
  return {
      {"AnswersToComeCountAsSequences",
       kLimits,
       {num_seqs(2, Waiting(4)), num_seqs(2, Waiting(4)), Waiting(1)},
       9,
       {{0, 4, 1}},
       {}},
      {"AnswersToComeTakeABlockEach",
       wide,
       {num_seqs(2, Waiting(4)), num_seqs(2, Waiting(4)), Waiting(4)},
       4,
       {{0, 4, 1}, {1, 4, 1}},
       {}},
      // A block of the prompt, which both share, and one for each answer.
      {"AnswersToComeReserveWhatTheyDoNotShare",
       wide_reserve,
       {up_to(8, num_seqs(2, Waiting(4))), up_to(8, num_seqs(2, Waiting(4))), Waiting(4)},
       6,
       {{0, 4, 1}, {1, 4, 1}},
       {}},
      {"AReserveIsKeptForTheLongestAnswers",
       reserve,
       {up_to(12, Running(6, 5, 2)), up_to(8, Waiting(4))},
       2,
       {{0, 1, 0}},
       {}},
      {"WhatFitsBesideTheReserveIsAdmitted",
       reserve,
       {up_to(12, Running(6, 5, 2)), up_to(8, Waiting(4))},
       3,
       {{0, 1, 0}, {1, 4, 1}},
       {}},
      {"AloneItNeedsNoReserve", reserve, {up_to(90, Waiting(4))}, 2, {{0, 4, 1}}, {}},
      {"CachedBlocksAreNotComputed", kLimits, {Cached(11, 2, 0)}, 1, {{0, 3, 1}}, {}},
      {"CachedBlocksThatNobodyHoldsAreTakenFromTheFreeOnes",
       kLimits,
       {Running(6, 5, 2), Cached(11, 2, 2)},
       2,
       {{0, 1, 0}},
       {}},
  };
}

std::vector<PolicyCase> DeadlineCases() {
  const SchedulerLimits limits = Limits([](auto& l) { l.infeasible_factor = 2; });
  const EngineView ten{.prefill_tokens_per_second = 10};
  return {
      {"ExpiredWorkNeverStarts", kLimits, {Due(0, Waiting(4))}, 9, {}, {}, {}, {0}},
      {"WorkThatCannotBeInTimeNeverStarts",
       limits,
       {Waiting(30), Due(2, Waiting(30)), Due(4, Waiting(30))},
       99,
       {{0, 8, 2}},
       {},
       {},
       {1},
       ten},
      {"WithoutAMeasureEverythingStarts",
       limits,
       {Waiting(4), Due(0.001, Waiting(4))},
       9,
       {{0, 4, 1}, {1, 4, 1}},
       {}},
      {"TheFirstInLineIsAlwaysTried",
       limits,
       {Due(0.001, Waiting(4))},
       9,
       {{0, 4, 1}},
       {},
       {},
       {},
       ten},
      {"CachedTokensCostNoTime",
       limits,
       {Waiting(1), Due(1, Cached(33, 8, 0))},
       99,
       {{0, 1, 1}, {1, 1, 1}},
       {},
       {},
       {},
       ten},
      {"OtherTenantsAreNotCertainToComeFirst",
       limits,
       {Of(1, 0, Waiting(40)), Of(2, 0, Due(1, Waiting(4)))},
       99,
       {{0, 8, 2}},
       {},
       {},
       {},
       ten},
      {"WhatHasRunIsNotGivenUp",
       limits,
       {Waiting(40), Due(1, With(Waiting(4), [](auto& v) { v.started = true; }))},
       99,
       {{0, 8, 2}},
       {},
       {},
       {},
       ten},
  };
}

TEST_P(PolicyTest, PlansAsTheTableSays) {
  const PolicyCase& c = GetParam();
  const StepPlan plan = PlanStep(c.limits, c.sequences, c.free_blocks, c.engine);
  EXPECT_EQ(plan.work, c.work);
  EXPECT_EQ(plan.preempted, c.preempted);
  EXPECT_EQ(plan.overtaken, c.overtaken);
  EXPECT_EQ(plan.infeasible, c.infeasible);
}

INSTANTIATE_TEST_SUITE_P(Admission, PolicyTest, ::testing::ValuesIn(AdmissionCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Preemption, PolicyTest, ::testing::ValuesIn(PreemptionCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Priority, PolicyTest, ::testing::ValuesIn(PriorityCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Fairness, PolicyTest, ::testing::ValuesIn(FairnessCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Chunk, PolicyTest, ::testing::ValuesIn(ChunkCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Budget, PolicyTest, ::testing::ValuesIn(BudgetCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Deadline, PolicyTest, ::testing::ValuesIn(DeadlineCases()), NameOf);

TEST(MaxSeqsTest, LeavesEveryStepRoomForAPrompt) {
  EXPECT_EQ(MaxSeqs({.max_running = 64, .max_step_tokens = 512}), 64);
  EXPECT_EQ(MaxSeqs({.max_running = 64, .max_step_tokens = 64}), 56);
  EXPECT_EQ(MaxSeqs({.max_running = 64, .max_step_tokens = 2}), 1);
  EXPECT_EQ(MaxSeqs({.max_running = 64, .max_step_tokens = 1}), 1);
}

}  // namespace
}  // namespace emptor::engine
