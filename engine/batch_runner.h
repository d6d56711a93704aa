// Runs the requests of the engine step by step on one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/choice_sampler.h"
#include "engine/engine.h"
#include "engine/kv/block_pool.h"
#include "engine/model/model.h"
#include "engine/sampling/stop_matcher.h"
#include "engine/scheduler/scheduler.h"
#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

/// A request that has been checked and tokenized.
struct PreparedRequest {
  uint64_t handle = 0;
  std::vector<TokenId> prompt;  // not empty, all in the vocabulary
  int max_tokens = 0;           // positive
  SamplingParams sampling;
  std::optional<std::vector<std::string>> references;  // checked
  std::shared_ptr<const OutputGrammar> grammar;        // null: any text
  std::chrono::steady_clock::time_point submitted;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  GenerationCallbacks callbacks;
};

/// Scheduler, model and sampling joined: what the engine thread turns.
/// A request that is added joins the running batch at the next Step; one that ends gives its
/// blocks back before its on_end is called.
/// Thread-safety: one thread. Lifetime: within the model's and the tokenizer's.
class BatchRunner {
 public:
  /// `blocks` is the capacity of the model's KV memory.
  BatchRunner(Model& model, const Tokenizer& tokenizer, const SchedulerLimits& limits, int blocks,
              Clock clock);

  void Add(PreparedRequest request);
  /// Ends the request now; unknown handles are ignored.
  void Cancel(uint64_t handle);
  void CancelAll();

  /// Ends what is late, computes one step and hands out its text. False when there was nothing to
  /// compute.
  bool Step();

  /// Called within Step, between planning and computing, when stats() tells what is in the batch.
  void set_after_schedule(std::function<void()> hook) { after_schedule_ = std::move(hook); }

  bool idle() const { return generations_.empty(); }
  /// Counts since the start; the gauges are those of this moment.
  EngineStats stats() const;

 private:
  /// A request in work.
  struct Generation {
    Generation(PreparedRequest prepared, const Vocabulary& vocabulary, const TokenTable& table);

    PreparedRequest request;
    ChoiceSampler sampler;
    Detokenizer detokenizer;
    StopMatcher stops;
    std::vector<SampledToken> unsent;  // tokens whose text has not been handed out yet
    Usage usage;
    bool started = false;
  };
  using Generations = std::unordered_map<uint64_t, std::unique_ptr<Generation>>;

  double SecondsSince(std::chrono::steady_clock::time_point begin) const;
  void EndLate();
  void MarkStarted(const std::vector<ScheduledWork>& work);
  void TakeToken(const ScheduledWork& work, std::span<float> logits);
  /// Whether the generation goes on after this token.
  bool Emit(Generation& generation, SampledToken token);
  void SendText(Generation& generation, const std::string& text);
  void End(uint64_t handle, FinishReason reason, const absl::Status& status);

  Model& model_;
  const Tokenizer& tokenizer_;
  const TokenTable token_table_;
  Clock clock_;
  int max_sequence_tokens_;  // what context and KV memory allow
  BlockPool pool_;
  Scheduler scheduler_;
  Generations generations_;
  std::vector<float> logits_;
  std::function<void()> after_schedule_;
  EngineStats stats_;
};

}  // namespace emptor::engine
