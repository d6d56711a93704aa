// Any text as X-Forwarded-For: the result is short and holds no text of the client.
#include <cstdint>
#include <string_view>

#include "services/limits/client_address.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string address = emptor::services::ClientAddress("127.0.0.1", text, {"10.0.0.1"});
  const bool is_plain =
      address == "unknown" || address.find_first_not_of("0123456789abcdef.:/") == std::string::npos;
  if (address.size() > 50 || !is_plain) __builtin_trap();
  return 0;
}
