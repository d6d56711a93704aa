// Product of packed Q6_K weights with AVX-512 VNNI.
#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/packed_matmul_avx512.h"

namespace emptor::engine::avx512 {
namespace {

/// Six bits of the four columns of a quad, unsigned. `Quad` counts within its half of a block.
template <int Quad>
[[gnu::always_inline]] inline __m512i LoadQuad(const std::byte* quants, int half) {
  __m512i low = _mm512_load_si512(quants + 64 * Quad);
  if (half == 1) low = _mm512_srli_epi16(low, 4);
  const __m512i bits = _mm512_load_si512(quants + kPackedQ4.block_bytes + 64 * half);
  // The quad's two bits to places 4 and 5 of each byte; what crosses over is masked off.
  __m512i upper = bits;
  if constexpr (Quad < 2) upper = _mm512_slli_epi16(bits, 4 - 2 * Quad);
  if constexpr (Quad > 2) upper = _mm512_srli_epi16(bits, 2 * Quad - 4);
  return _mm512_or_si512(_mm512_and_si512(low, _mm512_set1_epi8(15)),
                         _mm512_and_si512(upper, _mm512_set1_epi8(48)));
}

struct Q6K {
  static constexpr PackedLayout kLayout = kPackedQ6K;
  static constexpr int kTileTokens = 4;

  template <int Groups, int Tokens>
  struct Dots {
    __m512i of_rows[Groups][Tokens];
    __m512i offset[Tokens];  // 32 times the sum of the activations
  };

  template <int Quad, int Groups, int Tokens>
  [[gnu::always_inline]] static void AddQuad(const TileInput& in, const std::byte* quants, int half,
                                             int64_t block, Dots<Groups, Tokens>& dots) {
    __m512i w[Groups];
    for (int g = 0; g < Groups; ++g) w[g] = LoadQuad<Quad>(quants + g * in.group_bytes, half);
    for (int t = 0; t < Tokens; ++t) {
      const __m512i x = in.Quad(t, block, 4 * half + Quad);
      dots.offset[t] = _mm512_dpbusd_epi32(dots.offset[t], _mm512_set1_epi8(32), x);
      for (int g = 0; g < Groups; ++g) {
        dots.of_rows[g][t] = _mm512_dpbusd_epi32(dots.of_rows[g][t], w[g], x);
      }
    }
  }

  /// Each half of a block has a scale of its own.
  template <int Groups, int Tokens>
  [[gnu::always_inline]] static void AddBlock(const TileInput& in, const std::byte* tile, int j,
                                              int64_t block, __m512 (&sums)[Groups][Tokens]) {
    const std::byte* quants = tile + kLayout.head_bytes + j * kLayout.block_bytes;
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      Dots<Groups, Tokens> dots{};
      AddQuad<0>(in, quants, half, block, dots);
      AddQuad<1>(in, quants, half, block, dots);
      AddQuad<2>(in, quants, half, block, dots);
      AddQuad<3>(in, quants, half, block, dots);
      for (int g = 0; g < Groups; ++g) {
        const std::byte* head = tile + g * in.group_bytes;
        const __m512i small = _mm512_cvtepi8_epi32(_mm_load_si128(
            reinterpret_cast<const __m128i*>(head + 64 + (2 * j + half) * kPackedRows)));
        const __m512 scale = _mm512_mul_ps(LoadHalves(reinterpret_cast<const Half*>(head)),
                                           _mm512_cvtepi32_ps(small));
        for (int t = 0; t < Tokens; ++t) {
          const __m512i dot = _mm512_sub_epi32(dots.of_rows[g][t], dots.offset[t]);
          const __m512 both = _mm512_mul_ps(scale, in.Scale(t, block));
          sums[g][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot), both, sums[g][t]);
        }
      }
    }
  }
};

}  // namespace

void MatmulPackedQ6K(const MatmulArgs& args) { PackedMatmul<Q6K>::Run(args); }

}  // namespace emptor::engine::avx512
