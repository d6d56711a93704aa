// The reference variant and the choice at run time.
#include "retrieval/vector/sq8_dot.h"

namespace emptor::retrieval {

float Sq8DotReference(const uint8_t* a, const uint8_t* b, const float* low, const float* step,
                      size_t n) {
  float sum = 0;
  for (size_t j = 0; j < n; ++j) {
    const float x = low[j] + step[j] * static_cast<float>(a[j]);
    const float y = low[j] + step[j] * static_cast<float>(b[j]);
    sum += x * y;
  }
  return sum;
}

bool HasSq8DotAvx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

Sq8DotFunction SelectSq8Dot() {
  static const Sq8DotFunction selected = HasSq8DotAvx2() ? Sq8DotAvx2 : Sq8DotReference;
  return selected;
}

}  // namespace emptor::retrieval
