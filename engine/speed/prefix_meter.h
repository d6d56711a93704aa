// What a prompt costs whose beginning is in the prefix cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct PrefixOptions {
  int threads = 0;        // 0: one per core
  int tokens = 1000;      // that prompts have in common
  int rounds = 5;         // each with a beginning of its own
  int block_tokens = 16;  // of a block of KV memory
  uint64_t seed = 1;
};

struct PrefixReport {
  std::string model;
  int tokens = 0;
  int cached_tokens = 0;                     // that the cache gave: whole blocks
  std::vector<double> cold = {}, warm = {};  // seconds to the first token, of each round
  std::vector<double> look_up = {};          // seconds, of each round

  Summary Share() const;  // warm over cold, of each round
};

/// Each round asks for a prompt that is new, and again with another last token behind the same
/// beginning. The look-up is that of the engine's own cache class for such a prompt, on a cache
/// that holds it.
/// Errors: as Engine::Load; kInvalidArgument (a number out of range, a prompt over the context).
absl::StatusOr<PrefixReport> MeasurePrefix(const std::string& path, const PrefixOptions& options);

}  // namespace emptor::engine
