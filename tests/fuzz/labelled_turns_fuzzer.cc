// Labelled conversations of any bytes are read or refused.
#include <cstdint>
#include <string_view>

#include "services/eval/labelled_turns.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = emptor::services::ParseLabelledTurns("f", text);
  if (!read.ok()) return 0;
  for (const auto& conversation : *read) {
    for (const auto& turn : conversation.turns) {
      emptor::services::TurnAgreement().Add(turn, {emptor::services::TurnSort::kShown, turn.shown});
    }
  }
  return 0;
}
