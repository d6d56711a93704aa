// Vectors as integers: a coarse plane for scans and a fine plane for the final order.
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
  int32_t coarse_sum = 0;  // of the codes: corrects a product for the rows' kCodeZero
  int32_t fine_sum = 0;
};

/// Rows of `dimension` values, 2 * dimension + 4 bytes each:
///   x[j] = scale * (coarse[j] + fine[j] / 256), coarse -127..127, fine -128..127,
///   scale = max |x| / 127.
/// Two roundings make an inner product of coarse planes wrong by about scale / sqrt(6) a value.
/// With both planes the error is 256 times smaller, less than embeddings can tell apart. A row's
/// bytes depend on its values alone, so merging copies rows and loses nothing.
///
/// A row's number is its position, in the order of adding.
/// Thread-safety: const methods from any thread.
class QuantizedRows {
 public:
  explicit QuantizedRows(int dimension) : dimension_(static_cast<size_t>(dimension)) {}

  int dimension() const { return static_cast<int>(dimension_); }
  size_t size() const { return scales_.size(); }

  void Reserve(size_t rows);
  /// REQUIRES: dimension() finite values.
  void Add(std::span<const float> vector);
  /// Copies a row. REQUIRES: equal dimensions.
  void AddFrom(const QuantizedRows& other, size_t row);
  /// Appends a row given as coarse_at, fine_at and scale_at return it.
  void AddCodes(float scale, std::span<const uint8_t> coarse, std::span<const uint8_t> fine);

  /// [dimension()] codes plus kCodeZero; the next row's follow.
  const uint8_t* coarse_at(size_t row) const { return &coarse_[row * dimension_]; }
  const uint8_t* fine_at(size_t row) const { return &fine_[row * dimension_]; }
  float scale_at(size_t row) const { return scales_[row]; }
  std::span<const float> scales() const { return scales_; }

  /// Starts to load a row's coarse codes into the cache.
  void PrefetchCoarse(size_t row) const {
    constexpr size_t kLine = 64;
    for (size_t i = 0; i < dimension_; i += kLine) __builtin_prefetch(coarse_at(row) + i);
  }
  /// Inner products by the coarse planes of `count` rows from `row` on; out [count].
  void ScoreCoarselyInto(const QuantizedQuery& query, size_t row, size_t count, float* out) const;
  /// The inner product by both planes.
  float Score(const QuantizedQuery& query, size_t row) const;

  /// The row's values; out [dimension()].
  void DecodeInto(size_t row, std::span<float> out) const;

  size_t byte_size() const;  // in memory

 private:
  size_t dimension_;
  std::vector<uint8_t, HugePageAllocator<uint8_t>> coarse_;  // [size, dimension]
  std::vector<uint8_t> fine_;                                // [size, dimension]
  std::vector<float> scales_;                                // [size]
};

}  // namespace emptor::retrieval
