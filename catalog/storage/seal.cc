// Fixed-width little-endian fields, each group closed by its own hash.
#include "catalog/storage/seal.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "absl/status/status.h"
#include "catalog/encoding/hash64.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are copied in memory order");

constexpr std::string_view kMagic = "EMPTSEAL";
constexpr uint32_t kSealVersion = 1;
constexpr size_t kApplicationBytes = 8;
constexpr std::array<uint64_t, 2> kLaneSeeds = {0x656D70746F722D30u, 0x656D70746F722D31u};

uint64_t HashRecord(std::string_view key, std::string_view value, uint64_t seed) {
  return Hash64(value, Hash64(key, seed));
}

template <typename Integer>
void Append(Integer value, std::string& out) {
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  out.append(bytes, sizeof(value));
}

template <typename Integer>
Integer Take(std::string_view& bytes) {
  Integer value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  bytes.remove_prefix(sizeof(value));
  return value;
}

void AppendChecksum(std::string& out) { Append<uint64_t>(Hash64(out), out); }

// True when the last eight bytes are the hash of those before.
bool ChecksumHolds(std::string_view bytes) {
  std::string_view tail = bytes.substr(bytes.size() - sizeof(uint64_t));
  return Hash64(bytes.substr(0, bytes.size() - sizeof(uint64_t))) == Take<uint64_t>(tail);
}

}  // namespace

void SetDigest::Add(std::string_view key, std::string_view value) {
  for (size_t i = 0; i < lanes.size(); ++i) lanes[i] += HashRecord(key, value, kLaneSeeds[i]);
}

void SetDigest::Remove(std::string_view key, std::string_view value) {
  for (size_t i = 0; i < lanes.size(); ++i) lanes[i] -= HashRecord(key, value, kLaneSeeds[i]);
}

std::string EncodeSealHeader(const SealIdentity& identity) {
  assert(identity.application.size() <= kApplicationBytes);
  std::string out(kMagic);
  Append(kSealVersion, out);
  Append(identity.content_version, out);
  out += identity.application;
  out.append(kApplicationBytes - identity.application.size(), '\0');
  AppendChecksum(out);
  assert(out.size() == kSealHeaderBytes);
  return out;
}

std::string EncodeSealEntry(const Seal& seal) {
  std::string out;
  out.reserve(kSealEntryBytes);
  Append(seal.sequence, out);
  for (uint64_t count : seal.counts) Append(count, out);
  for (uint64_t lane : seal.digest.lanes) Append(lane, out);
  AppendChecksum(out);
  assert(out.size() == kSealEntryBytes);
  return out;
}

absl::StatusOr<SealIdentity> DecodeSealHeader(std::string_view bytes) {
  if (bytes.size() != kSealHeaderBytes || !bytes.starts_with(kMagic)) {
    return absl::DataLossError("seal header: not a seal");
  }
  if (!ChecksumHolds(bytes)) return absl::DataLossError("seal header: checksum differs");
  bytes.remove_prefix(kMagic.size());
  const auto version = Take<uint32_t>(bytes);
  if (version > kSealVersion) {
    return absl::FailedPreconditionError(
        fmt::format("seal header: format {}, this build reads up to {}", version, kSealVersion));
  }
  SealIdentity identity;
  identity.content_version = Take<uint32_t>(bytes);
  const std::string_view name = bytes.substr(0, kApplicationBytes);
  identity.application = name.substr(0, name.find('\0'));
  return identity;
}

absl::StatusOr<Seal> DecodeSealEntry(std::string_view bytes) {
  if (bytes.size() != kSealEntryBytes) return absl::DataLossError("seal entry: cut short");
  if (!ChecksumHolds(bytes)) return absl::DataLossError("seal entry: checksum differs");
  Seal seal;
  seal.sequence = Take<uint64_t>(bytes);
  for (uint64_t& count : seal.counts) count = Take<uint64_t>(bytes);
  for (uint64_t& lane : seal.digest.lanes) lane = Take<uint64_t>(bytes);
  return seal;
}

absl::StatusOr<SealLog> DecodeSealLog(std::string_view bytes) {
  const absl::StatusOr<SealIdentity> identity = DecodeSealHeader(bytes.substr(0, kSealHeaderBytes));
  if (!identity.ok()) return identity.status();
  bytes.remove_prefix(kSealHeaderBytes);
  SealLog log{.identity = *identity, .last = {}};
  size_t entries = 0;
  while (!bytes.empty()) {
    const std::string_view entry = bytes.substr(0, kSealEntryBytes);
    bytes.remove_prefix(entry.size());
    const absl::StatusOr<Seal> seal = DecodeSealEntry(entry);
    if (!seal.ok()) {
      if (bytes.empty()) break;
      return absl::DataLossError(fmt::format("seal entry {}: damaged", entries));
    }
    if (entries > 0 && seal->sequence != log.last.sequence + 1) {
      return absl::DataLossError(fmt::format("seal entry {}: sequence {} after {}", entries,
                                             seal->sequence, log.last.sequence));
    }
    log.last = *seal;
    ++entries;
  }
  if (entries == 0) return absl::DataLossError("seal: no whole entry");
  return log;
}

}  // namespace emptor::catalog
