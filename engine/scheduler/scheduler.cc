// Carries out the plans of the policy.
#include "engine/scheduler/scheduler.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

// An output token costs more than a prompt token, which is computed in a batch with others.
// The weight is that of Sheng et al. 2024, arXiv:2401.00588.
constexpr uint64_t kDecodeWeight = 2;

double SecondsUntil(std::chrono::steady_clock::time_point deadline,
                    std::chrono::steady_clock::time_point now) {
  if (deadline == std::chrono::steady_clock::time_point::max()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::chrono::duration<double>(deadline - now).count();
}

}  // namespace

std::string Scheduler::TenantName(const Sequence& sequence) {
  return fmt::format("{} {}", sequence.spec.priority, sequence.spec.tenant);
}

void Scheduler::Add(NewSequence added) {
  assert(!added.tokens.empty());
  assert(!by_id_.contains(static_cast<uint64_t>(added.id)));
  auto sequence = std::make_unique<Sequence>();
  sequence->spec = std::move(added);
  sequence->tenant = tenants_.Enter(TenantName(*sequence));
  by_id_.emplace(static_cast<uint64_t>(sequence->spec.id), sequence.get());
  sequences_.push_back(std::move(sequence));
}

SequenceView Scheduler::View(Sequence& sequence, std::chrono::steady_clock::time_point now) {
  const NewSequence& spec = sequence.spec;
  SequenceView view{.running = sequence.running,
                    .decodes = sequence.decodes,
                    .draft_tokens = static_cast<int>(sequence.drafts.size()),
                    .known_tokens = static_cast<int>(spec.tokens.size()),
                    .computed_tokens = sequence.computed,
                    .blocks = sequence.blocks.size(),
                    .priority = spec.priority,
                    .tenant = sequence.tenant->number,
                    .tenant_served = sequence.tenant->served,
                    .num_seqs = spec.num_seqs,
                    .most_tokens = spec.most_tokens,
                    .overtaken = sequence.overtaken,
                    .started = sequence.started,
                    .seconds_left = SecondsUntil(spec.deadline, now)};
  // A sequence that references a block references all blocks before it: shared ones come first,
  // those without a reference last.
  if (sequence.running) {
    const auto is_shared = [&](BlockId id) {
      return pool_->ref_counts()[static_cast<size_t>(id)] > 1;
    };
    const std::vector<BlockId>& ids = sequence.blocks.ids();
    const auto end = std::partition_point(ids.begin(), ids.end(), is_shared);
    view.shared = std::span(ids.begin(), end);
  } else if (cache_ != nullptr) {
    // The newest token is always computed: its logits are wanted.
    const int most = (view.known_tokens - 1) / limits_.block_tokens;
    cache_->MatchInto(spec.salt, spec.tokens, most, sequence.match);
    const auto is_held = [&](const CachedBlock& cached) {
      return pool_->ref_counts()[static_cast<size_t>(cached.block)] > 0;
    };
    const auto held = std::partition_point(sequence.match.begin(), sequence.match.end(), is_held);
    view.cached_blocks = static_cast<int>(sequence.match.size());
    view.cached_free = static_cast<int>(sequence.match.end() - held);
  }
  return view;
}

std::vector<SequenceView> Scheduler::Views(std::chrono::steady_clock::time_point now) {
  std::vector<SequenceView> views;
  views.reserve(sequences_.size());
  for (const auto& sequence : sequences_) views.push_back(View(*sequence, now));
  return views;
}

void Scheduler::Preempt(Sequence& sequence) {
  assert(sequence.running);
  sequence.blocks.Clear();
  sequence.computed = 0;
  sequence.chain = PrefixId::kEmpty;
  sequence.chained = 0;
  sequence.running = sequence.decodes = false;
  sequence.drafts.clear();
  --running_;
  ++preemptions_;
}

void Scheduler::AdmitWithMatch(Sequence& sequence) {
  for (const CachedBlock& cached : sequence.match) {
    sequence.blocks.Append(pool_->Share(cached.block));
    sequence.chain = cached.prefix;
  }
  sequence.chained = static_cast<int>(sequence.match.size());
  sequence.computed = sequence.chained * limits_.block_tokens;
  sequence.match.clear();
  sequence.running = true;
  ++running_;
  if (!sequence.started) {
    sequence.tenant->served += sequence.spec.tokens.size() - static_cast<size_t>(sequence.computed);
  }
  sequence.started = true;
}

