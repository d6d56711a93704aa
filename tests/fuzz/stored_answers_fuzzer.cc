// Any bytes as a stored conversation and as the trace of an answer: refused, or read and written
// again to the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/assistant/answer_trace.h"
#include "services/assistant/dialogue/conversation_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::services::AnswerTrace;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto conversation = emptor::services::DecodeConversation(bytes); conversation.ok()) {
    const std::string written = emptor::services::EncodeConversation(*conversation);
    const auto again = emptor::services::DecodeConversation(written);
    if (!again.ok() || emptor::services::EncodeConversation(*again) != written) std::abort();
  }
  (void)emptor::services::DecodeAnswer(bytes);
  (void)emptor::services::DecodeFeedback(bytes);
  const auto trace = AnswerTrace::Parse(bytes);
  if (!trace.ok()) return 0;
  const std::string json = trace->ToJson();
  const auto again = AnswerTrace::Parse(json);
  if (!again.ok() || again->text() != trace->text() || again->id() != trace->id()) std::abort();
  return 0;
}
