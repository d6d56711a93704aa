// Which loop an instruction set has, and the plain ones.
#include "engine/kernels/peak.h"

namespace emptor::engine {
namespace peak {
namespace {

constexpr int kLanes = 64;  // of all chains together

/// Factors that the compiler cannot know.
template <typename T>
T Opaque(T value) {
  asm volatile("" : "+m"(value));
  return value;
}

template <typename Sum, typename Factor>
float MultiplyAdd(int64_t iterations) {
  Sum sums[kLanes] = {};
  Factor a[kLanes], b[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    a[i] = Opaque(static_cast<Factor>(i % 7));
    b[i] = Opaque(static_cast<Factor>(1));
  }
  for (int64_t n = 0; n < iterations; ++n) {
    for (int i = 0; i < kLanes; ++i) {
      sums[i] += static_cast<Sum>(a[i]) * static_cast<Sum>(b[i]);
    }
    asm volatile("" : : "r"(sums), "r"(a), "r"(b) : "memory");
  }
  float total = 0;
  for (const Sum sum : sums) total += static_cast<float>(sum);
  return total;
}

}  // namespace

// Unsigned sums: they may wrap.
const PeakLoop kInt8Reference{2 * kLanes, &MultiplyAdd<uint32_t, int8_t>};
const PeakLoop kF32Reference{2 * kLanes, &MultiplyAdd<float, float>};

}  // namespace peak

std::string_view ArithmeticName(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kInt8:
      return "int8";
    case Arithmetic::kBf16:
      return "bf16";
    case Arithmetic::kF32:
      return "f32";
  }
  return "";
}

PeakLoop PeakLoopFor(Isa isa, Arithmetic arithmetic) {
  const bool int8 = arithmetic == Arithmetic::kInt8;
  if (arithmetic == Arithmetic::kBf16) {
    return isa == Isa::kAvx512Bf16 ? peak::kBf16Avx512 : PeakLoop{};
  }
  switch (isa) {
    case Isa::kReference:
      return int8 ? peak::kInt8Reference : peak::kF32Reference;
    case Isa::kAvx2:
      return int8 ? peak::kInt8Avx2 : peak::kF32Avx2;
    case Isa::kAvx512:
    case Isa::kAvx512Bf16:
      return int8 ? peak::kInt8Avx512 : peak::kF32Avx512;
  }
  return {};
}

}  // namespace emptor::engine
