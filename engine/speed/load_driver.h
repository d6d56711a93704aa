// Drives an engine with requests of given lengths, continuously or in static batches.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct BatchingRequest {
  double at_seconds = 0;  // after the start
  int input_tokens = 1, output_tokens = 1;
};

/// When requests start to be computed, and what for.
enum class Batching {
  kContinuous,  // each joins the running batch as it comes
  /// When nothing is computed those that wait start together, up to the size of a batch; their
  /// prompts and answers are padded to the longest of them (Yu et al. 2022, "Orca", 2.2).
  kStatic,
  kStaticFull,  // the same, but a batch waits until it is full
};

struct LoadPlan {
  Batching batching = Batching::kContinuous;
  int batch = 16;  // of the static ways
  /// Request i is asked by user i modulo `users`, when it is due and the user's last answer has
  /// come. 0: by one of its own, hence when it is due.
  int users = 0;
  uint64_t seed = 1;  // of the prompts
};

/// Latencies count from the moment at which the user asks; an answer ends with its own last token,
/// although a static batch holds its place until the longest one ends.
struct BatchingOutcome {
  double seconds = 0;        // until the last answer ended
  double output_tokens = 0;  // that were asked for; padding is not counted
  Summary ttft = {}, tpot = {}, e2e = {};
  double TokensPerSecond() const { return seconds > 0 ? output_tokens / seconds : 0; }
};

/// Sends all requests, whose times do not fall, and waits for their answers.
/// Errors: those of Engine::Submit and of answers.
absl::StatusOr<BatchingOutcome> DriveLoad(Engine& engine,
                                          const std::vector<BatchingRequest>& requests,
                                          const LoadPlan& plan);

/// The same requests as a Poisson stream of `rate` a second; 0: all at once.
std::vector<BatchingRequest> AtRate(std::vector<BatchingRequest> requests, double rate,
                                    uint64_t seed);

/// Tokens of the longest prompt and the longest answer together: what padding can come to.
int LongestPadded(const std::vector<BatchingRequest>& requests);

/// Errors: kInvalidArgument (no requests, a length out of range).
absl::Status CheckRequests(const std::vector<BatchingRequest>& requests);

/// As EngineOptions, with room for `batch` padded requests together.
EngineOptions OptionsFor(const std::vector<BatchingRequest>& requests, int batch, int block_tokens,
                         int threads);

/// Loads the model for these requests. Errors: as Engine::Load; kInvalidArgument (a padded request
/// is longer than the context).
absl::StatusOr<std::unique_ptr<Engine>> LoadFor(const std::string& path,
                                                const std::vector<BatchingRequest>& requests,
                                                const EngineOptions& options);

}  // namespace emptor::engine
