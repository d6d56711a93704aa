// Makes, trains and fills faiss::Index objects.
#pragma once

#include <faiss/Index.h>

#include <memory>
#include <stop_token>

#include "absl/status/status.h"
#include "retrieval/vector/quantized_rows.h"
#include "retrieval/vector/vector_index_spec.h"

namespace emptor::retrieval {

/// An empty index over inner products: RaBitQIndex and the classes of faiss_sq8.h and faiss_hnsw.h
/// where they apply, else what faiss::index_factory returns.
std::unique_ptr<faiss::Index> MakeFaissIndex(const VectorIndexSpec& spec, int dimension);

/// Trains the empty `index` on a sample of `rows` and adds them all, on the threads that OpenMP has
/// here. Errors: kCancelled (`stop`), noticed between blocks of rows. Throws what FAISS throws.
/// REQUIRES: at least spec.min_rows() rows.
absl::Status FillFaissIndex(const QuantizedRows& rows, faiss::Index& index,
                            const std::stop_token& stop);

/// OpenMP regions of this thread use `threads` threads while the object lives.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads);
  ~OpenMpThreads();
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int before_;
};

}  // namespace emptor::retrieval
