// Carries out the plans of the policy.
#include "engine/scheduler/scheduler.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace emptor::engine {

void Scheduler::Add(SequenceId id, std::vector<int32_t> tokens) {
  assert(!tokens.empty());
  assert(Find(id) == nullptr);
  auto sequence = std::make_unique<Sequence>();
  sequence->id = id;
  sequence->tokens = std::move(tokens);
  sequences_.push_back(std::move(sequence));
}

Scheduler::Sequence* Scheduler::Find(SequenceId id) {
  for (const auto& sequence : sequences_) {
    if (sequence->id == id) return sequence.get();
  }
  return nullptr;
}

void Scheduler::Preempt(Sequence& sequence) {
  sequence.blocks.Clear();
  sequence.computed = 0;
  sequence.running = false;
  ++preemptions_;
}

std::vector<ScheduledWork> Scheduler::Schedule() {
  std::vector<SequenceView> views;
  views.reserve(sequences_.size());
  for (const auto& sequence : sequences_) {
    views.push_back({.running = sequence->running,
                     .known_tokens = static_cast<int>(sequence->tokens.size()),
                     .computed_tokens = sequence->computed,
                     .blocks = sequence->blocks.size()});
  }
  const StepPlan plan = PlanStep(limits_, views, pool_->free_count());
  for (const int i : plan.preempted) Preempt(*sequences_[static_cast<size_t>(i)]);
  std::vector<ScheduledWork> scheduled;
  for (const StepWork& work : plan.work) {
    Sequence& sequence = *sequences_[static_cast<size_t>(work.sequence)];
    sequence.running = true;
    absl::StatusOr<std::vector<Block>> blocks = pool_->Allocate(work.new_blocks);
    assert(blocks.ok());
    sequence.blocks.Append(std::move(*blocks));
    const auto first = static_cast<size_t>(sequence.computed);
    const auto count = static_cast<size_t>(work.tokens);
    scheduled.push_back({.id = sequence.id,
                         .tokens = std::span(sequence.tokens).subspan(first, count),
                         .position = sequence.computed,
                         .blocks = sequence.blocks.ids(),
                         .samples = first + count == sequence.tokens.size()});
  }
  return scheduled;
}

void Scheduler::Advance(SequenceId id, int computed, const int32_t* next) {
  Sequence* sequence = Find(id);
  if (sequence == nullptr) return;
  sequence->computed += computed;
  if (next != nullptr) sequence->tokens.push_back(*next);
  assert(sequence->computed < static_cast<int>(sequence->tokens.size()));
}

void Scheduler::Remove(SequenceId id) {
  std::erase_if(sequences_, [id](const auto& sequence) { return sequence->id == id; });
}

int Scheduler::running() const {
  return static_cast<int>(std::count_if(sequences_.begin(), sequences_.end(),
                                        [](const auto& s) { return s->running; }));
}

int Scheduler::waiting() const { return static_cast<int>(sequences_.size()) - running(); }

}  // namespace emptor::engine
