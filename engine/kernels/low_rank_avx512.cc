// Low-rank products with AVX-512: 16 outputs in a register, each number of b is read once for
// several tokens.
#include <cassert>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"

namespace emptor::engine::avx512 {
namespace {

constexpr int kTileTokens = 8;

/// One group of outputs of `Tokens` tokens.
template <int Tokens>
void Tile(const LowRankArgs& args, int64_t group, int64_t token) {
  const float* b = args.b + group * args.rank * kLowRankGroup;
  const float* h = args.h + token * args.rank;
  __m512 sums[Tokens];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t j = 0; j < args.rank; ++j) {
    const __m512 row = _mm512_loadu_ps(b + j * kLowRankGroup);
    for (int t = 0; t < Tokens; ++t) {
      sums[t] = _mm512_fmadd_ps(row, _mm512_set1_ps(h[t * args.rank + j]), sums[t]);
    }
  }
  const __mmask16 lanes = FirstLanes(args.outputs - group * kLowRankGroup);
  for (int t = 0; t < Tokens; ++t) {
    float* out = args.out + (token + t) * args.out_stride + group * kLowRankGroup;
    const __m512 before = _mm512_maskz_loadu_ps(lanes, out);
    _mm512_mask_storeu_ps(out, lanes, _mm512_add_ps(before, sums[t]));
  }
}

}  // namespace

void AddLowRank(const LowRankArgs& args) {
  assert(args.group_end * kLowRankGroup < args.outputs + kLowRankGroup);
  for (int64_t group = args.group_begin; group < args.group_end; ++group) {
    int64_t token = 0;
    for (; token + kTileTokens <= args.tokens; token += kTileTokens) {
      Tile<kTileTokens>(args, group, token);
    }
    for (; token < args.tokens; ++token) Tile<1>(args, group, token);
  }
}

}  // namespace emptor::engine::avx512
