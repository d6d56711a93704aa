// The shape of a language model, as its files state it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// Rotary position embedding: pair i of a head turns by position * base^(-2 i / dims), scaled.
struct RopeConfig {
  /// Extension of the context beyond that of training.
  enum class Scaling {
    kNone,
    kLinear,  // positions divided. Source: Chen et al. 2023, arXiv:2306.15595
    kLlama3,  // long waves divided, short ones kept. Source: Llama team 2024, arXiv:2407.21783
    kYarn,    // as kLlama3, and attention sharpened. Source: Peng et al. 2023, arXiv:2309.00071
  };

  int dims = 0;  // of a head, rotated; even
  float base = 10000;
  bool neox = false;  // pair i is elements i and i + dims / 2 (GPT-NeoX), not 2i and 2i + 1
  Scaling scaling = Scaling::kNone;
  float factor = 1;                       // of the context
  int original_context = 0;               // kLlama3, kYarn: that of training
  float low_factor = 1, high_factor = 4;  // kLlama3: waves of original_context / these
  float fast_turns = 32, slow_turns = 1;  // kYarn: turns within original_context
  bool whole_turns = true;                // kYarn: the bounds are rounded to whole pairs
  float attention_factor = 1;             // kYarn: of cosine and sine
};

struct ModelConfig {
  std::string architecture;  // "llama", "mistral", "mixtral", "qwen2" or "qwen3"
  int vocabulary = 0;
  int context = 0;
  int hidden_size = 0;
  int layers = 0;
  int heads = 0, kv_heads = 0;  // heads is a multiple of kv_heads
  int head_dim = 0;
  int intermediate_size = 0;          // of each expert, if there are experts
  int experts = 0, experts_used = 0;  // in each layer, for each token; 0: no experts
  std::vector<int> windows;           // per layer: positions that a token sees; 0: all
  bool needs_biases = false;          // of query, key and value
  bool query_key_norm = false;        // every head of query and key is normalised
  std::optional<bool> tied;           // the embedding is the output matrix; unset: if it has none
  float norm_epsilon = 1e-5f;
  RopeConfig rope;
  // What a Hugging Face directory says of its special tokens.
  std::optional<int32_t> begin_token;
  std::vector<int32_t> end_tokens;

  int query_width() const { return heads * head_dim; }
  int kv_width() const { return kv_heads * head_dim; }
};

/// GGUF's name of the model's architecture: "llama", "qwen2" or "qwen3".
std::string_view GgufArchitecture(const ModelConfig& config);

/// Queries and keys that rotate neighbours (GGUF's llama) have the rows of each head of those that
/// rotate halves (NeoX, Hugging Face) in another order: row i and row i + head_dim / 2 lie side by
/// side. Which row of the halves' order is row `row` of the neighbours' order.
int64_t RowOfHalves(int64_t row, int head_dim);
/// The other way round.
int64_t RowOfNeighbours(int64_t row, int head_dim);

/// YaRN's factor of cosine and sine when the files do not give one.
float YarnAttentionFactor(float factor);

/// Frequency of each pair, [rope.dims / 2], in double: float is too coarse for far positions.
/// `factors` [rope.dims / 2] divide the frequencies too; may be null.
std::vector<double> RopeFrequencies(const RopeConfig& rope, const float* factors);

}  // namespace emptor::engine
