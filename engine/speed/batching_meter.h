// Continuous batching against static batching on the same model and kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct BatchingRequest {
  double at_seconds = 0;  // after the start
  int input_tokens = 1, output_tokens = 1;
};

struct BatchingOptions {
  int threads = 0;  // 0: one per core
  int batch = 16;   // sequences that are computed together
  double load =
      0.8;  // of the requests a second that static batching can do: the second part's rate
  std::vector<BatchingRequest> requests;  // their times are not used
  uint64_t seed = 1;                      // of the arrivals
};

/// What one way of batching did with the requests. Latencies count from the arrival; an answer ends
/// with its own last token, although a static batch holds its place until the longest one ends.
struct BatchingOutcome {
  double seconds = 0;        // until the last answer ended
  double output_tokens = 0;  // that were asked for; padding is not counted
  Summary ttft, tpot, e2e;
  double TokensPerSecond() const { return seconds > 0 ? output_tokens / seconds : 0; }
};

struct BatchingReport {
  std::string model;
  int batch = 0;
  size_t requests = 0;
  /// All requests at once: how much can be done.
  BatchingOutcome continuous_full, static_full;
  /// The same requests as a Poisson stream of `rate` a second, equal for both: how long it takes.
  double rate = 0;
  BatchingOutcome continuous_stream, static_stream;
};

/// Continuous: each request joins the running batch as it comes. Static: when the engine is idle,
/// up to `batch` requests that have come start together, their prompts and answers padded to the
/// longest of them, and the next batch starts when all have ended (Yu et al. 2022, "Orca", 2.2).
/// Errors: as Engine::Load; kInvalidArgument (no requests, a length out of range).
absl::StatusOr<BatchingReport> MeasureBatching(const std::string& path,
                                               const BatchingOptions& options);

}  // namespace emptor::engine
