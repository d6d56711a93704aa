// Entries under keys ordered by sequence, and one record with the first sequence.
#include "catalog/storage/change_log.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <utility>

#include "catalog/encoding/hash64.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kStateKey("\0keep", 5);
constexpr std::string_view kEntryPrefix("\0change", 7);

// Big-endian: keys sort by sequence.
std::string EntryKey(uint64_t sequence) {
  std::string key(kEntryPrefix);
  for (int shift = 56; shift >= 0; shift -= 8) {
    key.push_back(static_cast<char>(sequence >> shift & 0xFF));
  }
  return key;
}

absl::StatusOr<uint64_t> SequenceOf(std::string_view key) {
  if (key.size() != kEntryPrefix.size() + sizeof(uint64_t)) {
    return absl::DataLossError("change log: a key of another length");
  }
  uint64_t sequence = 0;
  for (const char byte : key.substr(kEntryPrefix.size())) {
    sequence = sequence << 8 | static_cast<unsigned char>(byte);
  }
  return sequence;
}

using State = std::array<uint64_t, 4>;  // after, bytes, lineage, hash of these three

uint64_t HashOf(const State& state) {
  return Hash64({reinterpret_cast<const char*>(state.data()), 3 * sizeof(uint64_t)});
}

}  // namespace

absl::StatusOr<ChangeLog> ChangeLog::Read(const Database& database) {
  ChangeLog log;
  const auto bytes = database.Get(kStateKey);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return log;
  State state;
  if ((*bytes)->size() != sizeof(state)) {
    return absl::DataLossError("change log: state of another length");
  }
  std::memcpy(state.data(), (*bytes)->data(), sizeof(state));
  if (state[3] != HashOf(state)) {
    return absl::DataLossError("change log: the state's hash does not match");
  }
  log.after_ = state[0];
  log.bytes_ = state[1];
  log.lineage_ = state[2];
  return log;
}

void ChangeLog::PutState(leveldb::WriteBatch& out) const {
  State state = {*after_, bytes_, lineage_, 0};
  state[3] = HashOf(state);
  out.Put(ToSlice(kStateKey), {reinterpret_cast<const char*>(state.data()), sizeof(state)});
}

void ChangeLog::Begin(uint64_t sequence, leveldb::WriteBatch& out) {
  std::random_device random;
  after_ = sequence;
  bytes_ = 0;
  lineage_ = static_cast<uint64_t>(random()) << 32 | random();
  PutState(out);
}

absl::Status ChangeLog::Append(const Database& database, const BatchChanges& batch,
                               uint64_t max_bytes, leveldb::WriteBatch& out) {
  if (!after_) return absl::OkStatus();
  const std::string entry = EncodeBatchChanges(batch);
  if (bytes_ + entry.size() > max_bytes) {
    absl::Status dropped = Drop(database, batch.sequence, out);
    after_.reset();
    out.Delete(ToSlice(kStateKey));
    return dropped;
  }
  bytes_ += entry.size();
  out.Put(ToSlice(EntryKey(batch.sequence)), ToSlice(entry));
  PutState(out);
  return absl::OkStatus();
}

absl::Status ChangeLog::Trim(const Database& database, uint64_t sequence,
                             leveldb::WriteBatch& out) {
  if (!after_ || sequence <= *after_) return absl::OkStatus();
  if (absl::Status dropped = Drop(database, sequence, out); !dropped.ok()) return dropped;
  after_ = sequence;
  PutState(out);
  return absl::OkStatus();
}

absl::Status ChangeLog::Drop(const Database& database, uint64_t sequence,
                             leveldb::WriteBatch& out) {
  const std::string last = EntryKey(sequence);
  return database.Scan(kEntryPrefix, [&](std::string_view key, std::string_view value) {
    if (key > last) return false;
    bytes_ -= std::min<uint64_t>(bytes_, value.size());
    out.Delete(ToSlice(key));
    return true;
  });
}

absl::Status ScanChangeLog(const Database& database, uint64_t after,
                           const std::function<bool(const BatchChanges&)>& visit) {
  absl::Status damage;
  uint64_t expected = after + 1;
  const absl::Status scanned =
      database.Scan(kEntryPrefix, [&](std::string_view key, std::string_view value) {
        const absl::StatusOr<uint64_t> sequence = SequenceOf(key);
        if (sequence.ok() && *sequence < expected) return true;
        absl::StatusOr<BatchChanges> batch =
            sequence.ok() ? DecodeBatchChanges(*sequence, value) : sequence.status();
        if (batch.ok() && *sequence != expected) {
          const std::string gap =
              fmt::format("change log: batch {} follows batch {}", *sequence, expected - 1);
          // A missing first batch was trimmed, or the log ended, before this scan began.
          batch = expected == after + 1 ? absl::NotFoundError(gap) : absl::DataLossError(gap);
        }
        damage = batch.status();
        if (!damage.ok()) return false;
        ++expected;
        return visit(*batch);
      });
  return scanned.ok() ? damage : scanned;
}

}  // namespace emptor::catalog
