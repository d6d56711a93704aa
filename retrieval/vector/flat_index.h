// Vector search by scanning: fresh segments, and every shop below some millions of vectors.
#pragma once

#include <cstddef>
#include <optional>

#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

/// Scores every row while they are few; else looks at their signs first (BitCodes).
class FlatIndex final : public VectorIndex {
 public:
  /// Rows that are scored faster than their signs are looked at.
  static constexpr size_t kCodesFrom = 4096;

  explicit FlatIndex(QuantizedRows rows, size_t codes_from = kCodesFrom);

  const QuantizedRows& rows() const override { return rows_; }
  size_t byte_size() const override;
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const override;

 private:
  QuantizedRows rows_;
  std::optional<BitCodes> codes_;
};

}  // namespace emptor::retrieval
