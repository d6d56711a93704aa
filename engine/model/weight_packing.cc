// One buffer for all matrices, in the order in which a step reads them.
#include "engine/model/weight_packing.h"

#include <span>

#include "engine/kernels/packed_weights.h"

namespace emptor::engine {
namespace {

constexpr int64_t kPackGrain = 64 << 10;  // elements

}  // namespace

std::vector<TensorView*> ProductMatrices(ModelWeights& weights) {
  std::vector<TensorView*> all;
  for (ModelLayer& layer : weights.layers) {
    for (TensorView* matrix :
         {&layer.query, &layer.key, &layer.value, &layer.attention_out, &layer.router}) {
      all.push_back(matrix);
    }
    for (FeedForward& part : layer.feed_forward) {
      for (TensorView* matrix : {&part.gate, &part.up, &part.down}) all.push_back(matrix);
    }
  }
  all.push_back(&weights.output);
  return all;
}

absl::StatusOr<AlignedBuffer> PackWeights(const ModelSource& source, bool release,
                                          const Kernels& kernels, ThreadPool& threads,
                                          ModelWeights& weights) {
  // A rank's output is some rows of the embedding: that stays whole, as stored.
  const bool tied = weights.output.data == weights.embedding.data &&
                    weights.output.rows == weights.embedding.rows;
  std::vector<TensorView*> matrices = ProductMatrices(weights);
  std::erase_if(matrices, [&](const TensorView* matrix) { return !kernels.Packs(matrix->type); });
  size_t bytes = 0;
  for (const TensorView* matrix : matrices) {
    bytes += PackedBytes(matrix->type, matrix->rows, matrix->cols);
  }
  absl::StatusOr<AlignedBuffer> buffer = AlignedBuffer::Allocate(bytes);
  if (!buffer.ok()) return buffer;
  std::byte* out = buffer->data();
  for (TensorView* matrix : matrices) {
    const int64_t grain = kPackGrain / (kPackedRows * matrix->cols) + 1;
    threads.ParallelRange(PackedGroups(matrix->rows), grain, [&](int64_t begin, int64_t end) {
      PackGroups(*matrix, begin, end, out);
    });
    matrix->packed = out;
    out += PackedBytes(matrix->type, matrix->rows, matrix->cols);
    if (!release) continue;
    source.Release(std::span(matrix->data, matrix->bytes()));
    matrix->data = nullptr;
  }
  if (tied) weights.embedding = weights.output;
  return buffer;
}

}  // namespace emptor::engine
