// One model on several ranks, each with its share of every layer's weights, keys and values.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/rank_team.h"
#include "engine/model/model.h"
#include "engine/model/rank_reduction.h"
#include "engine/model/transformer.h"

namespace emptor::engine {

/// Tensor parallelism within one process: the ranks share heads and intermediate size,
/// and add up their parts twice a layer. A rank's weights, keys and values lie in memory
/// that its own threads touched first. The output differs from that of one rank by rounding alone,
/// and keeps the promises of Model (every rank adds in the same order).
/// Source: Shoeybi et al. 2019, arXiv:1909.08053.
class TensorParallelTransformer final : public Model {
 public:
  /// The ranks share `options.threads`, at least one for each. While the ranks are created, files
  /// and copies are in memory together. Errors: as Transformer::Create.
  static absl::StatusOr<std::unique_ptr<TensorParallelTransformer>> Create(
      const std::shared_ptr<const ModelSource>& source, const TransformerOptions& options);

  int vocabulary_size() const override { return ranks_[0]->vocabulary_size(); }
  int context_length() const override { return ranks_[0]->context_length(); }
  void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) override;
  void CopyBlock(BlockId from, BlockId to) override;

 private:
  TensorParallelTransformer(int ranks, bool pin) : team_(ranks, pin), reduction_(team_) {}

  RankTeam team_;
  RankReduction reduction_;
  std::vector<std::unique_ptr<Transformer>> ranks_;
};

/// A model on options.ranks ranks. Errors: as Transformer::Create.
absl::StatusOr<std::unique_ptr<Model>> CreateModel(const std::shared_ptr<const ModelSource>& source,
                                                   const TransformerOptions& options);

}  // namespace emptor::engine
