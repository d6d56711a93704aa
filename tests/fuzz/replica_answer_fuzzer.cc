// Any bytes as a replica's answer or a client's body: the same however they were cut, and an answer
// that counts as whole has its end.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "services/gateway/completion_call.h"
#include "services/gateway/replica_answer.h"

namespace {

using namespace emptor::services;  // NOLINT: the whole file is about it

struct Passed {
  std::string events;
  bool whole = false, begun = false;
  int pieces = 0;
  bool operator==(const Passed&) const = default;
};

Passed ReadIn(std::string_view bytes, size_t step) {
  Passed passed;
  const ReplicaStreamLimits limits{.max_event = 1 << 14, .max_held = 1 << 10};
  ReplicaStream stream(limits, [&](std::string_view events) {
    if (events.size() > limits.MaxPassed()) std::abort();
    if (!events.ends_with("\n\n")) std::abort();
    passed.events += events;
    return true;
  });
  for (size_t at = 0; at < bytes.size(); at += step) {
    if (!stream.Push(bytes.substr(at, step))) break;
  }
  passed.whole = stream.Finish().ok();
  passed.begun = stream.has_begun();
  passed.pieces = stream.pieces();
  if (passed.whole && !passed.events.ends_with("data: [DONE]\n\n")) std::abort();
  if (passed.whole && passed.events.find("finish_reason") == std::string::npos) std::abort();
  if (!passed.begun && !passed.events.empty()) std::abort();
  return passed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Passed whole = ReadIn(bytes, size + 1);
  if (!(whole == ReadIn(bytes, 1)) || !(whole == ReadIn(bytes, 7))) std::abort();
  std::optional<ReplicaError> error;
  static_cast<void>(CheckWholeAnswer(bytes, error).ok());
  static_cast<void>(ReadModelNames(bytes).ok());
  if (ReadReplicaError(bytes).message.size() > 300) std::abort();
  for (const bool chat : {false, true}) {
    const auto call = ReadCompletionCall(bytes, chat, {.block_bytes = 16, .max_blocks = 8});
    if (!call.ok()) continue;
    if (call->dispatch.blocks.size() > 8 || !(call->dispatch.prompt_tokens >= 1)) std::abort();
    if (!ReadCompletionCall(WithModel(bytes, "m"), chat, {}).ok()) std::abort();
  }
  return 0;
}
