// Chooses how a segment's vectors are searched, and keeps the large structure on disk.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/vector/faiss_sizes.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

struct VectorPartOptions {
  int dimension = 0;
  std::string model_id;
  std::string index_directory;  // empty: nothing is kept on disk
  FaissSizes faiss;
  int training_threads = 0;  // 0: as many as there are cores
};

/// A FlatIndex below options.faiss.from. Else a FaissIndex: the one in the index
/// directory when it was made from the same ids, vectors and model, or a newly trained one, which
/// is then written there. A file that cannot be used or written is logged and costs only time.
/// `rows` are those of `ids`. Errors: kCancelled (`stop`), kInternal (FAISS).
absl::StatusOr<std::unique_ptr<const VectorIndex>> MakeVectorPart(const VectorPartOptions& options,
                                                                  std::span<const std::string> ids,
                                                                  QuantizedRows rows,
                                                                  const std::stop_token& stop = {});

}  // namespace emptor::retrieval
