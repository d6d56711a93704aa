// The reference variant and the choice at run time.
#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {

void Int8DotReference(const uint8_t* rows, size_t count, const int8_t* query, size_t n,
                      int32_t* out) {
  for (size_t r = 0; r < count; ++r) {
    int32_t sum = 0;
    for (size_t i = 0; i < n; ++i) sum += int32_t{rows[r * n + i]} * query[i];
    out[r] = sum;
  }
}

bool HasInt8DotAvx2() { return __builtin_cpu_supports("avx2") != 0; }

bool HasInt8DotAvx512Vnni() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vnni") != 0;
}

Int8DotFunction SelectInt8Dot() {
  static const Int8DotFunction selected = HasInt8DotAvx512Vnni() ? Int8DotAvx512Vnni
                                          : HasInt8DotAvx2()     ? Int8DotAvx2
                                                                 : Int8DotReference;
  return selected;
}

}  // namespace emptor::retrieval
