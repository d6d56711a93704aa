// The matrix and its scan.
#include "retrieval/vector/flat_index.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace emptor::retrieval {

FlatIndex::FlatIndex(int dimension, std::vector<float> rows)
    : dimension_(dimension), rows_(std::move(rows)) {}

absl::StatusOr<std::unique_ptr<FlatIndex>> FlatIndex::Create(int dimension,
                                                             std::vector<float> rows) {
  if (dimension < 1 || rows.size() % static_cast<size_t>(dimension) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("flat index: rows: expected a multiple of the dimension {}, found {} values",
                    dimension, rows.size()));
  }
  return std::unique_ptr<FlatIndex>(new FlatIndex(dimension, std::move(rows)));
}

std::span<const float> FlatIndex::vector(uint32_t position) const {
  assert(position < size());
  const auto d = static_cast<size_t>(dimension_);
  return std::span(rows_).subspan(position * d, d);
}

absl::StatusOr<VectorMatches> FlatIndex::Search(std::span<const float> query, size_t k,
                                                const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension_); !status.ok()) return status;
  return VectorMatches{.best = ScanExactly(*this, query, k, allowed), .path = VectorPath::kExact};
}

}  // namespace emptor::retrieval
