// FAISS' own format inside our index file.
#pragma once

#include <faiss/Index.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/vector/index_file.h"
#include "retrieval/vector/vector_index_spec.h"

namespace emptor::retrieval {

/// Writes what faiss::write_index makes of `index`. Errors: those of the sink. Throws what FAISS
/// throws.
absl::Status WriteFaissIndex(const faiss::Index& index, const PayloadSink& sink);

/// Reads the payload of `file` into an index of `spec` over `rows` vectors, and checks everything
/// that a search follows: ids, links, sizes. Errors: kDataLoss. Throws what FAISS throws.
/// REQUIRES: spec.is_kept().
absl::StatusOr<std::unique_ptr<faiss::Index>> ReadFaissIndex(const VectorIndexSpec& spec,
                                                             int dimension, size_t rows,
                                                             IndexFileReader& file);

}  // namespace emptor::retrieval
