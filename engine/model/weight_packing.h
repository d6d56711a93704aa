// Moves the quantised matrices of a model into the layout that the wide kernels read.
#pragma once

#include "absl/status/statusor.h"
#include "engine/model/model_source.h"
#include "engine/model/model_weights.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// Packs every quantised matrix that takes part in a product (kernels/packed_weights.h) and points
/// the views of `weights` at the copy, which is the result. An embedding that is not the output
/// matrix too stays as stored. With `release` the memory of each stored matrix goes back to the
/// system before the next is packed: file and copy together never take more than the file and its
/// largest matrix. Errors: kResourceExhausted.
absl::StatusOr<AlignedBuffer> PackWeights(const ModelSource& source, bool release,
                                          ModelWeights& weights);

}  // namespace emptor::engine
