// Frequencies of rotary embedding and their scaling for long contexts.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/model/model_config.h"

namespace emptor::engine {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Divides low frequencies by the factor, keeps high ones, and interpolates between them.
double ScaleLlama3(const RopeConfig& rope, double frequency) {
  const double waves = rope.original_context * frequency / kTurn;  // within the old context
  const double low = static_cast<double>(rope.low_factor);
  const double high = static_cast<double>(rope.high_factor);
  const double kept = std::clamp((waves - low) / (high - low), 0.0, 1.0);
  return frequency * (kept + (1 - kept) / static_cast<double>(rope.factor));
}

/// The (fractional) index of the pair that makes this many turns within the old context.
double PairOfTurns(const RopeConfig& rope, float turns) {
  return rope.dims * std::log(rope.original_context / (static_cast<double>(turns) * kTurn)) /
         (2 * std::log(static_cast<double>(rope.base)));
}

/// Part of the frequency of pair `i` that YaRN keeps.
double YarnKept(const RopeConfig& rope, int i) {
  double first = PairOfTurns(rope, rope.fast_turns);
  double last = PairOfTurns(rope, rope.slow_turns);
  if (rope.whole_turns) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, rope.dims - 1.0);
  if (first == last) last += 0.001;
  return 1 - std::clamp((i - first) / (last - first), 0.0, 1.0);
}

double Scale(const RopeConfig& rope, int i, double frequency) {
  const auto factor = static_cast<double>(rope.factor);
  switch (rope.scaling) {
    case RopeConfig::Scaling::kNone:
      return frequency;
    case RopeConfig::Scaling::kLinear:
      return frequency / factor;
    case RopeConfig::Scaling::kLlama3:
      return ScaleLlama3(rope, frequency);
    case RopeConfig::Scaling::kYarn: {
      const double kept = YarnKept(rope, i);
      return frequency * (kept + (1 - kept) / factor);
    }
  }
  return frequency;
}

}  // namespace

float YarnAttentionFactor(float factor) {
  return factor <= 1 ? 1.0f : 0.1f * std::log(factor) + 1.0f;
}

std::vector<double> RopeFrequencies(const RopeConfig& rope, const float* factors) {
  std::vector<double> frequencies;
  for (int i = 0; i < rope.dims / 2; ++i) {
    const double exponent = -2.0 * i / rope.dims;
    const double factor = factors == nullptr ? 1.0 : static_cast<double>(factors[i]);
    const double plain = std::pow(static_cast<double>(rope.base), exponent);
    frequencies.push_back(Scale(rope, i, plain) / factor);
  }
  return frequencies;
}

}  // namespace emptor::engine
