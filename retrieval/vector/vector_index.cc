// What all implementations share: the check of the query and the exact scan.
#include "retrieval/vector/vector_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "retrieval/vector/dot_product.h"

namespace emptor::retrieval {

absl::Status ValidateQueryVector(std::span<const float> query, int dimension) {
  if (query.size() != static_cast<size_t>(dimension)) {
    return absl::InvalidArgumentError(
        fmt::format("vector search: query: expected {} values, found {}", dimension, query.size()));
  }
  if (!std::all_of(query.begin(), query.end(), [](float x) { return std::isfinite(x); })) {
    return absl::InvalidArgumentError(
        "vector search: query: expected finite values, found infinity or NaN");
  }
  if (std::all_of(query.begin(), query.end(), [](float x) { return x == 0.0f; })) {
    return absl::InvalidArgumentError("vector search: query: expected a direction, found zeros");
  }
  return absl::OkStatus();
}

std::vector<ScoredRecord> ScanExactly(const VectorIndex& index, std::span<const float> query,
                                      size_t k, const RecordSet* allowed) {
  const DotProductFunction dot = SelectDotProduct();
  TopKQueue queue(k);
  const auto score = [&](uint32_t position) {
    queue.Push({position, dot(query.data(), index.vector(position).data(), query.size())});
  };
  if (allowed != nullptr) {
    allowed->ForEach(score);
  } else {
    for (uint32_t position = 0; position < index.size(); ++position) score(position);
  }
  return queue.TakeSorted();
}

}  // namespace emptor::retrieval
