// Bounds of what a caller may ask of the engine.
#pragma once

#include "absl/status/status.h"
#include "engine/engine.h"

namespace emptor::engine {

/// Errors: kInvalidArgument, naming the option.
absl::Status CheckOptions(const EngineOptions& options);

/// Errors: kInvalidArgument, naming the field.
absl::Status CheckSampling(const SamplingParams& sampling);

}  // namespace emptor::engine
