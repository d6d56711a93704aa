// Changes of records that belong together.
#include "catalog/storage/record_batch.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "catalog/encoding/hash64.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

// Keys with this prefix are reserved for the store.
[[maybe_unused]] bool IsFree(const std::string& key) { return !key.empty() && key[0] != '\0'; }

void AppendFixed(uint64_t value, std::string& out) {
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  out.append(bytes, sizeof(value));
}

void AppendText(std::string_view text, std::string& out) {
  AppendFixed(text.size(), out);
  out += text;
}

// Reads fields from the front. After one that is cut short, every read fails.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}

  uint64_t Fixed() {
    uint64_t value = 0;
    if (!Has(sizeof(value))) return 0;
    std::memcpy(&value, left_.data(), sizeof(value));
    left_.remove_prefix(sizeof(value));
    return value;
  }
  std::string Text() {
    const uint64_t size = Fixed();
    if (!Has(size)) return {};
    std::string text(left_.substr(0, size));
    left_.remove_prefix(size);
    return text;
  }
  bool at_end() const { return !cut_ && left_.empty(); }
  bool cut() const { return cut_; }

 private:
  bool Has(uint64_t size) {
    cut_ = cut_ || size > left_.size();
    return !cut_;
  }

  std::string_view left_;
  bool cut_ = false;
};

}  // namespace

void RecordBatch::Put(std::string key, std::string value) {
  assert(IsFree(key));
  changes_.push_back({std::move(key), std::move(value)});
}

void RecordBatch::Delete(std::string key) {
  assert(IsFree(key));
  changes_.push_back({std::move(key), std::nullopt});
}

std::string EncodeBatchChanges(const BatchChanges& batch) {
  std::string out;
  AppendFixed(static_cast<uint64_t>(batch.time_unix_ms), out);
  for (const RecordBatch::Change& change : batch.changes) {
    AppendText(change.key, out);
    AppendFixed(change.value ? 1 : 0, out);
    if (change.value) AppendText(*change.value, out);
  }
  AppendFixed(Hash64(out, batch.sequence), out);
  return out;
}

absl::StatusOr<BatchChanges> DecodeBatchChanges(uint64_t sequence, std::string_view bytes) {
  const auto damaged = [&](std::string_view what) {
    return absl::DataLossError(fmt::format("batch {}: {}", sequence, what));
  };
  if (bytes.size() < 2 * sizeof(uint64_t)) return damaged("cut short");
  const std::string_view covered = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (FieldReader(bytes.substr(covered.size())).Fixed() != Hash64(covered, sequence)) {
    return damaged("its hash does not match");
  }
  FieldReader reader(covered);
  BatchChanges batch;
  batch.sequence = sequence;
  batch.time_unix_ms = static_cast<int64_t>(reader.Fixed());
  while (!reader.at_end() && !reader.cut()) {
    RecordBatch::Change change;
    change.key = reader.Text();
    if (reader.Fixed() != 0) change.value = reader.Text();
    batch.changes.push_back(std::move(change));
  }
  if (reader.cut()) return damaged("a field is cut short");
  return batch;
}

}  // namespace emptor::catalog
