// Inside of FaissIndex: the two ways in which FAISS finds the rows near a query. The rows lie in
// QuantizedRows; FAISS keeps the structure over them and calls our integer products.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "retrieval/record_set.h"
#include "retrieval/top_k_queue.h"
#include "retrieval/vector/bit_codes.h"
#include "retrieval/vector/faiss_index.h"
#include "retrieval/vector/index_file.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// Functions may throw what FAISS throws. Thread-safety: const methods from any thread.
/// Lifetime: the rows outlive it and stay where they are.
class FaissStructure {
 public:
  explicit FaissStructure(const QuantizedRows& rows) : codes_(rows) {}
  virtual ~FaissStructure() = default;

  const BitCodes& signs() const { return codes_; }
  virtual IndexKind kind() const = 0;
  virtual size_t byte_size() const = 0;  // in memory, without rows and signs

  /// Up to `k` positions by their coarse scores, in any order. `allowed` null: every row; else
  /// `share` is its part of them, which widens the search. `query` is [dimension] f32.
  virtual std::vector<ScoredRecord> Search(std::span<const float> query, size_t k,
                                           const RecordSet* allowed, double share) const = 0;

  /// Writes the structure, without the rows. Errors: those of the sink.
  virtual absl::Status Write(const PayloadSink& sink) const = 0;

 private:
  BitCodes codes_;
};

using FaissStructurePointer = std::unique_ptr<const FaissStructure>;

/// Inverted lists: clusters the rows and arranges them list by list, so that a list is one stretch
/// of memory. Errors: kCancelled.
absl::StatusOr<FaissStructurePointer> TrainLists(QuantizedRows& rows, const FaissOptions& options,
                                                 const std::stop_token& stop);
/// What Write wrote. Errors: kDataLoss (says what is wrong).
absl::StatusOr<FaissStructurePointer> ReadLists(QuantizedRows& rows, const FaissOptions& options,
                                                IndexFileReader& file);

/// A graph of near neighbours (HNSW), with the rows as they are. Errors alike.
absl::StatusOr<FaissStructurePointer> TrainGraph(const QuantizedRows& rows,
                                                 const FaissOptions& options,
                                                 const std::stop_token& stop);
absl::StatusOr<FaissStructurePointer> ReadGraph(const QuantizedRows& rows,
                                                const FaissOptions& options, IndexFileReader& file);

}  // namespace emptor::retrieval
