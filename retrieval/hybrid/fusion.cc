// Normalisation, weighting, order.
#include "retrieval/hybrid/fusion.h"

#include <algorithm>
#include <tuple>

namespace emptor::retrieval {
namespace {

constexpr float kBelowIdentified = 0.95f;
constexpr float kMinCosine = -1.0f;

}  // namespace

void FuseScores(const FusionOptions& options, float trust, std::vector<Candidate>& candidates) {
  float max_lexical = 0;
  float max_vector = kMinCosine, min_vector = 1;
  bool any_identified = false;
  for (const Candidate& candidate : candidates) {
    max_lexical = std::max(max_lexical, candidate.lexical);
    max_vector = std::max(max_vector, candidate.vector);
    min_vector = std::min(min_vector, candidate.vector);
    any_identified = any_identified || candidate.identified;
  }
  const float lexical_weight = options.lexical_weight * (options.vector_weight > 0 ? trust : 1);
  const float weights = lexical_weight + options.vector_weight;
  const float floor = kMinCosine + (1 - trust) * (min_vector - kMinCosine);
  const auto unit = [weights](float weight, float range) {
    return weights > 0 && range > 0 ? weight / (weights * range) : 0.0f;
  };
  const float lexical_unit = unit(lexical_weight, max_lexical);
  const float vector_unit = unit(options.vector_weight, max_vector - floor);
  for (Candidate& candidate : candidates) {
    const float sum = candidate.lexical * lexical_unit + (candidate.vector - floor) * vector_unit;
    candidate.fused = std::clamp(sum, 0.0f, 1.0f) * (any_identified ? kBelowIdentified : 1.0f);
    if (candidate.identified) candidate.fused = 1.0f;
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.fused != b.fused) return a.fused > b.fused;
    return std::tie(a.segment, a.record) < std::tie(b.segment, b.record);
  });
}

}  // namespace emptor::retrieval
