// Random numbers, HMAC and comparison, from OpenSSL.
#include "services/auth/key_text.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cassert>
#include <cstdint>

namespace emptor::services {
namespace {

constexpr size_t kIdBytes = 4, kSecretBytes = 32;
constexpr std::string_view kPrefix = "emptor_";
constexpr std::string_view kHex = "0123456789abcdef";

template <size_t size>
absl::StatusOr<std::string> RandomHex() {
  std::array<uint8_t, size> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(size)) != 1) {
    return absl::InternalError("OpenSSL has no random numbers");
  }
  return ToHex(bytes.data(), size);
}

bool IsHex(std::string_view text, size_t bytes) {
  return text.size() == 2 * bytes && text.find_first_not_of(kHex) == std::string_view::npos;
}

}  // namespace

absl::StatusOr<std::string> MakeSecret() { return RandomHex<kSecretBytes>(); }

absl::StatusOr<NewKey> MakeKey(KeyKind kind) {
  auto id = RandomHex<kIdBytes>();
  if (!id.ok()) return id.status();
  const auto secret = MakeSecret();
  if (!secret.ok()) return secret.status();
  std::string text = fmt::format("{}{}_{}_{}", kPrefix, ToString(kind), *id, *secret);
  return NewKey{*std::move(id), std::move(text)};
}

std::string_view IdOfKey(std::string_view text) {
  if (!text.starts_with(kPrefix)) return {};
  text.remove_prefix(kPrefix.size());
  const size_t kind_end = text.find('_');
  if (kind_end == std::string_view::npos || !ParseKeyKind(text.substr(0, kind_end))) return {};
  text.remove_prefix(kind_end + 1);
  const size_t id_end = text.find('_');
  if (id_end == std::string_view::npos || !IsHex(text.substr(0, id_end), kIdBytes) ||
      !IsHex(text.substr(id_end + 1), kSecretBytes)) {
    return {};
  }
  return text.substr(0, id_end);
}

KeyMac ComputeKeyMac(std::string_view secret, std::string_view key) {
  KeyMac mac{};
  unsigned int size = 0;
  const uint8_t* made =
      HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
           reinterpret_cast<const uint8_t*>(key.data()), key.size(), mac.data(), &size);
  assert(made != nullptr && size == mac.size());
  static_cast<void>(made);
  return mac;
}

bool IsSameMac(const KeyMac& a, const KeyMac& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace emptor::services
