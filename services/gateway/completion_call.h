// A client's request for a completion, as far as the gateway has to understand it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/gateway/balancing/dispatcher.h"

namespace emptor::services {

inline constexpr size_t kMaxCompletionBody = 4u << 20;

struct CompletionCall {
  bool chat = false, stream = false;
  std::string model = {};         // empty: any
  DispatchRequest dispatch = {};  // but for `replicas` and `deadline`
};

struct PromptBlockSizes {
  size_t block_bytes = 256, max_blocks = 256;
};

/// Reads what decides where a body of /v1/chat/completions or /v1/completions goes; everything else
/// is the replica's to check. `priority` is vLLM's number or "interactive", "standard", "batch";
/// `conversation_id`, else `user`, names the session. Errors: kInvalidArgument, naming the field.
absl::StatusOr<CompletionCall> ReadCompletionCall(std::string_view body, bool chat,
                                                  const PromptBlockSizes& sizes);

/// The body with another model. REQUIRES: ReadCompletionCall took it.
std::string WithModel(std::string_view body, std::string_view model);

}  // namespace emptor::services
