// The FAQ that a command works on: that of a running service, or of the data directory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_import.h"
#include "services/app/config.h"

namespace emptor::services {

/// An entry with what becomes of it.
struct ListedFaqEntry {
  catalog::FaqEntry entry;
  std::string status;               // "valid", "pending", "expired", "broken"
  std::vector<std::string> broken;  // references that cannot be filled
};

/// Two implementations: over HTTP, and in this process. Thread-safety: one thread.
class FaqTarget {
 public:
  virtual ~FaqTarget() = default;
  /// How entries are imported there. `dry_run`: says what would change.
  virtual catalog::FaqImportOptions ImportOptions(bool dry_run) = 0;
  /// Calls `visit` for every entry, in the order of ids, until it returns false.
  virtual absl::Status Visit(const std::function<bool(const ListedFaqEntry&)>& visit) = 0;
  /// The reply of POST /v1/faq/lookup.
  virtual absl::StatusOr<std::string> LookUp(const std::string& question,
                                             const std::string& locale) = 0;
  /// Errors: kNotFound, and of the store.
  virtual absl::Status Delete(const std::string& id) = 0;
  /// The reply of GET /v1/faq/suggestions.
  virtual absl::StatusOr<std::string> Suggestions(size_t limit) = 0;
  /// The reply of GET /v1/faq/changes, for what follows change number `after`.
  virtual absl::StatusOr<std::string> Changes(uint64_t after, size_t limit) = 0;
};

/// The service at `url`, or the one that holds the data directory; without one opens the shop of
/// the settings here. Errors: of OpenShop.
absl::StatusOr<std::unique_ptr<FaqTarget>> OpenFaqTarget(const std::string& url,
                                                         const Config& config);

}  // namespace emptor::services
