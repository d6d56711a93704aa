// Bounds of what a caller may ask of the engine.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/engine.h"

namespace emptor::engine {

/// Errors: kInvalidArgument, naming the option.
absl::Status CheckOptions(const EngineOptions& options);

/// Errors: kInvalidArgument, naming the field.
absl::Status CheckSampling(const SamplingParams& sampling);

/// Errors: kInvalidArgument, naming the index and what was found.
absl::Status CheckReferences(const std::vector<std::string>& references);

}  // namespace emptor::engine
