// Any bytes as the answer of a chat endpoint: a bounded text, the same however they were cut.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/encoding/utf8.h"
#include "services/models/chat_stream.h"

namespace {

using namespace emptor::services;  // NOLINT: the whole file is about it

struct Read {
  std::string text, failure, reason;
  bool operator==(const Read&) const = default;
};

Read ReadIn(ChatApi api, std::string_view bytes, size_t step) {
  const ChatStreamLimits limits{.max_bytes = 1 << 14, .max_event = 1 << 12, .max_text = 1 << 8};
  Read read;
  ChatStream stream(api, limits, [&](std::string_view text) {
    if (text.empty() || !emptor::catalog::IsValidUtf8(text)) std::abort();
    read.text += text;
  });
  for (size_t at = 0; at < bytes.size(); at += step) stream.Push(bytes.substr(at, step));
  stream.Finish();
  if (!stream.done() || read.text.size() > limits.max_text) std::abort();
  if (stream.failure().empty() && stream.finish_reason().empty()) std::abort();
  read.failure = stream.failure();
  read.reason = stream.finish_reason();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const ChatApi api : {ChatApi::kOpenAi, ChatApi::kAnthropic}) {
    // A step of at most the bound of the whole answer: a longer piece is refused as a whole.
    if (size < (1 << 14) && !(ReadIn(api, bytes, size + 1) == ReadIn(api, bytes, 1))) std::abort();
    ReadIn(api, bytes, 7);
  }
  if (ReadChatError(bytes).size() > 200) std::abort();
  return 0;
}
