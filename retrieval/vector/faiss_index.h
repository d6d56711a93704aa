// Vector search through a FAISS structure: the large immutable part of a shop's index.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

#include "retrieval/vector/faiss_sizes.h"
#include "retrieval/vector/index_file.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

struct FaissOptions {
  enum class Structure { kBySize, kLists, kGraph };
  Structure structure = Structure::kBySize;
  /// kBySize: inverted lists below; a graph from here on.
  size_t graph_from = FaissSizes{}.graph_from;
  /// Share of the inverted lists that every search looks at, at least. Short queries lie far from
  /// the records' clusters (README.md has figures).
  double probed_share = 0.75;
  /// Rows that a search of the graph keeps in hand (efSearch).
  size_t graph_breadth = 512;
  /// A filter that keeps a smaller share is answered by an exact scan of what it keeps: graph and
  /// lists then find few of the allowed records, or none.
  double scan_below = 0.10;
  /// Of training; 0: as many as there are cores. Searches run on the caller's thread alone.
  int training_threads = 0;
};

/// Inverted lists or a graph over quantised rows. Vectors of length 1 are expected; zero vectors
/// are allowed and never near.
///
/// Search pushes the allowed set down into FAISS and widens the search as the set narrows; the best
/// of what FAISS finds by coarse scores are scored finely. Where FAISS returns less than exists,
/// the exact scan answers instead.
class FaissIndex final : public VectorIndex {
 public:
  /// Builds the structure over `rows`. Errors: kInvalidArgument (no rows), kCancelled (`stop`),
  /// kInternal (FAISS).
  static absl::StatusOr<std::unique_ptr<FaissIndex>> Train(QuantizedRows rows,
                                                           const FaissOptions& options,
                                                           const std::stop_token& stop = {});

  /// Takes the structure over `rows` from a file. Errors: those of IndexFileReader::Open, and
  /// kDataLoss when the payload is no sound structure over so many rows. `rows` is left alone where
  /// it fails. REQUIRES: rows.size() == expected.count.
  static absl::StatusOr<std::unique_ptr<FaissIndex>> Load(const std::string& path,
                                                          const IndexFileKey& expected,
                                                          QuantizedRows& rows,
                                                          const FaissOptions& options);

  /// Writes the structure; the rows are not in the file.
  /// Errors: those of WriteIndexFile; kInternal (FAISS). REQUIRES: `key` describes this index.
  absl::Status Save(const std::string& path, const IndexFileKey& key) const;

  ~FaissIndex() override;
  const QuantizedRows& rows() const override;
  size_t byte_size() const override;
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const override;

  IndexKind kind() const;

 private:
  struct Impl;
  explicit FaissIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
