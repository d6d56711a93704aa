// Port: a language model that computes steps over paged KV.
#pragma once

#include <cstdint>
#include <span>

#include "engine/kv/block_pool.h"

namespace emptor::engine {

/// One sequence's share of a step.
struct SequenceStep {
  std::span<const int32_t> tokens;  // consecutive, not empty, all in the vocabulary
  int position = 0;                 // of tokens[0]; what lies before it is in the blocks already
  std::span<const BlockId> blocks;  // cover position + tokens.size()
  int logit_rows = 0;               // logits are wanted of its last so many tokens
  int adapter = -1;                 // index among those that the model was made with; -1: none
};

/// Implementations: Transformer; ScriptedModel in tests.
/// Promise: the logits of a sequence depend on its own tokens and adapter alone, to the bit: not on
/// the other sequences of the step, nor on how its tokens were cut into steps, nor on the blocks it
/// got, nor on what was computed into a position before the tokens that are there now.
/// Thread-safety: engine thread only.
class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  virtual int vocabulary_size() const = 0;
  virtual int context_length() const = 0;

  /// Computes the step, writes the keys and values of its tokens into their blocks, and one row of
  /// logits [vocabulary_size] for each token that they are wanted of: sequence by sequence in the
  /// caller's order, and within a sequence by position.
  /// REQUIRES: logits.size() == rows * vocabulary_size; at most as many tokens as the model was
  /// made for.
  virtual void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) = 0;

  /// Block `to` holds the keys and values of block `from`. REQUIRES: they are not the same.
  virtual void CopyBlock(BlockId from, BlockId to) = 0;

 protected:
  Model() = default;
};

}  // namespace emptor::engine
