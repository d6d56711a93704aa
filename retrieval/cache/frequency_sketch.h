// How often keys were seen lately, approximately and in a few bytes a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emptor::retrieval {

/// Count-min sketch of 4-bit counters that are halved after each sample, so that what was frequent
/// long ago is forgotten. Source: Einziger, Friedman, Manes 2017, "TinyLFU", arXiv:1512.00727.
/// Cost: 8 bytes a key; constant time. Thread-safety: none.
class FrequencySketch {
 public:
  static constexpr int kMaxCount = 15;

  /// For about this many keys that matter; `seed` keeps others from choosing keys that collide.
  FrequencySketch(size_t keys, uint64_t seed);

  void Add(uint64_t key);
  /// 0 to kMaxCount; never less than the additions since the last halving, up to collisions and
  /// kMaxCount.
  int Count(uint64_t key) const;
  size_t bytes() const { return words_.size() * sizeof(uint64_t); }

 private:
  static constexpr int kRows = 4;
  static constexpr size_t kSamplesPerKey = 10;

  struct Place {
    size_t word;
    int shift;
  };
  Place PlaceOf(uint64_t hash, int row) const;
  uint64_t HashOf(uint64_t key) const;
  void Halve();

  const uint64_t seed_;
  std::vector<uint64_t> words_;  // 16 counters each; a power of two of them
  size_t added_ = 0;
};

}  // namespace emptor::retrieval
