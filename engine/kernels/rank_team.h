// The threads of tensor-parallel ranks: one program, run by all of them, that meets at barriers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace emptor::engine {

/// A team of ranks. Rank 0 is the thread that calls Run, each other one a thread of its own that
/// always runs the same rank, so that what it touches first lies in its memory node.
/// Waiting ranks spin for some 20 us, then sleep.
/// Thread-safety: one caller at a time; Barrier from within Run.
class RankTeam {
 public:
  /// With `pin`, the processors of this process are divided into `ranks` equal runs (as the system
  /// numbers them, adjacent ones share a memory node), and each rank, with the threads that it
  /// starts, stays on its run; the caller's thread from its first Run on. Without as many
  /// processors as ranks nothing is pinned.
  explicit RankTeam(int ranks, bool pin = false);
  ~RankTeam();
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  int ranks() const { return ranks_; }

  /// Calls fn(rank) on every rank and returns when all have returned. REQUIRES: fn does not throw.
  void Run(const std::function<void(int rank)>& fn);

  /// Returns when every rank has called it; what they wrote before is seen after.
  /// REQUIRES: called by all ranks of a Run, equally often.
  void Barrier();

 private:
  void Work(int rank);
  void Pin(int rank) const;

  std::vector<int> processors_;  // to divide among the ranks; empty: no pinning
  bool caller_pinned_ = false;
  const std::function<void(int)>* fn_ = nullptr;  // stable during a Run
  std::atomic<uint32_t> run_ = 0;                 // number of the latest Run
  std::atomic<uint32_t> arrived_ = 0;             // at the barrier that comes next
  std::atomic<uint32_t> barrier_ = 0;             // barriers passed
  std::atomic<bool> stop_ = false;
  int ranks_;
  std::vector<std::jthread> workers_;  // ranks 1, 2, ...; the last member: they use the others
};

}  // namespace emptor::engine
