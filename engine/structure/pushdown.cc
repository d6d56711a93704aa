// Closures, common stacks, and the subset construction over both.
#include "engine/structure/pushdown.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {

absl::StatusOr<Pushdown> Pushdown::Create(Nfa nfa, size_t max_locals, size_t max_work) {
  Pushdown pushdown(std::move(nfa));
  pushdown.max_work_ = max_work;
  pushdown.ComputeNeeds();
  pushdown.ComputeClasses();
  const NfaStateId start = pushdown.nfa_.starts[0];
  if (start < 0 || pushdown.needs_[static_cast<size_t>(start)] > kMaxDepth) {
    return absl::InvalidArgumentError(
        fmt::format("no text of at most {} nested levels can match", kMaxDepth));
  }
  pushdown.start_ = pushdown.Settle(pushdown.Close({{start, 0}}));
  const absl::Status explored = pushdown.Explore(max_locals, max_work);
  if (!explored.ok()) return explored;
  return pushdown;
}

/// Fewest levels of calls from each state to the end of its rule: a least fixed point, from the
/// ends backwards. States from which there is no end keep kNever.
void Pushdown::ComputeNeeds() {
  const auto count = nfa_.states.size();
  std::vector<std::vector<NfaStateId>> before(count);
  std::vector<std::vector<NfaStateId>> callers(count);
  std::vector<NfaStateId> changed;
  needs_.assign(count, kNever);
  for (size_t i = 0; i < count; ++i) {
    const NfaState& at = nfa_.states[i];
    const auto id = static_cast<NfaStateId>(i);
    if (at.kind == NfaState::Kind::kEnd) {
      needs_[i] = 0;
      changed.push_back(id);
    }
    if (at.next >= 0) before[static_cast<size_t>(at.next)].push_back(id);
    if (at.other < 0) continue;
    const NfaStateId other =
        at.kind == NfaState::Kind::kCall ? nfa_.starts[static_cast<size_t>(at.other)] : at.other;
    if (other >= 0) before[static_cast<size_t>(other)].push_back(id);
  }
  const auto need = [this](int32_t id) {
    return id < 0 ? kNever : needs_[static_cast<size_t>(id)];
  };
  while (!changed.empty()) {
    const NfaStateId changed_state = changed.back();
    changed.pop_back();
    for (const NfaStateId id : before[static_cast<size_t>(changed_state)]) {
      const NfaState& at = state(id);
      int now = need(at.next);
      if (at.kind == NfaState::Kind::kSplit) now = std::min(now, need(at.other));
      if (at.kind == NfaState::Kind::kCall) {
        const int called = need(nfa_.starts[static_cast<size_t>(at.other)]);
        const bool is_last = at.next >= 0 && state(at.next).kind == NfaState::Kind::kEnd;
        now = is_last ? called : std::max(now, called + 1);
      }
      if (now >= std::min(needs_[static_cast<size_t>(id)], kNever)) continue;
      needs_[static_cast<size_t>(id)] = now;
      changed.push_back(id);
    }
  }
}

/// Bytes that no range distinguishes are one class.
void Pushdown::ComputeClasses() {
  std::array<bool, 257> begins{};
  for (const NfaState& at : nfa_.states) {
    if (at.kind != NfaState::Kind::kRange) continue;
    begins[at.low] = true;
    begins[size_t{at.high} + 1] = true;
  }
  int current = 0;
  for (size_t byte = 0; byte < 256; ++byte) {
    if (byte > 0 && begins[byte]) ++current;
    classes_[byte] = static_cast<uint8_t>(current);
  }
  class_count_ = current + 1;
}

int32_t Pushdown::PushFrame(int32_t frames, NfaStateId top) {
  const auto [place, is_new] =
      frame_ids_.try_emplace({frames, top}, static_cast<int32_t>(frames_.size()));
  if (is_new) {
    const Frames& below = frames_[static_cast<size_t>(frames)];
    frames_.push_back({top, frames, below.depth + 1,
                       std::max(below.need, needs_[static_cast<size_t>(top)] + below.depth)});
  }
  return place->second;
}

std::vector<NfaStateId> Pushdown::ListFrames(int32_t frames) const {
  std::vector<NfaStateId> list;
  for (; frames != 0; frames = frames_[static_cast<size_t>(frames)].below) {
    list.push_back(frames_[static_cast<size_t>(frames)].top);
  }
  std::reverse(list.begin(), list.end());
  return list;
}

int Pushdown::NeedOf(const Thread& thread) const {
  const Frames& frames = frames_[static_cast<size_t>(thread.frames)];
  return std::max(frames.need, needs_[static_cast<size_t>(thread.state)] + frames.depth);
}

