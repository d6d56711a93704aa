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
#include "retrieval/vector/bit_codes.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// How a search was answered; metrics count each.
enum class VectorPath { kScan, kFaiss };

/// Best first by inner product of the quantised vectors, both planes.
struct VectorMatches {
  std::vector<ScoredRecord> best;
  VectorPath path = VectorPath::kScan;
};

/// Immutable set of vectors; a vector's position is its record's position in the segment.
/// Deletion is not its business: what is dead is left out of `allowed`.
/// Thread-safety: const methods from any thread.
class VectorIndex {
 public:
  virtual ~VectorIndex() = default;

  /// The vectors, by position.
  virtual const QuantizedRows& rows() const = 0;

  int dimension() const { return rows().dimension(); }
  size_t size() const { return rows().size(); }
  /// In memory, rows and all.
  virtual size_t byte_size() const { return rows().byte_size(); }

  /// The `k` greatest inner products among the allowed positions (all when `allowed` is null), or
  /// as many as there are. `query` is [dimension()] f32.
  /// Errors: kInvalidArgument (length, a value that is not finite, all zero), kInternal.
  virtual absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                               const RecordSet* allowed) const = 0;
};

/// OK, or kInvalidArgument as Search promises.
absl::Status ValidateQueryVector(std::span<const float> query, int dimension);

/// How many of the best by coarse scores are scored finely so that the best `k` are among them. On
/// a million real titles k + 16 missed none of 100 queries' exact ten or two hundred nearest.
size_t ShortlistSize(size_t k);

/// The best `k` of `found`, scored by both planes.
std::vector<ScoredRecord> RankFinely(const QuantizedRows& rows, std::span<const float> query,
                                     size_t k, std::vector<ScoredRecord> found);

/// Scores every allowed position coarsely and the shortlist finely. The oracle of all others.
std::vector<ScoredRecord> ScanExactly(const QuantizedRows& rows, std::span<const float> query,
                                      size_t k, const RecordSet* allowed);

/// The same, but of many rows scores only those whose signs pass, a twentieth of them or fewer.
/// Never finds fewer. REQUIRES: `signs` were made from `rows` as they lie.
std::vector<ScoredRecord> ScanBitCodes(const QuantizedRows& rows, const BitCodes& signs,
                                       std::span<const float> query, size_t k,
                                       const RecordSet* allowed);

}  // namespace emptor::retrieval
