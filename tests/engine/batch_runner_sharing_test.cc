// What requests and answers share: the prompt of several answers, and the beginnings of prompts.
#include <set>

#include "engine/batch_runner.h"
#include "tests/engine/support/batch_runner_fixture.h"
#include "tests/support/chain_model.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::ByteTokenizer;
using Time = std::chrono::steady_clock::time_point;

/// Answers by choice.
using Heards = std::vector<Heard>;
GenerationCallbacks Listen(Heards& heards) {
  return {.on_text =
              [&heards](const TextPiece& piece) {
                Heard& heard = heards.at(static_cast<size_t>(piece.choice));
                heard.text += piece.text;
                for (const SampledToken& token : piece.tokens) heard.tokens.push_back(token.id);
              },
          .on_end =
              [&heards](const GenerationEnd& end) {
                Heard& heard = heards.at(static_cast<size_t>(end.choice));
                ++heard.ends;
                heard.reason = end.reason;
                heard.usage = end.usage;
              }};
}

TEST_F(BatchRunnerTest, CountsEachBlockOfSplitAnswersOnce) {
  Make({.block_tokens = 4}, 8);
  PreparedRequest request = Request(1, "abcde", 2);
  request.n = 2;
  runner_->Add(std::move(request));
  RunAll();
  // Two blocks of the prompt; then its full one, and two ends of two tokens each.
  EXPECT_EQ(runner_->stats().kv_slots, 8u + 12);
  EXPECT_EQ(runner_->stats().kv_fragmented_slots, 3u + 4);
}

TEST_F(BatchRunnerTest, AnswersOfOnePromptShareItAndCopyItsLastBlock) {
  Make({.block_tokens = 4}, 32);
  Heards heards(3);
  PreparedRequest request = Request(1, "abcdef", 5);
  request.n = 3;
  request.callbacks = Listen(heards);
  runner_->Add(std::move(request));
  runner_->Step();
  EXPECT_EQ(runner_->stats().kv_blocks_free, 30);  // the prompt's two
  EXPECT_EQ(runner_->stats().running, 3);
  runner_->Step();
  EXPECT_EQ(runner_->stats().kv_blocks_free, 28);  // one block in common, and three ends
  EXPECT_EQ(model_->copies(), 2);
  RunAll();
  for (const Heard& heard : heards) {
    EXPECT_EQ(heard.text, "ghijk");
    EXPECT_EQ(heard.ends, 1);
    EXPECT_EQ(heard.usage.prompt_tokens, 6);
    EXPECT_EQ(heard.usage.completion_tokens, 5);
  }
  EXPECT_EQ(model_->steps().front().tokens, std::vector<int>{6});  // computed once
  EXPECT_EQ(runner_->stats().finished, 1u);
  EXPECT_EQ(runner_->stats().generated_tokens, 15u);
}

TEST_F(BatchRunnerTest, AnswersDifferByTheirSeedsAndTheFirstIsThatOfOneAlone) {
  const auto letters = [](uint64_t seed, int n) {
    const auto tokenizer = ByteTokenizer();
    testing::ChainModel model(257, 100, 40, 4);
    BatchRunner runner(model, *tokenizer, {.block_tokens = 4}, {.blocks = 40},
                       [] { return Time(); });
    Heards heards(static_cast<size_t>(n));
    PreparedRequest request;
    request.handle = 1;
    request.prompt = {'a', 'b', 'c'};
    request.max_tokens = 12;
    request.n = n;
    request.sampling.temperature = 3;
    request.sampling.seed = seed;
    request.callbacks = Listen(heards);
    runner.Add(std::move(request));
    while (runner.Step()) {
    }
    return heards;
  };
  const Heards four = letters(7, 4);
  const Heards one = letters(7, 1);
  EXPECT_EQ(four[0].text, one[0].text);
  std::set<std::string> texts;
  for (const Heard& heard : four) texts.insert(heard.text);
  EXPECT_EQ(texts.size(), 4u);
}

