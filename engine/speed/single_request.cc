// Callbacks keep their end of the promise.
#include "engine/speed/single_request.h"

#include <future>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {

std::vector<int32_t> RandomPrompt(const Engine& engine, int tokens, std::mt19937_64& random) {
  const auto vocabulary = static_cast<uint64_t>(engine.model().vocabulary);
  std::vector<int32_t> prompt;
  for (int i = 0; i < tokens; ++i) prompt.push_back(static_cast<int32_t>(random() % vocabulary));
  return prompt;
}

absl::StatusOr<Usage> AskAndWait(Engine& engine, std::vector<int32_t> prompt, int max_tokens) {
  GenerationRequest request;
  request.prompt_tokens = std::move(prompt);
  request.max_tokens = max_tokens;
  request.sampling.ignore_end = true;
  std::promise<GenerationEnd> ended;
  std::future<GenerationEnd> end = ended.get_future();
  GenerationCallbacks callbacks;
  callbacks.on_end = [&ended](const GenerationEnd& result) { ended.set_value(result); };
  const auto handle = engine.Submit(std::move(request), std::move(callbacks));
  if (!handle.ok()) return handle.status();
  const GenerationEnd result = end.get();
  if (result.reason != FinishReason::kLength) {
    return result.status.ok() ? absl::InternalError("bench engine: the answer ended early")
                              : result.status;
  }
  if (result.usage.completion_tokens < max_tokens) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: the context has no room for {} tokens after {}", max_tokens,
                    result.usage.prompt_tokens));
  }
  return result.usage;
}

}  // namespace emptor::engine
