// What the next engine step computes.
#pragma once

#include <span>
#include <vector>

namespace emptor::engine {

struct SchedulerLimits {
  int block_tokens = 16;      // tokens in one KV block
  int max_running = 64;       // sequences that hold blocks at one time
  int max_step_tokens = 512;  // tokens that one step computes
};

/// What the policy sees of a sequence.
struct SequenceView {
  bool running = false;     // admitted; a waiting one holds no block
  int known_tokens = 0;     // prompt and what was generated so far
  int computed_tokens = 0;  // whose keys and values lie in blocks; less than known_tokens
  int blocks = 0;           // held
};

/// The share of one sequence in a step.
struct StepWork {
  int sequence = 0;    // index into the sequences
  int tokens = 0;      // to compute, positive; its next token follows if this reaches known_tokens
  int new_blocks = 0;  // to allocate before
  bool operator==(const StepWork&) const = default;
};

struct StepPlan {
  std::vector<int> preempted;  // give all blocks back and wait; done before the work
  std::vector<StepWork> work;
};

/// Chooses what the next engine step computes.
/// Sequences come in order of arrival. Within the token budget: first one token for each sequence
/// that decodes, then prompt chunks of those admitted, then new ones, first come first served, each
/// admitted only when the blocks of all its known tokens, and those still promised to others, are
/// free. When a decode finds no block, the youngest running sequence is preempted and computed
/// anew later; a step that preempts admits nobody. While there are sequences, one advances.
/// Pure: equal inputs give equal plans. Takes no lock, reads no clock, allocates no KV block.
StepPlan PlanStep(const SchedulerLimits& limits, std::span<const SequenceView> sequences,
                  int free_blocks);

/// Blocks that hold `tokens` tokens.
constexpr int BlocksFor(int tokens, int block_tokens) {
  return (tokens + block_tokens - 1) / block_tokens;
}

}  // namespace emptor::engine
