// Messages of any kind are understood somehow, in time linear in their length.
#include <cstdint>
#include <string>

#include "services/assistant/query_understanding.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  emptor::services::UnderstandingInput input;
  input.message.assign(reinterpret_cast<const char*>(data), size > 4096 ? 4096 : size);
  emptor::services::ConversationTurn turn;
  turn.search_text = "kettle";
  turn.shown_products = {"a", "b"};
  input.turns = {turn};
  (void)emptor::services::Understand(input);
  return 0;
}
