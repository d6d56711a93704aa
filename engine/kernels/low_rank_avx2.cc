// Low-rank products with AVX2: 16 outputs in two registers, each number of b is read once for
// several tokens.
#include <cassert>

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"

namespace emptor::engine::avx2 {
namespace {

constexpr int kTileTokens = 4;

/// One group of outputs of `Tokens` tokens.
template <int Tokens>
void Tile(const LowRankArgs& args, int64_t group, int64_t token) {
  const float* b = args.b + group * args.rank * kLowRankGroup;
  const float* h = args.h + token * args.rank;
  __m256 sums[Tokens][2];
  for (auto& sum : sums) sum[0] = sum[1] = _mm256_setzero_ps();
  for (int64_t j = 0; j < args.rank; ++j, b += kLowRankGroup) {
    const __m256 low = _mm256_loadu_ps(b);
    const __m256 high = _mm256_loadu_ps(b + 8);
    for (int t = 0; t < Tokens; ++t) {
      const __m256 factor = _mm256_broadcast_ss(h + t * args.rank + j);
      sums[t][0] = _mm256_fmadd_ps(low, factor, sums[t][0]);
      sums[t][1] = _mm256_fmadd_ps(high, factor, sums[t][1]);
    }
  }
  for (int half = 0; half < 2; ++half) {
    const int64_t first = group * kLowRankGroup + 8 * half;
    const int64_t left = args.outputs - first;
    if (left <= 0) return;
    const __m256i lanes = FirstLanes(left < 8 ? left : 8);
    for (int t = 0; t < Tokens; ++t) {
      float* out = args.out + (token + t) * args.out_stride + first;
      const __m256 before = _mm256_maskload_ps(out, lanes);
      _mm256_maskstore_ps(out, lanes, _mm256_add_ps(before, sums[t][half]));
    }
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

}  // namespace emptor::engine::avx2
