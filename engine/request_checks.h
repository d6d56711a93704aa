// Bounds of what a caller may ask of the engine.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/engine.h"

namespace emptor::engine {

/// Errors: kInvalidArgument, naming the option.
absl::Status CheckOptions(const EngineOptions& options);

/// `vocabulary`: how many tokens the model has. Errors: kInvalidArgument, naming the field, what
/// was expected and what was found.
absl::Status CheckSampling(const SamplingParams& sampling, int vocabulary);

/// Errors: kInvalidArgument, naming the index and what was found.
absl::Status CheckReferences(const std::vector<std::string>& references);

}  // namespace emptor::engine
