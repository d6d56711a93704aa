// The port behind which vectors are searched: exactly, or through a FAISS structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/record_set.h"
#include "retrieval/top_k_queue.h"

namespace emptor::retrieval {

/// How a search was answered; metrics count each.
enum class VectorPath { kExact, kFaiss };

/// Best first by inner product.
struct VectorMatches {
  std::vector<ScoredRecord> best;
  VectorPath path = VectorPath::kExact;
};

/// Immutable set of vectors; a vector's position is its record's position in the segment.
/// Deletion is not its business: what is dead is left out of `allowed`.
/// Thread-safety: const methods from any thread.
class VectorIndex {
 public:
  virtual ~VectorIndex() = default;

  virtual int dimension() const = 0;
  virtual size_t size() const = 0;

  /// The stored vector, [dimension()] f32. REQUIRES: position < size().
  virtual std::span<const float> vector(uint32_t position) const = 0;

  /// The `k` greatest inner products among the allowed positions (all when `allowed` is null), or
  /// as many as there are. `query` is [dimension()] f32.
  /// Errors: kInvalidArgument (length, a value that is not finite, all zero), kInternal.
  virtual absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                               const RecordSet* allowed) const = 0;
};

/// OK, or kInvalidArgument as Search promises.
absl::Status ValidateQueryVector(std::span<const float> query, int dimension);

/// Scores every allowed position. Exact.
std::vector<ScoredRecord> ScanExactly(const VectorIndex& index, std::span<const float> query,
                                      size_t k, const RecordSet* allowed);

}  // namespace emptor::retrieval
