// The scan behind the port.
#include "retrieval/vector/flat_index.h"

namespace emptor::retrieval {

absl::StatusOr<VectorMatches> FlatIndex::Search(std::span<const float> query, size_t k,
                                                const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension()); !status.ok()) return status;
  return VectorMatches{.best = ScanExactly(rows_, query, k, allowed), .path = VectorPath::kExact};
}

}  // namespace emptor::retrieval
