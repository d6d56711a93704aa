// All-reduce of tensor-parallel ranks: twice a layer, the sum of their parts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/kernels/kernels.h"
#include "engine/kernels/rank_team.h"

namespace emptor::engine {

/// Adds up what the ranks of a team computed. Every rank gets the same bits, since each takes the
/// sum itself, in the order of the ranks: one barrier, and no rank waits for another's arithmetic.
/// Thread-safety: within RankTeam::Run, every rank calls it equally often.
class RankReduction {
 public:
  /// Keeps the reference.
  explicit RankReduction(RankTeam& team)
      : team_(team),
        parts_{std::vector<const float*>(static_cast<size_t>(team.ranks())),
               std::vector<const float*>(static_cast<size_t>(team.ranks()))} {}

  /// x[n] += the parts [n] of all ranks. Calls alternate between `turn` 0 and 1: a part may be
  /// written again once the call after it has returned, since no rank reads it then.
  void AddInto(int rank, int turn, const float* part, int64_t n, const Kernels& kernels, float* x) {
    std::vector<const float*>& parts = parts_[static_cast<size_t>(turn)];
    parts[static_cast<size_t>(rank)] = part;
    team_.Barrier();
    for (const float* one : parts) kernels.add(one, n, x);
  }

 private:
  RankTeam& team_;
  std::array<std::vector<const float*>, 2> parts_;  // of each turn, by rank
};

}  // namespace emptor::engine