/// Follows splits, calls and the ends of calls, to the states that take a byte.
Pushdown::Reached Pushdown::Close(std::vector<Thread> open) {
  Reached reached;
  std::set<Thread> seen;  // those within calls; a regular expression has none
  seen_in_.resize(nfa_.states.size(), 0);
  ++closure_;
  const auto is_new = [&](const Thread& thread) {
    if (thread.frames != 0) return seen.insert(thread).second;
    return std::exchange(seen_in_[static_cast<size_t>(thread.state)], closure_) != closure_;
  };
  while (!open.empty()) {
    const Thread thread = open.back();
    open.pop_back();
    if (++work_ > max_work_) return {};
    if (NeedOf(thread) > kMaxDepth || !is_new(thread)) continue;
    const NfaState& at = state(thread.state);
    switch (at.kind) {
      case NfaState::Kind::kRange:
        reached.threads.push_back(thread);
        break;
      case NfaState::Kind::kSplit:
        if (at.next >= 0) open.push_back({at.next, thread.frames});
        if (at.other >= 0) open.push_back({at.other, thread.frames});
        break;
      case NfaState::Kind::kCall: {
        // A call at the end of a rule needs no return state.
        const bool is_last = state(at.next).kind == NfaState::Kind::kEnd;
        const int32_t frames = is_last ? thread.frames : PushFrame(thread.frames, at.next);
        open.push_back({nfa_.starts[static_cast<size_t>(at.other)], frames});
        break;
      }
      case NfaState::Kind::kEnd: {
        const Frames& frames = frames_[static_cast<size_t>(thread.frames)];
        if (thread.frames == 0) {
          reached.pops = true;
        } else {
          open.push_back({frames.top, frames.below});
        }
        break;
      }
    }
  }
  std::sort(reached.threads.begin(), reached.threads.end());
  return reached;
}

/// Removes the return states that all threads have in common.
Pushdown::Step Pushdown::Settle(Reached reached) {
  if (reached.threads.empty() && !reached.pops) return {};
  Step step;
  if (!reached.pops) {
    std::vector<std::vector<NfaStateId>> lists;
    for (const Thread& thread : reached.threads) lists.push_back(ListFrames(thread.frames));
    size_t common = lists[0].size();
    for (const auto& list : lists) {
      common = std::min(common, list.size());
      const auto end = lists[0].begin() + static_cast<std::ptrdiff_t>(common);
      common = static_cast<size_t>(std::mismatch(lists[0].begin(), end, list.begin()).first -
                                   lists[0].begin());
    }
    step.push.assign(lists[0].begin(), lists[0].begin() + static_cast<std::ptrdiff_t>(common));
    for (size_t i = 0; i < lists.size() && common > 0; ++i) {
      int32_t frames = 0;
      for (size_t k = common; k < lists[i].size(); ++k) frames = PushFrame(frames, lists[i][k]);
      reached.threads[i].frames = frames;
    }
    std::sort(reached.threads.begin(), reached.threads.end());
  }
  step.local = InternLocal(std::move(reached.threads), reached.pops);
  if (step.local < 0) return {};
  const auto depth = static_cast<int>(step.push.size());
  step.need = need(step.local) + depth;
  for (int i = 0; i < depth; ++i) {
    const auto at = static_cast<size_t>(step.push[static_cast<size_t>(i)]);
    step.need = std::max(step.need, needs_[at] + i);
  }
  return step;
}

int32_t Pushdown::InternLocal(std::vector<Thread> threads, bool pops) {
  const auto found = local_ids_.find({pops, threads});
  if (found != local_ids_.end()) return found->second;
  if (locals_.size() >= kMaxLocals) return -1;
  const auto id = static_cast<int32_t>(locals_.size());
  int need = 0;
  for (const Thread& thread : threads) need = std::max(need, NeedOf(thread));
  locals_.push_back({.threads = threads, .pops = pops, .need = need, .next = {}});
  local_ids_.emplace(std::pair(pops, std::move(threads)), id);
  return id;
}

int32_t Pushdown::AddStep(Step step) {
  if (step.local < 0) return -1;
  steps_.push_back(std::move(step));
  return static_cast<int32_t>(steps_.size() - 1);
}

