// Exact vector search over a plain matrix: fresh segments, small shops, and the oracle of FAISS.
#pragma once

#include <memory>
#include <vector>

#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

class FlatIndex final : public VectorIndex {
 public:
  /// Takes `rows`, [size, dimension] f32, row-major.
  /// Errors: kInvalidArgument (dimension < 1, or rows are no multiple of it).
  static absl::StatusOr<std::unique_ptr<FlatIndex>> Create(int dimension, std::vector<float> rows);

  int dimension() const override { return dimension_; }
  size_t size() const override { return rows_.size() / static_cast<size_t>(dimension_); }
  std::span<const float> vector(uint32_t position) const override;
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const override;

 private:
  FlatIndex(int dimension, std::vector<float> rows);

  int dimension_;
  std::vector<float> rows_;
};

}  // namespace emptor::retrieval
