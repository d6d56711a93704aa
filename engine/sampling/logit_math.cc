// Lanes of independent accumulators: without them float maxima and sums are not vectorised.
#include "engine/sampling/logit_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace emptor::engine {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kPiece = 1024;  // summed in float; pieces are summed in double
constexpr float kLargestFloat = std::numeric_limits<float>::max();

float FiniteOrLowest(float value) { return value <= kLargestFloat ? value : -INFINITY; }

/// exp(x) for x in [-87, 0]: 2^k * e^f with |f| <= ln 2 / 2, by its Taylor polynomial.
float ExpOfNegative(float x) {
  const float power = x * 1.44269504088896f;
  const auto k = static_cast<int32_t>(power - 0.5f);
  // ln 2 in two parts, the first exact in products with k (Cody and Waite 1980).
  const auto whole = static_cast<float>(k);
  const float f = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float sum = 1.0f / 720;
  sum = sum * f + 1.0f / 120;
  sum = sum * f + 1.0f / 24;
  sum = sum * f + 1.0f / 6;
  sum = sum * f + 0.5f;
  sum = sum * f + 1.0f;
  sum = sum * f + 1.0f;
  return sum * std::bit_cast<float>((k + 127) << 23);
}

}  // namespace

float LargestFinite(std::span<const float> logits) {
  std::array<float, kLanes> lanes;
  lanes.fill(-INFINITY);
  const size_t whole = logits.size() / kLanes * kLanes;
  for (size_t i = 0; i < whole; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float value = FiniteOrLowest(logits[i + lane]);
      lanes[lane] = value > lanes[lane] ? value : lanes[lane];
    }
  }
  float largest = *std::max_element(lanes.begin(), lanes.end());
  for (size_t i = whole; i < logits.size(); ++i) {
    largest = std::max(largest, FiniteOrLowest(logits[i]));
  }
  return largest;
}

std::vector<Candidate> BestTokens(std::span<const float> logits, size_t k) {
  std::vector<Candidate> best;  // a heap whose front is the worst
  if (k == 0) return best;
  best.reserve(std::min(k, logits.size()));
  float bar = -INFINITY;
  for (size_t i = 0; i < logits.size(); ++i) {
    // Ids ascend: a later token of the same logit is never better.
    if (!(logits[i] > bar) || !(logits[i] <= kLargestFloat)) continue;
    if (best.size() == k) {
      std::pop_heap(best.begin(), best.end(), IsBetter);
      best.pop_back();
    }
    best.push_back({logits[i], static_cast<int32_t>(i)});
    std::push_heap(best.begin(), best.end(), IsBetter);
    if (best.size() == k) bar = best.front().logit;
  }
  std::sort_heap(best.begin(), best.end(), IsBetter);
  return best;
}

double ExpInto(std::span<const float> logits, float largest, float temperature,
               std::span<float> weights) {
  assert(logits.size() == weights.size() && temperature > 0);
  for (size_t i = 0; i < logits.size(); ++i) {
    const float x = (logits[i] - largest) / temperature;
    const float low = x >= -87.0f ? x : -87.0f;  // also for NaN
    const float weight = ExpOfNegative(low <= 0.0f ? low : 0.0f);
    const float kept = x >= -87.0f ? weight : 0.0f;
    weights[i] = x <= 0.0f ? kept : 0.0f;
  }
  return SumOf(weights);
}

double SumOf(std::span<const float> weights) {
  double total = 0;
  for (size_t begin = 0; begin < weights.size(); begin += kPiece) {
    const auto piece = weights.subspan(begin, std::min(kPiece, weights.size() - begin));
    std::array<float, kLanes> lanes{};
    const size_t whole = piece.size() / kLanes * kLanes;
    for (size_t i = 0; i < whole; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += piece[i + lane];
    }
    for (const float lane : lanes) total += static_cast<double>(lane);
    for (size_t i = whole; i < piece.size(); ++i) total += static_cast<double>(piece[i]);
  }
  return total;
}

}  // namespace emptor::engine