/// All transitions of a local; byte classes that the same threads take share one.
void Pushdown::Expand(int32_t id) {
  const std::vector<Thread> threads = locals_[static_cast<size_t>(id)].threads;
  std::vector<std::vector<int32_t>> takers(static_cast<size_t>(class_count_));
  for (size_t i = 0; i < threads.size(); ++i) {
    const NfaState& at = state(threads[i].state);
    for (size_t c = classes_[at.low]; c <= classes_[at.high]; ++c) {
      takers[c].push_back(static_cast<int32_t>(i));
    }
  }
  std::vector<int32_t> next(takers.size(), -1);
  std::map<std::vector<int32_t>, int32_t> made;
  for (size_t c = 0; c < takers.size(); ++c) {
    if (takers[c].empty()) continue;
    const auto known = made.find(takers[c]);
    if (known != made.end()) {
      next[c] = known->second;
      continue;
    }
    std::vector<Thread> open;
    for (const int32_t i : takers[c]) {
      const Thread& thread = threads[static_cast<size_t>(i)];
      open.push_back({state(thread.state).next, thread.frames});
    }
    next[c] = AddStep(Settle(Close(std::move(open))));
    made.emplace(takers[c], next[c]);
  }
  Local& local = locals_[static_cast<size_t>(id)];
  local.next = std::move(next);
  local.expanded = true;
}

const Pushdown::Step* Pushdown::Next(int32_t id, uint8_t byte) {
  if (!locals_[static_cast<size_t>(id)].expanded) Expand(id);
  const int32_t step = locals_[static_cast<size_t>(id)].next[classes_[byte]];
  return step < 0 ? nullptr : &steps_[static_cast<size_t>(step)];
}

const Pushdown::Step* Pushdown::Return(int32_t id, NfaStateId top) {
  const auto [place, is_new] = returns_.try_emplace({id, top}, -1);
  if (is_new) {
    Reached reached = Close({{top, 0}});
    for (const Thread& thread : locals_[static_cast<size_t>(id)].threads) {
      int32_t frames = PushFrame(0, top);
      for (const NfaStateId frame : ListFrames(thread.frames)) frames = PushFrame(frames, frame);
      reached.threads.push_back({thread.state, frames});
    }
    std::sort(reached.threads.begin(), reached.threads.end());
    place->second = AddStep(Settle(std::move(reached)));
  }
  return place->second < 0 ? nullptr : &steps_[static_cast<size_t>(place->second)];
}

int32_t Pushdown::Within(int32_t id, int room) {
  if (need(id) <= room) return id;
  const auto [place, is_new] = within_.try_emplace({id, room}, -1);
  if (is_new) {
    std::vector<Thread> kept;
    for (const Thread& thread : locals_[static_cast<size_t>(id)].threads) {
      if (NeedOf(thread) <= room) kept.push_back(thread);
    }
    const bool can_pop = pops(id);
    place->second = kept.empty() && !can_pop ? -1 : InternLocal(std::move(kept), can_pop);
  }
  return place->second;
}

int32_t Pushdown::WithinStep(const Step& step, int room) {
  // The return states are common to all threads: when they are too deep, so is everything.
  for (size_t i = 0; i < step.push.size(); ++i) {
    if (needs_[static_cast<size_t>(step.push[i])] + static_cast<int>(i) > room) return -1;
  }
  return Within(step.local, room - static_cast<int>(step.push.size()));
}

/// Takes a step, returns from ended rules, and drops threads that cannot end within the depth.
bool Pushdown::Take(Position& position, const Step& step) {
  const Step* next = &step;
  while (true) {
    const int room = kMaxDepth - static_cast<int>(position.stack.size());
    position.local = next->local;
    if (next->need > room) {
      position.local = WithinStep(*next, room);
      if (position.local < 0) return false;
    }
    position.stack.insert(position.stack.end(), next->push.begin(), next->push.end());
    if (!pops(position.local) || position.stack.empty()) return true;
    const NfaStateId top = position.stack.back();
    position.stack.pop_back();
    next = Return(position.local, top);
    if (next == nullptr) return false;
  }
}

Pushdown::Position Pushdown::Start() {
  Position position;
  Take(position, start_);
  return position;
}

bool Pushdown::Advance(Position& position, uint8_t byte) {
  const Step* step = Next(position.local, byte);
  return step != nullptr && Take(position, *step);
}

/// Expands every local that can be met without a way back from a rule; not those whose threads lie
/// deep apart, of which there may be as many as there are stacks.
absl::Status Pushdown::Explore(size_t max_locals, size_t max_work) {
  for (size_t i = 0; i < locals_.size(); ++i) {
    const bool is_deep = std::any_of(
        locals_[i].threads.begin(), locals_[i].threads.end(),
        [this](const Thread& t) { return frames_[static_cast<size_t>(t.frames)].depth > 1; });
    if (!is_deep) Expand(static_cast<int32_t>(i));
    if (locals_.size() > max_locals) {
      return absl::InvalidArgumentError(
          fmt::format("expected at most {} states, found more", max_locals));
    }
    if (work_ > max_work) {
      return absl::InvalidArgumentError(
          fmt::format("takes more than {} steps to compile", max_work));
    }
  }
  max_work_ = SIZE_MAX;
  return absl::OkStatus();
}

}  // namespace emptor::engine
