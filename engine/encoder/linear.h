// Matrix products with a bias, of weights that may be converted at load.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// out = weights x + bias. Move-only. Thread-safety: immutable.
struct Linear {
  TensorView weights;       // [out, in]
  std::vector<float> bias;  // [out]
  AlignedBuffer storage;    // of converted or packed weights; empty: they are the file's
};

/// The layer with its weights stored as `type` (as they are without one), Q8_0 in the layout that
/// `kernels` want. Errors: kResourceExhausted; kInvalidArgument (rows that are no whole blocks).
absl::StatusOr<Linear> MakeLinear(const Kernels& kernels, const TensorView& weights,
                                  std::vector<float> bias, std::optional<DType> type);

/// Applies layers on a pool of threads. Thread-safety: one caller at a time.
class LinearApplier {
 public:
  LinearApplier(const Kernels& kernels, ThreadPool& threads)
      : kernels_(kernels), threads_(threads) {}

  /// out[tokens, weights.rows] = x[tokens, weights.cols] W^T + bias
  void Apply(const Linear& layer, const float* x, int tokens, float* out);

 private:
  void Convert(const Linear& layer, const float* x, int tokens);

  const Kernels& kernels_;
  ThreadPool& threads_;
  std::vector<int8_t> quants_;
  std::vector<float> scales_;
  std::vector<int32_t> offsets_;
  std::vector<BFloat16> rounded_;
};

}  // namespace emptor::engine
