// Logits to the next token.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace emptor::engine {

struct SamplerOptions {
  float temperature = 0;  // 0: greedy
  int top_k = 0;          // 0: off
  float top_p = 1;        // 1: off
  uint64_t seed = 0;
};

/// Draws token number i of a sequence from its logits, the seed and i alone: what else is in the
/// batch, and whether the sequence was computed anew, changes nothing.
/// Order: temperature, top-k, top-p (Holtzman et al. 2020, arXiv:1904.09751). Ties go to the lower
/// id. Thread-safety: one user at a time (keeps scratch).
class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options) : options_(options) {}

  /// Nothing when no logit is a finite number. +inf and NaN logits are never chosen.
  std::optional<int32_t> Sample(std::span<const float> logits, uint64_t index);

 private:
  struct Candidate {
    float logit;
    int32_t token;
  };

  void CollectCandidates(std::span<const float> logits);
  size_t CutTopP(std::vector<double>& weights) const;

  SamplerOptions options_;
  std::vector<Candidate> candidates_;
};

/// The lowest id of the largest finite logit; nothing when there is none.
std::optional<int32_t> GreedyToken(std::span<const float> logits);

}  // namespace emptor::engine
