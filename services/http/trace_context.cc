// "version-trace id-parent id-flags", in lower-case hex digits.
#include "services/http/trace_context.h"

#include <cstddef>

namespace emptor::services {
namespace {

constexpr size_t kVersion = 2, kTraceId = 32, kParentId = 16, kFlags = 2;
constexpr size_t kTraceAt = kVersion + 1, kParentAt = kTraceAt + kTraceId + 1,
                 kFlagsAt = kParentAt + kParentId + 1, kSize = kFlagsAt + kFlags;

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool IsZero(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

}  // namespace

std::string_view TraceIdOf(std::string_view traceparent) {
  if (traceparent.size() < kSize) return {};
  const std::string_view version = traceparent.substr(0, kVersion);
  const std::string_view trace = traceparent.substr(kTraceAt, kTraceId);
  const std::string_view parent = traceparent.substr(kParentAt, kParentId);
  const bool has_dashes = traceparent[kTraceAt - 1] == '-' && traceparent[kParentAt - 1] == '-' &&
                          traceparent[kFlagsAt - 1] == '-';
  const bool is_hex = IsHex(version) && IsHex(trace) && IsHex(parent) &&
                      IsHex(traceparent.substr(kFlagsAt, kFlags));
  if (!has_dashes || !is_hex || version == "ff" || IsZero(trace) || IsZero(parent)) return {};
  const bool is_longer = traceparent.size() > kSize;
  if (is_longer && (version == "00" || traceparent[kSize] != '-')) return {};
  return trace;
}

}  // namespace emptor::services
