// JSON schemas to automata.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/structure/nfa.h"

namespace emptor::engine {

/// Adds the rules of the schema, the whole text's first. What is supported, and how, is told in
/// docs/structured_output.md; anything that would be passed over is refused.
/// REQUIRES: the builder has no rules yet.
/// Errors: kInvalidArgument, naming the place: `#/properties/a: ...` or `byte 17: ...`.
absl::Status BuildJsonSchema(std::string_view schema, NfaBuilder& builder);

}  // namespace emptor::engine
