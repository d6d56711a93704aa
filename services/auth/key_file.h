// The stored form of issued keys: <data-dir>/keys/keys.json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/auth/access.h"

namespace emptor::services {

/// HMAC-SHA-256 of a key's text.
using KeyMac = std::array<uint8_t, 32>;

/// What is known of an issued key. The key itself is not stored.
struct KeyRecord {
  Principal principal;
  std::string name;  // of its owner, for people
  KeyMac mac{};
  int64_t created_unix = 0;
  int64_t expires_unix = 0;  // 0: never
  int64_t revoked_unix = 0;  // 0: it is not
};

/// True while the key may be used.
bool IsAlive(const KeyRecord& record, int64_t now_unix);

/// What a key may be issued for: a name of at most 100 printable characters; origins for a browser
/// key alone, at least one; a shop for all but admin keys. Rewrites origins in their normal form.
/// Errors: kInvalidArgument, "origins: ...".
absl::Status CheckKeyRecord(KeyRecord& record);

/// {"format":1,"keys":[{"id","kind","shop","name","origins":[],"mac","created","expires",
/// "revoked"}]}
std::string KeyFileText(const std::vector<KeyRecord>& records);
/// Errors: kDataLoss, naming the key and the member.
absl::StatusOr<std::vector<KeyRecord>> ParseKeyFile(std::string_view text);

/// Writes or reads bytes as hexadecimal digits in lower case. HexToMac is false for other text.
std::string ToHex(const uint8_t* bytes, size_t size);
bool HexToMac(std::string_view hex, KeyMac& mac);

}  // namespace emptor::services
