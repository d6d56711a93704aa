// Bodies of POST /v1/assist, /v1/assist/ui-messages and /v1/search: read or refused, never more.
#include <cstdint>
#include <string_view>

#include "services/api/request_codec.h"
#include "services/api/ui_message_request.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  (void)emptor::services::ParseAssistBody(body);
  (void)emptor::services::ParseSearchBody(body);
  (void)emptor::services::ParseUiMessageBody(body);
  return 0;
}
