// The text of a key, and what is stored in its place. Hides OpenSSL.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/auth/key_file.h"

namespace emptor::services {

/// A new key: "emptor_server_1f3a9c2d_" and 256 random bits as 64 hexadecimal digits. The kind and
/// the id may be shown, the digits not. Errors: kInternal (no random numbers).
struct NewKey {
  std::string id, text;
};
absl::StatusOr<NewKey> MakeKey(KeyKind kind);

/// The id in a key's text; empty for what cannot be a key.
std::string_view IdOfKey(std::string_view text);

/// 256 random bits as 64 hexadecimal digits. Errors: kInternal.
absl::StatusOr<std::string> MakeSecret();

/// HMAC-SHA-256 of a key under the service's secret.
KeyMac ComputeKeyMac(std::string_view secret, std::string_view key);

/// Compares in a time that does not depend on the content.
bool IsSameMac(const KeyMac& a, const KeyMac& b);

}  // namespace emptor::services
