// Continuous batching against static batching on the same model and kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/speed/load_driver.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct BatchingOptions {
  int threads = 0;        // 0: one per core
  int batch = 16;         // sequences that continuous batching computes together
  int block_tokens = 16;  // of a block of KV memory
  /// Sizes of static batches to choose from. Empty: half, once, twice and four times `batch`.
  std::vector<int> static_batches = {};
  double tpot_limit = 0;  // seconds, of p99; 0: that of continuous batching
  int rounds = 3;
  double load = 0.8;  // of the requests a second that static batching can do: the last part's rate
  std::vector<BatchingRequest> requests = {};  // their times are not used
  uint64_t seed = 1;                           // of prompts and arrivals
};

/// One way of batching.
struct BatchingSide {
  int batch = 0;
  std::vector<BatchingOutcome> rounds = {};  // all requests at once: how much can be done
  BatchingOutcome stream = {};               // the same requests as a Poisson stream

  /// The round of median throughput; of two in the middle the slower one.
  const BatchingOutcome& MedianRound() const;
  Summary TokensPerSecond() const;  // of the rounds
};

struct BatchingReport {
  std::string model;
  size_t requests = 0;
  double tpot_limit = 0;             // seconds
  bool limit_kept = false;           // by the static batches; else the smallest p99 was taken
  std::vector<BatchingSide> search;  // the sizes that were tried, one round each
  BatchingSide continuous, fixed;
  double rate = 0;  // requests a second of the stream, equal for both
  double kv_fragmentation =
      0;  // share of the KV memory in use that held nothing; of continuous batching

  Summary Speedup() const;  // continuous over static tokens a second, of each round
};

/// Both sides at equal p99 of the time per output token: continuous batching with `batch`
/// sequences sets the limit (unless one is given), and of the static batches that keep it within
/// 10 % the one with the highest throughput is raced, in rounds of changing order.
/// Errors: as Engine::Load; kInvalidArgument (no requests, a number out of range).
absl::StatusOr<BatchingReport> MeasureBatching(const std::string& path,
                                               const BatchingOptions& options);

}  // namespace emptor::engine
