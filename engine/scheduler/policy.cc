// The plan of one step: decodes, prompt chunks, admissions.
#include "engine/scheduler/policy.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace emptor::engine {
namespace {

// Prompt tokens that justify a pass over the weights, however slow the machine is.
constexpr int kMinChunk = 32;

/// Builds a plan in passes over a copy of the snapshot.
class Planner {
 public:
  Planner(const SchedulerLimits& limits, std::span<const SequenceView> sequences, int free_blocks,
          const EngineView& engine)
      : limits_(limits),
        engine_(engine),
        sequences_(sequences.begin(), sequences.end()),
        settled_(sequences.size(), false),
        free_(free_blocks),
        budget_(limits.max_step_tokens),
        prefill_budget_(limits.max_step_tokens),
        long_budget_(limits.long_prefill_tokens) {
    ranked_.resize(sequences.size());
    std::iota(ranked_.begin(), ranked_.end(), 0);
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [this](int a, int b) { return at(a).priority < at(b).priority; });
  }

  StepPlan Plan() {
    FindInfeasible();
    PreemptForUrgent();
    for (size_t rank = 0; rank < ranked_.size(); ++rank) {
      if (at(ranked_[rank]).running && at(ranked_[rank]).decodes) PlanDecode(rank);
    }
    BoundPrefill();
    for (size_t rank = 0; rank < ranked_.size(); ++rank) {
      if (at(ranked_[rank]).running && !settled(ranked_[rank])) PlanChunk(rank);
    }
    if (plan_.preempted.empty()) Admit();
    GiveRestToLongPrompts();
    PlanDrafts();
    return std::move(plan_);
  }

 private:
  SequenceView& at(int i) { return sequences_[static_cast<size_t>(i)]; }
  bool settled(int i) const { return settled_[static_cast<size_t>(i)]; }
  void Settle(int i) { settled_[static_cast<size_t>(i)] = true; }
  int Remaining(int i) { return at(i).known_tokens - at(i).computed_tokens; }
  /// Tokens to compute when a waiting sequence is admitted.
  int Uncached(int i) { return at(i).known_tokens - at(i).cached_blocks * limits_.block_tokens; }

  /// References to a shared block once the plan so far is carried out.
  int RefCount(BlockId block) const {
    const auto left = dropped_.find(static_cast<int32_t>(block));
    return engine_.ref_counts[static_cast<size_t>(block)] -
           (left == dropped_.end() ? 0 : left->second);
  }
  /// Whether another sequence references the block of its next token.
  bool SharesTail(int i) {
    const auto tail = static_cast<size_t>(at(i).computed_tokens / limits_.block_tokens);
    return tail < at(i).shared.size() && RefCount(at(i).shared[tail]) > 1;
  }
  int NewBlocks(int i, int tokens) {
    const int needed = BlocksFor(at(i).computed_tokens + tokens, limits_.block_tokens);
    return std::max(0, needed - at(i).blocks) + (SharesTail(i) ? 1 : 0);
  }

  void Add(int i, int tokens) {
    const int new_blocks = NewBlocks(i, tokens);
    const bool copies = SharesTail(i);
    assert(tokens > 0 && tokens <= budget_ && new_blocks <= free_);
    if (copies) ++dropped_[static_cast<int32_t>(at(i).shared.back())];
    plan_.work.push_back({i, tokens, new_blocks, copies});
    Settle(i);
    at(i).blocks += new_blocks - (copies ? 1 : 0);
    at(i).computed_tokens += tokens;
    free_ -= new_blocks;
    budget_ -= tokens;
  }

  void Preempt(int i) {
    plan_.preempted.push_back(i);
    SequenceView& view = at(i);
    free_ += view.blocks - static_cast<int>(view.shared.size());
    for (const BlockId block : view.shared) {
      ++dropped_[static_cast<int32_t>(block)];
      if (RefCount(block) == 0) ++free_;
    }
    view.running = view.decodes = false;
    view.computed_tokens = view.blocks = 0;
    view.shared = {};
  }

