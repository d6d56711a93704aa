// Writes SentencePiece's precompiled map of character rules.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// The map that Charsmap reads, of rules from source texts to their replacements. Equal rules give
/// equal bytes. Errors: kInvalidArgument (no rules, an empty source, a zero byte in a rule),
/// kResourceExhausted (a trie of more than 2^21 units).
absl::StatusOr<std::string> BuildCharsmap(const std::map<std::string, std::string>& rules);

}  // namespace emptor::engine
