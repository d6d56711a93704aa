// A LoRA adapter: low-rank changes of a model's matrices.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_config.h"
#include "engine/model/model_weights.h"
#include "engine/model/weight_shard.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// The matrices of a layer that an adapter can change.
enum class LoraTarget { kQuery, kKey, kValue, kAttentionOut, kGate, kUp, kDown };
inline constexpr int kLoraTargets = 7;

/// Rows and columns of that matrix in a model of this shape.
struct MatrixShape {
  int64_t rows = 0, cols = 0;
};
MatrixShape LoraTargetShape(const ModelConfig& config, LoraTarget target);

/// The change of one matrix W to W + scale * b a.
/// Source: Hu et al. 2021, arXiv:2106.09685.
struct LowRank {
  TensorView a;     // [rank, columns]; F32, F16 or BF16
  TensorView b;     // [rows, rank]; likewise
  float scale = 0;  // alpha / rank, or as the adapter's files say

  bool empty() const { return a.rows == 0; }
  int rank() const { return static_cast<int>(a.rows); }
};

/// By LoraTarget; a matrix that is not changed is empty.
using LoraLayer = std::array<LowRank, kLoraTargets>;

/// Fits a model of the shape that it was read for; rows are in the order of that model's files.
/// Thread-safety: immutable.
struct LoraAdapter {
  std::string path;
  std::vector<LoraLayer> layers;  // of the model
  AlignedBuffer storage;          // of the views

  int matrices() const;
  int max_rank() const;
  /// Numbers of all a and b.
  int64_t parameters() const;
};

/// Replaces each matrix W that the adapter changes by W + scale * b a. F32, F16 and BF16 keep their
/// type; a sum of another type is stored as Q8_0. `place`: the weights are those of one rank
/// (ShardWeights). Gives the memory of replaced matrices back where `release` is set. Returns the
/// memory of the sums.
/// REQUIRES: the adapter was read for the whole model's shape; nothing is packed.
/// Errors: kInvalidArgument (a sum that its type cannot hold), kResourceExhausted.
absl::StatusOr<AlignedBuffer> MergeAdapter(const ModelSource& source, const LoraAdapter& adapter,
                                           const ModelConfig& whole, RankOf place, bool release,
                                           ModelWeights& weights);

/// What MergeAdapter does to these weights: "210 matrices of Q4_1, stored as Q8_0".
std::string DescribeMerge(const LoraAdapter& adapter, ModelWeights& weights);

/// The part of [rows, cols] that a rank has: rows of matrices that are cut along their outputs,
/// columns of those that are cut along their inputs.
struct MatrixPart {
  int64_t first_row = 0, rows = 0;
  int64_t first_col = 0, cols = 0;
};
MatrixPart LoraTargetPart(const ModelConfig& whole, LoraTarget target, RankOf place);

}  // namespace emptor::engine
