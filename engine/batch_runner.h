// Runs the requests of the engine step by step on one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/choice_sampler.h"
#include "engine/engine.h"
#include "engine/kv/block_pool.h"
#include "engine/kv/prefix_cache.h"
#include "engine/model/model.h"
#include "engine/sampling/stop_matcher.h"
#include "engine/scheduler/scheduler.h"
#include "engine/speculation/speculator.h"
#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

/// A request that has been checked and tokenized.
struct PreparedRequest {
  uint64_t handle = 0;
  std::vector<TokenId> prompt;  // not empty, all in the vocabulary
  int adapter = -1;             // of the model; -1: none
  int max_tokens = 0;           // positive
  int n = 1;                    // at most MaxSeqs
  SamplingParams sampling;
  std::optional<std::vector<std::string>> references;  // checked
  std::shared_ptr<const OutputGrammar> grammar;        // null: any text
  std::chrono::steady_clock::time_point submitted;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  Priority priority = Priority::kInteractive;
  std::string tenant, cache_salt;
  GenerationCallbacks callbacks;
};

/// Size and use of the model's KV memory.
struct KvOptions {
  int blocks = 0;
  bool prefix_cache = false;
};

/// Scheduler, model and sampling joined: the loop body of the engine thread.
/// A request that is added joins the running batch at the next Step; one that ends gives its
/// blocks back before its on_end is called.
/// Thread-safety: one thread. Lifetime: within the model's and the tokenizer's.
class BatchRunner {
 public:
  /// `speculator`: null for one token of a sequence in each step.
  BatchRunner(Model& model, const Tokenizer& tokenizer, const SchedulerLimits& limits,
              const KvOptions& kv, Clock clock, std::unique_ptr<Speculator> speculator = nullptr);

  void Add(PreparedRequest request);
  /// Ends the request now; unknown handles are ignored.
  void Cancel(uint64_t handle);
  void CancelAll();

  /// Ends what is late, computes one step and hands out its text. False when there was nothing to
  /// compute.
  bool Step();

  /// Called within Step, between planning and computing, when stats() describes the batch.
  void set_after_schedule(std::function<void()> hook) { after_schedule_ = std::move(hook); }

  bool idle() const { return generations_.empty(); }
  /// Counts since the start; the gauges are those of this moment.
  EngineStats stats() const;

 private:
  /// One answer in progress.
  struct Choice {
    Choice(const PreparedRequest& request, int choice, const Vocabulary& vocabulary,
           const TokenTable& table);

    int number;
    SequenceId id{};
    ChoiceSampler sampler;
    Detokenizer detokenizer;
    StopMatcher stops;
    std::vector<SampledToken> unsent;  // tokens whose text has not been handed out yet
    Usage usage;
    bool ended = false;
  };
  /// A request in progress. Its prompt is one sequence, that of the first choice; the first tokens
  /// of the answers split it.
  struct Generation {
    PreparedRequest request;
    std::vector<std::unique_ptr<Choice>> choices;
    int open = 0;  // choices that have not ended
    bool started = false;
    bool split = false;
  };
  struct Member {
    Generation* generation;
    Choice* choice;
  };

  double SecondsSince(std::chrono::steady_clock::time_point begin) const;
  void EndLate();
  void EndInfeasible(const std::vector<SequenceId>& infeasible);
  /// Gives the decoding sequences draft tokens for the next step; the seconds that this took.
  double Draft();
  void MarkStarted(const std::vector<ScheduledWork>& work);
  void Compute(const ScheduledStep& step);
  void Measure(const ScheduledStep& step, double seconds);
  void MeasureKv();
  void TakeTokens(const ScheduledWork& work, std::span<float> logits);
  /// Chooses a token for each row of logits, for as long as these are the draft tokens.
  void TakeVerified(Generation& generation, Choice& choice, const ScheduledWork& work,
                    std::span<float> logits);
  /// The next token of the answer; nothing when the answer has ended.
  std::optional<TokenId> TakeToken(Generation& generation, Choice& choice, std::span<float> logits);
  /// Whether the answer goes on after this token.
  bool Emit(const Generation& generation, Choice& choice, SampledToken token);
  void SendText(const Generation& generation, Choice& choice, const std::string& text);
  void EndChoice(Generation& generation, Choice& choice, FinishReason reason,
                 const absl::Status& status);
  void End(uint64_t handle, FinishReason reason, const absl::Status& status);

  Model& model_;
  const Tokenizer& tokenizer_;
  const TokenTable token_table_;
  Clock clock_;
  int max_sequence_tokens_;  // what context and KV memory allow
  int block_tokens_;
  BlockPool pool_;
  std::optional<PrefixCache> cache_;
  Scheduler scheduler_;
  std::unique_ptr<Speculator> speculator_;                                 // null: no drafts
  std::unordered_map<uint64_t, std::unique_ptr<Generation>> generations_;  // by handle
  std::unordered_map<uint64_t, Member> members_;                           // by sequence
  uint64_t last_sequence_ = 0;
  std::vector<float> logits_;
  std::vector<float> row_;  // a copy of one row, which each answer of a prompt may mask
  std::function<void()> after_schedule_;
  EngineStats stats_;
  int least_measured_;  // prompt tokens of a step whose speed counts
};

}  // namespace emptor::engine
