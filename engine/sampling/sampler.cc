// Greedy choice, and temperature, top-k and top-p.
#include "engine/sampling/sampler.h"

#include <algorithm>
#include <cmath>

#include "engine/sampling/rng.h"

namespace emptor::engine {

std::optional<int32_t> GreedyToken(std::span<const float> logits) {
  std::optional<int32_t> best;
  float largest = -INFINITY;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] > largest && std::isfinite(logits[i])) {
      largest = logits[i];
      best = static_cast<int32_t>(i);
    }
  }
  return best;
}

/// Fills candidates_ with the finite logits, best first; only the first top_k when that is on.
void Sampler::CollectCandidates(std::span<const float> logits) {
  candidates_.clear();
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isfinite(logits[i])) candidates_.push_back({logits[i], static_cast<int32_t>(i)});
  }
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
  };
  const auto k = static_cast<size_t>(options_.top_k);
  if (k > 0 && k < candidates_.size()) {
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(candidates_.begin(), end, candidates_.end(), better);
    candidates_.resize(k);
  } else {
    std::sort(candidates_.begin(), candidates_.end(), better);
  }
}

/// How many of the leading candidates reach top_p together; at least one.
size_t Sampler::CutTopP(std::vector<double>& weights) const {
  double total = 0;
  for (const double weight : weights) total += weight;
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (sum >= static_cast<double>(options_.top_p) * total) return i + 1;
  }
  return weights.size();
}

std::optional<int32_t> Sampler::Sample(std::span<const float> logits, uint64_t index) {
  if (options_.temperature <= 0) return GreedyToken(logits);
  CollectCandidates(logits);
  if (candidates_.empty()) return std::nullopt;
  std::vector<double> weights(candidates_.size());
  const double largest = static_cast<double>(candidates_.front().logit);
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::exp((static_cast<double>(candidates_[i].logit) - largest) /
                          static_cast<double>(options_.temperature));
  }
  if (options_.top_p < 1) weights.resize(CutTopP(weights));
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = RandomUnit(options_.seed, index) * total;
  for (size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return candidates_[i].token;
  }
  return candidates_[weights.size() - 1].token;
}

}  // namespace emptor::engine
