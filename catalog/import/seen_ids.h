// Products of which a feed speaks twice: of rows that share an id only the last one stands.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace emptor::catalog {

/// Remembers hashes: some 20 bytes an id, of the first four million. Thread-safety: one thread at a
/// time.
class SeenIds {
 public:
  /// The line of the row before that has this id; 0 where there is none.
  uint64_t See(std::string_view id, uint64_t line) {
    const uint64_t hash = std::hash<std::string_view>()(id);
    const auto found = lines_.find(hash);
    if (found == lines_.end()) {
      if (lines_.size() < kMost) lines_.emplace(hash, line);
      return 0;
    }
    const uint64_t before = found->second;
    found->second = line;
    return before;
  }
  /// A row took the product away: another one may come.
  void Forget(std::string_view id) { lines_.erase(std::hash<std::string_view>()(id)); }

 private:
  static constexpr size_t kMost = 4u << 20;

  absl::flat_hash_map<uint64_t, uint64_t> lines_;
};

}  // namespace emptor::catalog