ScheduledWork Scheduler::Prepare(const StepWork& work, Sequence& sequence,
                                 std::vector<BlockCopy>& copies) {
  absl::StatusOr<std::vector<Block>> blocks = pool_->Allocate(work.new_blocks);
  assert(blocks.ok());
  auto next = blocks->begin();
  if (work.copies_tail) {
    const int tail = sequence.computed / limits_.block_tokens;
    copies.push_back({sequence.blocks.ids()[static_cast<size_t>(tail)], next->id()});
    sequence.blocks.Replace(tail, std::move(*next++));
  }
  for (; next != blocks->end(); ++next) sequence.blocks.Append(std::move(*next));
  const auto first = static_cast<size_t>(sequence.computed);
  const auto count = static_cast<size_t>(work.tokens);
  ScheduledWork scheduled{.id = sequence.spec.id,
                          .tokens = std::span(sequence.spec.tokens).subspan(first, count),
                          .position = sequence.computed,
                          .blocks = sequence.blocks.ids(),
                          .samples = first + count == sequence.spec.tokens.size(),
                          .decodes = sequence.decodes,
                          .drafts = work.drafts};
  assert(sequence.verified.empty());
  if (work.drafts > 0) {
    sequence.verified.assign(1, sequence.spec.tokens.back());
    sequence.verified.insert(sequence.verified.end(), sequence.drafts.begin(),
                             sequence.drafts.begin() + work.drafts);
    scheduled.tokens = sequence.verified;
  }
  return scheduled;
}

ScheduledStep Scheduler::Schedule(std::chrono::steady_clock::time_point now,
                                  double prefill_tokens_per_second, double drafting_seconds) {
  StepPlan plan;
  do {
    plan = PlanStep(limits_, Views(now), pool_->free_count(),
                    {pool_->ref_counts(), prefill_tokens_per_second, drafting_seconds});
    for (const int i : plan.preempted) Preempt(*sequences_[static_cast<size_t>(i)]);
  } while (plan.work.empty() && !plan.preempted.empty());
  ScheduledStep step;
  for (const int i : plan.infeasible) {
    step.infeasible.push_back(sequences_[static_cast<size_t>(i)]->spec.id);
  }
  for (const int i : plan.overtaken) ++sequences_[static_cast<size_t>(i)]->overtaken;
  // All that is cached is held before the first block is taken: that could be one of them.
  std::vector<int> cached(plan.work.size(), 0);
  for (size_t w = 0; w < plan.work.size(); ++w) {
    Sequence& sequence = *sequences_[static_cast<size_t>(plan.work[w].sequence)];
    if (sequence.running) continue;
    AdmitWithMatch(sequence);
    cached[w] = sequence.computed;
  }
  for (size_t w = 0; w < plan.work.size(); ++w) {
    Sequence& sequence = *sequences_[static_cast<size_t>(plan.work[w].sequence)];
    step.work.push_back(Prepare(plan.work[w], sequence, step.copies));
    step.work.back().cached_tokens = cached[w];
  }
  return step;
}

void Scheduler::MakeFindable(Sequence& sequence) {
  if (cache_ == nullptr) return;
  const auto size = static_cast<size_t>(limits_.block_tokens);
  for (; (sequence.chained + 1) * limits_.block_tokens <= sequence.computed; ++sequence.chained) {
    const auto at = static_cast<size_t>(sequence.chained);
    const BlockId block = sequence.blocks.ids()[at];
    const CachedBlock kept =
        cache_->Insert(sequence.chain, sequence.spec.salt,
                       std::span(sequence.spec.tokens).subspan(at * size, size), block);
    sequence.chain = kept.prefix;
    // Computed twice, bit by bit the same: one copy is enough.
    if (kept.block != block) sequence.blocks.Replace(sequence.chained, pool_->Share(kept.block));
  }
}

void Scheduler::Advance(SequenceId id, int computed) {
  Sequence& sequence = At(id);
  sequence.computed += computed;
  assert(sequence.computed <= static_cast<int>(sequence.spec.tokens.size()));
  if (sequence.decodes) sequence.tenant->served += kDecodeWeight * static_cast<uint64_t>(computed);
  MakeFindable(sequence);
}

