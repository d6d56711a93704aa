// Grouped-query attention over paged f16 keys and values with AVX2.
#include <algorithm>
#include <cmath>

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"

namespace emptor::engine::avx2 {
namespace {

inline __m256 LoadHalves(const Half* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

float Dot(const Half* key, const float* q, int n) {
  __m256 sum = _mm256_setzero_ps();
  int i = 0;
  for (; i + 8 <= n; i += 8)
    sum = _mm256_fmadd_ps(LoadHalves(key + i), _mm256_loadu_ps(q + i), sum);
  float tail = 0;
  for (; i < n; ++i) tail += _cvtsh_ss(key[i]) * q[i];
  return SumLanes(sum) + tail;
}

/// Calls fn(row, position) for each attended position, in order.
template <typename Fn>
void ForEachRow(const AttentionArgs& args, std::span<const Half* const> blocks, Fn fn) {
  int position = 0;
  for (const Half* row : blocks) {
    const int end = std::min(position + args.block_tokens, args.positions);
    for (; position < end; ++position, row += args.head_dim) fn(row, position);
    if (position == args.positions) return;
  }
}

/// Scores to weights e^(score - largest); returns their sum.
float Softmax(float* scores, int n) {
  float largest = -INFINITY;
  for (int p = 0; p < n; ++p) largest = std::max(largest, scores[p]);
  const __m256 shift = _mm256_set1_ps(largest);
  __m256 total = _mm256_setzero_ps();
  for (int p = 0; p < n; p += 8) {
    const __m256i lanes = FirstLanes(std::min(n - p, 8));
    const __m256 weight =
        _mm256_and_ps(Exp(_mm256_sub_ps(_mm256_maskload_ps(scores + p, lanes), shift)),
                      _mm256_castsi256_ps(lanes));
    _mm256_maskstore_ps(scores + p, lanes, weight);
    total = _mm256_add_ps(total, weight);
  }
  return SumLanes(total);
}

/// out[begin, begin + 8 * Vectors) of the weighted sum of the values, kept in registers.
template <int Vectors>
void SumValues(const AttentionArgs& args, int begin, float inverse, float* out) {
  __m256 sums[Vectors];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  ForEachRow(args, args.values, [&](const Half* value, int p) {
    const __m256 weight = _mm256_broadcast_ss(args.scores + p);
    for (int v = 0; v < Vectors; ++v) {
      sums[v] = _mm256_fmadd_ps(LoadHalves(value + begin + 8 * v), weight, sums[v]);
    }
  });
  for (int v = 0; v < Vectors; ++v) {
    _mm256_storeu_ps(out + begin + 8 * v, _mm256_mul_ps(sums[v], _mm256_set1_ps(inverse)));
  }
}

void SumValuesTail(const AttentionArgs& args, int begin, float inverse, float* out) {
  std::fill(out + begin, out + args.head_dim, 0.0f);
  ForEachRow(args, args.values, [&](const Half* value, int p) {
    for (int i = begin; i < args.head_dim; ++i) out[i] += args.scores[p] * _cvtsh_ss(value[i]);
  });
  for (int i = begin; i < args.head_dim; ++i) out[i] *= inverse;
}

}  // namespace

void Attention(const AttentionArgs& args) {
  for (int h = 0; h < args.group; ++h) {
    const float* q = args.q + h * args.head_dim;
    float* out = args.out + h * args.head_dim;
    ForEachRow(args, args.keys, [&](const Half* key, int p) {
      args.scores[p] = args.scale * Dot(key, q, args.head_dim);
    });
    const float inverse = 1.0f / Softmax(args.scores, args.positions);
    int i = 0;
    for (; i + 64 <= args.head_dim; i += 64) SumValues<8>(args, i, inverse, out);
    for (; i + 8 <= args.head_dim; i += 8) SumValues<1>(args, i, inverse, out);
    if (i < args.head_dim) SumValuesTail(args, i, inverse, out);
  }
}

}  // namespace emptor::engine::avx2