  /// Preempts the sequences after `rank`, the last first, until `blocks` are free or none is left.
  void MakeRoom(size_t rank, int blocks) {
    for (size_t victim = ranked_.size(); free_ < blocks && --victim > rank;) {
      const int i = ranked_[victim];
      if (at(i).running && !settled(i)) Preempt(i);
    }
  }

  /// Settles the waiting ones whose deadline is infeasible. Ahead of a sequence counts only what is
  /// certain to be computed first: running work, better priorities, earlier ones of its tenant.
  /// With nothing ahead a sequence is tried: a wrong measurement must not refuse everything.
  void FindInfeasible() {
    const double rate = engine_.prefill_tokens_per_second * limits_.infeasible_factor;
    int64_t before = 0;  // tokens of running ones, and of better priorities
    for (int i : ranked_) before += at(i).running && !at(i).decodes ? Remaining(i) : 0;
    std::unordered_map<int, int64_t> by_tenant;
    int64_t same_priority = 0;
    for (size_t rank = 0; rank < ranked_.size(); ++rank) {
      const int i = ranked_[rank];
      if (rank > 0 && at(i).priority != at(ranked_[rank - 1]).priority) {
        before += std::exchange(same_priority, 0);
        by_tenant.clear();
      }
      if (at(i).running) continue;
      const int64_t ahead = before + by_tenant[at(i).tenant];
      const double seconds = static_cast<double>(ahead + Uncached(i)) / rate;
      const bool late = rate > 0 && ahead > 0 && seconds > at(i).seconds_left;
      if (!at(i).started && (late || at(i).seconds_left <= 0)) {
        plan_.infeasible.push_back(i);
        Settle(i);
        continue;
      }
      by_tenant[at(i).tenant] += Uncached(i);
      same_priority += Uncached(i);
    }
  }

  /// Lets waiting sequences of the best priority preempt those of lower ones.
  void PreemptForUrgent() {
    if (ranked_.empty() || at(ranked_.front()).priority == at(ranked_.back()).priority) return;
    const int urgent = at(ranked_.front()).priority;
    int blocks = Promised(urgent), lower_blocks = 0;
    int seqs = 0, lower_seqs = 0, tokens = 0;
    for (int i : ranked_) {
      if (!at(i).running) continue;
      seqs += at(i).num_seqs;
      if (at(i).priority == urgent) continue;
      lower_blocks += at(i).blocks;
      lower_seqs += at(i).num_seqs;
    }
    size_t victim = ranked_.size();
    for (int i : ranked_) {
      if (at(i).priority != urgent || tokens >= limits_.max_step_tokens) return;
      if (at(i).running || settled(i)) continue;
      blocks += Needed(i);
      seqs += at(i).num_seqs;
      tokens += Uncached(i);
      if (blocks > free_ + lower_blocks || seqs - lower_seqs > MaxSeqs(limits_)) return;
      while (blocks > free_ || seqs > MaxSeqs(limits_)) {
        if (victim == 0 || at(ranked_[--victim]).priority == urgent) return;
        const int lower = ranked_[victim];
        if (!at(lower).running) continue;
        seqs -= at(lower).num_seqs;
        lower_seqs -= at(lower).num_seqs;
        lower_blocks -= at(lower).blocks;
        Preempt(lower);
      }
    }
  }

  void PlanDecode(size_t rank) {
    if (budget_ == 0) return;
    const int i = ranked_[rank];
    MakeRoom(rank, NewBlocks(i, 1));
    if (NewBlocks(i, 1) <= free_) {
      Add(i, 1);
    } else {
      Preempt(i);
    }
  }

