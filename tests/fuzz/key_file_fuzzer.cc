// Any bytes as the file of keys: refused, or read such that it writes back to the same keys.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/auth/key_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::services::KeyFileText;
  using emptor::services::ParseKeyFile;
  const auto keys = ParseKeyFile(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!keys.ok()) return 0;
  const std::string text = KeyFileText(*keys);
  const auto again = ParseKeyFile(text);
  if (!again.ok() || KeyFileText(*again) != text) std::abort();
  return 0;
}
