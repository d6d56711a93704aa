// One request at a time, with the engine's timing.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"

namespace emptor::engine {

/// Tokens that no other prompt begins with.
std::vector<int32_t> RandomPrompt(const Engine& engine, int tokens, std::mt19937_64& random);

/// Asks, waits for exactly `max_tokens` tokens, and gives the engine's own account.
/// Errors: those of Engine::Submit and of answers; kInvalidArgument (longer than the context).
absl::StatusOr<Usage> AskAndWait(Engine& engine, std::vector<int32_t> prompt, int max_tokens);

}  // namespace emptor::engine
