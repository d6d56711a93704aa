// Several LoRA adapters over one model in one step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/model/lora_adapter.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// Consecutive rows of a step that have the same adapter.
struct AdapterRows {
  int adapter = 0;  // index among those of the model
  int first = 0, count = 0;
};

/// A product that the base model has computed for all rows of a step: [tokens, outputs].
struct AdaptedProduct {
  LoraTarget target;
  float* out;
};

/// Adds x A^T B^T * scale to the products of the rows that have an adapter. Each adapter is read
/// once for all its rows. What a row gets does not depend, to the bit, on the other rows.
/// Source of the batching: Sheng et al. 2023, arXiv:2311.03285 (S-LoRA).
/// Thread-safety: one caller at a time.
class LoraProducts {
 public:
  LoraProducts() = default;
  /// Copies what a rank of the model computes with. Errors: kResourceExhausted.
  static absl::StatusOr<LoraProducts> Create(std::span<const LoraAdapter* const> adapters,
                                             const ModelConfig& whole, RankOf place);

  /// Begins a step. `rows` holds no adapter twice.
  void Place(std::span<const AdapterRows> rows) { rows_.assign(rows.begin(), rows.end()); }

  /// `products`, of one layer, have the input x [tokens, cols].
  void AddInto(int layer, const float* x, std::span<const AdaptedProduct> products,
               const Kernels& kernels, ThreadPool& threads);

 private:
  /// The part of a change that this rank has.
  struct Change {
    TensorView a;              // [rank, cols]
    const float* b = nullptr;  // as LowRankArgs::b
    int64_t outputs = 0;
    float scale = 0;
  };
  /// One product of one adapter's rows, and the place of its intermediate [count, rank].
  struct Task {
    const Change* change;
    AdapterRows rows;
    float* out;
    int64_t low;
  };

  const Change& At(int adapter, int layer, LoraTarget target) const;
  void Plan(int layer, std::span<const AdaptedProduct> products);
  void ComputeLow(const float* x, const Kernels& kernels, ThreadPool& threads);
  void AddProducts(const Kernels& kernels, ThreadPool& threads);

  AlignedBuffer storage_;
  std::vector<Change> changes_;  // [adapters, layers, kLoraTargets]
  int layers_ = 0;
  std::vector<AdapterRows> rows_;  // of the step
  std::vector<Task> tasks_;        // of the products that are being added
  std::vector<float> low_;
};

}  // namespace emptor::engine
