// Blocks of 32 quantised weights, as stored, in AVX2 registers: one loader for each type. Included
// by matmul_avx2_quant.cc alone.
#pragma once

#include <cstring>

#include "engine/kernels/avx2_math.h"
#include "engine/tensor/quant_block.h"

namespace emptor::engine::avx2 {

/// 32 weights: value = scale * quant - min. Lanes 0-3 of scales and minimums serve the first
/// 16 elements. A type without kHasMin leaves `min` 0.
struct Block {
  __m256i quants;
  __m256 scales;
  __m256 min = _mm256_setzero_ps();
};

inline __m256i LoadBytes(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

/// 16 bytes of nibbles: the lower ones, then the upper ones.
inline __m256i LoadNibbles(const void* p) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(p));
  const __m256i both = _mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes);
  return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

/// The lower or the upper nibbles of 32 bytes.
inline __m256i LoadNibbles(const void* p, bool upper) {
  const __m256i bytes = LoadBytes(p);
  return _mm256_and_si256(upper ? _mm256_srli_epi16(bytes, 4) : bytes, _mm256_set1_epi8(15));
}

/// Two bits of each of 32 bytes, from bit `shift`.
inline __m256i LoadPairs(const void* p, int shift) {
  const __m256i bits = _mm256_srl_epi16(LoadBytes(p), _mm_cvtsi32_si128(shift));
  return _mm256_and_si256(bits, _mm256_set1_epi8(3));
}

/// `value` in the bytes whose bit `bit` is set in the 32 bytes at p, 0 in the others.
inline __m256i LoadBits(const void* p, int bit, int value) {
  const __m256i mask = _mm256_set1_epi8(static_cast<char>(1 << bit));
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(LoadBytes(p), mask), mask);
  return _mm256_and_si256(set, _mm256_set1_epi8(static_cast<char>(value)));
}

/// 16 in byte i where bit i of the four bytes at p is set.
inline __m256i SpreadBits(const void* p) {
  int bits = 0;
  std::memcpy(&bits, p, sizeof bits);
  const __m256i byte_of_element =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i mask = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201));
  const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), byte_of_element);
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, mask), mask);
  return _mm256_and_si256(set, _mm256_set1_epi8(16));
}

/// The values of IQ4 nibbles.
inline __m256i Iq4Values(__m256i nibbles) {
  const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kIq4Values.data()));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), nibbles);
}

/// One number for each half of a block.
inline __m256 Halves(float first, float second) {
  return _mm256_set_m128(_mm_set1_ps(second), _mm_set1_ps(first));
}

struct Q8 {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ8& block = reinterpret_cast<const BlockQ8*>(row)[b];
    return {LoadBytes(block.quants.data()), _mm256_set1_ps(_cvtsh_ss(block.scale))};
  }
};

struct Q4 {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ4& block = reinterpret_cast<const BlockQ4*>(row)[b];
    return {_mm256_sub_epi8(LoadNibbles(block.nibbles.data()), _mm256_set1_epi8(8)),
            _mm256_set1_ps(_cvtsh_ss(block.scale))};
  }
};

struct Q4_1 {
  static constexpr bool kHasMin = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ4_1& block = reinterpret_cast<const BlockQ4_1*>(row)[b];
    return {LoadNibbles(block.nibbles.data()), _mm256_set1_ps(_cvtsh_ss(block.scale)),
            _mm256_set1_ps(-_cvtsh_ss(block.base))};
  }
};

struct Q5_0 {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ5_0& block = reinterpret_cast<const BlockQ5_0*>(row)[b];
    const __m256i bits =
        _mm256_or_si256(LoadNibbles(block.nibbles.data()), SpreadBits(block.high.data()));
    return {_mm256_sub_epi8(bits, _mm256_set1_epi8(16)), _mm256_set1_ps(_cvtsh_ss(block.scale))};
  }
};

struct Q5_1 {
  static constexpr bool kHasMin = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ5_1& block = reinterpret_cast<const BlockQ5_1*>(row)[b];
    return {_mm256_or_si256(LoadNibbles(block.nibbles.data()), SpreadBits(block.high.data())),
            _mm256_set1_ps(_cvtsh_ss(block.scale)), _mm256_set1_ps(-_cvtsh_ss(block.base))};
  }
};

