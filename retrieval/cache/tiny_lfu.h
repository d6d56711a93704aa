// Which entries of a cache of bounded bytes stay: W-TinyLFU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "retrieval/cache/frequency_sketch.h"

namespace emptor::retrieval {

struct TinyLfuOptions {
  size_t max_bytes = 16u << 20;
  size_t usual_entry_bytes = 4096;  // sizes the sketch
  double window_share = 0.01;       // of the bytes, for what came last, whatever its frequency
  double protected_share = 0.8;     // of the rest, for what was used again
  uint64_t seed = 0;                // of the sketch
};

/// New entries enter a window of the latest. What leaves it is admitted to the main part only if it
/// was asked for more often than the entries that would have to go for it, taken together: so a
/// large entry must be worth several small ones. The main part is a segmented LRU list.
/// Sources: Einziger, Friedman, Manes 2017, arXiv:1512.00727; for entries of different size
/// Einziger, Eytan, Friedman, Manes 2021, arXiv:2105.08770 (aggregated victims).
/// It decides about keys; the owner holds the entries. Cost: constant time for each operation but
/// for evictions; about 100 bytes an entry, which do not count. Thread-safety: none.
/// Invariant: bytes() <= max_bytes.
class TinyLfu {
 public:
  explicit TinyLfu(const TinyLfuOptions& options);

  /// Counts a look-up, whether the key is held or not, and moves the key up.
  void Touch(uint64_t key);
  /// Adds an entry, or changes its size. Returns the keys that the owner must drop: others, or
  /// `key` itself, where it is too large or not worth it.
  std::vector<uint64_t> Insert(uint64_t key, size_t bytes);
  /// Forgets an entry. A key that is not held is ignored.
  void Erase(uint64_t key);

  bool Holds(uint64_t key) const { return entries_.contains(key); }
  size_t bytes() const { return window_.bytes + probation_.bytes + protected_.bytes; }
  size_t size() const { return entries_.size(); }
  size_t max_bytes() const { return max_bytes_; }

 private:
  struct Segment {
    std::list<uint64_t> keys;  // the latest used first
    size_t bytes = 0;
  };
  struct Entry {
    Segment* segment;
    std::list<uint64_t>::iterator place;
    size_t bytes;
  };

  void Move(Entry& entry, Segment& to);
  void DropLast(Segment& segment, std::vector<uint64_t>& dropped);
  void Admit(std::vector<uint64_t>& dropped);
  bool MakeRoomFor(uint64_t candidate, std::vector<uint64_t>& dropped);
  Segment& VictimSegment();

  const size_t max_bytes_, window_bytes_, protected_bytes_;
  FrequencySketch sketch_;
  Segment window_, probation_, protected_;
  std::unordered_map<uint64_t, Entry> entries_;
};

}  // namespace emptor::retrieval