TEST_F(BatchRunnerTest, CancelEndsAllAnswersAndEachOnce) {
  Make({.block_tokens = 4}, 32);
  for (const int steps : {0, 1, 3}) {
    Heards heards(3);
    PreparedRequest request = Request(1, "abcdef", 50);
    request.n = 3;
    request.callbacks = Listen(heards);
    runner_->Add(std::move(request));
    for (int i = 0; i < steps; ++i) runner_->Step();
    runner_->Cancel(1);
    for (const Heard& heard : heards) {
      EXPECT_EQ(heard.ends, 1);
      EXPECT_EQ(heard.reason, FinishReason::kCancelled);
    }
    EXPECT_TRUE(runner_->idle());
    EXPECT_EQ(runner_->stats().kv_blocks_free, 32);
  }
  EXPECT_EQ(runner_->stats().cancelled, 3u);
}

TEST_F(BatchRunnerTest, APromptSeenBeforeIsNotComputedAgain) {
  Make({.block_tokens = 4}, 32, NextLetter, 1000, true);
  runner_->Add(Request(1, "abcdefghij", 3));
  RunAll();
  runner_->Add(Request(2, "abcdefghijk", 3));
  RunAll();
  EXPECT_EQ(heard_[1].usage.cached_tokens, 0);
  EXPECT_EQ(heard_[2].usage.cached_tokens, 8);
  EXPECT_EQ(heard_[2].text, "lmn");
  EXPECT_EQ(model_->steps()[3].tokens, std::vector<int>{3});
  EXPECT_EQ(runner_->stats().prefix_queries, 21u);
  EXPECT_EQ(runner_->stats().prefix_hits, 8u);
  // The answer is found as well: j and its answer klm, of which m was never computed.
  runner_->Add(Request(3, "abcdefghijklmn", 1));
  RunAll();
  EXPECT_EQ(heard_[3].usage.cached_tokens, 12);
}

TEST_F(BatchRunnerTest, TheLastTokenOfAPromptIsAlwaysComputed) {
  Make({.block_tokens = 4}, 32, NextLetter, 1000, true);
  for (uint64_t i = 1; i <= 2; ++i) {
    runner_->Add(Request(i, "abcdefgh", 1));
    RunAll();
    EXPECT_EQ(heard_[i].text, "i");
  }
  EXPECT_EQ(heard_[2].usage.cached_tokens, 4);
}

TEST_F(BatchRunnerTest, ARunningPromptIsSharedAsSoonAsItIsComputed) {
  Make({.block_tokens = 4}, 32, NextLetter, 1000, true);
  runner_->Add(Request(1, "abcdefghij", 20));
  runner_->Step();
  const int free = runner_->stats().kv_blocks_free;
  runner_->Add(Request(2, "abcdefghij", 20));
  runner_->Step();
  EXPECT_EQ(model_->steps().back().tokens, (std::vector<int>{1, 2}));
  EXPECT_EQ(runner_->stats().kv_blocks_free, free - 1);
  RunAll();
  EXPECT_EQ(heard_[2].usage.cached_tokens, 8);
  EXPECT_EQ(heard_[1].text, heard_[2].text);
}

TEST_F(BatchRunnerTest, TenantsAndSaltsShareNothing) {
  Make({.block_tokens = 4}, 64, NextLetter, 1000, true);
  uint64_t handle = 0;
  for (const auto& [tenant, salt] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"a", ""}, {"", "a"}, {"a", "b"}, {"ab", ""}, {"", "ab"}}) {
    PreparedRequest request = Request(++handle, "abcdefghij", 1);
    request.tenant = tenant;
    request.cache_salt = salt;
    runner_->Add(std::move(request));
    RunAll();
    EXPECT_EQ(heard_[handle].usage.cached_tokens, 0) << tenant << '/' << salt;
  }
  PreparedRequest again = Request(++handle, "abcdefghij", 1);
  again.tenant = "a";
  again.cache_salt = "b";
  runner_->Add(std::move(again));
  RunAll();
  EXPECT_EQ(heard_[handle].usage.cached_tokens, 8);
}

}  // namespace
}  // namespace emptor::engine
