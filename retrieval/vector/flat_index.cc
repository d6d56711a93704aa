// The scans behind the port.
#include "retrieval/vector/flat_index.h"

#include <utility>

namespace emptor::retrieval {

FlatIndex::FlatIndex(QuantizedRows rows, size_t signs_from) : rows_(std::move(rows)) {
  if (rows_.size() >= signs_from) signs_.emplace(rows_);
}

size_t FlatIndex::byte_size() const {
  return rows_.byte_size() + (signs_.has_value() ? signs_->byte_size() : 0);
}

absl::StatusOr<VectorMatches> FlatIndex::Search(std::span<const float> query, size_t k,
                                                const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension()); !status.ok()) return status;
  return VectorMatches{.best = signs_.has_value() ? ScanBySigns(rows_, *signs_, query, k, allowed)
                                                  : ScanExactly(rows_, query, k, allowed),
                       .path = VectorPath::kScan};
}

}  // namespace emptor::retrieval
