// The sequences of the engine and the blocks that they hold.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/kv/block_pool.h"
#include "engine/scheduler/policy.h"

namespace emptor::engine {

/// Names a request for its whole life.
enum class SequenceId : uint64_t {};

/// One sequence's share of the step that Schedule chose. Views live until the next call that
/// changes the scheduler.
struct ScheduledWork {
  SequenceId id{};
  std::span<const int32_t> tokens;  // to compute, from `position` on
  int position = 0;
  std::span<const BlockId> blocks;  // cover position + tokens.size()
  bool samples = false;             // its last token is the newest: a next one is to be chosen
};

/// Obeys PlanStep: admits, allocates, preempts, in order of arrival.
/// Thread-safety: engine thread only. Lifetime: within the pool's.
class Scheduler {
 public:
  Scheduler(const SchedulerLimits& limits, BlockPool& pool) : limits_(limits), pool_(&pool) {}

  /// REQUIRES: tokens are not empty, the id is new, and the pool can hold all the sequence's
  /// tokens.
  void Add(SequenceId id, std::vector<int32_t> tokens);

  /// Plans and prepares the next step; empty when there is nothing to do.
  std::vector<ScheduledWork> Schedule();

  /// The scheduled tokens of this sequence are computed; `next` follows them when it sampled.
  void Advance(SequenceId id, int computed, const int32_t* next);

  /// Forgets the sequence; its blocks are free at once. Unknown ids are ignored.
  void Remove(SequenceId id);

  int running() const;
  int waiting() const;
  uint64_t preemptions() const { return preemptions_; }

 private:
  struct Sequence {
    SequenceId id;
    std::vector<int32_t> tokens;
    int computed = 0;
    bool running = false;
    BlockTable blocks;
  };

  Sequence* Find(SequenceId id);
  void Preempt(Sequence& sequence);

  SchedulerLimits limits_;
  BlockPool* pool_;
  std::vector<std::unique_ptr<Sequence>> sequences_;  // in order of arrival
  uint64_t preemptions_ = 0;
};

}  // namespace emptor::engine
