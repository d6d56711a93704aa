// The Llama architecture on paged KV: RMSNorm, RoPE, grouped-query attention, SwiGLU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/model/gguf_file.h"
#include "engine/model/llama_config.h"
#include "engine/model/llama_weights.h"
#include "engine/model/model.h"
#include "engine/model/paged_attention.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

struct TransformerOptions {
  int blocks = 0;             // of KV memory
  int block_tokens = 16;      // tokens in a block
  int max_step_tokens = 512;  // most tokens that a step computes
  int threads = 1;            // 0: one per core
  Isa isa = DetectIsa();
  /// Matrices that the instruction set wants in another layout are copied; with this the file's
  /// memory of them is given up, so that nobody else can read them.
  bool release_file = false;
};

/// Weights keep their stored type. Activations meet quantised weights as int8
/// with one scale per 32, quantised per token: the same in prompts, in decoding and in every batch.
/// Source: Touvron et al. 2023, arXiv:2302.13971; Ainslie et al. 2023, arXiv:2305.13245.
class Transformer final : public Model {
 public:
  /// Keeps the file. Errors: as LlamaConfig::Read and LlamaWeights::Read; kResourceExhausted.
  static absl::StatusOr<std::unique_ptr<Transformer>> Create(std::shared_ptr<const GgufFile> file,
                                                             const TransformerOptions& options);

  int vocabulary_size() const override { return config_.vocabulary; }
  int context_length() const override { return config_.context; }
  void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) override;

  const LlamaConfig& config() const { return config_; }

  /// KV bytes of one block of a model of this shape.
  static size_t KvBlockBytes(const LlamaConfig& config, int block_tokens);

 private:
  /// A token of the step that is being computed.
  struct TokenPlace {
    const SequenceStep* step;
    int position;
  };
  /// Activations of some tokens, [tokens, width].
  struct Activations {
    const float* x;
    int tokens;
    int width;
  };
  /// out[tokens, weights.rows]
  struct Product {
    const TensorView* weights;
    float* out;
  };

  Transformer(std::shared_ptr<const GgufFile> file, const TransformerOptions& options,
              const LlamaConfig& config);
  absl::Status Allocate();

  void PlaceTokens(std::span<const SequenceStep> steps);
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
  void NormInto(const float* gain, float* out);
  void AddToResidual(const float* delta);

  int tokens() const { return static_cast<int>(places_.size()); }

  std::shared_ptr<const GgufFile> file_;
  TransformerOptions options_;
  LlamaConfig config_;
  LlamaWeights weights_;
  AlignedBuffer packed_;  // the matrices that weights_ has packed
  const Kernels& kernels_;
  ThreadPool threads_;
  PagedAttention attention_;
  std::vector<double> frequencies_;  // [rope_dims / 2]; in float a far position would be off

  // Scratch of a step, one row per token.
  std::vector<TokenPlace> places_;
  std::vector<float> cosine_, sine_;                  // [tokens, rope_dims / 2]
  std::vector<float> residual_, normed_, projected_;  // [tokens, width]
  std::vector<float> query_, attended_;               // [tokens, heads * head_dim]
  std::vector<float> key_, value_;                    // [tokens, kv_heads * head_dim]
  std::vector<float> gate_, up_;                      // [tokens, feed_forward]
  std::vector<int8_t> quants_;                        // [tokens, widest]
  std::vector<float> quant_scales_;                   // [tokens, widest / 32]
  std::vector<int32_t> quant_offsets_;                // [tokens, widest / 32]
  std::vector<BFloat16> rounded_;                     // [tokens, widest]
};

}  // namespace emptor::engine
