// version (1) | fingerprint (8) | steps (1 + n) | shown (6 each) | seal (16), little-endian.
#include "services/api/search_cursor.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cassert>

#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

using retrieval::FilterPart;

constexpr char kVersion = 1;
constexpr size_t kSealBytes = 16, kIdBytes = 6, kHeadBytes = 10, kKeyBytes = 32;
constexpr uint8_t kWidened = 0x80;

void Append(uint64_t value, size_t bytes, std::string& out) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t Read(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

std::string ToBase64Url(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(length));
  while (!text.empty() && text.back() == '=') text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

/// Nothing for text that ToBase64Url does not write.
std::string FromBase64Url(std::string_view text) {
  std::string padded(text);
  for (char& c : padded) {
    if (c == '+' || c == '/' || c == '=') return {};
    c = c == '-' ? '+' : c == '_' ? '/' : c;
  }
  const size_t missing = (4 - padded.size() % 4) % 4;
  if (padded.empty() || missing == 3) return {};
  padded.append(missing, '=');
  std::string bytes(padded.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(padded.data()),
                                     static_cast<int>(padded.size()));
  if (length < 0) return {};
  bytes.resize(static_cast<size_t>(length) - missing);
  return ToBase64Url(bytes) == text ? bytes : std::string();
}

bool IsStep(uint8_t byte) { return (byte & ~kWidened) < retrieval::kFilterPartCount; }

}  // namespace

SearchCursorCodec::SearchCursorCodec() : key_(kKeyBytes, '\0') {
  [[maybe_unused]] const int done =
      RAND_bytes(reinterpret_cast<unsigned char*>(key_.data()), static_cast<int>(key_.size()));
  assert(done == 1);
}

std::string SearchCursorCodec::Seal(std::string_view bytes) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(), &length);
  assert(length >= kSealBytes);
  return {reinterpret_cast<const char*>(digest.data()), kSealBytes};
}

std::string SearchCursorCodec::Encode(const SearchCursor& cursor) const {
  std::string bytes(1, kVersion);
  Append(cursor.fingerprint, 8, bytes);
  Append(cursor.relaxed.size(), 1, bytes);
  for (const retrieval::RelaxationStep& step : cursor.relaxed) {
    Append(static_cast<uint8_t>(step.part) | (step.widened ? kWidened : 0), 1, bytes);
  }
  for (const uint64_t id : cursor.shown) Append(id, kIdBytes, bytes);
  return ToBase64Url(bytes + Seal(bytes));
}

absl::StatusOr<SearchCursor> SearchCursorCodec::Decode(std::string_view text,
                                                       uint64_t fingerprint) const {
  const absl::Status refused = InvalidField("cursor", "not a cursor of this service");
  const std::string sealed = FromBase64Url(text);
  if (sealed.size() < kHeadBytes + kSealBytes) return refused;
  const std::string_view bytes = std::string_view(sealed).substr(0, sealed.size() - kSealBytes);
  const std::string seal = Seal(bytes);
  if (CRYPTO_memcmp(seal.data(), sealed.data() + bytes.size(), kSealBytes) != 0) return refused;
  const size_t steps = static_cast<uint8_t>(bytes[kHeadBytes - 1]);
  const size_t ids = kHeadBytes + steps;
  if (bytes[0] != kVersion || ids > bytes.size() || (bytes.size() - ids) % kIdBytes != 0) {
    return refused;
  }
  SearchCursor cursor;
  cursor.fingerprint = Read(bytes.substr(1, 8));
  if (cursor.fingerprint != fingerprint) {
    return InvalidField("cursor", "belongs to another query or other filters");
  }
  for (size_t i = kHeadBytes; i < ids; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if (!IsStep(byte)) return refused;
    cursor.relaxed.push_back({static_cast<FilterPart>(byte & ~kWidened), (byte & kWidened) != 0});
  }
  for (size_t i = ids; i < bytes.size(); i += kIdBytes) {
    cursor.shown.push_back(Read(bytes.substr(i, kIdBytes)));
  }
  return cursor;
}

}  // namespace emptor::services
