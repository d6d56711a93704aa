// Vectors as integers: a coarse plane that is scanned, a fine plane that settles the order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/vector/huge_page_allocator.h"

namespace emptor::retrieval {

/// A query in the same two planes.
struct QuantizedQuery {
  /// REQUIRES: finite values.
  explicit QuantizedQuery(std::span<const float> query);

  std::vector<int8_t> coarse;  // [dimension]
  std::vector<int8_t> fine;    // [dimension]
  float scale = 0;
  int32_t coarse_sum = 0;  // of the codes: takes the rows' raised zero out of a product
  int32_t fine_sum = 0;
};

/// Rows of `dimension` numbers, 2 * dimension + 4 bytes each:
///   x[j] = scale * (coarse[j] + fine[j] / 256), coarse -127..127, fine -128..127,
///   scale = max |x| / 127.
/// An inner product of coarse planes is off by about scale / sqrt(6) a number (two roundings); of
/// both planes by a 256th of that, which is finer than what embeddings mean.
/// A row's bytes depend on its numbers alone, so merging copies rows and loses nothing.
///
/// Rows are named by position, the order in which they were added; Arrange lays them in another
/// order in memory. Thread-safety: const methods from any thread.
class QuantizedRows {
 public:
  explicit QuantizedRows(int dimension) : dimension_(static_cast<size_t>(dimension)) {}

  int dimension() const { return static_cast<int>(dimension_); }
  size_t size() const { return scales_.size(); }

  void Reserve(size_t rows);
  /// REQUIRES: dimension() finite values; nothing was arranged.
  void Add(std::span<const float> vector);
  /// Copies a row. REQUIRES: equal dimensions; nothing was arranged here.
  void AddFrom(const QuantizedRows& other, uint32_t position);
  /// Takes a row as coarse_at, fine_at and scale_at tell it. REQUIRES: as Add.
  void AddCodes(float scale, std::span<const uint8_t> coarse, std::span<const uint8_t> fine);

  /// Lays the row of position order[i] at place i. REQUIRES: a permutation; called once at most.
  void Arrange(std::vector<uint32_t> order);

  /// Whether positions are places.
  bool in_order() const { return order_.empty(); }
  size_t place_of(uint32_t position) const {
    return places_.empty() ? position : places_[position];
  }
  uint32_t position_at(size_t place) const {
    return order_.empty() ? static_cast<uint32_t>(place) : order_[place];
  }

  /// [dimension()] codes raised by kCodeZero; those of the next place follow.
  const uint8_t* coarse_at(size_t place) const { return &coarse_[place * dimension_]; }
  const uint8_t* fine_at(size_t place) const { return &fine_[place * dimension_]; }
  float scale_at(size_t place) const { return scales_[place]; }
  std::span<const float> scales() const { return scales_; }  // by place

  /// Begins to bring a row's coarse codes into the cache.
  void PrefetchCoarse(size_t place) const {
    constexpr size_t kLine = 64;
    for (size_t i = 0; i < dimension_; i += kLine) __builtin_prefetch(coarse_at(place) + i);
  }
  /// Inner products by the coarse planes of `count` rows from `place` on; out [count].
  void ScoreCoarselyInto(const QuantizedQuery& query, size_t place, size_t count, float* out) const;
  /// The inner product by both planes.
  float Score(const QuantizedQuery& query, uint32_t position) const;

  /// The row's numbers; out [dimension()].
  void DecodeInto(uint32_t position, std::span<float> out) const;

  size_t byte_size() const;  // in memory

 private:
  size_t dimension_;
  std::vector<uint8_t, HugePageAllocator<uint8_t>> coarse_;  // [size, dimension]
  std::vector<uint8_t> fine_;                                // [size, dimension]
  std::vector<float> scales_;                                // [size]
  std::vector<uint32_t> places_;  // [size] of each position; empty: positions are places
  std::vector<uint32_t> order_;   // [size] position at each place; empty as above
};

}  // namespace emptor::retrieval
