// Greedy choice, and temperature, min-p, top-k and top-p.
#include "engine/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/sampling/rng.h"

namespace emptor::engine {
namespace {

constexpr size_t kLargestHeap = 1024;  // a top-k above it is selected in one go
constexpr size_t kBuckets = 1400;      // of top-p: a sixteenth of a nat each, 87 nats in all
constexpr size_t kDrawPiece = 1024;

size_t BucketOf(float logit, float largest, float temperature) {
  const float distance = (largest - logit) / temperature * 16;
  return distance < static_cast<float>(kBuckets - 1) ? static_cast<size_t>(distance) : kBuckets - 1;
}

}  // namespace

std::optional<int32_t> GreedyToken(std::span<const float> logits) {
  const float largest = LargestFinite(logits);
  if (largest == -INFINITY) return std::nullopt;
  return static_cast<int32_t>(std::find(logits.begin(), logits.end(), largest) - logits.begin());
}

void Sampler::Select(std::span<const float> logits, float largest) {
  logits_.clear();
  tokens_.clear();
  const float floor = options_.min_p > 0 ? largest + options_.temperature * std::log(options_.min_p)
                                         : -std::numeric_limits<float>::max();
  const auto k = static_cast<size_t>(options_.top_k);
  std::vector<Candidate> kept;
  if (k > 0 && k <= kLargestHeap) {
    kept = BestTokens(logits, k);
    std::erase_if(kept, [floor](const Candidate& c) { return c.logit < floor; });
  } else {
    for (size_t i = 0; i < logits.size(); ++i) {
      if (logits[i] >= floor && logits[i] <= largest) {
        kept.push_back({logits[i], static_cast<int32_t>(i)});
      }
    }
    if (k > 0 && k < kept.size()) {
      const auto end = kept.begin() + static_cast<std::ptrdiff_t>(k);
      std::nth_element(kept.begin(), end, kept.end(), IsBetter);
      kept.resize(k);
      std::sort(kept.begin(), kept.end(),
                [](const Candidate& a, const Candidate& b) { return a.token < b.token; });
    }
  }
  for (const Candidate& candidate : kept) {
    logits_.push_back(candidate.logit);
    tokens_.push_back(candidate.token);
  }
}

double Sampler::CutTopP(std::span<const float> logits, float largest, double total) {
  const double enough = static_cast<double>(options_.top_p) * total;
  buckets_.assign(kBuckets, 0);
  for (size_t i = 0; i < logits.size(); ++i) {
    if (weights_[i] > 0) {
      buckets_[BucketOf(logits[i], largest, options_.temperature)] +=
          static_cast<double>(weights_[i]);
    }
  }
  double sum = 0;
  size_t border = 0;
  while (border + 1 < kBuckets && sum + buckets_[border] < enough) sum += buckets_[border++];
  std::vector<Candidate> at_border;  // token: the place in logits
  for (size_t i = 0; i < logits.size(); ++i) {
    if (weights_[i] <= 0) continue;
    const size_t bucket = BucketOf(logits[i], largest, options_.temperature);
    if (bucket == border) at_border.push_back({logits[i], static_cast<int32_t>(i)});
    if (bucket > border) weights_[i] = 0;
  }
  std::sort(at_border.begin(), at_border.end(), [this](const Candidate& a, const Candidate& b) {
    if (a.logit != b.logit || tokens_.empty()) return IsBetter(a, b);
    return tokens_[static_cast<size_t>(a.token)] < tokens_[static_cast<size_t>(b.token)];
  });
  for (const Candidate& candidate : at_border) {
    float& weight = weights_[static_cast<size_t>(candidate.token)];
    if (sum >= enough && sum > 0) {
      weight = 0;
    } else {
      sum += static_cast<double>(weight);
    }
  }
  return sum;
}

/// The place where the running sum of the weights passes `left`; the last that has a weight when
/// rounding keeps it from passing.
size_t Sampler::Draw(double left) const {
  const std::span<const float> weights(weights_);
  size_t last = weights.empty() ? 0 : weights.size() - 1;
  for (size_t begin = 0; begin < weights.size(); begin += kDrawPiece) {
    const auto piece = weights.subspan(begin, std::min(kDrawPiece, weights.size() - begin));
    const double sum = SumOf(piece);
    if (left >= sum && begin + kDrawPiece < weights.size()) {
      left -= sum;
      continue;
    }
    for (size_t i = 0; i < piece.size(); ++i) {
      if (piece[i] <= 0) continue;
      last = begin + i;
      left -= static_cast<double>(piece[i]);
      if (left < 0) return last;
    }
  }
  while (last > 0 && weights[last] <= 0) --last;
  return last;
}

std::optional<int32_t> Sampler::Sample(std::span<const float> logits, uint64_t index) {
  if (options_.temperature <= 0) return GreedyToken(logits);
  const float largest = LargestFinite(logits);
  if (largest == -INFINITY) return std::nullopt;
  tokens_.clear();
  std::span<const float> candidates = logits;
  if (options_.top_k > 0 || options_.min_p > 0) {
    Select(logits, largest);
    candidates = logits_;
  }
  weights_.resize(candidates.size());
  double total = ExpInto(candidates, largest, options_.temperature, weights_);
  if (options_.top_p < 1) total = CutTopP(candidates, largest, total);
  const size_t place = Draw(RandomUnit(options_.seed, index) * total);
  return tokens_.empty() ? static_cast<int32_t>(place) : tokens_[place];
}

}  // namespace emptor::engine
