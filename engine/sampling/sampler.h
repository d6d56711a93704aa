// Chooses the next token from logits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/sampling/logit_math.h"

namespace emptor::engine {

struct SamplerOptions {
  float temperature = 0;  // 0: greedy
  int top_k = 0;          // 0: off
  float top_p = 1;        // 1: off
  float min_p = 0;        // 0: off
  uint64_t seed = 0;
};

/// Draws token number i of a sequence from its logits, the seed and i alone. The rest of the batch,
/// and whether the sequence was preempted and recomputed, change nothing.
/// Order: temperature, min-p (Nguyen et al. 2024, arXiv:2407.01082), top-k, top-p (Holtzman et al.
/// 2020, arXiv:1904.09751), each on what the one before left. Ties go to the lower id.
/// Time: O(vocabulary), nothing is sorted but what lies at the border of top-p.
/// Thread-safety: one user at a time (keeps scratch).
class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options) : options_(options) {}

  /// Nothing when no logit is a finite number. +inf and NaN logits are never chosen.
  std::optional<int32_t> Sample(std::span<const float> logits, uint64_t index);

 private:
  /// Fills logits_ and tokens_ with those that min-p and top-k leave.
  void Select(std::span<const float> logits, float largest);
  /// Sets the weights to 0 of what top-p drops; gives the sum that is left.
  double CutTopP(std::span<const float> logits, float largest, double total);
  size_t Draw(double left) const;

  SamplerOptions options_;
  // Scratch: the candidates' logits and ids (none: the whole row), and their weights.
  std::vector<float> logits_;
  std::vector<int32_t> tokens_;
  std::vector<float> weights_;
  std::vector<double> buckets_;
};

/// The lowest id of the largest finite logit; nothing when there is none.
std::optional<int32_t> GreedyToken(std::span<const float> logits);

}  // namespace emptor::engine
