// The keys of a data directory: issued, rotated, revoked, and recognised.
//
//   <data-dir>/admin.key        the service's own admin key, which commands on this machine send
//   <data-dir>/keys/keys.json   what is known of issued keys: an HMAC of each, never the key
//   <data-dir>/keys/secret      the secret of the HMAC
//
// All are readable by their owner alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/auth/key_file.h"

namespace emptor::services {

/// The id of the service's own key.
inline constexpr std::string_view kOwnKeyId = "own";

/// <data-dir>/admin.key.
std::string OwnKeyPath(const std::string& data_dir);
/// The key in that file; empty when there is none that this user may read.
std::string ReadOwnKey(const std::string& data_dir);

/// A key that was just made: the only time that its text is known.
struct IssuedKey {
  KeyRecord record;
  std::string text;
};

/// Thread-safety: any thread. Several processes may use one directory: each sees within
/// kKeyRefresh what another one has changed.
class KeyStore {
 public:
  static constexpr std::chrono::milliseconds kKeyRefresh{1000};
  struct Options {
    std::function<int64_t()> now_unix;                             // empty: the system's clock
    std::function<std::chrono::steady_clock::time_point()> clock;  // empty: the system's
  };

  /// Makes what is missing of the files above. Errors: kUnavailable (cannot be written),
  /// kPermissionDenied (others may read a file that is secret), kDataLoss (keys.json).
  static absl::StatusOr<std::unique_ptr<KeyStore>> Open(const std::string& data_dir,
                                                        Options options);
  static absl::StatusOr<std::unique_ptr<KeyStore>> Open(const std::string& data_dir);
  ~KeyStore();
  KeyStore(const KeyStore&) = delete;
  KeyStore& operator=(const KeyStore&) = delete;

  /// Who the key belongs to. Nothing: it is not known, has expired or was revoked.
  std::optional<Principal> Authenticate(std::string_view key) const;
  /// True when a living key other than the service's own exists; of the kind, where one is given.
  bool HasIssuedKeys(std::optional<KeyKind> kind = std::nullopt) const;
  /// True when any key was issued, also one that has ended; also while keys.json cannot be read.
  bool HasEverIssued() const;
  /// True when a living browser key of any shop lists the origin. In its normal form.
  bool HasOrigin(const std::string& origin) const;

  /// All that were issued, also those that have ended.
  std::vector<KeyRecord> List() const;
  /// Makes a key like `wanted`, whose id, mac and times are ignored except `expires_unix`. Errors:
  /// of CheckKeyRecord, kUnavailable.
  absl::StatusOr<IssuedKey> Issue(KeyRecord wanted);
  /// Makes another key like that of `id`, which ends after the grace. The service's own key is
  /// replaced at once. Errors: kNotFound, kFailedPrecondition (it has ended), kUnavailable.
  absl::StatusOr<IssuedKey> Rotate(const std::string& id, std::chrono::seconds grace);
  /// Ends a key. Errors: kNotFound, kInvalidArgument (the service's own key), kUnavailable.
  absl::StatusOr<KeyRecord> Revoke(const std::string& id);

 private:
  struct Impl;
  explicit KeyStore(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
