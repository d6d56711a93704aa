// Filling of the merge table.
#include "engine/tokenizer/merge_table.h"

#include <bit>

namespace emptor::engine {

void MergeTable::Reserve(size_t merges) {
  const size_t size = std::bit_ceil(merges * 2 + 2);
  entries_.assign(size, Entry{});
  mask_ = size - 1;
}

void MergeTable::Insert(TokenId left, TokenId right, Merge merge) {
  const uint64_t key = Key(left, right);
  size_t at = Slot(key);
  while (entries_[at].key != kEmpty) {
    if (entries_[at].key == key) return;
    at = (at + 1) & mask_;
  }
  entries_[at] = {key, merge};
}

}  // namespace emptor::engine
