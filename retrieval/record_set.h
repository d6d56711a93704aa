// A set of records of one segment, such as the live ones or those that pass a filter.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emptor::retrieval {

/// Fixed-size bitmap over record positions 0..size()-1. Bit i lies in word i / 64 at i % 64, which
/// on a little-endian machine is also FAISS' byte order. Thread-safety: const methods.
class RecordSet {
 public:
  explicit RecordSet(size_t size, bool filled = false)
      : size_(size), words_((size + 63) / 64, filled ? ~uint64_t{0} : 0) {
    if (filled && size % 64 != 0) words_.back() = (uint64_t{1} << (size % 64)) - 1;
  }

  size_t size() const { return size_; }

  /// Number of members; linear in size() / 64.
  size_t count() const {
    size_t total = 0;
    for (const uint64_t word : words_) total += static_cast<size_t>(std::popcount(word));
    return total;
  }

  bool contains(uint32_t record) const {
    assert(record < size_);
    return (words_[record / 64] >> (record % 64)) & 1;
  }

  void Insert(uint32_t record) {
    assert(record < size_);
    words_[record / 64] |= uint64_t{1} << (record % 64);
  }

  /// REQUIRES: `records` ascend. Gathers the bits of a word before it writes them.
  void InsertAscending(std::span<const uint32_t> records) {
    if (records.empty()) return;
    assert(records.back() < size_);
    size_t word = records.front() / 64;
    uint64_t bits = 0;
    for (const uint32_t record : records) {
      if (record / 64 != word) {
        words_[word] |= bits;
        word = record / 64;
        bits = 0;
      }
      bits |= uint64_t{1} << (record % 64);
    }
    words_[word] |= bits;
  }

  void Erase(uint32_t record) {
    assert(record < size_);
    words_[record / 64] &= ~(uint64_t{1} << (record % 64));
  }

  /// Keeps the members of both. REQUIRES: equal sizes.
  void Intersect(const RecordSet& other) {
    assert(size_ == other.size_);
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  /// Drops the members of the other. REQUIRES: equal sizes.
  void Remove(const RecordSet& other) {
    assert(size_ == other.size_);
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  /// Calls `visit(record)` for each member in ascending order.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(word))));
      }
    }
  }

  /// Drops the members that `pass(record)` refuses.
  template <typename Pass>
  void KeepIf(Pass&& pass) {
    ForEach([&](uint32_t record) {
      if (!pass(record)) Erase(record);
    });
  }

  std::span<const uint64_t> words() const { return words_; }

 private:
  size_t size_;
  std::vector<uint64_t> words_;
};

}  // namespace emptor::retrieval
