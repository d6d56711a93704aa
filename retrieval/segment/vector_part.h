// Makes the vector index of a segment and keeps a trained one on disk.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

struct VectorPartOptions {
  int dimension = 0;
  std::string model_id;
  std::string index_directory;  // empty: nothing is kept on disk
  VectorIndexSpec index;
  int training_threads = 0;  // 0: one per core
};

/// The index of options.index over `rows`, which are those of `ids`. One that takes long to train
/// is read from the index directory when the file was made from the same ids, vectors and model;
/// else it is trained and written there. A file that cannot be used or written is logged and costs
/// only time. Errors: kCancelled (`stop`), kInternal (FAISS).
absl::StatusOr<std::unique_ptr<const VectorIndex>> MakeVectorPart(const VectorPartOptions& options,
                                                                  std::span<const std::string> ids,
                                                                  QuantizedRows rows,
                                                                  const std::stop_token& stop = {});

}  // namespace emptor::retrieval
