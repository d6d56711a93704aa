// Counts what was found in imported texts, over all shops, for the metrics.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::services {

/// Thread-safety: every method from any thread.
class TextCounters {
 public:
  struct Count {
    std::vector<std::pair<std::string, std::string>> labels;
    uint64_t value = 0;
  };

  /// A screened record, and what was found in it.
  void CountScreened(catalog::ScreenPolicy policy, std::span<const catalog::TextWarning> found);
  /// A file that was refused as a document (catalog::DocumentRefusalOf).
  void CountRefusedDocument(const absl::Status& status);

  std::vector<Count> records() const;   // by policy and result: clean, flagged, quarantined
  std::vector<Count> findings() const;  // by policy and rule
  std::vector<Count> refused_documents() const;  // by reason

 private:
  using Counts = std::map<std::vector<std::pair<std::string, std::string>>, uint64_t>;
  std::vector<Count> Copy(const Counts& counts) const;

  mutable std::mutex mutex_;
  Counts records_, findings_, refused_;  // guarded by mutex_
};

}  // namespace emptor::services
