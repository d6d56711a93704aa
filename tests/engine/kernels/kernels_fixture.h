// What tests of kernels run with: each instruction set, generated numbers.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "engine/kernels/kernels.h"
#include "gtest/gtest.h"

namespace emptor::engine {

/// Normally distributed.
inline std::vector<float> RandomFloats(size_t n, float scale, uint64_t seed, float mean = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(mean, scale);
  std::vector<float> values(n);
  for (float& value : values) value = normal(random);
  return values;
}

class KernelsTest : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!HasIsa(GetParam())) GTEST_SKIP() << "this machine has no " << IsaName(GetParam());
  }

  const Kernels& kernels_ = KernelsFor(GetParam());
};

}  // namespace emptor::engine
