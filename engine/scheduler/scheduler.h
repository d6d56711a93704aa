// The sequences of the engine and their KV blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/kv/block_pool.h"
#include "engine/kv/prefix_cache.h"
#include "engine/scheduler/policy.h"
#include "engine/scheduler/tenants.h"

namespace emptor::engine {

/// Names one answer for its whole life.
enum class SequenceId : uint64_t {};

/// Argument of Scheduler::Add.
struct NewSequence {
  SequenceId id{};
  std::vector<int32_t> tokens;  // the prompt
  int priority = 0;             // lower ones first
  std::string tenant = {};      // tenants of one priority share the engine evenly
  std::string salt = {};        // cached blocks are shared under the same salt alone
  int num_seqs = 1;             // answers that Fork will split it into, itself among them
  int most_tokens = 0;          // that it can come to
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// One sequence's share of the step that Schedule chose. Views live until the next call that
/// changes the scheduler.
struct ScheduledWork {
  SequenceId id{};
  std::span<const int32_t> tokens;  // to compute, from `position` on; the last `drafts` are guesses
  int position = 0;
  std::span<const BlockId> blocks;  // cover position + tokens.size()
  bool samples = false;             // the newest token is among them: a next one is to be chosen
  bool decodes = false;             // the newest token was chosen by the sequence itself
  int drafts = 0;                   // draft tokens after the newest one, which are to be verified
  int cached_tokens = 0;            // in the step that admits it: found in the prefix cache
};

/// A sequence whose next step chooses a token of its answer.
struct DecodingSequence {
  SequenceId id{};
  std::span<const int32_t> tokens;  // prompt and answer
  int draft_room = 0;               // draft tokens that it could use
};

struct BlockCopy {
  BlockId from{}, to{};
};

/// A step that is ready to be computed: first the copies, in order, then the work.
struct ScheduledStep {
  std::vector<BlockCopy> copies;
  std::vector<ScheduledWork> work;
  std::vector<SequenceId> infeasible;  // their deadline is infeasible; never scheduled
};

/// Carries out PlanStep: admits, allocates, shares, copies, preempts.
/// Thread-safety: engine thread only. Lifetime: within the pool's and the cache's.
class Scheduler {
 public:
  /// `cache`: null when prompts share nothing.
  Scheduler(const SchedulerLimits& limits, BlockPool& pool, PrefixCache* cache)
      : limits_(limits), pool_(&pool), cache_(cache) {}

  /// REQUIRES: tokens are not empty, the id is new, the pool can hold all the sequence's tokens,
  /// and num_seqs is at most MaxSeqs.
  void Add(NewSequence added);

  /// Plans and prepares the next step; without work when there is nothing to do.
  /// `drafting_seconds`: that making its draft tokens took.
  ScheduledStep Schedule(std::chrono::steady_clock::time_point now,
                         double prefill_tokens_per_second, double drafting_seconds = 0);

  /// The sequences that decode, in order of arrival. Views live until the next call that changes
  /// the scheduler.
  std::vector<DecodingSequence> Decoding() const;
  /// Whether the next step can verify a draft token: prompts and blocks leave room for one. Exact
  /// but for the time of drafting, which takes room from the prompts of the step.
  bool HasDraftRoom(std::chrono::steady_clock::time_point now, double prefill_tokens_per_second);
  /// Tokens that may follow what a decoding sequence knows: the next step computes as many of them
  /// as it has room for. REQUIRES: the sequence decodes; not more than its draft_room.
  void Propose(SequenceId id, std::vector<int32_t> drafts);

  /// So many more known tokens are computed. Full blocks of them can be found from now on. When the
  /// sequence sampled it must be appended to or removed before the next Schedule. An appended token
  /// that equals the draft token of its position is computed already: it is advanced over at once.
  void Advance(SequenceId id, int computed);
  /// Forgets the draft tokens and returns the blocks that hold nothing else. Each sequence with
  /// drafts in its work needs this before the next Schedule.
  void DropDrafts(SequenceId id);
  /// `token` follows all that is known.
  void Append(SequenceId id, int32_t token);
  /// Splits off a running sequence that knows the same tokens and holds the same blocks, before
  /// anything is appended. REQUIRES: all tokens are computed; the parent has num_seqs above 1.
  void Fork(SequenceId parent, SequenceId child);

  /// Forgets the sequence; its blocks are free at once. Unknown ids are ignored.
  void Remove(SequenceId id);

  int running() const { return running_; }
  int waiting() const { return static_cast<int>(sequences_.size()) - running_; }
  /// Tokens of prompts, and of preempted sequences, that are still to be computed.
  int64_t backlog() const;
  /// Token slots of the blocks in use that hold nothing: the ends of the sequences' last blocks.
  int64_t fragmented_slots() const;
  uint64_t preemptions() const { return preemptions_; }

 private:
  struct Sequence {
    NewSequence spec;  // its tokens: prompt and answer
    Tenants::Tenant* tenant = nullptr;
    int computed = 0;
    bool running = false;
    bool started = false;
    bool decodes = false;  // running, and its newest token was appended
    int overtaken = 0;
    BlockTable blocks;
    std::vector<int32_t> drafts;  // of the next step
    // The newest token and the drafts that a step verifies after it. Empty outside of a step.
    std::vector<int32_t> verified;
    PrefixId chain = PrefixId::kEmpty;  // of the leading blocks that can be found,
    int chained = 0;                    // and their number
    std::vector<CachedBlock> match;     // while it waits
  };

  SequenceView View(Sequence& sequence, std::chrono::steady_clock::time_point now);
  std::vector<SequenceView> Views(std::chrono::steady_clock::time_point now);
  void Preempt(Sequence& sequence);
  void AdmitWithMatch(Sequence& sequence);
  ScheduledWork Prepare(const StepWork& work, Sequence& sequence, std::vector<BlockCopy>& copies);
  void MakeFindable(Sequence& sequence);
  Sequence& At(SequenceId id) { return *by_id_.at(static_cast<uint64_t>(id)); }
  static std::string TenantName(const Sequence& sequence);

  SchedulerLimits limits_;
  BlockPool* pool_;
  PrefixCache* cache_;
  Tenants tenants_;
  std::vector<std::unique_ptr<Sequence>> sequences_;  // in order of arrival
  std::unordered_map<uint64_t, Sequence*> by_id_;
  int running_ = 0;
  uint64_t preemptions_ = 0;
};

}  // namespace emptor::engine
