// How messages begin, and whether they ask.
#pragma once

#include <cstddef>

#include "services/assistant/words/cues.h"

namespace emptor::services {

/// Bytes of the longest phrase of a "starts" cue with which the message begins, after fillers; of
/// Chinese conditions, that it has. 0: none. Pure.
size_t LengthOfStart(const FoldedMessage& message, Cue cue);

/// A Chinese message that has no word of a question: "可调光的". In other languages the order of
/// the words tells. Pure.
bool StatesOnly(const FoldedMessage& message);

}  // namespace emptor::services
