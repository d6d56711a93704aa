// Moves the matrices of a model into the layout that the wide kernels read.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/model/model_source.h"
#include "engine/model/model_weights.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// The matrices that take part in products, in the order in which a step reads them. A router that
/// the model lacks is among them, without data.
std::vector<TensorView*> ProductMatrices(ModelWeights& weights);

/// Packs every matrix that takes part in a product and that the kernels want packed
/// (kernels/packed_weights.h) and points the views of `weights` at the copy, which is the result.
/// An embedding that is not the output matrix too stays as stored. With `release` the memory of
/// each stored matrix goes back to the system before the next is packed: file and copy together
/// never take more than the file and its largest matrix. Errors: kResourceExhausted.
absl::StatusOr<AlignedBuffer> PackWeights(const ModelSource& source, bool release,
                                          const Kernels& kernels, ThreadPool& threads,
                                          ModelWeights& weights);

}  // namespace emptor::engine
