// The reference inner product and the choice at run time.
#include "retrieval/vector/dot_product.h"

namespace emptor::retrieval {

float DotProductReference(const float* a, const float* b, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

DotProductFunction SelectDotProduct() {
  static const DotProductFunction selected =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? DotProductAvx2
                                                                      : DotProductReference;
  return selected;
}

}  // namespace emptor::retrieval
