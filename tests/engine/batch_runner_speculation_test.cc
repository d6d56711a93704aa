// Draft tokens in the continuous batch, on a scripted model.
#include <string>

#include "engine/speculation/prompt_lookup.h"
#include "tests/engine/support/batch_runner_fixture.h"
#include "tests/support/oracle_drafter.h"

namespace emptor::engine {
namespace {

class BatchRunnerSpeculationTest : public BatchRunnerTest {
 protected:
  static std::unique_ptr<Speculator> Lookup(int max_tokens) {
    return std::make_unique<Speculator>(std::make_unique<PromptLookup>(), max_tokens);
  }
  /// Knows the letters after any text; one in `one_in` is wrong.
  static std::unique_ptr<Speculator> Oracle(const std::string& text, int one_in, int max_tokens) {
    std::vector<std::vector<int32_t>> texts;
    texts.emplace_back(text.begin(), text.end());
    auto speculator = std::make_unique<Speculator>(
        std::make_unique<testing::OracleDrafter>(std::move(texts), one_in, 1), max_tokens);
    speculator->set_always(true);
    return speculator;
  }
  /// Tokens of each step, one number for each sequence.
  std::vector<std::vector<int>> Steps() const {
    std::vector<std::vector<int>> steps;
    for (const auto& step : model_->steps()) steps.push_back(step.tokens);
    return steps;
  }
};

using Steps = std::vector<std::vector<int>>;

TEST_F(BatchRunnerSpeculationTest, AStepGivesAsManyTokensAsWereGuessedAndOneMore) {
  Make({}, 8, NextLetter, 1000, false, Oracle("abcdefghijklmnop", 1000, 3));
  runner_->Add(Request(1, "a", 10));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefghijk");
  EXPECT_EQ(heard_[1].usage.completion_tokens, 10);
  EXPECT_EQ(heard_[1].reason, FinishReason::kLength);
  // b; c to f; g to j; then no draft is of use to the last one.
  EXPECT_EQ(Steps(), (::emptor::engine::Steps{{1}, {4}, {4}, {1}}));
  EXPECT_EQ(runner_->stats().verified_drafts, 2u);
  EXPECT_EQ(runner_->stats().draft_tokens, 6u);
  EXPECT_EQ(runner_->stats().accepted_draft_tokens, 6u);
  EXPECT_EQ(runner_->stats().generated_tokens, 10u);
}

TEST_F(BatchRunnerSpeculationTest, AWrongGuessCostsNothingButItsTime) {
  Make({.block_tokens = 2}, 12, NextLetter, 1000, false, Oracle("abcXefghYjkl", 1000, 5));
  runner_->Add(Request(1, "a", 11));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefghijkl");
  EXPECT_GT(runner_->stats().draft_tokens, runner_->stats().accepted_draft_tokens);
}

TEST_F(BatchRunnerSpeculationTest, AnAnswerThatRepeatsItselfIsLookedUp) {
  Make({}, 16, NextLetter, 1000, false, Lookup(8));
  runner_->Add(Request(1, "abc", 120));
  RunAll();
  std::string want;
  for (int i = 0; i < 120; ++i) want += static_cast<char>('a' + (3 + i) % 26);
  EXPECT_EQ(heard_[1].text, want);
  EXPECT_LT(model_->steps().size(), 50u);
  EXPECT_GT(runner_->stats().accepted_draft_tokens, 60u);
}

TEST_F(BatchRunnerSpeculationTest, EndsWhereTheModelEndsAndAtStopStringsWithinADraft) {
  const auto script = [](TokenId t, int) { return t == 'h' ? 256 : NextLetter(t, 0); };
  Make({}, 8, script, 1000, false, Oracle("abcdefghijklmnop", 1000, 6));
  runner_->Add(Request(1, "a", 50));
  PreparedRequest stops = Request(2, "a", 50);
  stops.sampling.stop = {"ef"};
  runner_->Add(std::move(stops));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefgh");
  EXPECT_EQ(heard_[1].reason, FinishReason::kStop);
  EXPECT_EQ(heard_[2].text, "bcd");
  EXPECT_EQ(heard_[2].reason, FinishReason::kStop);
  EXPECT_EQ(heard_[2].usage.completion_tokens, 5);
}

TEST_F(BatchRunnerSpeculationTest, NeverComputesBeyondTheContextOrTheBlocks) {
  for (const int context : {6, 7, 8, 9}) {
    Make({.block_tokens = 2}, 4, NextLetter, context, false, Oracle("abcdefghijklmnop", 1000, 6));
    runner_->Add(Request(1, "a", 50));
    RunAll();
    const int most = std::min(context, 8);
    EXPECT_EQ(heard_[1].text, std::string("bcdefghijk").substr(0, static_cast<size_t>(most - 1)));
    EXPECT_EQ(heard_[1].reason, FinishReason::kLength);
    heard_.clear();
  }
}

TEST_F(BatchRunnerSpeculationTest, BlocksOfRejectedTokensReturnAfterTheStep) {
  // The first draft is right, the others are not.
  Make({.block_tokens = 1}, 20, NextLetter, 1000, false, Oracle("abcXXXXXXXXX", 1000, 6));
  runner_->Add(Request(1, "a", 8));
  runner_->Step();
  runner_->Step();
  EXPECT_EQ(Steps().back(), std::vector<int>{7});
  EXPECT_EQ(heard_[1].text, "bcd");
  EXPECT_EQ(runner_->stats().kv_blocks_free, 20 - 3);  // a, b, c
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefghi");
}

TEST_F(BatchRunnerSpeculationTest, SlotsOfDraftsAreNotEmpty) {
  Make({.block_tokens = 8}, 8, NextLetter, 1000, false, Oracle("abcdefghijklmnop", 1000, 3));
  runner_->Add(Request(1, "a", 10));
  runner_->Step();
  EXPECT_EQ(runner_->stats().kv_fragmented_slots, 7u);  // all but a
  runner_->Step();
  EXPECT_EQ(runner_->stats().kv_fragmented_slots, 7u + 3);  // a, b and three drafts
  RunAll();
}

TEST_F(BatchRunnerSpeculationTest, APromptTakesTheStepFirst) {
  Make({.max_step_tokens = 8}, 32, NextLetter, 1000, false, Oracle("abcdefghijklmnop", 1000, 6));
  runner_->Add(Request(1, "a", 14));
  runner_->Step();
  runner_->Add(Request(2, "pqrst", 1));
  runner_->Step();
  EXPECT_EQ(Steps().back(), (std::vector<int>{3, 5}));  // one, two drafts; the prompt
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefghijklmno");
}

TEST_F(BatchRunnerSpeculationTest, ADraftModelIsNotAskedForDraftsThatAPromptLeavesNoRoomFor) {
  const std::string text = "abcdefghijklmnopqrst";
  std::vector<std::vector<int32_t>> texts;
  texts.emplace_back(text.begin(), text.end());
  auto drafter = std::make_unique<testing::OracleDrafter>(std::move(texts), 1000, 1, false);
  const testing::OracleDrafter& oracle = *drafter;
  auto speculator = std::make_unique<Speculator>(std::move(drafter), 3);
  speculator->set_always(true);
  Make({.max_step_tokens = 8}, 32, NextLetter, 1000, false, std::move(speculator));
  runner_->Add(Request(1, "a", 16));
  runner_->Step();
  runner_->Step();
  EXPECT_EQ(Steps().back(), (std::vector<int>{4}));
  EXPECT_EQ(oracle.made(), 3);
  runner_->Add(Request(2, std::string(14, 'p'), 1));
  runner_->Step();
  runner_->Step();
  EXPECT_EQ(Steps().back(), (std::vector<int>{1, 7}));
  EXPECT_EQ(oracle.made(), 3);
  runner_->Add(Request(3, "pqrst", 1));
  runner_->Step();
  EXPECT_EQ(Steps().back(), (std::vector<int>{3, 5}));  // one, two drafts; the prompt
  EXPECT_EQ(oracle.made(), 6);
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefghijklmnopq");
}

TEST_F(BatchRunnerSpeculationTest, PromptsAreFoundInTheCacheAsWithoutDrafts) {
  for (const bool speculates : {false, true}) {
    Make({.block_tokens = 4}, 32, NextLetter, 1000, true,
         speculates ? Oracle("abcdefghijklmnopqrstuvwxyz", 3, 6) : nullptr);
    runner_->Add(Request(1, "abcde", 12));
    RunAll();
    // Prompt and answer of the first: 17 tokens, of which the last one was never computed.
    runner_->Add(Request(2, "abcdefghijklmnopqrs", 2));
    RunAll();
    EXPECT_EQ(heard_[2].usage.cached_tokens, 16);
    EXPECT_EQ(heard_[2].text, "tu");
    heard_.clear();
  }
}

TEST_F(BatchRunnerSpeculationTest, AnswersToOnePromptShareItAndDraftOnTheirOwn) {
  Make({.block_tokens = 4}, 64, NextLetter, 1000, true, Oracle("abcdefghijklmnopqrs", 4, 5));
  PreparedRequest request = Request(1, "abcdef", 9);
  request.n = 3;
  std::map<int, std::string> texts;
  request.callbacks.on_text = [&](const TextPiece& piece) { texts[piece.choice] += piece.text; };
  runner_->Add(std::move(request));
  RunAll();
  EXPECT_EQ(texts[0], "ghijklmno");
  EXPECT_EQ(texts[1], "ghijklmno");
  EXPECT_EQ(texts[2], "ghijklmno");
  EXPECT_GT(runner_->stats().accepted_draft_tokens, 0u);
}

}  // namespace
}  // namespace emptor::engine
