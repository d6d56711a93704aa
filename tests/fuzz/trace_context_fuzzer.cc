// Any text as a header traceparent: 32 lower-case hex digits of it, or nothing.
#include <cstdint>
#include <string_view>

#include "services/http/trace_context.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view trace = emptor::services::TraceIdOf(text);
  if (trace.empty()) return 0;
  const bool is_hex = trace.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (trace.size() != 32 || !is_hex) __builtin_trap();
  return 0;
}
