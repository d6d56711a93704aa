// Conversion of weights and of activations.
#include "engine/encoder/linear.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/packed_weights.h"
#include "engine/tensor/store.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kGrain = 1 << 18;  // multiplications that are worth a chunk of their own

absl::Status ConvertWeights(const Kernels& kernels, DType type, Linear& layer) {
  const TensorView from = layer.weights;
  if (from.cols % BlockElements(type) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("rows of {} do not fit {}", from.cols, DTypeName(type)));
  }
  TensorView to = {.type = type, .rows = from.rows, .cols = from.cols};
  absl::StatusOr<AlignedBuffer> buffer =
      AlignedBuffer::Allocate(to.row_bytes() * static_cast<size_t>(to.rows));
  if (!buffer.ok()) return buffer.status();
  std::vector<float> row(static_cast<size_t>(from.cols));
  for (int64_t r = 0; r < from.rows; ++r) {
    kernels.dequantize(from, r, row.data());
    StoreInto(type, row, buffer->data() + static_cast<size_t>(r) * to.row_bytes());
  }
  to.data = buffer->data();
  layer.weights = to;
  layer.storage = *std::move(buffer);
  return absl::OkStatus();
}

absl::Status Pack(Linear& layer) {
  const TensorView& weights = layer.weights;
  absl::StatusOr<AlignedBuffer> buffer =
      AlignedBuffer::Allocate(PackedBytes(weights.type, weights.rows, weights.cols));
  if (!buffer.ok()) return buffer.status();
  PackWeights(weights, buffer->data());
  layer.weights.packed = buffer->data();
  layer.weights.data = nullptr;
  layer.storage = *std::move(buffer);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Linear> MakeLinear(const Kernels& kernels, const TensorView& weights,
                                  std::vector<float> bias, std::optional<DType> type) {
  Linear layer = {.weights = weights, .bias = std::move(bias), .storage = {}};
  absl::Status status;
  if (type && *type != weights.type) status = ConvertWeights(kernels, *type, layer);
  if (status.ok() && kernels.Packs(layer.weights.type)) status = Pack(layer);
  if (!status.ok()) return status;
  return layer;
}

void LinearApplier::Convert(const Linear& layer, const float* x, int tokens) {
  const int64_t cols = layer.weights.cols;
  const auto n = static_cast<size_t>(tokens * cols);
  if (IsQuantized(layer.weights.type)) {
    quants_.resize(n);
    scales_.resize(n / kQuantBlock);
    offsets_.resize(n / kQuantBlock);
    threads_.ParallelRange(tokens, 8, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        kernels_.quantize(x + t * cols, cols, quants_.data() + t * cols,
                          scales_.data() + t * cols / kQuantBlock);
        kernels_.offset_terms(quants_.data() + t * cols, cols,
                              offsets_.data() + t * cols / kQuantBlock);
      }
    });
  } else if (layer.weights.type == DType::kBF16 && kernels_.Packs(DType::kBF16)) {
    rounded_.resize(n);
    kernels_.to_bf16(x, tokens * cols, rounded_.data());
  }
}

void LinearApplier::Apply(const Linear& layer, const float* x, int tokens, float* out) {
  Convert(layer, x, tokens);
  const int64_t rows = layer.weights.rows;
  const int64_t group_work = layer.weights.cols * tokens * kPackedRows;
  threads_.ParallelRange(PackedGroups(rows), kGrain / group_work + 1,
                         [&](int64_t begin, int64_t end) {
                           const int64_t first = begin * kPackedRows;
                           const int64_t last = std::min(end * kPackedRows, rows);
                           kernels_.matmul({.weights = layer.weights,
                                            .x = x,
                                            .x_bf16 = rounded_.data(),
                                            .q = quants_.data(),
                                            .q_scale = scales_.data(),
                                            .q_offset = offsets_.data(),
                                            .tokens = tokens,
                                            .row_begin = first,
                                            .row_end = last,
                                            .out = out,
                                            .out_stride = rows});
                           for (int t = 0; t < tokens; ++t) {
                             for (int64_t r = first; r < last; ++r) {
                               out[t * rows + r] += layer.bias[static_cast<size_t>(r)];
                             }
                           }
                         });
}

}  // namespace emptor::engine
