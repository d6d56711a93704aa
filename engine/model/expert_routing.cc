// Top-k by repeated search: k is two in the models that exist.
#include "engine/model/expert_routing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace emptor::engine {
namespace {

/// The best expert that is not among `chosen`. Finds one even if scores are NaN.
int NextBest(std::span<const float> scores, std::span<const int> chosen) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(scores.size()); ++i) {
    if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
    if (best < 0 || scores[static_cast<size_t>(i)] > scores[static_cast<size_t>(best)]) best = i;
  }
  return best;
}

}  // namespace

std::vector<std::vector<RoutedToken>> RouteTokens(std::span<const float> scores, int experts,
                                                  int used) {
  assert(used >= 1 && used <= experts);
  const auto count = static_cast<size_t>(experts);
  std::vector<std::vector<RoutedToken>> routes(count);
  for (size_t token = 0; token < scores.size() / count; ++token) {
    const std::span<const float> own = scores.subspan(token * count, count);
    std::vector<int> chosen;
    for (int i = 0; i < used; ++i) chosen.push_back(NextBest(own, chosen));
    const float largest = own[static_cast<size_t>(chosen[0])];
    float total = 0;
    std::vector<float> weights;
    for (const int expert : chosen) {
      weights.push_back(std::exp(own[static_cast<size_t>(expert)] - largest));
      total += weights.back();
    }
    for (size_t i = 0; i < chosen.size(); ++i) {
      routes[static_cast<size_t>(chosen[i])].push_back(
          {static_cast<int>(token), weights[i] / total});
    }
  }
  return routes;
}

}  // namespace emptor::engine
