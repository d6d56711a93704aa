// A set of changes that is applied atomically.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::catalog {

/// Changes that are applied together or not at all. The last change of a key wins.
/// REQUIRES: keys are not empty and do not begin with a zero byte (those are the store's own).
class RecordBatch {
 public:
  struct Change {
    std::string key;
    std::optional<std::string> value;  // nothing: delete
  };

  void Put(std::string key, std::string value);
  void Delete(std::string key);
  const std::vector<Change>& changes() const { return changes_; }
  bool empty() const { return changes_.empty(); }

 private:
  std::vector<Change> changes_;
};

/// What an acknowledged batch did. Only the last change of each key is kept.
struct BatchChanges {
  uint64_t sequence = 0;
  int64_t time_unix_ms = 0;  // when it was written, by the system's clock
  std::vector<RecordBatch::Change> changes;
};

/// Time and changes, followed by a hash that covers the sequence. Format: docs/formats/backup.md.
std::string EncodeBatchChanges(const BatchChanges& batch);
/// Errors: kDataLoss.
absl::StatusOr<BatchChanges> DecodeBatchChanges(uint64_t sequence, std::string_view bytes);

}  // namespace emptor::catalog
