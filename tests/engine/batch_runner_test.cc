// Continuous batching, preemption, cancellation and deadlines, on a scripted model.
#include "engine/batch_runner.h"

#include <map>
#include <random>

#include "tests/engine/support/batch_runner_fixture.h"

namespace emptor::engine {
namespace {

constexpr TokenId kEnd = 256;

TEST_F(BatchRunnerTest, GeneratesUntilMaxTokens) {
  Make({}, 8);
  runner_->Add(Request(1, "xa", 5));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdef");
  EXPECT_EQ(heard_[1].reason, FinishReason::kLength);
  EXPECT_EQ(heard_[1].usage.prompt_tokens, 2);
  EXPECT_EQ(heard_[1].usage.completion_tokens, 5);
  EXPECT_EQ(heard_[1].ends, 1);
}

TEST_F(BatchRunnerTest, CountsThePlacesOfBlocksThatStayEmpty) {
  Make({.block_tokens = 4}, 8);
  EXPECT_EQ(runner_->stats().KvFragmentation(), 0);
  runner_->Add(Request(1, "abc", 3));  // holds three tokens, then four, then five
  RunAll();
  EXPECT_EQ(runner_->stats().kv_slots, 4u + 4 + 8);
  EXPECT_EQ(runner_->stats().kv_fragmented_slots, 1u + 0 + 3);
  EXPECT_EQ(runner_->stats().KvFragmentation(), 0.25);
}

TEST_F(BatchRunnerTest, EndTokenStopsAndIsNotEmitted) {
  Make({}, 8, [](TokenId t, int) { return t == 'c' ? kEnd : NextLetter(t, 0); });
  runner_->Add(Request(1, "a", 50));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bc");
  EXPECT_EQ(heard_[1].tokens, (std::vector<TokenId>{'b', 'c'}));
  EXPECT_EQ(heard_[1].reason, FinishReason::kStop);
}

TEST_F(BatchRunnerTest, ARequestJoinsTheRunningBatchAtTheNextStep) {
  Make({.max_step_tokens = 8}, 32);
  runner_->Add(Request(1, "a", 6));
  runner_->Step();
  runner_->Step();
  EXPECT_EQ(heard_[1].text, "bc");
  runner_->Add(Request(2, "mno", 3));
  runner_->Step();
  // The step that follows computes one token of the first and the whole prompt of the second.
  EXPECT_EQ(model_->steps().back().tokens, (std::vector<int>{1, 3}));
  EXPECT_EQ(heard_[1].text, "bcd");
  EXPECT_EQ(heard_[2].text, "p");
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcdefg");
  EXPECT_EQ(heard_[2].text, "pqr");
}

TEST_F(BatchRunnerTest, LongPromptGoesInChunksWhileOthersDecode) {
  Make({.block_tokens = 4, .max_step_tokens = 6}, 32);
  runner_->Add(Request(1, "a", 10));
  runner_->Step();
  runner_->Add(Request(2, std::string(14, 'k'), 1));
  for (const std::vector<int>& want : {std::vector<int>{1, 5}, {1, 5}, {1, 4}}) {
    runner_->Step();
    EXPECT_EQ(model_->steps().back().tokens, want);
  }
  EXPECT_EQ(heard_[2].text, "l");
  EXPECT_EQ(heard_[1].text.size(), 4u);
  RunAll();
}

TEST_F(BatchRunnerTest, PreemptedRequestsGiveTheSameText) {
  // Room for one whole sequence of 20 tokens and a half.
  Make({.block_tokens = 2, .max_step_tokens = 16}, 15);
  for (uint64_t i = 1; i <= 4; ++i) runner_->Add(Request(i, "abcd", 16));
  RunAll();
  EXPECT_GT(runner_->stats().preemptions, 0u);
  for (uint64_t i = 1; i <= 4; ++i) {
    EXPECT_EQ(heard_[i].text, "efghijklmnopqrst");
    EXPECT_EQ(heard_[i].ends, 1);
  }
}

TEST_F(BatchRunnerTest, CancelGivesAllBlocksBackBeforeItReturns) {
  Make({.block_tokens = 2}, 16);
  runner_->Add(Request(1, "abcdef", 50));
  runner_->Add(Request(2, "abcdef", 3));
  runner_->Step();
  EXPECT_EQ(runner_->stats().kv_blocks_free, 10);
  runner_->Cancel(1);
  EXPECT_EQ(runner_->stats().kv_blocks_free, 13);
  EXPECT_EQ(free_at_end_, 13);
  EXPECT_EQ(heard_[1].reason, FinishReason::kCancelled);
  EXPECT_EQ(heard_[1].code, absl::StatusCode::kCancelled);
  runner_->Cancel(1);
  runner_->Cancel(77);
  EXPECT_EQ(heard_[1].ends, 1);
  RunAll();
  EXPECT_EQ(heard_[2].text, "ghi");
  EXPECT_EQ(runner_->stats().cancelled, 1u);
  EXPECT_EQ(runner_->stats().finished, 1u);
}

TEST_F(BatchRunnerTest, DeadlineEndsWaitingAndRunningWork) {
  Make({.max_running = 1}, 8);
  PreparedRequest first = Request(1, "a", 50);
  first.deadline = now_ + std::chrono::seconds(10);
  PreparedRequest second = Request(2, "a", 50);
  second.deadline = now_ + std::chrono::seconds(5);
  runner_->Add(std::move(first));
  runner_->Add(std::move(second));
  runner_->Step();
  now_ += std::chrono::seconds(5);
  runner_->Step();
  EXPECT_EQ(heard_[2].reason, FinishReason::kDeadline);
  EXPECT_EQ(heard_[2].code, absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(heard_[2].text, "");
  EXPECT_EQ(heard_[1].ends, 0);
  now_ += std::chrono::seconds(5);
  EXPECT_FALSE(runner_->Step());
  EXPECT_EQ(heard_[1].reason, FinishReason::kDeadline);
  EXPECT_EQ(heard_[1].text, "bc");
  RunAll();
}

TEST_F(BatchRunnerTest, StopStringAcrossTokensIsHeldBackAndNeverEmitted) {
  Make({}, 8);
  PreparedRequest request = Request(1, "a", 50);
  request.sampling.stop = {"efg", "zzz"};
  runner_->Add(std::move(request));
  for (int i = 0; i < 5; ++i) runner_->Step();
  EXPECT_EQ(heard_[1].text, "bcd");  // e and f wait
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcd");
  EXPECT_EQ(heard_[1].reason, FinishReason::kStop);
}

TEST_F(BatchRunnerTest, HeldTextComesWhenTheRequestEndsOtherwise) {
  Make({}, 8);
  PreparedRequest request = Request(1, "a", 4);
  request.sampling.stop = {"defgh"};
  runner_->Add(std::move(request));
  RunAll();
  EXPECT_EQ(heard_[1].text, "bcde");
  EXPECT_EQ(heard_[1].tokens.size(), 4u);
}

TEST_F(BatchRunnerTest, CharactersOfSeveralTokensComeWhole) {
  const std::string text = "\xe4\xb8\xad\xf0\x9f\x98\x80";
  Make({}, 8, [&](TokenId, int position) {
    const auto at = static_cast<size_t>(position);
    return at < text.size() ? static_cast<uint8_t>(text[at]) : kEnd;
  });
  PreparedRequest request = Request(1, "a", 50);
  std::vector<std::string> pieces;
  std::vector<size_t> counts;
  request.callbacks.on_text = [&](const TextPiece& piece) {
    pieces.emplace_back(piece.text);
    counts.push_back(piece.tokens.size());
  };
  runner_->Add(std::move(request));
  RunAll();
  EXPECT_EQ(pieces, (std::vector<std::string>{"\xe4\xb8\xad", "\xf0\x9f\x98\x80"}));
  EXPECT_EQ(counts, (std::vector<size_t>{3, 4}));
}

TEST_F(BatchRunnerTest, ContextAndKvMemoryBoundTheLength) {
  Make({.block_tokens = 2}, 5);
  runner_->Add(Request(1, "abcd", 50));
  RunAll();
  EXPECT_EQ(heard_[1].usage.completion_tokens, 6);
  Make({}, 5, NextLetter, 7);
  runner_->Add(Request(2, "abcd", 50));
  RunAll();
  EXPECT_EQ(heard_[2].usage.completion_tokens, 3);
  EXPECT_EQ(heard_[2].reason, FinishReason::kLength);
}

TEST_F(BatchRunnerTest, UsageReportsTheTimes) {
  Make({.max_running = 1}, 8);
  runner_->Add(Request(1, "a", 1));
  runner_->Add(Request(2, "a", 2));
  now_ += std::chrono::seconds(1);
  runner_->Step();
  now_ += std::chrono::seconds(2);
  runner_->Step();
  now_ += std::chrono::seconds(4);
  RunAll();
  EXPECT_EQ(heard_[2].usage.queue_seconds, 3);
  EXPECT_EQ(heard_[2].usage.ttft_seconds, 3);
  EXPECT_EQ(heard_[2].usage.total_seconds, 7);
}

TEST_F(BatchRunnerTest, BatchWorkIsPreemptedAndEndsTheSame) {
  Make({.block_tokens = 4, .max_running = 1}, 16);
  PreparedRequest batch = Request(1, "abcd", 10);
  batch.priority = Priority::kBatch;
  runner_->Add(std::move(batch));
  runner_->Step();
  runner_->Step();
  runner_->Add(Request(2, "mno", 3));
  for (int i = 0; i < 3; ++i) runner_->Step();
  EXPECT_EQ(heard_[2].text, "pqr");
  EXPECT_EQ(heard_[1].text, "ef");
  RunAll();
  EXPECT_EQ(heard_[1].text, "efghijklmn");
  EXPECT_EQ(runner_->stats().preemptions, 1u);
}

TEST_F(BatchRunnerTest, WorkThatCannotBeInTimeIsRefusedBeforeItExpires) {
  Make({.block_tokens = 4, .max_step_tokens = 8, .infeasible_factor = 2}, 64);
  model_->set_after_step([this](int) { now_ += std::chrono::seconds(1); });  // 8 tokens a second
  runner_->Add(Request(1, std::string(80, 'a'), 1));
  runner_->Step();
  runner_->Step();
  PreparedRequest late = Request(2, std::string(40, 'a'), 1);
  late.deadline = now_ + std::chrono::seconds(5);
  PreparedRequest fine = Request(3, std::string(40, 'a'), 1);
  fine.deadline = now_ + std::chrono::seconds(30);
  runner_->Add(std::move(late));
  runner_->Add(std::move(fine));
  runner_->Step();
  EXPECT_EQ(heard_[2].reason, FinishReason::kDeadline);
  EXPECT_EQ(heard_[2].code, absl::StatusCode::kDeadlineExceeded);
  RunAll();
  EXPECT_EQ(heard_[3].reason, FinishReason::kLength);
}

TEST_F(BatchRunnerTest, StatsCountStepsBySize) {
  Make({.max_step_tokens = 8}, 32);
  runner_->Add(Request(1, "abcdefghijkl", 3));
  EXPECT_EQ(runner_->stats().backlog_tokens, 12);
  runner_->Step();
  EXPECT_EQ(runner_->stats().backlog_tokens, 4);
  RunAll();
  const EngineStats stats = runner_->stats();
  EXPECT_EQ(stats.steps, 4u);
  EXPECT_EQ(stats.step_tokens, 8u + 4 + 1 + 1);
  EXPECT_EQ(stats.steps_by_size[3], 1u);
  EXPECT_EQ(stats.steps_by_size[2], 1u);
  EXPECT_EQ(stats.steps_by_size[0], 2u);
}

TEST_F(BatchRunnerTest, RandomArrivalsPreemptionsAndCancelsLeaveEveryTextRight) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto draw = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    heard_.clear();
    Make({.block_tokens = draw(1, 4), .max_running = draw(1, 6), .max_step_tokens = draw(1, 12)},
         draw(40, 60));
    std::map<uint64_t, int> wanted;
    std::map<uint64_t, bool> cancelled;
    uint64_t next = 1;
    while (next <= 25 || !runner_->idle()) {
      if (next <= 25 && draw(0, 1) == 0) {
        wanted[next] = draw(1, 20);
        runner_->Add(
            Request(next, std::string(static_cast<size_t>(draw(1, 15)), 'q') + "a", wanted[next]));
        ++next;
      }
      if (draw(0, 30) == 0 && next > 1) {
        const auto victim = static_cast<uint64_t>(draw(1, static_cast<int>(next) - 1));
        if (heard_[victim].ends == 0) cancelled[victim] = true;
        runner_->Cancel(victim);
      }
      runner_->Step();
    }
    RunAll();
    for (const auto& [handle, count] : wanted) {
      EXPECT_EQ(heard_[handle].ends, 1);
      const std::string alphabet = "bcdefghijklmnopqrstuvwxyz";
      EXPECT_EQ(heard_[handle].text, alphabet.substr(0, heard_[handle].text.size()));
      if (!cancelled[handle]) {
        EXPECT_EQ(heard_[handle].text.size(), static_cast<size_t>(count));
      }
    }
  }
}

}  // namespace
}  // namespace emptor::engine
