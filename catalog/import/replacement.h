// What a feed that stands for the whole catalog names, and what it leaves out.
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
  /// False while a row did not tell its id: then nobody knows what is left out.
  bool is_whole() const { return unnamed_ == 0; }

  /// Products of the store that the feed does not name. Errors: of the store.
  absl::StatusOr<std::vector<std::string>> FindLeftOut(const ProductStore& store) const;
  /// Whether so many of `before` products may go. Errors: kFailedPrecondition when a row did not
  /// tell its id, or when it is more than the share `shrink_limit` of them.
  absl::Status CheckRemoval(size_t left_out, uint64_t before, double shrink_limit) const;

 private:
  std::unordered_set<std::string> named_;
  uint64_t unnamed_ = 0;  // rows that do not tell their id
};

}  // namespace emptor::catalog
