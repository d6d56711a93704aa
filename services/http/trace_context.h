// W3C Trace Context: which trace of the caller a request belongs to.
#pragma once

#include <string_view>

namespace emptor::services {

/// The trace id of a header traceparent, 32 hex digits; empty for what is none. Of later versions
/// than 00, what version 00 knows is read. Pure. Source: https://www.w3.org/TR/trace-context/ 3.2.
std::string_view TraceIdOf(std::string_view traceparent);

}  // namespace emptor::services
