// Random numbers that are the same on every machine: for load plans and made-up prompts.
#pragma once

#include <cstdint>

namespace emptor::services {

/// Source: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Evenly in [0, 1).
  double NextUnit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace emptor::services
