// Bodies of POST /v1/assist and /v1/search: read or refused, never more.
#include <cstdint>
#include <string_view>

#include "services/api/request_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  (void)emptor::services::ParseAssistBody(body);
  (void)emptor::services::ParseSearchBody(body);
  return 0;
}
