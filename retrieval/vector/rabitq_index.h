// "RaBitQ1,Refine8": the default vector index, as FAISS knows indexes.
#pragma once

#include <faiss/Index.h>

#include <cstddef>
#include <optional>

#include "retrieval/record_set.h"
#include "retrieval/vector/bit_codes.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// A faiss::Index over inner products. A search scans 1-bit codes (BitCodes), scores the rows that
/// they select by int8 codes, and refines the best by two planes of int8 (QuantizedRows). With few
/// rows, or few that the selector keeps, it scores all of those.
///
/// Ids are positions 0..ntotal-1. As in faiss::IndexFlat, remove_ids moves later rows up, and
/// add_with_ids needs a faiss::IndexIDMap around the index. It needs no training. Equal scores rank
/// by id. A selector may be of any kind; RecordSelector is the fast one.
/// Functions throw faiss::FaissException, e.g. for values that are not finite.
/// Thread-safety: const methods from any thread. A search of one query stays on the caller's
/// thread.
class RaBitQIndex final : public faiss::Index {
 public:
  /// Fewer rows are scored faster than their codes are read.
  static constexpr size_t kCodesFrom = 4096;

  explicit RaBitQIndex(int dimension, size_t codes_from = kCodesFrom);
  /// Of rows that are quantised already.
  explicit RaBitQIndex(QuantizedRows rows, size_t codes_from = kCodesFrom);

  const QuantizedRows& rows() const { return rows_; }
  size_t byte_size() const;  // in memory

  void add(idx_t n, const float* x) override;
  void search(idx_t n, const float* x, idx_t k, float* distances, idx_t* labels,
              const faiss::SearchParameters* params = nullptr) const override;
  /// Exact: scores every selected row. Finds those with a product greater than `radius`.
  void range_search(idx_t n, const float* x, float radius, faiss::RangeSearchResult* result,
                    const faiss::SearchParameters* params = nullptr) const override;
  void reset() override;
  size_t remove_ids(const faiss::IDSelector& selector) override;
  void reconstruct(idx_t key, float* recons) const override;

 private:
  void UpdateCodes();
  void SearchOne(const float* x, size_t k, const RecordSet* selected, float* distances,
                 idx_t* labels) const;

  QuantizedRows rows_;
  size_t codes_from_;
  std::optional<BitCodes> codes_;  // of rows_; none while they are few
};

}  // namespace emptor::retrieval
