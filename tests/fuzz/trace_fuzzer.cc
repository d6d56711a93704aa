// Any bytes as a recorded load in either format: refused with a place, or requests in their order
// whose times and token counts are in range.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/bench/trace_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::services::TraceFormat;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const TraceFormat format : {TraceFormat::kAzure, TraceFormat::kMooncake}) {
    const auto trace = emptor::services::ParseTrace(text, format, "trace");
    if (!trace.ok()) {
      if (trace.status().message().rfind("trace:", 0) != 0) std::abort();
      continue;
    }
    if (trace->empty() || trace->front().at_seconds != 0) std::abort();
    double last = 0;
    for (const auto& request : *trace) {
      if (!std::isfinite(request.at_seconds) || request.at_seconds < last) std::abort();
      if (request.input_tokens < 0 || request.output_tokens < 0) std::abort();
      last = request.at_seconds;
    }
  }
  return 0;
}
