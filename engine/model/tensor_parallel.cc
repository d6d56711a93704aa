// Every rank runs the same step on its own share.
#include "engine/model/tensor_parallel.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "engine/model/weight_packing.h"

namespace emptor::engine {
namespace {

int ThreadsOfRank(const TransformerOptions& options) {
  const int all = options.threads > 0
                      ? options.threads
                      : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::max(1, all / options.ranks);
}

/// Releases the stored form of every matrix of which the ranks have packed copies.
absl::Status ReleasePacked(const ModelSource& source, const Transformer& rank) {
  const absl::StatusOr<ModelConfig> config = source.Config();
  if (!config.ok()) return config.status();
  absl::StatusOr<ModelWeights> whole = ModelWeights::Read(source, *config);
  if (!whole.ok()) return whole.status();
  for (const TensorView* matrix : ProductMatrices(*whole)) {
    if (!rank.Packs(*matrix) || matrix->data == whole->embedding.data) continue;
    source.Release(std::span(matrix->data, matrix->bytes()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<TensorParallelTransformer>> TensorParallelTransformer::Create(
    const std::shared_ptr<const ModelSource>& source, const TransformerOptions& options) {
  std::unique_ptr<TensorParallelTransformer> model(
      new TensorParallelTransformer(options.ranks, options.pin));
  TransformerOptions own = options;
  own.threads = ThreadsOfRank(options);
  own.release_file = false;  // other ranks may still read it
  const auto count = static_cast<size_t>(options.ranks);
  model->ranks_.resize(count);
  std::vector<absl::Status> statuses(count);
  model->team_.Run([&](int rank) {
    auto made = Transformer::Create(
        source, own, {.place = {rank, options.ranks}, .reduction = &model->reduction_});
    statuses[static_cast<size_t>(rank)] = made.status();
    if (made.ok()) model->ranks_[static_cast<size_t>(rank)] = *std::move(made);
  });
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  if (options.release_file) {
    const absl::Status released = ReleasePacked(*source, *model->ranks_[0]);
    if (!released.ok()) return released;
  }
  return model;
}

void TensorParallelTransformer::ComputeInto(std::span<const SequenceStep> steps,
                                            std::span<float> logits) {
  const auto compute = [&](int rank) {
    ranks_[static_cast<size_t>(rank)]->ComputeInto(steps, logits);
  };
  team_.Run(compute);
}

void TensorParallelTransformer::CopyBlock(BlockId from, BlockId to) {
  for (const auto& rank : ranks_) rank->CopyBlock(from, to);
}

absl::StatusOr<std::unique_ptr<Model>> CreateModel(const std::shared_ptr<const ModelSource>& source,
                                                   const TransformerOptions& options) {
  if (options.ranks < 1) {
    return absl::InvalidArgumentError("ranks: expected at least 1, found " +
                                      std::to_string(options.ranks));
  }
  if (options.ranks == 1) return Transformer::Create(source, options);
  return TensorParallelTransformer::Create(source, options);
}

}  // namespace emptor::engine
