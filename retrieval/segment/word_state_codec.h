// Encoding of a shop's words, stored in the segment file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "retrieval/words/word_state.h"

namespace emptor::retrieval {

std::string EncodeWordState(const WordState& state);

/// Nothing for bytes of another version, truncated bytes, or positions out of range.
std::optional<WordState> DecodeWordState(std::string_view bytes);

}  // namespace emptor::retrieval
