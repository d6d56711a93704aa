// Golden logits and greedy tokens of PyTorch, and how a model is held against them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/transformer.h"

namespace emptor::testing {

/// What one golden file says.
struct GoldenLogits {
  std::string shape, digest;  // of a model that emptor model random writes
  uint64_t seed = 0;
  std::vector<std::pair<std::string, std::vector<int64_t>>> tensors;  // names and dimensions
  std::vector<int32_t> prompt, greedy;
  int adapter = -1;                          // that the sequences get; not in the file
  std::map<int, std::vector<float>> logits;  // by position

  /// Of a file below tests/golden/.
  static GoldenLogits Read(const std::string& path);
};

/// Makes a model of that instruction set and so many threads, with blocks for 8 sequences.
using ModelMaker =
    std::function<std::unique_ptr<engine::Transformer>(engine::Isa isa, int threads)>;

/// Blocks of 16 tokens for one sequence.
inline constexpr int kGoldenBlocks = 8;

/// Prompts in chunks of 1, 7 and 64 tokens: the logits at the golden positions are within 1e-3 of
/// the golden ones, as parts of their norm, for every instruction set.
void ExpectGoldenLogits(const GoldenLogits& golden, const ModelMaker& make);

/// The greedy tokens are the golden ones, for every instruction set.
void ExpectGoldenTokens(const GoldenLogits& golden, const ModelMaker& make);

/// The same of prompts cut short at different lengths that decode together.
void ExpectGoldenTokensInABatch(const GoldenLogits& golden, const ModelMaker& make);

}  // namespace emptor::testing
