// Bodies of POST /v1/feedback, POST /v1/events and PATCH /v1/conversations/{id}, and the shopper's
// token and Cache-Control: read within their bounds or refused, never more.
#include <cstdint>
#include <string>
#include <string_view>

#include "services/api/cache_directives.h"
#include "services/api/shopper.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  if (const auto events = ParseEventsBody(body); events.ok()) {
    if (events->empty() || events->size() > kMaxEventsOfRequest) __builtin_trap();
  }
  if (const auto feedback = ParseFeedbackBody(body); feedback.ok()) {
    if (feedback->comment.size() > 4 * kMaxCommentCharacters) __builtin_trap();
  }
  if (const auto title = ParseTitleBody(body); title.ok()) {
    if (title->empty() || title->find('\n') != std::string::npos) __builtin_trap();
  }
  const bool names_none = body.find_first_of("oO") == std::string_view::npos;
  const bool has_age = body.find_first_of("mM") != std::string_view::npos;
  if (names_none && !has_age && CacheControlOf(body) != CacheControl::kUse) __builtin_trap();
  Request request;
  request.headers.emplace_back(kShopperHeader, body);
  if (const auto owner = OwnerOf(request, "shop"); owner.ok() && owner->size() != 32) {
    __builtin_trap();
  }
  return 0;
}