  /// The budget left for prompts after the decodes are planned.
  void BoundPrefill() {
    prefill_budget_ = budget_;
    if (plan_.work.empty()) return;
    if (limits_.mixed_prefill_tokens > 0) {
      prefill_budget_ = std::min(prefill_budget_, limits_.mixed_prefill_tokens);
    }
    const double rate = engine_.prefill_tokens_per_second;
    if (limits_.mixed_step_seconds <= 0 || rate <= 0) return;
    // Drafting delays the decoding sequences as the prompts of this step do.
    const double in_time = rate * (limits_.mixed_step_seconds - engine_.drafting_seconds);
    if (in_time < limits_.max_step_tokens) {
      const int tokens = static_cast<int>(in_time) - static_cast<int>(plan_.work.size());
      prefill_budget_ = std::min(prefill_budget_, std::max(kMinChunk, tokens));
    }
  }

  /// Tokens of a prompt for this step as far as budgets go; at least one, so that a long prompt
  /// keeps its place.
  int ChunkOf(int i) {
    int tokens = std::min(Remaining(i), prefill_budget_);
    if (limits_.long_prefill_tokens > 0 && Remaining(i) > limits_.long_prefill_tokens) {
      tokens = std::min(tokens, std::max(1, long_budget_));
    }
    return tokens;
  }

  void AddChunk(int i, int tokens) {
    if (limits_.long_prefill_tokens > 0 && Remaining(i) > limits_.long_prefill_tokens) {
      long_budget_ = std::max(0, long_budget_ - tokens);
    }
    prefill_budget_ -= tokens;
    Add(i, tokens);
  }

  /// As much of the rest of a prompt as budget and blocks allow. Nothing in this step when decoding
  /// sequences have the blocks: they end, or an older one preempts them.
  void PlanChunk(size_t rank) {
    if (prefill_budget_ == 0) return;
    const int i = ranked_[rank];
    MakeRoom(rank, NewBlocks(i, 1));
    const int copy = SharesTail(i) ? 1 : 0;
    if (copy > free_) return;
    const int room = (at(i).blocks + free_ - copy) * limits_.block_tokens - at(i).computed_tokens;
    const int tokens = std::min(ChunkOf(i), room);
    if (tokens > 0) AddChunk(i, tokens);
  }

  /// Blocks that a sequence and the answers that it will be split into take in all.
  int Needed(int i) {
    const SequenceView& view = at(i);
    const int known = BlocksFor(view.known_tokens, limits_.block_tokens);
    const int last = std::max(view.known_tokens, view.most_tokens);
    const int whole = limits_.reserve ? BlocksFor(last, limits_.block_tokens) : known;
    const int split = view.num_seqs == 1 ? 0
                      : limits_.reserve
                          ? (view.num_seqs - 1) * (whole - view.known_tokens / limits_.block_tokens)
                          : view.num_seqs - 1;
    return whole + split - (view.running ? view.blocks : view.cached_blocks - view.cached_free);
  }

  /// Blocks that admitted sequences of this priority and better ones still need.
  int Promised(int priority) {
    int promised = 0;
    for (int i = 0; i < static_cast<int>(sequences_.size()); ++i) {
      if (!at(i).running || at(i).priority > priority) continue;
      promised += std::max(0, Needed(i)) + (!settled(i) && SharesTail(i) ? 1 : 0);
    }
    return promised;
  }

  /// The next waiting sequence; -1 if there is none.
  int NextInTurn() {
    int best = -1;
    const auto key = [this](int i) {
      return std::pair(at(i).priority, at(i).tenant_served + admitted_work_[at(i).tenant]);
    };
    for (int i : ranked_) {
      if (at(i).running || settled(i)) continue;
      if (best < 0 || key(i) < key(best)) best = i;
    }
    return best;
  }

  bool Fits(int i, int running) {
    const int first = BlocksFor(at(i).known_tokens, limits_.block_tokens) - at(i).cached_blocks +
                      at(i).cached_free;
    if (running == 0) return first <= free_;  // alone it needs no reserve
    return running + at(i).num_seqs <= MaxSeqs(limits_) &&
           Needed(i) <= free_ - Promised(at(i).priority);
  }