struct IQ4NL {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockIQ4NL& block = reinterpret_cast<const BlockIQ4NL*>(row)[b];
    return {Iq4Values(LoadNibbles(block.nibbles.data())), _mm256_set1_ps(_cvtsh_ss(block.scale))};
  }
};

struct IQ4XS {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockIQ4XS& block = reinterpret_cast<const BlockIQ4XS*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const float scale = _cvtsh_ss(block.scale) * static_cast<float>(ReadScale(block, sub));
    return {Iq4Values(LoadNibbles(block.nibbles.data() + 16 * sub)), _mm256_set1_ps(scale)};
  }
};

/// Scale and minimum of a sub-block of Q4_K and Q5_K.
template <typename Stored>
Block SixBitBlock(const Stored& block, int sub, __m256i quants) {
  const SixBitPair pair = ReadSixBits(block.packed, sub);
  return {quants, _mm256_set1_ps(_cvtsh_ss(block.scale) * static_cast<float>(pair.scale)),
          _mm256_set1_ps(_cvtsh_ss(block.min) * static_cast<float>(pair.min))};
}

struct Q4K {
  static constexpr bool kHasMin = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ4K& block = reinterpret_cast<const BlockQ4K*>(row)[b / 8];
    return SixBitBlock(block, static_cast<int>(b % 8),
                       LoadNibbles(block.nibbles.data() + b % 8 / 2 * kQuantBlock, b % 2 != 0));
  }
};

struct Q5K {
  static constexpr bool kHasMin = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ5K& block = reinterpret_cast<const BlockQ5K*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const __m256i low = LoadNibbles(block.nibbles.data() + sub / 2 * kQuantBlock, sub % 2 != 0);
    return SixBitBlock(block, sub, _mm256_or_si256(low, LoadBits(block.high.data(), sub, 16)));
  }
};

struct Q2K {
  static constexpr bool kHasMin = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ2K& block = reinterpret_cast<const BlockQ2K*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const uint8_t* pairs = block.scales.data() + 2 * sub;
    const float scale = _cvtsh_ss(block.scale), min = _cvtsh_ss(block.min);
    return {
        LoadPairs(block.quants.data() + sub / 4 * kQuantBlock, 2 * (sub % 4)),
        Halves(scale * static_cast<float>(pairs[0] & 15),
               scale * static_cast<float>(pairs[1] & 15)),
        Halves(min * static_cast<float>(pairs[0] >> 4), min * static_cast<float>(pairs[1] >> 4))};
  }
};

struct Q3K {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ3K& block = reinterpret_cast<const BlockQ3K*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const __m256i low = LoadPairs(block.quants.data() + sub / 4 * kQuantBlock, 2 * (sub % 4));
    const __m256i bits = _mm256_or_si256(low, LoadBits(block.high.data(), sub, 4));
    const float scale = _cvtsh_ss(block.scale);
    return {_mm256_sub_epi8(bits, _mm256_set1_epi8(4)),
            Halves(scale * static_cast<float>(ReadScale(block, 2 * sub)),
                   scale * static_cast<float>(ReadScale(block, 2 * sub + 1)))};
  }
};

struct Q6K {
  static constexpr bool kHasMin = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ6K& block = reinterpret_cast<const BlockQ6K*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const int of_half = sub % 4;
    const __m256i low =
        LoadNibbles(block.low.data() + sub / 4 * 64 + of_half % 2 * 32, of_half >= 2);
    const __m256i high =
        _mm256_slli_epi16(LoadPairs(block.high.data() + sub / 4 * 32, 2 * of_half), 4);
    const float scale = _cvtsh_ss(block.scale);
    const int8_t* scales = block.scales.data() + 2 * sub;
    return {_mm256_sub_epi8(_mm256_or_si256(low, high), _mm256_set1_epi8(32)),
            Halves(scale * static_cast<float>(scales[0]), scale * static_cast<float>(scales[1]))};
  }
};

}  // namespace emptor::engine::avx2
