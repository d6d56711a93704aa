// Where the end of a text occurred before.
#pragma once

#include <cstdint>
#include <span>

#include "absl/container/flat_hash_map.h"

namespace emptor::engine {

/// Finds an earlier occurrence of the last tokens of a growing text: the latest one of its last
/// four, three or two tokens, and from then on the same place for as long as the text goes on as it
/// did there. Keeps positions, not tokens.
/// Cost: three hash insertions for each token of the text; a look-up is three of a hash table.
/// Thread-safety: one user at a time.
/// Source of the idea: Saxena 2023, prompt look-up decoding; the map of the latest positions is
/// that of Lempel-Ziv compressors.
class NgramIndex {
 public:
  static constexpr int kMinTokens = 2;   // of a match
  static constexpr int kMaxTokens = 4;   // that are hashed; longer matches are found by these
  static constexpr int kMaxLength = 32;  // to which a match is measured

  struct Match {
    int length = 0;   // tokens that are the same, 2 to kMaxLength; 0: no match
    size_t next = 0;  // the position after the earlier occurrence
  };

  /// The match of the text's end. REQUIRES: the tokens begin with those of the last call.
  Match Find(std::span<const int32_t> tokens);

 private:
  void Insert(std::span<const int32_t> tokens);
  Match Continued(std::span<const int32_t> tokens) const;
  Match LookUp(std::span<const int32_t> tokens) const;

  absl::flat_hash_map<uint64_t, uint32_t> ends_;  // hash of a few tokens: the position after them
  size_t inserted_ = 0;                           // tokens whose n-grams are in ends_
  size_t seen_ = 0;                               // tokens of the last call
  Match last_;
};

}  // namespace emptor::engine
