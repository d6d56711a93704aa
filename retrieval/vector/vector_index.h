// The vectors of a segment and the faiss::Index that searches them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/record_set.h"
#include "retrieval/top_k_queue.h"
#include "retrieval/vector/index_file.h"
#include "retrieval/vector/quantized_rows.h"
#include "retrieval/vector/vector_index_spec.h"

namespace faiss {
struct Index;
}

namespace emptor::retrieval {

class RaBitQIndex;

/// How a search was answered; metrics count each.
enum class VectorPath {
  kFaiss,  // by the segment's faiss::Index
  kScan,   // by an exact scan in its place: few rows were allowed, or the index found too few
};

/// Best first by inner product of the quantised vectors, both planes.
struct VectorMatches {
  std::vector<ScoredRecord> best;
  VectorPath path = VectorPath::kFaiss;
};

struct VectorIndexOptions {
  VectorIndexSpec spec;
  /// Share of the inverted lists that every search probes, at least. Short queries lie far from the
  /// records' clusters (docs/adr/0005).
  double probed_share = 0.75;
  /// Rows that a search of an HNSW graph keeps in hand.
  size_t ef_search = 512;
  /// With inverted lists or a graph, a filter that keeps a smaller share is answered by an exact
  /// scan of what it keeps.
  double scan_below = 0.10;
  int training_threads = 0;  // 0: one per core. A search runs on the caller's thread alone
};

/// A faiss::Index over quantised rows. Positions are ids. It searches with the allowed set as the
/// index's selector, widens the search as that set narrows, and refines what an index other than
/// RaBitQIndex returns by the rows. When the index returns fewer than exist, an exact scan answers.
/// Vectors of length 1 are expected; zero vectors are allowed and never near. Deletion is left to
/// the caller: deleted records are not in `allowed`.
/// Thread-safety: const methods from any thread.
class VectorIndex {
 public:
  /// Searched through kDefaultVectorIndex, which needs no training.
  explicit VectorIndex(QuantizedRows rows);

  /// Trains and fills an index of options.spec; of kDefaultVectorIndex where there are fewer than
  /// spec.min_rows() rows. Errors: kCancelled (`stop`), kInternal (FAISS).
  static absl::StatusOr<std::unique_ptr<VectorIndex>> Build(QuantizedRows rows,
                                                            const VectorIndexOptions& options,
                                                            const std::stop_token& stop = {});

  /// Reads the index over `rows` from a file. Errors: those of IndexFileReader::Open, and kDataLoss
  /// when the payload is no sound index of so many rows. On an error `rows` keeps its rows.
  /// REQUIRES: rows.size() == expected.count, options.spec.is_kept().
  static absl::StatusOr<std::unique_ptr<VectorIndex>> Load(const std::string& path,
                                                           const IndexFileKey& expected,
                                                           QuantizedRows& rows,
                                                           const VectorIndexOptions& options);

  /// Writes the index; the rows are not in the file. Errors: those of WriteIndexFile, kInternal
  /// (FAISS). REQUIRES: is_kept(); `key` describes this index.
  absl::Status Save(const std::string& path, const IndexFileKey& key) const;

  ~VectorIndex();
  VectorIndex(const VectorIndex&) = delete;
  VectorIndex& operator=(const VectorIndex&) = delete;

  /// The vectors, by position.
  const QuantizedRows& rows() const { return *rows_; }
  int dimension() const { return rows_->dimension(); }
  size_t size() const { return rows_->size(); }
  size_t byte_size() const;  // in memory, with the rows
  /// The index that is in use, which has fewer rows than its spec wants where it is the default.
  const VectorIndexSpec& spec() const { return options_.spec; }
  const faiss::Index& faiss_index() const { return *index_; }

  /// The `k` greatest inner products among the allowed positions (all when `allowed` is null), or
  /// as many as there are. `query` is [dimension()] f32.
  /// Errors: kInvalidArgument (length, a value that is not finite, all zero), kInternal (FAISS).
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const;

 private:
  VectorIndex(QuantizedRows rows, std::unique_ptr<faiss::Index> index,
              const VectorIndexOptions& options);
  std::vector<ScoredRecord> SearchFaiss(std::span<const float> query, size_t k,
                                        const RecordSet* allowed, double share) const;

  VectorIndexOptions options_;
  QuantizedRows own_rows_;  // none where the index holds them
  std::unique_ptr<faiss::Index> index_;
  const RaBitQIndex* rabitq_;  // index_, or null
  const QuantizedRows* rows_;
};

/// OK, or kInvalidArgument as VectorIndex::Search promises.
absl::Status ValidateQueryVector(std::span<const float> query, int dimension);

}  // namespace emptor::retrieval
