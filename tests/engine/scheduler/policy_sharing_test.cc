// Steps of sequences that share blocks, and of those with drafts.
#include "tests/engine/scheduler/policy_cases.h"

namespace emptor::engine {
namespace {

const std::vector<BlockId> kTwoShared = {BlockId{0}, BlockId{1}};
const std::vector<int32_t> kHeldByTwo = {2, 2, 1, 1, 1, 1};

std::vector<PolicyCase> SharingCases() {
  const auto shares = [](SequenceView view) {
    view.shared = kTwoShared;
    return view;
  };
  const EngineView engine{.ref_counts = kHeldByTwo};
  return {
      // Both have 6 tokens in the same two blocks; the second one is half full.
      {"TheFirstToWriteCopiesTheLastBlockAndTheOtherKeepsIt",
       kLimits,
       {shares(Running(7, 6, 2)), shares(Running(7, 6, 2))},
       1,
       {{0, 1, 1, true}, {1, 1, 0}},
       {},
       {},
       {},
       engine},
      {"FullBlocksAreNotCopied",
       kLimits,
       {shares(Running(9, 8, 2)), shares(Running(9, 8, 2))},
       2,
       {{0, 1, 1}, {1, 1, 1}},
       {},
       {},
       {},
       engine},
      {"PreemptionFreesOnlyWhatNobodyElseHolds",
       kLimits,
       {shares(Running(13, 12, 3)), shares(Running(13, 12, 3))},
       0,
       {{0, 1, 1}},
       {1},
       {},
       {},
       engine},
      {"APreemptedReferenceLeavesTheBlockToTheLast",
       kLimits,
       {shares(Running(7, 6, 2)), shares(Running(7, 6, 2))},
       0,
       {{0, 1, 0}},
       {1},
       {},
       {},
       engine},
  };
}

std::vector<PolicyCase> DraftCases() {
  const SchedulerLimits mixed{
      .block_tokens = 4, .max_running = 3, .max_step_tokens = 8, .mixed_prefill_tokens = 3};
  const SchedulerLimits timed{
      .block_tokens = 4, .max_running = 3, .max_step_tokens = 512, .mixed_step_seconds = 1};
  return {
      {"ComputesDraftsAfterTheNewestToken",
       kLimits,
       {Drafts(2, Running(6, 5, 2))},
       0,
       {{.sequence = 0, .tokens = 1, .drafts = 2}},
       {}},
      {"DraftsTakeBlocks",
       kLimits,
       {Drafts(5, Running(6, 5, 2))},
       4,
       {{.sequence = 0, .tokens = 1, .new_blocks = 1, .drafts = 5}},
       {}},
      {"DraftsEndWhereTheBlocksDo",
       kLimits,
       {Drafts(5, Running(6, 5, 2))},
       0,
       {{.sequence = 0, .tokens = 1, .drafts = 2}},
       {}},
      {"DraftsPreemptNothing",
       kLimits,
       {Drafts(4, Running(9, 8, 2)), Running(6, 5, 2)},
       1,
       {{.sequence = 0, .tokens = 1, .new_blocks = 1, .drafts = 3}, {1, 1, 0}},
       {}},
      {"EveryDecodeComesBeforeADraft",
       {.block_tokens = 4, .max_running = 3, .max_step_tokens = 3},
       {Drafts(4, Running(6, 5, 2)), Running(6, 5, 2)},
       9,
       {{.sequence = 0, .tokens = 1, .drafts = 1}, {1, 1, 0}},
       {}},
      {"APromptComesBeforeADraft",
       kLimits,
       {Drafts(4, Running(6, 5, 2)), Waiting(6)},
       9,
       {{.sequence = 0, .tokens = 1, .drafts = 1}, {1, 6, 2}},
       {}},
      {"APromptComesBeforeADraftInTheBlocks",
       kLimits,
       {Drafts(4, Running(8, 7, 2)), Waiting(3)},
       1,
       {{.sequence = 0, .tokens = 1}, {1, 3, 1}},
       {}},
      {"ADraftStartsBehindTheCopyOfASharedTail",
       kLimits,
       {[] {
         SequenceView view = Drafts(3, Running(7, 6, 2));
         view.shared = kTwoShared;
         return view;
       }()},
       2,
       {{.sequence = 0, .tokens = 1, .new_blocks = 2, .copies_tail = true, .drafts = 3}},
       {},
       {},
       {},
       {.ref_counts = kHeldByTwo}},
      {"TheLastTokenOfAPromptIsAChunk",
       mixed,
       {Running(6, 5, 2), Prompt(Running(6, 5, 2)), Running(20, 8, 2)},
       9,
       {{0, 1, 0}, {1, 1, 0}, {2, 2, 1}},
       {}},
      {"DraftsOfAStepWithPromptsAreTokensOfTheirShare",
       mixed,
       {Drafts(4, Running(6, 5, 2)), Prompt(Running(6, 4, 2))},
       9,
       {{.sequence = 0, .tokens = 1, .drafts = 1}, {1, 2, 0}},
       {}},
      {"APromptThatTakesItsWholeShareLeavesNoDrafts",
       mixed,
       {Drafts(4, Running(6, 5, 2)), Prompt(Running(20, 8, 2))},
       9,
       {{.sequence = 0, .tokens = 1}, {1, 3, 1}},
       {}},
      {"DraftsWithoutPromptsHaveTheWholeStep",
       mixed,
       {Drafts(4, Running(6, 5, 2)), Running(6, 5, 2)},
       9,
       {{.sequence = 0, .tokens = 1, .new_blocks = 1, .drafts = 4}, {1, 1, 0}},
       {}},
      // At 100 tokens a second: 100 without drafting, 50 with half of the time gone, 32 at least.
      {"DraftingTakesOfTheTimeOfPrompts",
       timed,
       {Running(6, 5, 2), Prompt(Running(200, 8, 2))},
       90,
       {{0, 1, 0}, {1, 49, 13}},
       {},
       {},
       {},
       {.prefill_tokens_per_second = 100, .drafting_seconds = 0.5}},
      {"APromptAdvancesHoweverLongDraftingTook",
       timed,
       {Running(6, 5, 2), Prompt(Running(200, 8, 2))},
       90,
       {{0, 1, 0}, {1, 32, 8}},
       {},
       {},
       {},
       {.prefill_tokens_per_second = 100, .drafting_seconds = 9}},
      {"APromptHasNoDrafts", kLimits, {Drafts(4, Prompt(Running(6, 5, 2)))}, 9, {{0, 1, 0}}, {}},
  };
}

INSTANTIATE_TEST_SUITE_P(Draft, PolicyTest, ::testing::ValuesIn(DraftCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Sharing, PolicyTest, ::testing::ValuesIn(SharingCases()), NameOf);

}  // namespace
}  // namespace emptor::engine
