// Grouped-query attention over paged f16 keys and values with AVX-512. Up to four query heads go
// together, so that each key and value is read and widened once for them.
#include <immintrin.h>

#include <cmath>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"

namespace emptor::engine::avx512 {
namespace {

/// Asks for a block before it is reached: blocks lie apart, which no hardware foresees.
inline void PrefetchBlock(const AttentionArgs& args, const Half* block) {
  const auto* bytes = reinterpret_cast<const char*>(block);
  const int64_t size = int64_t{args.block_tokens} * args.head_dim * int64_t{sizeof(Half)};
  for (int64_t i = 0; i < size; i += 64) _mm_prefetch(bytes + i, _MM_HINT_T0);
}

/// Positions of the blocks, 16 at most at a time: calls fn(row of the first, first, count).
template <typename Fn>
inline void ForEachRun(const AttentionArgs& args, std::span<const Half* const> blocks, Fn fn) {
  int position = 0;
  for (size_t b = 0; b < blocks.size() && position < args.positions; ++b) {
    if (b + 1 < blocks.size()) PrefetchBlock(args, blocks[b + 1]);
    const Half* row = blocks[b];
    int left = args.positions - position;
    if (left > args.block_tokens) left = args.block_tokens;
    while (left > 0) {
      const int count = left < 16 ? left : 16;
      fn(row, position, count);
      row += count * args.head_dim;
      position += count;
      left -= count;
    }
  }
}

/// One key against the same part of the queries, 16 * Vectors elements of it: registers hold the
/// queries. The last vector may be cut short by `last`.
template <int Heads, int Vectors>
inline void AddProducts(const Half* key, const __m512 (&q)[Heads][Vectors], __mmask16 last,
                        __m512 (&sums)[Heads]) {
  for (int v = 0; v < Vectors; ++v) {
    const __m512 part = v + 1 < Vectors ? LoadHalves(key + 16 * v) : LoadHalves(key + 16 * v, last);
    for (int h = 0; h < Heads; ++h) {
      sums[h] = _mm512_fmadd_ps(part, q[h][v], sums[h]);
    }
  }
}

/// Elements [begin, begin + 16 * Vectors) of all keys of a run into products[h][p].
template <int Heads, int Vectors>
inline void AddRun(const AttentionArgs& args, const float* queries, const Half* keys, int count,
                   int begin, __m512 (&products)[Heads][16]) {
  const int dim = args.head_dim;
  const __mmask16 last = FirstLanes(dim - begin - 16 * (Vectors - 1));
  __m512 q[Heads][Vectors];
  for (int h = 0; h < Heads; ++h) {
    for (int v = 0; v < Vectors; ++v) {
      const __mmask16 lanes = v + 1 < Vectors ? __mmask16{0xffff} : last;
      q[h][v] = _mm512_maskz_loadu_ps(lanes, queries + h * dim + begin + 16 * v);
    }
  }
  for (int p = 0; p < count; ++p) {
    __m512 sums[Heads];
    for (int h = 0; h < Heads; ++h) sums[h] = products[h][p];
    AddProducts<Heads, Vectors>(keys + p * dim + begin, q, last, sums);
    for (int h = 0; h < Heads; ++h) products[h][p] = sums[h];
  }
}

/// scores[h * positions + p] of the heads from `queries` on.
template <int Heads>
void Scores(const AttentionArgs& args, const float* queries) {
  const __m512 scale = _mm512_set1_ps(args.scale);
  ForEachRun(args, args.keys, [&](const Half* keys, int position, int count) {
    __m512 products[Heads][16];
    for (auto& of_head : products) {
      for (__m512& product : of_head) product = _mm512_setzero_ps();
    }
    int i = 0;
    for (; i + 64 <= args.head_dim; i += 64) {
      AddRun<Heads, 4>(args, queries, keys, count, i, products);
    }
    for (; i < args.head_dim; i += 16) {
      AddRun<Heads, 1>(args, queries, keys, count, i, products);
    }
    for (int h = 0; h < Heads; ++h) {
      _mm512_mask_storeu_ps(args.scores + h * args.positions + position, FirstLanes(count),
                            _mm512_mul_ps(scale, SumSixteen(products[h])));
    }
  });
}

/// Scores to weights e^(score - largest); returns their sum.
float Softmax(float* scores, int n) {
  __m512 most = _mm512_set1_ps(-INFINITY);
  for (int p = 0; p < n; p += 16) {
    const __mmask16 lanes = FirstLanes(n - p);
    most = _mm512_mask_max_ps(most, lanes, most, _mm512_maskz_loadu_ps(lanes, scores + p));
  }
  const __m512 shift = _mm512_set1_ps(_mm512_reduce_max_ps(most));
  __m512 total = _mm512_setzero_ps();
  for (int p = 0; p < n; p += 16) {
    const __mmask16 lanes = FirstLanes(n - p);
    const __m512 score = _mm512_maskz_loadu_ps(lanes, scores + p);
    const __m512 weight = _mm512_maskz_mov_ps(lanes, Exp(_mm512_sub_ps(score, shift)));
    _mm512_mask_storeu_ps(scores + p, lanes, weight);
    total = _mm512_add_ps(total, weight);
  }
  return SumLanes(total);
}

/// out[begin, begin + 16 * Vectors) of the weighted sums of the values, kept in registers; `lanes`
/// of the last vector.
template <int Heads, int Vectors>
void SumValues(const AttentionArgs& args, int begin, const float* inverse, float* out) {
  const int dim = args.head_dim;
  const __mmask16 last = FirstLanes(dim - begin - 16 * (Vectors - 1));
  __m512 sums[Heads][Vectors];
  for (auto& of_head : sums) {
    for (__m512& sum : of_head) sum = _mm512_setzero_ps();
  }
  ForEachRun(args, args.values, [&](const Half* values, int position, int count) {
    for (int p = 0; p < count; ++p) {
      __m512 value[Vectors];
      for (int v = 0; v < Vectors; ++v) {
        const Half* at = values + p * dim + begin + 16 * v;
        value[v] = v + 1 < Vectors ? LoadHalves(at) : LoadHalves(at, last);
      }
      for (int h = 0; h < Heads; ++h) {
        const __m512 weight = _mm512_set1_ps(args.scores[h * args.positions + position + p]);
        for (int v = 0; v < Vectors; ++v)
          sums[h][v] = _mm512_fmadd_ps(value[v], weight, sums[h][v]);
      }
    }
  });
  for (int h = 0; h < Heads; ++h) {
    const __m512 scale = _mm512_set1_ps(inverse[h]);
    for (int v = 0; v < Vectors; ++v) {
      _mm512_mask_storeu_ps(out + h * dim + begin + 16 * v,
                            v + 1 < Vectors ? __mmask16{0xffff} : last,
                            _mm512_mul_ps(sums[h][v], scale));
    }
  }
}

template <int Heads>
void AttendHeads(const AttentionArgs& args, int head) {
  Scores<Heads>(args, args.q + head * args.head_dim);
  float inverse[Heads];
  for (int h = 0; h < Heads; ++h) {
    inverse[h] = 1.0f / Softmax(args.scores + h * args.positions, args.positions);
  }
  float* out = args.out + head * args.head_dim;
  int i = 0;
  for (; i + 64 <= args.head_dim; i += 64) SumValues<Heads, 4>(args, i, inverse, out);
  for (; i < args.head_dim; i += 16) SumValues<Heads, 1>(args, i, inverse, out);
}

}  // namespace

void Attention(const AttentionArgs& args) {
  int head = 0;
  for (; head + 4 <= args.group; head += 4) AttendHeads<4>(args, head);
  for (; head + 2 <= args.group; head += 2) AttendHeads<2>(args, head);
  if (head < args.group) AttendHeads<1>(args, head);
}

}  // namespace emptor::engine::avx512
