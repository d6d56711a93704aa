// Vector search through a FAISS structure: the large immutable part of a shop's index.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "retrieval/vector/index_file.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

struct FaissOptions {
  enum class Structure { kBySize, kIvfFlat, kHnsw };
  Structure structure = Structure::kBySize;
  /// kBySize: inverted lists below, where they train in seconds; a graph from here on.
  size_t hnsw_from = 200000;
  /// Share of the inverted lists that every search looks at, at least. Short queries lie far from
  /// the records' clusters: with the icecat embeddings a sixteenth of the lists finds 83 % of the
  /// exact ten nearest, a quarter 94 %, this share 96 %, at a third of the exact scan's time.
  double probed_share = 0.4;
  /// A filter that keeps a smaller share is answered by an exact scan of what it keeps: graph and
  /// lists then find few of the allowed records, or none.
  double exact_below = 0.10;
};

/// IVF-Flat or HNSW over inner products, holding every vector once. Vectors of length 1 are
/// expected; zero vectors are allowed and never near.
///
/// Search pushes the allowed set down into FAISS and widens the search as the set narrows. Where
/// FAISS returns less than exists, the exact scan answers instead. Searches run on the caller's
/// thread alone.
class FaissIndex final : public VectorIndex {
 public:
  /// Trains and fills the structure from `rows`, [size, dimension] f32; uses all cores.
  /// Errors: kInvalidArgument (no rows, shape), kInternal (FAISS).
  static absl::StatusOr<std::unique_ptr<FaissIndex>> Train(int dimension,
                                                           const std::vector<float>& rows,
                                                           const FaissOptions& options);

  /// Errors: those of IndexFileReader::Open, and kDataLoss when FAISS refuses the payload.
  static absl::StatusOr<std::unique_ptr<FaissIndex>> Load(const std::string& path,
                                                          const IndexFileKey& expected,
                                                          const FaissOptions& options);

  /// Errors: those of WriteIndexFile; kInternal (FAISS). REQUIRES: `key` describes this index.
  absl::Status Save(const std::string& path, const IndexFileKey& key) const;

  ~FaissIndex() override;
  int dimension() const override;
  size_t size() const override;
  std::span<const float> vector(uint32_t position) const override;
  absl::StatusOr<VectorMatches> Search(std::span<const float> query, size_t k,
                                       const RecordSet* allowed) const override;

  IndexKind kind() const;

 private:
  struct Impl;
  explicit FaissIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
