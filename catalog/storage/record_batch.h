// Changes of records that belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::catalog {

/// Changes that are applied together or not at all. Of several changes to one key the last counts.
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

/// What an acknowledged batch did. Of several changes to one key only the last is there.
struct BatchChanges {
  uint64_t sequence = 0;
  int64_t time_unix_ms = 0;  // when it was written, by the system's clock
  std::vector<RecordBatch::Change> changes;
};

/// Time and changes, closed by a hash that covers the sequence; docs/formats/backup.md draws them.
std::string EncodeBatchChanges(const BatchChanges& batch);
/// Errors: kDataLoss.
absl::StatusOr<BatchChanges> DecodeBatchChanges(uint64_t sequence, std::string_view bytes);

}  // namespace emptor::catalog
