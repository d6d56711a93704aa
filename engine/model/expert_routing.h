// Which experts of a mixture compute which tokens.
#pragma once

#include <span>
#include <vector>

namespace emptor::engine {

struct RoutedToken {
  int token = 0;
  float weight = 0;  // of the expert's output in the token's
};

/// For each expert its tokens in ascending order: every token goes to the `used` experts of the
/// highest scores, the earlier one of equals; their weights are the softmax over those scores.
/// scores [tokens, experts]. Pure: a token's experts and weights depend on its own scores alone.
/// Source: Shazeer et al. 2017, arXiv:1701.06538; Jiang et al. 2024, arXiv:2401.04088.
/// REQUIRES: 1 <= used <= experts.
std::vector<std::vector<RoutedToken>> RouteTokens(std::span<const float> scores, int experts,
                                                  int used);

}  // namespace emptor::engine
