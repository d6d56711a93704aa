// Compiles JSON schemas to automata.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/structure/nfa.h"

namespace emptor::engine {

/// Adds the rules of the schema, that of the whole text first. docs/structured_output.md lists what
/// is supported; a keyword that would have to be ignored is refused.
/// REQUIRES: the builder has no rules yet.
/// Errors: kInvalidArgument, naming the place: `#/properties/a: ...` or `byte 17: ...`.
absl::Status BuildJsonSchema(std::string_view schema, NfaBuilder& builder);

}  // namespace emptor::engine
