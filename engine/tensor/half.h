// Conversion between float and the 16-bit types without special instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Exact.
inline float HalfToFloat(Half half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t mantissa = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

/// Rounds to nearest, ties to even, as the F16C instructions do. Too large becomes infinity.
inline Half FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<Half>(sign | 0x7e00u);   // NaN
  if (magnitude >= 0x477ff000u) return static_cast<Half>(sign | 0x7c00u);  // rounds to infinity
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 puts the last kept bit at the last place of the float.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<Half>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  const uint32_t rounded = magnitude + 0xfffu + odd - (112u << 23);
  return static_cast<Half>(sign | (rounded >> 13));
}

/// Exact.
inline float BFloat16ToFloat(BFloat16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value) << 16);
}

/// Rounds to nearest, ties to even. NaN stays NaN.
inline BFloat16 FloatToBFloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<BFloat16>(bits >> 16 | 0x40u);
  return static_cast<BFloat16>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace emptor::engine
