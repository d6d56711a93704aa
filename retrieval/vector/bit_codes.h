// One bit a number: tells which rows may be near a query, so that few are scored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/vector/bit_code_block.h"
#include "retrieval/vector/huge_page_allocator.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// The signs of the rows' numbers around their mean, after a fixed rotation that spreads what a few
/// numbers say over all of them, and the bound on what a product of such signs may miss: RaBitQ
/// (Gao, Long, SIGMOD 2024). A bit for each of `width` numbers (the dimension raised to a power of
/// two) and four bytes a row: an eighth of what the coarse plane's scan reads.
/// The rows that it passes hold the nearest with a chance that kMargin sets; all that scores as
/// high as a row that it passes over is found but for a few thousandths (docs/adr/0011).
/// Rows are named by place. Thread-safety: const methods from any thread.
class BitCodes {
 public:
  explicit BitCodes(const QuantizedRows& rows);

  /// A query, ready for a plane.
  struct Query {
    std::vector<uint8_t> tables;  // as BitCodeQuery wants them
    float step = 0, offset = 0;
    float at_mean = 0;  // product with the mean of the rows
    float length = 0;
  };
  /// `query` is [dimension] finite f32.
  Query Prepare(std::span<const float> query) const;

  /// Bit i: whether the row at place kBlockRows * block + i may score `least` or more. Bits beyond
  /// the last row mean nothing. REQUIRES: `query` is of this plane.
  uint32_t MayReach(const Query& query, size_t block, float least) const {
    const BitCodeQuery block_query{
        .tables = query.tables.data(),
        .groups = width_ / kGroupBits,
        .step = query.step,
        .offset = query.offset,
        .least = least - query.at_mean - kMargin * query.length * errors_[block]};
    return function_(&codes_[block * block_bytes()], block_query, &factors_[block * kBlockRows]);
  }

  size_t byte_size() const;  // in memory

 private:
  /// In standard errors of the product of signs.
  static constexpr float kMargin = 1.25f;

  size_t block_bytes() const { return width_ / kGroupBits * (kBlockRows / 2); }
  void AddRow(size_t place, std::span<float> row, float coarse_step);

  BitCodeBlockFunction function_ = SelectBitCodeBlock();
  size_t width_ = 0;
  std::vector<float> mean_;                                 // [dimension]
  std::vector<uint8_t, HugePageAllocator<uint8_t>> codes_;  // [blocks, block_bytes()]
  std::vector<float>
      factors_;  // [blocks * kBlockRows] of a product of signs, to make it one of rows
  std::vector<float> errors_;  // [blocks] the greatest standard error of a row, for a unit query
};

}  // namespace emptor::retrieval
