// Tracks which products a feed that replaces the catalog names and leaves out.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product_store.h"

namespace emptor::catalog {

/// Thread-safety: one thread at a time.
class Replacement {
 public:
  void Name(std::string id) { named_.insert(std::move(id)); }
  void CountUnnamed() { ++unnamed_; }

  bool names(const std::string& id) const { return named_.contains(id); }
  /// False when a row had no id: then the products that are left out are unknown.
  bool is_whole() const { return unnamed_ == 0; }

  /// Products of the store that the feed does not name. Errors: of the store.
  absl::StatusOr<std::vector<std::string>> FindLeftOut(const ProductStore& store) const;
  /// Whether that many of `before` products may be removed. Errors: kFailedPrecondition when a row
  /// had no id, or for more than the share `shrink_limit`.
  absl::Status CheckRemoval(size_t left_out, uint64_t before, double shrink_limit) const;

 private:
  std::unordered_set<std::string> named_;
  uint64_t unnamed_ = 0;  // rows without an id
};

}  // namespace emptor::catalog
