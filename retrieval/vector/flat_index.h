// Vector search by scanning every row: fresh segments, small shops, and the oracle of FAISS.
#pragma once

#include <utility>

#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

class FlatIndex final : public VectorIndex {
 public:
  explicit FlatIndex(QuantizedRows rows) : rows_(std::move(rows)) {}

  const QuantizedRows& rows() const override { return rows_; }
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const override;

 private:
  QuantizedRows rows_;
};

}  // namespace emptor::retrieval
