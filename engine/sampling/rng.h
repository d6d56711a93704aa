// Counter-based random numbers: they do not depend on what else runs.
#pragma once

#include <cstdint>

namespace emptor::engine {

/// The bits of draw `counter` of the stream `seed`: the same pair gives the same bits, in any
/// order. Source: Steele, Lea and Flood 2014, SplitMix64, applied twice.
constexpr uint64_t RandomBits(uint64_t seed, uint64_t counter) {
  const auto mix = [](uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15u) + counter * 0x9e3779b97f4a7c15u);
}

/// Uniform in [0, 1).
constexpr double RandomUnit(uint64_t seed, uint64_t counter) {
  return static_cast<double>(RandomBits(seed, counter) >> 11) * 0x1p-53;
}

}  // namespace emptor::engine
