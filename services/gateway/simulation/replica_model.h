// A replica of an inference engine in virtual time: continuous batching with chunked prefill and a
// prefix cache, as vLLM and our engine work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "services/gateway/balancing/prefix_table.h"

namespace emptor::services {

/// Speed of a replica. The defaults are of the order of an 8B model on one accelerator of the
/// middle class.
struct ReplicaSpeed {
  double factor = 1;                  // all below is so many times as fast
  double step_seconds = 0.020;        // of reading the weights
  double prefill_seconds = 0.00015;   // a prompt token
  double sequence_seconds = 0.00025;  // a sequence in the batch
  int chunk_tokens = 512;             // of prompts in one step
  size_t max_running = 64;            // sequences; others wait
  size_t cached_blocks = 400;         // of the prefix cache
};

/// What a step did.
struct ReplicaStep {
  std::vector<uint64_t> tokens;  // attempts that got a token each
  std::vector<uint64_t> ended;   // those of them that have all theirs
};

/// Thread-safety: one thread.
class ReplicaModel {
 public:
  explicit ReplicaModel(const ReplicaSpeed& speed)
      : speed_(speed), cache_(1, speed.cached_blocks) {}

  void Add(uint64_t attempt, int prompt_tokens, int output_tokens, std::span<const uint64_t> blocks,
           double block_tokens);
  void Remove(uint64_t attempt);
  /// All that it held is lost.
  void Clear();

  bool idle() const { return waiting_.empty() && running_.empty(); }
  bool Holds(uint64_t attempt) const;
  /// How long the next step takes. REQUIRES: not idle.
  double PlanStep();
  /// The step that PlanStep planned is over; of attempts that were added since, nothing is done.
  ReplicaStep FinishStep();

  uint64_t computed_prompt_tokens() const { return computed_; }
  uint64_t output_tokens() const { return produced_; }

 private:
  struct Sequence {
    uint64_t attempt = 0;
    double prefill_left = 0;
    int output_left = 0;
    double planned = 0;  // prompt tokens of this step
    bool in_step = false;
  };

  const ReplicaSpeed speed_;
  PrefixTable cache_;
  std::deque<Sequence> waiting_;
  std::vector<Sequence> running_;
  uint64_t computed_ = 0, produced_ = 0;
};

}  // namespace emptor::services
