// The scans behind the port.
#include "retrieval/vector/flat_index.h"

#include <utility>

namespace emptor::retrieval {

FlatIndex::FlatIndex(QuantizedRows rows, size_t codes_from) : rows_(std::move(rows)) {
  if (rows_.size() >= codes_from) codes_.emplace(rows_);
}

size_t FlatIndex::byte_size() const {
  return rows_.byte_size() + (codes_.has_value() ? codes_->byte_size() : 0);
}

absl::StatusOr<VectorMatches> FlatIndex::Search(std::span<const float> query, size_t k,
                                                const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension()); !status.ok()) return status;
  return VectorMatches{.best = codes_.has_value() ? ScanBitCodes(rows_, *codes_, query, k, allowed)
                                                  : ScanExactly(rows_, query, k, allowed),
                       .path = VectorPath::kScan};
}

}  // namespace emptor::retrieval
