// Register-only loops: the peak arithmetic of the cores, for a roofline.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/kernels/isa.h"

namespace emptor::engine {

/// The kinds of arithmetic that the kernels multiply matrices with.
enum class Arithmetic { kInt8, kBf16, kF32 };

inline constexpr std::array kAllArithmetic = {Arithmetic::kInt8, Arithmetic::kBf16,
                                              Arithmetic::kF32};

/// "int8", "bf16", "f32".
std::string_view ArithmeticName(Arithmetic arithmetic);

/// Independent chains of the widest multiply-add of an instruction set, as many as hide its
/// latency: int8 with vpdpbusd (AVX-512) or vpmaddubsw and vpmaddwd (AVX2), bf16 with vdpbf16ps,
/// f32 with fused multiply-adds, or plain code where there is nothing better.
struct PeakLoop {
  /// Operations of one iteration; a multiplication and an addition count as two. 0: the set has no
  /// such arithmetic.
  int64_t operations = 0;
  /// Runs the iterations; the value depends on all of them, so that none is optimised away.
  float (*run)(int64_t iterations) = nullptr;
};

/// Safe from any thread. REQUIRES: `isa` is available here.
PeakLoop PeakLoopFor(Isa isa, Arithmetic arithmetic);

/// The loops of the variants; use PeakLoopFor.
namespace peak {

extern const PeakLoop kInt8Reference, kF32Reference;
extern const PeakLoop kInt8Avx2, kF32Avx2;
extern const PeakLoop kInt8Avx512, kF32Avx512;
extern const PeakLoop kBf16Avx512;

}  // namespace peak
}  // namespace emptor::engine
