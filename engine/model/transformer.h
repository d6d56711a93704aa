// The Llama family on paged KV: RMSNorm, RoPE, grouped-query attention, SwiGLU; with the biases of
// Qwen2, the normalised heads of Qwen3, the window of Mistral and the experts of Mixtral.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/model/expert_routing.h"
#include "engine/model/lora_adapter.h"
#include "engine/model/lora_products.h"
#include "engine/model/model.h"
#include "engine/model/model_config.h"
#include "engine/model/model_source.h"
#include "engine/model/model_weights.h"
#include "engine/model/paged_attention.h"
#include "engine/model/rank_reduction.h"
#include "engine/model/weight_shard.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

struct TransformerOptions {
  int blocks = 0;             // of KV memory
  int block_tokens = 16;      // tokens in a block
  int max_step_tokens = 512;  // most tokens that a step computes
  int threads = 1;            // 0: one per core
  int ranks = 1;              // tensor parallel (CreateModel); they share the threads
  bool pin = false;           // each rank keeps to its own processors
  KvType kv_type = KvType::kF16;
  Isa isa = DetectIsa();
  /// Matrices that the instruction set needs in another layout are copied; with this flag the
  /// memory of their stored form is released, so that no other reader may use it.
  bool release_file = false;
  /// Added to the weights when the model is made; null: none. Used while it is made.
  const LoraAdapter* merged = nullptr;
  /// Adapters that sequences can have (SequenceStep::adapter). Used while the model is made.
  std::vector<const LoraAdapter*> adapters = {};
};

/// The place of a transformer in a tensor-parallel team; alone by default.
struct RankContext {
  RankOf place = {};
  RankReduction* reduction = nullptr;  // null: alone
};

/// Weights keep their stored type. For quantised weights, activations are quantised per token to
/// int8 with one scale per 32: the same in prompts, in decoding and in every batch.
/// Source: Touvron et al. 2023, arXiv:2302.13971 (Llama); Ainslie et al. 2023, arXiv:2305.13245
/// (groups of queries); Jiang et al. 2023, arXiv:2310.06825 (Mistral) and 2024, arXiv:2401.04088
/// (Mixtral); Qwen team 2024, arXiv:2407.10671 (Qwen2) and 2025, arXiv:2505.09388 (Qwen3).
class Transformer final : public Model {
 public:
  /// Keeps the files. With a reduction it computes only its rank's share of heads, intermediate
  /// size and vocabulary (see tensor_parallel.h); options.release_file must be false then. Errors:
  /// as ModelSource::Config, ModelWeights::Read and CheckRanks; kResourceExhausted.
  static absl::StatusOr<std::unique_ptr<Transformer>> Create(
      std::shared_ptr<const ModelSource> source, const TransformerOptions& options,
      const RankContext& rank = {});

