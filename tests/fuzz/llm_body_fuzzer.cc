// Bodies of the OpenAI and TGI routes: whatever comes is read or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/llm_api/openai_request.h"
#include "services/llm_api/tgi_request.h"

namespace {

/// Only the two codes that the routes turn into 400, each with a message.
template <typename Body>
void Check(const absl::StatusOr<Body>& body) {
  if (body.ok()) return;
  const bool is_known =
      absl::IsInvalidArgument(body.status()) || absl::IsUnimplemented(body.status());
  if (!is_known || body.status().message().empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  Check(ParseChatBody(json));
  const auto completion = ParseCompletionBody(json);
  Check(completion);
  if (completion.ok() && completion->requests.empty()) std::abort();
  Check(ParseEmbeddingBody(json));
  Check(ParseTgiBody(json));
  Check(ParseTimeoutHeader(json));
  return 0;
}
