// The words of a shop as bytes, beside its index in one file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "retrieval/words/word_state.h"

namespace emptor::retrieval {

std::string EncodeWordState(const WordState& state);

/// Nothing for bytes of another version, cut ones, and ones whose numbers name nothing.
std::optional<WordState> DecodeWordState(std::string_view bytes);

}  // namespace emptor::retrieval
