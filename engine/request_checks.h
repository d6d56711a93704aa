// Bounds of what a caller may ask of the engine.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "engine/scheduler/policy.h"

namespace emptor::engine {

/// Errors: kInvalidArgument, naming the option.
absl::Status CheckOptions(const EngineOptions& options);

/// max_tokens, n, tenant and cache_salt. Errors: kInvalidArgument, naming the field.
absl::Status CheckSizes(const GenerationRequest& request, const SchedulerLimits& limits);

/// Errors: kInvalidArgument, naming the field.
absl::Status CheckSampling(const SamplingParams& sampling);

/// Errors: kInvalidArgument, naming the index and what was found.
absl::Status CheckReferences(const std::vector<std::string>& references);

}  // namespace emptor::engine
