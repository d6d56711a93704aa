// One atomic starts a run, one counts who has come to a barrier.
#include "engine/kernels/rank_team.h"

#include <sched.h>

#include <cassert>

#include "engine/kernels/spin_wait.h"

namespace emptor::engine {
namespace {

/// The processors that this process may use, in the system's order.
std::vector<int> AllowedProcessors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  return processors;
}

}  // namespace

RankTeam::RankTeam(int ranks, bool pin)
    : processors_(pin ? AllowedProcessors() : std::vector<int>()), ranks_(ranks) {
  assert(ranks >= 1);
  for (int rank = 1; rank < ranks; ++rank) {
    workers_.emplace_back([this, rank] { Work(rank); });
  }
}

RankTeam::~RankTeam() {
  stop_.store(true, std::memory_order_release);
  run_.fetch_add(1, std::memory_order_acq_rel);
  run_.notify_all();
}

void RankTeam::Pin(int rank) const {
  const auto count = static_cast<int>(processors_.size());
  if (count < ranks_) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  for (int i = count * rank / ranks_; i < count * (rank + 1) / ranks_; ++i) {
    CPU_SET(processors_[static_cast<size_t>(i)], &own);
  }
  // If this fails the thread stays where it was: slower, not wrong.
  (void)sched_setaffinity(0, sizeof(own), &own);
}

void RankTeam::Run(const std::function<void(int rank)>& fn) {
  if (!caller_pinned_) Pin(0);
  caller_pinned_ = true;
  fn_ = &fn;
  run_.fetch_add(1, std::memory_order_acq_rel);
  run_.notify_all();
  fn(0);
  Barrier();
}

void RankTeam::Barrier() {
  const uint32_t passed = barrier_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<uint32_t>(ranks_)) {
    arrived_.store(0, std::memory_order_relaxed);
    barrier_.store(passed + 1, std::memory_order_release);
    barrier_.notify_all();
    return;
  }
  WaitForChange(barrier_, passed);
}

void RankTeam::Work(int rank) {
  Pin(rank);
  uint32_t seen = 0;
  while (true) {
    seen = WaitForChange(run_, seen);
    if (stop_.load(std::memory_order_acquire)) return;
    (*fn_)(rank);
    Barrier();
  }
}

}  // namespace emptor::engine
