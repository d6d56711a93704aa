// The slowdown of the engine by another busy process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct NeighbourOptions {
  int threads = 0;   // 0: one per core
  int prompt = 128;  // tokens before the decoded ones
  int tokens = 64;   // decoded in a sample
  int rounds = 5;
  uint64_t seed = 1;  // of the prompts
};

struct NeighbourReport {
  std::string model;
  int threads = 0;
  std::vector<double> quiet = {}, disturbed = {};  // tokens a second of one sequence, of each round

  Summary Share() const;  // disturbed over quiet, of each round
};

/// The neighbour is a child process of one thread that computes without end. It is forked before
/// the model is loaded, stands still in quiet samples, and has this process's nice value and
/// session: also where the kernel groups tasks by session (autogroup) its thread weighs as much as
/// one of the engine's. Samples alternate: quiet, disturbed, disturbed, quiet.
/// Errors: as Engine::Load; kInvalidArgument (a number out of range); kUnavailable (no process).
absl::StatusOr<NeighbourReport> MeasureNeighbour(const std::string& path,
                                                 const NeighbourOptions& options);

}  // namespace emptor::engine
