// Chooses how a segment's vectors are searched, and keeps the large structure on disk.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

struct VectorPartOptions {
  int dimension = 0;
  std::string model_id;
  std::string index_directory;  // empty: nothing is kept on disk
  size_t min_vectors_for_faiss = 1000;
};

/// A FlatIndex below options.min_vectors_for_faiss. Else a FaissIndex: the one in the index
/// directory when it was made from the same ids, vectors and model, or a newly trained one, which
/// is then written there. A file that cannot be used or written is logged and costs only time.
/// `rows` is [ids.size(), dimension] f32. Errors: kInvalidArgument, kInternal (FAISS).
absl::StatusOr<std::unique_ptr<const VectorIndex>> MakeVectorPart(const VectorPartOptions& options,
                                                                  std::span<const std::string> ids,
                                                                  std::vector<float> rows);

}  // namespace emptor::retrieval
