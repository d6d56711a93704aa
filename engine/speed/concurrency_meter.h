// How the time to the first token grows with the users who share one rate of tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/speed/load_driver.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct ConcurrencyOptions {
  int threads = 0;         // 0: one per core
  int few = 4, many = 32;  // users
  double load = 0.5;       // of what `few` users without pauses get from continuous batching
  int rounds = 3;
  int block_tokens = 16;                       // of a block of KV memory
  std::vector<BatchingRequest> requests = {};  // their times are not used
  uint64_t seed = 1;                           // of prompts and arrivals
};

/// One way of batching under the same stream of requests, by few users and by many.
struct ConcurrencySide {
  Batching batching = Batching::kContinuous;
  std::vector<BatchingOutcome> few = {}, many = {};  // of each round

  /// p99 of the time to the first token with many users over that with few, of each round.
  Summary Growth() const;
};

struct ConcurrencyReport {
  std::string model;
  size_t requests = 0;
  int few = 0, many = 0;
  double rate = 0;                          // requests a second of all users together
  std::vector<ConcurrencySide> sides = {};  // continuous, static when idle, static in full batches
};

/// Requests of one rate are shared out among the users in turn; a user asks when the request is due
/// and the answer before has come, and the time to the first token counts from there. Static
/// batches have as many sequences as there are users.
/// Errors: as Engine::Load; kInvalidArgument (no requests, a number out of range).
absl::StatusOr<ConcurrencyReport> MeasureConcurrency(const std::string& path,
                                                     const ConcurrencyOptions& options);

}  // namespace emptor::engine