  void Admit() {
    int running = 0;
    for (int i : ranked_) running += at(i).running ? at(i).num_seqs : 0;
    std::vector<int> passed;  // skipped: they do not fit
    while (prefill_budget_ > 0 && running < MaxSeqs(limits_)) {
      const int i = NextInTurn();
      if (i < 0) return;
      if (!passed.empty() && at(passed.front()).priority != at(i).priority) return;
      if (!Fits(i, running)) {
        if (at(i).overtaken >= limits_.max_overtakes) return;
        passed.push_back(i);
        Settle(i);
        continue;
      }
      AdmitOne(i);
      running += at(i).num_seqs;
      bool none_may_pass = false;
      for (int p : passed) {
        plan_.overtaken.push_back(p);
        none_may_pass |= ++at(p).overtaken >= limits_.max_overtakes;
      }
      if (none_may_pass) return;
    }
  }

  void AdmitOne(int i) {
    admitted_work_[at(i).tenant] += static_cast<uint64_t>(Uncached(i));
    at(i).running = true;
    at(i).blocks = at(i).cached_blocks;
    at(i).computed_tokens = at(i).cached_blocks * limits_.block_tokens;
    free_ -= at(i).cached_free;
    AddChunk(i, ChunkOf(i));
  }

  /// What the shorter prompts left of the budget.
  void GiveRestToLongPrompts() {
    if (limits_.long_prefill_tokens == 0) return;
    for (StepWork& work : plan_.work) {
      const int i = work.sequence;
      const int room = (at(i).blocks + free_) * limits_.block_tokens - at(i).computed_tokens;
      const int tokens = std::min({Remaining(i), prefill_budget_, room});
      if (tokens <= 0) continue;
      const int needed = BlocksFor(at(i).computed_tokens + tokens, limits_.block_tokens);
      const int new_blocks = std::max(0, needed - at(i).blocks);
      work.tokens += tokens;
      work.new_blocks += new_blocks;
      at(i).blocks += new_blocks;
      at(i).computed_tokens += tokens;
      free_ -= new_blocks;
      budget_ -= tokens;
      prefill_budget_ -= tokens;
    }
  }

  /// Draft tokens of the decodes, in what the rest left: in a step with prompts, of the budget of
  /// these, which bounds the time between the tokens of an answer.
  void PlanDrafts() {
    const bool mixed = std::any_of(plan_.work.begin(), plan_.work.end(),
                                   [this](const auto& work) { return !at(work.sequence).decodes; });
    if (mixed) budget_ = std::min(budget_, prefill_budget_);
    for (StepWork& work : plan_.work) {
      SequenceView& view = at(work.sequence);
      if (!view.decodes) continue;
      const int room = (view.blocks + free_) * limits_.block_tokens - view.computed_tokens;
      work.drafts = std::min({view.draft_tokens, budget_, room});
      const int needed = BlocksFor(view.computed_tokens + work.drafts, limits_.block_tokens);
      const int new_blocks = std::max(0, needed - view.blocks);
      work.new_blocks += new_blocks;
      view.blocks += new_blocks;
      free_ -= new_blocks;
      budget_ -= work.drafts;
    }
  }

  const SchedulerLimits& limits_;
  const EngineView& engine_;
  std::vector<SequenceView> sequences_;
  std::vector<int> ranked_;                          // by priority, then arrival
  std::vector<bool> settled_;                        // decided for this step
  std::unordered_map<int32_t, int> dropped_;         // block: references that the plan drops
  std::unordered_map<int, uint64_t> admitted_work_;  // by tenant, in this step
  int free_;
  int budget_;
  int prefill_budget_;
  int long_budget_;
  StepPlan plan_;
};

}  // namespace

int MaxSeqs(const SchedulerLimits& limits) {
  const int for_prompts = std::max(1, limits.max_step_tokens / 8);
  return std::min(limits.max_running, std::max(1, limits.max_step_tokens - for_prompts));
}

StepPlan PlanStep(const SchedulerLimits& limits, std::span<const SequenceView> sequences,
                  int free_blocks, const EngineView& engine) {
  return Planner(limits, sequences, free_blocks, engine).Plan();
}

}  // namespace emptor::engine
