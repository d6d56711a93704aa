// Products of packed Q4_0 and Q4_K weights with AVX-512 VNNI.
#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/packed_matmul_avx512.h"

namespace emptor::engine::avx512 {
namespace {

/// dots[g][t] += the nibbles of a block times the activations; exact.
template <int Groups, int Tokens>
[[gnu::always_inline]] inline void AddNibbles(const TileInput& in, const std::byte* nibbles,
                                              int64_t block, __m512i (&dots)[Groups][Tokens]) {
  const __m512i mask = _mm512_set1_epi8(15);
#pragma GCC unroll 4
  for (int line = 0; line < 4; ++line) {
    __m512i w[2][Groups];
    for (int g = 0; g < Groups; ++g) {
      const __m512i both = _mm512_load_si512(nibbles + g * in.group_bytes + 64 * line);
      w[0][g] = _mm512_and_si512(both, mask);
      w[1][g] = _mm512_and_si512(_mm512_srli_epi16(both, 4), mask);
    }
    for (int half = 0; half < 2; ++half) {
      for (int t = 0; t < Tokens; ++t) {
        const __m512i x = in.Quad(t, block, line + 4 * half);
        for (int g = 0; g < Groups; ++g) {
          dots[g][t] = _mm512_dpbusd_epi32(dots[g][t], w[half][g], x);
        }
      }
    }
  }
}

struct Q4 {
  static constexpr PackedLayout kLayout = kPackedQ4;
  static constexpr int kTileTokens = 6;

  /// As with Q8_0, 8 in the place of 128: the offset is a sixteenth.
  template <int Groups, int Tokens>
  [[gnu::always_inline]] static void AddBlock(const TileInput& in, const std::byte* tile, int j,
                                              int64_t block, __m512 (&sums)[Groups][Tokens]) {
    __m512i dots[Groups][Tokens];
    for (int t = 0; t < Tokens; ++t) {
      const __m512i offset = _mm512_srai_epi32(in.Offset(t, block), 4);
      for (int g = 0; g < Groups; ++g) dots[g][t] = offset;
    }
    AddNibbles(in, tile + kLayout.head_bytes + j * kLayout.block_bytes, block, dots);
    for (int g = 0; g < Groups; ++g) {
      const __m512 w_scale =
          LoadHalves(reinterpret_cast<const Half*>(tile + g * in.group_bytes) + j * kPackedRows);
      for (int t = 0; t < Tokens; ++t) {
        const __m512 both = _mm512_mul_ps(w_scale, in.Scale(t, block));
        sums[g][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[g][t]), both, sums[g][t]);
      }
    }
  }
};

/// 16 small unsigned numbers to f32.
inline __m512 LoadBytes(const std::byte* p) {
  return _mm512_cvtepi32_ps(
      _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(p))));
}

struct Q4K {
  static constexpr PackedLayout kLayout = kPackedQ4K;
  static constexpr int kTileTokens = 6;

  /// scale * dot - min * (the sum of the activations), whose -128-fold is the offset.
  template <int Groups, int Tokens>
  [[gnu::always_inline]] static void AddBlock(const TileInput& in, const std::byte* tile, int j,
                                              int64_t block, __m512 (&sums)[Groups][Tokens]) {
    __m512i dots[Groups][Tokens];
    for (auto& of_group : dots) {
      for (__m512i& dot : of_group) dot = _mm512_setzero_si512();
    }
    AddNibbles(in, tile + kLayout.head_bytes + j * kLayout.block_bytes, block, dots);
    for (int g = 0; g < Groups; ++g) {
      const std::byte* head = tile + g * in.group_bytes;
      const auto* halves = reinterpret_cast<const Half*>(head);
      const __m512 scale =
          _mm512_mul_ps(LoadHalves(halves), LoadBytes(head + 64 + j * kPackedRows));
      const __m512 min = _mm512_mul_ps(
          _mm512_mul_ps(LoadHalves(halves + kPackedRows), LoadBytes(head + 192 + j * kPackedRows)),
          _mm512_set1_ps(1.0f / 128));
      for (int t = 0; t < Tokens; ++t) {
        const __m512 dot = _mm512_mul_ps(_mm512_cvtepi32_ps(dots[g][t]), scale);
        const __m512 value = _mm512_fmadd_ps(min, _mm512_cvtepi32_ps(in.Offset(t, block)), dot);
        sums[g][t] = _mm512_fmadd_ps(value, in.Scale(t, block), sums[g][t]);
      }
    }
  }
};

}  // namespace

void MatmulPackedQ4(const MatmulArgs& args) { PackedMatmul<Q4>::Run(args); }
void MatmulPackedQ4K(const MatmulArgs& args) { PackedMatmul<Q4K>::Run(args); }

}  // namespace emptor::engine::avx512
