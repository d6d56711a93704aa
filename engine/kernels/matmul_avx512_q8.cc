// Product of packed Q8_0 weights with AVX-512 VNNI.
#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/packed_matmul_avx512.h"

namespace emptor::engine::avx512 {
namespace {

struct Q8 {
  static constexpr PackedLayout kLayout = kPackedQ8;
  static constexpr int kTileTokens = 6;

  /// The sum of (quant + 128) * q less 128 * the sum of q is exact in int32; then one scaled
  /// addition to each sum.
  template <int Groups, int Tokens>
  [[gnu::always_inline]] static void AddBlock(const TileInput& in, const std::byte* tile, int j,
                                              int64_t block, __m512 (&sums)[Groups][Tokens]) {
    const std::byte* quants = tile + kLayout.head_bytes + j * kLayout.block_bytes;
    __m512i dots[Groups][Tokens];
    for (int t = 0; t < Tokens; ++t) {
      for (int g = 0; g < Groups; ++g) dots[g][t] = in.Offset(t, block);
    }
#pragma GCC unroll 8
    for (int quad = 0; quad < kQuantBlock / 4; ++quad) {
      __m512i w[Groups];
      for (int g = 0; g < Groups; ++g) {
        w[g] = _mm512_load_si512(quants + g * in.group_bytes + 64 * quad);
      }
      for (int t = 0; t < Tokens; ++t) {
        const __m512i x = in.Quad(t, block, quad);
        for (int g = 0; g < Groups; ++g) dots[g][t] = _mm512_dpbusd_epi32(dots[g][t], w[g], x);
      }
    }
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

}  // namespace

void MatmulPackedQ8(const MatmulArgs& args) { PackedMatmul<Q8>::Run(args); }

}  // namespace emptor::engine::avx512
