// Filling of the merge table.
#include "engine/tokenizer/merge_table.h"

#include <bit>
#include <utility>

namespace emptor::engine {

void MergeTable::Resize(size_t size) {
  const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(size));
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
  used_ = 0;
  for (const Entry& entry : old) {
    if (entry.key == kEmpty) continue;
    size_t at = Slot(entry.key);
    while (entries_[at].key != kEmpty) at = (at + 1) & mask_;
    entries_[at] = entry;
    ++used_;
  }
}

void MergeTable::Reserve(size_t merges) { Resize(std::bit_ceil(merges * 2 + 2)); }

void MergeTable::Insert(TokenId left, TokenId right, Merge merge) {
  const uint64_t key = Key(left, right);
  size_t at = Slot(key);
  while (entries_[at].key != kEmpty) {
    if (entries_[at].key == key) return;
    at = (at + 1) & mask_;
  }
  entries_[at] = {key, merge};
  if (++used_ * 2 > entries_.size()) Resize(entries_.size() * 2);
}

}  // namespace emptor::engine
