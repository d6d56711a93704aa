// 1-bit codes of rows: they select the few rows that are worth scoring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/vector/bit_code_block.h"
#include "retrieval/vector/huge_page_allocator.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// RaBitQ (Gao, Long, SIGMOD 2024): the signs of each row's values around the rows' centre, after a
/// fixed rotation that spreads the information evenly over all dimensions. The product of a query
/// with these signs estimates its product with the row, and the standard error is known.
///
/// A row takes one bit for each of `width` dimensions (the dimension rounded up to a power of two)
/// and four bytes, an eighth of what a scan of the int8 codes reads. A row is skipped when its
/// estimate lies more than kMargin standard errors below the bar, so a few thousandths of the rows
/// above the bar are missed (docs/adr/0011).
/// Thread-safety: const methods from any thread.
class BitCodes {
 public:
  /// Codes of all `rows`, around their mean.
  explicit BitCodes(const QuantizedRows& rows);

  /// Encodes the rows that were appended since, around the same centre. The bounds stay valid;
  /// they are tighter after a fresh start when many rows were appended.
  void Extend(const QuantizedRows& rows);

  /// Rows that the centre is the mean of.
  size_t centred_rows() const { return centred_rows_; }
  size_t byte_size() const;  // in memory

  /// A query, prepared for these codes.
  struct Query {
    std::vector<uint8_t> tables;  // of BitCodeQuery
    float step = 0, offset = 0;
    float at_centre = 0;  // product with the centre
    float length = 0;
  };
  /// `query` is [dimension] finite f32.
  Query Prepare(std::span<const float> query) const;

  /// Bit i: whether row kBlockRows * block + i may score `min_score` or more. Bits past the last
  /// row are undefined. REQUIRES: Prepare of these codes returned `query`.
  uint32_t MayReach(const Query& query, size_t block, float min_score) const {
    const BitCodeQuery block_query{
        .tables = query.tables.data(),
        .groups = width_ / kGroupBits,
        .step = query.step,
        .offset = query.offset,
        .min_score = min_score - query.at_centre - kMargin * query.length * errors_[block]};
    return function_(&codes_[block * block_bytes()], block_query, &factors_[block * kBlockRows]);
  }

 private:
  /// In standard errors of the estimate.
  static constexpr float kMargin = 1.25f;

  size_t block_bytes() const { return width_ / kGroupBits * (kBlockRows / 2); }
  void AddRow(size_t row, std::span<float> values, float coarse_step);

  BitCodeBlockFunction function_ = SelectBitCodeBlock();
  size_t width_ = 0;
  size_t rows_ = 0;
  size_t centred_rows_ = 0;
  std::vector<float> centre_;                               // [dimension]
  std::vector<uint8_t, HugePageAllocator<uint8_t>> codes_;  // [blocks, block_bytes()]
  std::vector<float> factors_;  // [blocks * kBlockRows] from a product of codes to one of rows
  std::vector<float> errors_;   // [blocks] the largest standard error of a row, for a unit query
};

}  // namespace emptor::retrieval
