// What the next engine step computes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/kv/block_pool.h"

namespace emptor::engine {

struct SchedulerLimits {
  int block_tokens = 16;      // tokens in one KV block
  int max_running = 64;       // sequences that hold blocks at one time
  int max_step_tokens = 512;  // tokens that one step computes
  /// Maximum prompt tokens of a step that also decodes: bounds the time between the tokens of the
  /// decoding sequences. 0: max_step_tokens.
  int mixed_prefill_tokens = 0;
  /// Maximum time of these prompt tokens at the measured speed, and of drafting. 0: off.
  double mixed_step_seconds = 0;
  /// Prompts with more tokens left than this share this many tokens of a step while shorter ones
  /// can use the rest. 0: off.
  int long_prefill_tokens = 0;
  /// How many later sequences may be admitted before one that does not fit yet. After that, none
  /// overtakes it.
  int max_overtakes = 0;
  /// Admits a sequence only when the blocks of its longest possible answer are free, so that a lack
  /// of blocks never preempts. A sequence that runs alone is exempt.
  bool reserve = false;
  /// Waiting work is not started when its first token would miss the deadline even at this many
  /// times the measured speed. 0: only expired work is refused.
  double infeasible_factor = 0;
};

/// What the policy sees of a sequence.
struct SequenceView {
  bool running = false;        // admitted; a waiting one holds no block
  bool decodes = false;        // running, and all but its newest token, which it chose, is computed
  int draft_tokens = 0;        // of a decoding one: guesses of what follows its newest token
  int known_tokens = 0;        // prompt and what was generated so far
  int computed_tokens = 0;     // whose keys and values lie in blocks; less than known_tokens
  int blocks = 0;              // held
  int priority = 0;            // lower ones first
  int tenant = 0;              // among those of a priority, from 0
  uint64_t tenant_served = 0;  // work done for the tenant; the one with the least is next
  int num_seqs = 1;            // answers of one prompt that this sequence will be split into
  int most_tokens = 0;         // that it can have at its end; for limits.reserve
  std::span<const BlockId> shared = {};  // of a running one: leading blocks that others reference
  int cached_blocks = 0;  // of a waiting one: full blocks that the prefix cache has for it,
  int cached_free = 0;    // those among them without a reference: they count as free
  int overtaken = 0;      // by how many later ones
  bool started = false;   // it has run before
  double seconds_left = std::numeric_limits<double>::infinity();  // to its deadline
};

/// What the policy sees of the rest.
struct EngineView {
  std::span<const int32_t> ref_counts =
      {};                                // of each block, by id; for sequences with shared blocks
  double prefill_tokens_per_second = 0;  // as measured; 0: unknown
  double drafting_seconds = 0;           // that making the draft tokens of this step took
};

/// The share of one sequence in a step.
struct StepWork {
  int sequence = 0;    // index into the sequences
  int tokens = 0;      // to compute, positive; its next token follows if this reaches known_tokens
  int new_blocks = 0;  // to allocate before
  bool copies_tail = false;  // the first of them takes the place of a copy of its last block
  int drafts = 0;            // draft tokens to compute after `tokens`; new_blocks has room for them
  bool operator==(const StepWork&) const = default;
};

struct StepPlan {
  std::vector<int> infeasible;  // waiting ones whose deadline is infeasible: end them
  std::vector<int> preempted;   // give all blocks back and wait; done before the work
  std::vector<StepWork> work;
  std::vector<int> overtaken;  // once for each time that a later one was admitted before it
};

/// Chooses what the next engine step computes.
/// Sequences come in order of arrival. Within the token budget: first one token for each sequence
/// that decodes, then prompt chunks of running sequences, then new sequences, then draft tokens,
/// which get what is left of tokens and blocks, in a step with prompts of the tokens that prompts
/// may have: they delay and preempt nothing. Order among these:
/// priority, then (for new ones) the least served tenant, then arrival. At most MaxSeqs run, so
/// that every step has room for a prompt.
/// A new sequence is admitted when the blocks of all its known tokens, and those still promised to
/// running ones of its priority or a better one, are free. Otherwise at most max_overtakes others
/// of its priority overtake it.
/// When a decode finds no block, the youngest sequence of the lowest priority is preempted and
/// recomputed later. Waiting work preempts running work of a lower priority. A step that preempts
/// admits none. As long as a feasible sequence exists, each plan preempts or advances one.
/// Pure: equal inputs give equal plans. Takes no lock, reads no clock, allocates no KV block.
/// Sources: Yu et al. 2022 (Orca, OSDI), steps as the unit; Agrawal et al. 2024, arXiv:2403.02310,
/// chunked prefill; Sheng et al. 2024, arXiv:2401.00588, tenants by service received.
StepPlan PlanStep(const SchedulerLimits& limits, std::span<const SequenceView> sequences,
                  int free_blocks, const EngineView& engine = {});

/// The maximum number of sequences that run at one time under these limits (vLLM's max_num_seqs).
int MaxSeqs(const SchedulerLimits& limits);

/// Blocks that hold `tokens` tokens.
constexpr int BlocksFor(int tokens, int block_tokens) {
  return (tokens + block_tokens - 1) / block_tokens;
}

}  // namespace emptor::engine
