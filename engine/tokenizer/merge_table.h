// The merges of token pairs, with results and ranks.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Open-addressing hash table from a pair of tokens to its merge, at most half full; a look-up is
/// one or two cache lines. Thread-safety: immutable after the last Insert.
class MergeTable {
 public:
  static constexpr uint32_t kNoMerge = std::numeric_limits<uint32_t>::max();
  struct Merge {
    uint32_t rank = kNoMerge;  // lower merges first
    TokenId result = -1;
  };

  /// Room for `merges` pairs; the table grows when there are more. REQUIRES: it is empty.
  void Reserve(size_t merges);
  /// The first rank of a pair counts; later ones are ignored.
  void Insert(TokenId left, TokenId right, Merge merge);

  Merge Find(TokenId left, TokenId right) const {
    const uint64_t key = Key(left, right);
    for (size_t at = Slot(key);; at = (at + 1) & mask_) {
      const Entry& entry = entries_[at];
      if (entry.key == key) return entry.merge;
      if (entry.key == kEmpty) return {};
    }
  }

 private:
  static constexpr uint64_t kEmpty = std::numeric_limits<uint64_t>::max();
  struct Entry {
    uint64_t key = kEmpty;
    Merge merge;
  };

  static uint64_t Key(TokenId left, TokenId right) {
    return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  }
  /// The top bits of the product: those that every bit of the key reaches.
  size_t Slot(uint64_t key) const { return key * 0x9e3779b97f4a7c15u >> shift_; }

  void Resize(size_t size);

  std::vector<Entry> entries_ = std::vector<Entry>(2);
  size_t mask_ = 1;
  int shift_ = 63;  // 64 - log2 of the size
  size_t used_ = 0;
};

}  // namespace emptor::engine
