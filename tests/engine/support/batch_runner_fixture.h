// A BatchRunner on a scripted model, and what its requests received.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/batch_runner.h"
#include "gtest/gtest.h"
#include "tests/support/byte_tokenizer.h"
#include "tests/support/scripted_model.h"

namespace emptor::engine {

/// The callbacks of one request.
struct Heard {
  std::string text;
  std::vector<TokenId> tokens;
  int ends = 0;
  FinishReason reason = FinishReason::kError;
  Usage usage;
  absl::StatusCode code = absl::StatusCode::kUnknown;
};

/// The next token is the letter after the last, from a to z and round again.
inline TokenId NextLetter(TokenId token, int) {
  return token < 'a' || token >= 'z' ? 'a' : token + 1;
}

/// Runs until nothing is left and checks that nothing was leaked.
class BatchRunnerTest : public ::testing::Test {
 protected:
  void Make(const SchedulerLimits& limits, int blocks,
            testing::ScriptedModel::Script script = NextLetter, int context = 1000,
            bool prefix_cache = false, std::unique_ptr<Speculator> speculator = nullptr) {
    runner_.reset();
    model_ =
        std::make_unique<testing::ScriptedModel>(257, context, blocks, limits.block_tokens, script);
    runner_ = std::make_unique<BatchRunner>(
        *model_, *tokenizer_, limits, KvOptions{blocks, prefix_cache}, [this] { return now_; },
        std::move(speculator));
  }

  PreparedRequest Request(uint64_t handle, const std::string& prompt, int max_tokens) {
    PreparedRequest request;
    request.handle = handle;
    for (const char c : prompt) request.prompt.push_back(static_cast<uint8_t>(c));
    request.max_tokens = max_tokens;
    request.submitted = now_;
    Heard& heard = heard_[handle];
    request.callbacks.on_text = [&heard](const TextPiece& piece) {
      heard.text += piece.text;
      for (const SampledToken& token : piece.tokens) heard.tokens.push_back(token.id);
    };
    request.callbacks.on_end = [this, &heard](const GenerationEnd& end) {
      ++heard.ends;
      heard.reason = end.reason;
      heard.usage = end.usage;
      heard.code = end.status.code();
      free_at_end_ = runner_->stats().kv_blocks_free;
    };
    return request;
  }
  void RunAll() {
    while (runner_->Step()) {
    }
    EXPECT_TRUE(runner_->idle());
    EXPECT_FALSE(model_->broken());
    EXPECT_EQ(runner_->stats().kv_blocks_free, runner_->stats().kv_blocks_total);
  }

  std::chrono::steady_clock::time_point now_{std::chrono::seconds(100)};
  std::unique_ptr<const Tokenizer> tokenizer_ = testing::ByteTokenizer();
  std::unique_ptr<testing::ScriptedModel> model_;
  std::unique_ptr<BatchRunner> runner_;
  std::map<uint64_t, Heard> heard_;
  int free_at_end_ = -1;
};

}  // namespace emptor::engine
