// The seal of a record store: counts, sequence and digest of its content. Format:
// docs/formats/catalog_store.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::catalog {

/// Order-independent digest of a set of records: in each lane the sum, modulo 2^64, of one hash of
/// every (key, value). Adding and removing records updates it without a scan.
struct SetDigest {
  std::array<uint64_t, 2> lanes{};

  void Add(std::string_view key, std::string_view value);
  void Remove(std::string_view key, std::string_view value);
  friend bool operator==(const SetDigest&, const SetDigest&) = default;
};

/// Number of record classes that a store counts separately.
inline constexpr size_t kRecordClasses = 4;

/// Content of the store after batch number `sequence`.
struct Seal {
  uint64_t sequence = 0;
  std::array<uint64_t, kRecordClasses> counts{};  // records per class
  SetDigest digest;

  uint64_t records() const { return counts[0] + counts[1] + counts[2] + counts[3]; }
  friend bool operator==(const Seal&, const Seal&) = default;
};

/// The application ("catalog"; at most 8 bytes) and version of a store.
struct SealIdentity {
  std::string application;
  uint32_t content_version = 0;

  friend bool operator==(const SealIdentity&, const SealIdentity&) = default;
};

inline constexpr size_t kSealHeaderBytes = 32;
inline constexpr size_t kSealEntryBytes = 64;

/// Exactly kSealHeaderBytes and kSealEntryBytes.
std::string EncodeSealHeader(const SealIdentity& identity);
std::string EncodeSealEntry(const Seal& seal);

/// Errors: kDataLoss (size, magic or checksum), kFailedPrecondition (a newer seal format).
absl::StatusOr<SealIdentity> DecodeSealHeader(std::string_view bytes);
absl::StatusOr<Seal> DecodeSealEntry(std::string_view bytes);

/// Reads the last entry of a seal file: header, then one entry per acknowledged batch. An
/// incomplete last entry, left by a crash before its batch was acknowledged, is ignored. Errors:
/// kDataLoss (a damaged header, a damaged entry before the last, a gap in the sequence, no entry at
/// all), kFailedPrecondition.
struct SealLog {
  SealIdentity identity;
  Seal last;
};
absl::StatusOr<SealLog> DecodeSealLog(std::string_view bytes);

}  // namespace emptor::catalog
