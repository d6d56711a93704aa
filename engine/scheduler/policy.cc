// The plan of one step: decodes, prompt chunks, admissions.
#include "engine/scheduler/policy.h"

#include <algorithm>
#include <cassert>

namespace emptor::engine {
namespace {

/// Builds a plan in three passes over a copy of the snapshot.
class Planner {
 public:
  Planner(const SchedulerLimits& limits, std::span<const SequenceView> sequences, int free_blocks)
      : limits_(limits),
        sequences_(sequences.begin(), sequences.end()),
        planned_(sequences.size(), false),
        free_(free_blocks),
        budget_(limits.max_step_tokens) {}

  StepPlan Plan() {
    for (int i = 0; i < size(); ++i) {
      if (at(i).running && Remaining(i) == 1) PlanDecode(i);
    }
    for (int i = 0; i < size(); ++i) {
      if (at(i).running && !planned_[static_cast<size_t>(i)]) PlanChunk(i);
    }
    if (plan_.preempted.empty()) Admit();
    return std::move(plan_);
  }

 private:
  int size() const { return static_cast<int>(sequences_.size()); }
  SequenceView& at(int i) { return sequences_[static_cast<size_t>(i)]; }
  int Remaining(int i) { return at(i).known_tokens - at(i).computed_tokens; }
  int NewBlocks(int i, int tokens) {
    return std::max(0,
                    BlocksFor(at(i).computed_tokens + tokens, limits_.block_tokens) - at(i).blocks);
  }

  void Add(int i, int tokens) {
    const int new_blocks = NewBlocks(i, tokens);
    assert(tokens > 0 && tokens <= budget_ && new_blocks <= free_);
    plan_.work.push_back({i, tokens, new_blocks});
    planned_[static_cast<size_t>(i)] = true;
    at(i).blocks += new_blocks;
    free_ -= new_blocks;
    budget_ -= tokens;
  }

  void Preempt(int i) {
    plan_.preempted.push_back(i);
    free_ += at(i).blocks;
    at(i) = {.running = false, .known_tokens = at(i).known_tokens};
  }

  /// Preempts the youngest sequences behind `i` until `blocks` are free. False when that is not
  /// enough.
  bool MakeRoom(int i, int blocks) {
    for (int victim = size() - 1; free_ < blocks && victim > i; --victim) {
      if (at(victim).running && !planned_[static_cast<size_t>(victim)]) Preempt(victim);
    }
    return free_ >= blocks;
  }

  void PlanDecode(int i) {
    if (budget_ == 0) return;
    if (MakeRoom(i, NewBlocks(i, 1))) {
      Add(i, 1);
    } else {
      Preempt(i);
    }
  }

  /// As much of the rest of a prompt as budget and blocks allow. Nothing this time when the blocks
  /// are with sequences that decode: they end or are preempted by an older one.
  void PlanChunk(int i) {
    if (budget_ == 0) return;
    MakeRoom(i, NewBlocks(i, 1));
    const int room = (at(i).blocks + free_) * limits_.block_tokens - at(i).computed_tokens;
    const int tokens = std::min({Remaining(i), budget_, room});
    if (tokens > 0) Add(i, tokens);
  }

  /// Blocks that admitted prompts still need for the tokens they know.
  int Promised() {
    int promised = 0;
    for (int i = 0; i < size(); ++i) {
      if (!at(i).running) continue;
      promised += std::max(0, BlocksFor(at(i).known_tokens, limits_.block_tokens) - at(i).blocks);
    }
    return promised;
  }

  void Admit() {
    const auto is_running = [](const SequenceView& s) { return s.running; };
    auto running = std::count_if(sequences_.begin(), sequences_.end(), is_running);
    int promised = Promised();
    for (int i = 0; i < size() && budget_ > 0 && running < limits_.max_running; ++i) {
      if (at(i).running) continue;
      const int needed = BlocksFor(at(i).known_tokens, limits_.block_tokens);
      if (needed > free_ - promised) return;
      at(i).running = true;
      ++running;
      Add(i, std::min(Remaining(i), budget_));
      promised += needed - at(i).blocks;
    }
  }

  const SchedulerLimits& limits_;
  std::vector<SequenceView> sequences_;
  std::vector<bool> planned_;
  int free_;
  int budget_;
  StepPlan plan_;
};

}  // namespace

StepPlan PlanStep(const SchedulerLimits& limits, std::span<const SequenceView> sequences,
                  int free_blocks) {
  return Planner(limits, sequences, free_blocks).Plan();
}

}  // namespace emptor::engine
