// Any bytes as a shopper's message: what is masked stays masked, and nothing is added but the
// masks.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "services/faq/private_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string masked = emptor::services::MaskPrivate(text);
  const auto digits = [](std::string_view in) {
    return std::count_if(in.begin(), in.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (digits(masked) > digits(text)) std::abort();
  if (masked.find("<number>") == std::string::npos && masked.find("<email>") == std::string::npos &&
      masked != text) {
    std::abort();
  }
  return 0;
}
