// Loops over whole rows of logits: written so that compilers vectorise them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emptor::engine {

/// A token and its logit.
struct Candidate {
  float logit = 0;
  int32_t token = 0;
};

/// Higher logits first, lower ids at a tie.
constexpr bool IsBetter(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

/// The largest finite logit; -infinity when there is none.
float LargestFinite(std::span<const float> logits);

/// The `k` best finite logits, best first. Time: O(n) for small k.
std::vector<Candidate> BestTokens(std::span<const float> logits, size_t k);

/// weights[i] = exp((logits[i] - largest) / temperature) to 5e-7 relative; 0 below e^-87 and where
/// the logit is NaN or above `largest`. `weights` may alias `logits`. Gives their sum.
/// REQUIRES: equal sizes, temperature > 0.
double ExpInto(std::span<const float> logits, float largest, float temperature,
               std::span<float> weights);

/// The sum, in pieces of fixed size: the same for equal values on every machine.
double SumOf(std::span<const float> weights);

}  // namespace emptor::engine