std::vector<DecodingSequence> Scheduler::Decoding() const {
  std::vector<DecodingSequence> decoding;
  for (const auto& sequence : sequences_) {
    if (!sequence->decodes) continue;
    // The step chooses one more token than it accepts drafts.
    const auto known = static_cast<int>(sequence->spec.tokens.size());
    const int room = std::max(0, sequence->spec.most_tokens - known - 1);
    decoding.push_back({sequence->spec.id, sequence->spec.tokens, room});
  }
  return decoding;
}

bool Scheduler::HasDraftRoom(std::chrono::steady_clock::time_point now,
                             double prefill_tokens_per_second) {
  if (backlog() == 0) return true;
  std::vector<SequenceView> views = Views(now);
  for (SequenceView& view : views) view.draft_tokens = view.decodes ? 1 : 0;
  const StepPlan plan = PlanStep(limits_, views, pool_->free_count(),
                                 {pool_->ref_counts(), prefill_tokens_per_second});
  return std::any_of(plan.work.begin(), plan.work.end(),
                     [](const StepWork& work) { return work.drafts > 0; });
}

void Scheduler::Propose(SequenceId id, std::vector<int32_t> drafts) {
  Sequence& sequence = At(id);
  assert(sequence.decodes);
  sequence.drafts = std::move(drafts);
}

void Scheduler::DropDrafts(SequenceId id) {
  Sequence& sequence = At(id);
  sequence.drafts.clear();
  sequence.verified.clear();
  sequence.blocks.Truncate(BlocksFor(sequence.computed, limits_.block_tokens));
}

void Scheduler::Append(SequenceId id, int32_t token) {
  Sequence& sequence = At(id);
  assert(sequence.running && sequence.computed == static_cast<int>(sequence.spec.tokens.size()));
  sequence.spec.num_seqs = 1;
  sequence.spec.tokens.push_back(token);
  sequence.decodes = true;
}

void Scheduler::Fork(SequenceId parent_id, SequenceId child_id) {
  Sequence& parent = At(parent_id);
  assert(parent.running && parent.spec.num_seqs > 1);
  assert(parent.computed == static_cast<int>(parent.spec.tokens.size()));
  --parent.spec.num_seqs;
  auto child = std::make_unique<Sequence>();
  child->spec = parent.spec;
  child->spec.id = child_id;
  child->spec.num_seqs = 1;
  child->tenant = tenants_.Enter(TenantName(*child));
  child->computed = parent.computed;
  child->running = child->started = true;
  child->chain = parent.chain;
  child->chained = parent.chained;
  for (const BlockId block : parent.blocks.ids()) child->blocks.Append(pool_->Share(block));
  ++running_;
  by_id_.emplace(static_cast<uint64_t>(child_id), child.get());
  const auto at = std::find_if(sequences_.begin(), sequences_.end(),
                               [&](const auto& sequence) { return sequence.get() == &parent; });
  sequences_.insert(at + 1, std::move(child));
}

void Scheduler::Remove(SequenceId id) {
  const auto found = by_id_.find(static_cast<uint64_t>(id));
  if (found == by_id_.end()) return;
  const Sequence* sequence = found->second;
  by_id_.erase(found);
  running_ -= sequence->running ? 1 : 0;
  tenants_.Leave(TenantName(*sequence));
  std::erase_if(sequences_, [sequence](const auto& item) { return item.get() == sequence; });
}

int64_t Scheduler::backlog() const {
  int64_t tokens = 0;
  for (const auto& sequence : sequences_) {
    if (!sequence->decodes) tokens += std::ssize(sequence->spec.tokens) - sequence->computed;
  }
  return tokens;
}

int64_t Scheduler::fragmented_slots() const {
  int64_t slots = 0;
  for (const auto& sequence : sequences_) {
    if (sequence->blocks.size() == 0) continue;
    const int64_t room = int64_t{sequence->blocks.size()} * limits_.block_tokens;
    const int64_t drafts = std::max<int64_t>(0, std::ssize(sequence->verified) - 1);
    // Sequences that have just been split share their last block.
    const BlockId last = sequence->blocks.ids().back();
    slots += (room - sequence->computed - drafts) / pool_->ref_counts()[static_cast<size_t>(last)];
  }
  return slots;
}

}  // namespace emptor::engine
