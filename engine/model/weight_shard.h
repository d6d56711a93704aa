// The part of a model's weights that one tensor-parallel rank computes with.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/model/model_config.h"
#include "engine/model/model_weights.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// A rank among ranks.
struct RankOf {
  int rank = 0;
  int ranks = 1;
};

/// Whether a model can be cut into `ranks`. Errors: kInvalidArgument, naming what does not
/// divide: heads, heads of keys and values, and blocks of the intermediate size are cut evenly.
absl::Status CheckRanks(const ModelConfig& config, const ModelWeights& weights, int ranks);

/// The shape that a rank computes: its share of the heads and of the intermediate size. The
/// residual stream, the vocabulary and the experts are whole.
ModelConfig ShardConfig(const ModelConfig& config, int ranks);

/// Rows of query, key, value, gate, up and output; columns of attention_out and down.
/// Source: Shoeybi et al. 2019, arXiv:1909.08053, section 3.
struct WeightShard {
  ModelWeights weights;   // rows are views of the whole model's; the embedding is whole
  AlignedBuffer columns;  // the columns lie apart in the whole model and are copied
  int64_t first_output_row = 0;
};

/// REQUIRES: CheckRanks is OK; no matrix is packed. Errors: kResourceExhausted.
absl::StatusOr<WeightShard> ShardWeights(const ModelConfig& config, const ModelWeights& whole,
                                         RankOf place);

}  // namespace emptor::engine
