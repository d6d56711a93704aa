// Any bytes as a cursor, and as the contents of one whose checksum is right: refused, or read such
// that the cursor writes back equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/encoding/sha256.h"
#include "services/api/search_cursor.h"

namespace {

using emptor::services::DecodeSearchCursor;
using emptor::services::EncodeSearchCursor;
using emptor::services::SearchCursor;

std::string ToBase64Url(std::string_view bytes) {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= 6; count -= 6) text += kLetters[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kLetters[bits << (6 - count) & 63];
  return text;
}

/// The cursor text of these contents, as the service would have written it.
std::string Sealed(std::string_view contents) {
  const std::string hashed = "emptor search cursor: " + std::string(contents);
  const auto digest = emptor::catalog::ComputeSha256(hashed.data(), hashed.size());
  return ToBase64Url(std::string(contents) + std::string(digest.begin(), digest.begin() + 8));
}

/// Bytes 1 to 8 of the contents.
uint64_t FingerprintOf(std::string_view contents) {
  uint64_t value = 0;
  for (size_t i = 9; i-- > 1 && contents.size() > 8;) {
    value = value << 8 | static_cast<uint8_t>(contents[i]);
  }
  return value;
}

void CheckReading(std::string_view text, uint64_t fingerprint) {
  const auto cursor = DecodeSearchCursor(text, fingerprint);
  if (!cursor.ok()) return;
  if (cursor->fingerprint != fingerprint || EncodeSearchCursor(*cursor) != text) std::abort();
  if (DecodeSearchCursor(text, fingerprint + 1).ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckReading(text, FingerprintOf(text));
  CheckReading(Sealed(text), FingerprintOf(text));
  return 0;
}