  int vocabulary_size() const override { return config_.vocabulary; }
  int context_length() const override { return config_.context; }
  void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) override;
  void CopyBlock(BlockId from, BlockId to) override { attention_.CopyBlock(from, to); }

  const ModelConfig& config() const { return config_; }

  /// Whether products take this matrix in another layout than the stored one.
  bool Packs(const TensorView& matrix) const { return kernels_.Packs(matrix.type); }

  /// KV bytes of one block of a model of this shape.
  static size_t KvBlockBytes(const ModelConfig& config, int block_tokens,
                             KvType type = KvType::kF16);
  /// Bytes of the activations of a step of so many tokens, without its logits.
  static size_t ActivationBytes(const ModelConfig& config, int tokens);

 private:
  /// A token of the step that is being computed.
  struct TokenPlace {
    const SequenceStep* step;
    int position;
  };
  /// Activations of some tokens, [tokens, cols].
  struct Activations {
    const float* x;
    int tokens;
    int cols;
  };
  /// out[tokens, weights.rows]
  struct Product {
    const TensorView* weights;
    float* out;
    int64_t out_stride = 0;  // 0: weights.rows
  };

  Transformer(std::shared_ptr<const ModelSource> source, const TransformerOptions& options,
              const ModelConfig& config, const RankContext& rank);
  void Take(WeightShard shard);
  absl::Status TakeAdapters(const ModelConfig& whole);
  absl::Status Pack();
  absl::Status Allocate();

  /// Sequences of one adapter become neighbours.
  void OrderSequences(std::span<const SequenceStep> steps);
  void PlaceTokens();
  void PlaceAdapters();
  void SizeScratch();
  void ComputeAngles();
  void Embed();
  void AttentionBlock(int layer);
  void FeedForwardBlock(int layer);
  void ComputeLogits(std::span<const SequenceStep> steps, std::span<float> logits);

  /// Several matrices on the same activations, in one parallel loop over all their rows.
  void Multiply(const Activations& in, std::span<const Product> products);
  /// The activations in the forms that the products take: as int8, as bf16.
  void QuantizeActivations(const Activations& in);
  void RoundActivations(const Activations& in);
  /// Adds the adapters' part to products of the layer, which has no experts.
  void Adapt(int layer, const Activations& in, std::span<const AdaptedProduct> products);
  /// out[tokens, hidden_size] = the network's answer to `in`; gate_ and up_ are its scratch.
  /// `layer`: whose adapters are added; -1: none are, for an expert.
  void RunFeedForward(const FeedForward& weights, int layer, const Activations& in, float* out);
  /// The same of the experts that each token of normed_ goes to, added up.
  void RunExperts(const ModelLayer& weights, float* out);
  /// Adds the biases and normalises the heads that the layer has.
  void AdjustHeads(const ModelLayer& weights);
  void NormHeads(const std::vector<float>& gain, int heads, float* x);
  /// Adds a bias, unless it is empty, to each token's row.
  void AddBias(const std::vector<float>& bias, float* x);
  void NormInto(const std::vector<float>& gain, float* out);
  /// Adds the output of half a layer, summed over all ranks. `turn`: 0 after
  /// attention, 1 after the feed-forward network.
  void AddToResidual(int turn, const float* part);

  int tokens() const { return static_cast<int>(places_.size()); }

  std::shared_ptr<const ModelSource> source_;
  TransformerOptions options_;
  ModelConfig config_;
  RankContext rank_;
  ModelWeights weights_;          // the rank's, if there are several
  AlignedBuffer columns_;         // of the rank's matrices
  int64_t first_output_row_ = 0;  // of the vocabulary
  AlignedBuffer packed_;          // the matrices that weights_ has packed
  AlignedBuffer merged_weights_;  // the matrices that an adapter was merged into
  const Kernels& kernels_;
  ThreadPool threads_;
  PagedAttention attention_;
  LoraProducts adapters_;
  std::vector<double> frequencies_;  // [pairs that are rotated]

  // Scratch of a step, one row per token.
  std::vector<SequenceStep> ordered_;  // the sequences of the step
  std::vector<size_t> order_;          // of the caller's sequences
  std::vector<int64_t> last_rows_;     // row of the last token of each of the caller's sequences
  std::vector<AdapterRows> adapter_rows_;
  std::vector<TokenPlace> places_;
  std::vector<float> cosine_, sine_;                  // [tokens, pairs]
  std::vector<float> residual_, normed_, projected_;  // [tokens, hidden_size]
  std::vector<float> answered_;  // [tokens, hidden_size]; while projected_ is read by other ranks
  std::vector<float> query_, attended_;        // [tokens, heads * head_dim]
  std::vector<float> key_, value_;             // [tokens, kv_heads * head_dim]
  std::vector<float> gate_, up_;               // [tokens, intermediate_size]
  std::vector<float> router_scores_;           // [tokens, experts]
  std::vector<float> expert_in_, expert_out_;  // [tokens of one expert, hidden_size]
  std::vector<int8_t> quants_;                 // [tokens, widest]
  std::vector<float> quant_scales_;            // [tokens, widest / 32]
  std::vector<int32_t> quant_offsets_;         // [tokens, widest / 32]
  std::vector<BFloat16> rounded_;              // [tokens, widest]
};

}  // namespace emptor::engine
