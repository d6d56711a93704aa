// Attention with AVX-512: see flash_attention.h.
#include <immintrin.h>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"
#include "engine/kernels/flash_attention.h"

namespace emptor::engine::avx512 {
namespace {

struct Sixteen {
  using Vector = __m512;
  static constexpr int kCount = 16;
  static constexpr int kRowTile = 6;

  static Vector Set(float x) { return _mm512_set1_ps(x); }
  static float First(Vector v) { return _mm512_cvtss_f32(v); }
  static Vector Load(const float* p) { return _mm512_loadu_ps(p); }
  static void Store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static void StoreFirst(float* p, int n, Vector v) { _mm512_mask_storeu_ps(p, FirstLanes(n), v); }
  static Vector Widen(const Half* p) { return LoadHalves(p); }
  static Vector WidenFirst(const Half* p, int n) { return LoadHalves(p, FirstLanes(n)); }
  static float WidenOne(Half half) { return _cvtsh_ss(half); }
  static void Prefetch(const char* p) { _mm_prefetch(p, _MM_HINT_T0); }
  static Vector Multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector Subtract(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
  static Vector Max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  static float MaxLanes(Vector v) { return _mm512_reduce_max_ps(v); }
  static Vector Exp(Vector v) { return avx512::Exp(v); }
  /// Lanes [begin, end) of `inside`, else of `outside`.
  static Vector Select(int begin, int end, Vector inside, Vector outside) {
    const auto lanes =
        static_cast<__mmask16>(FirstLanes(end < 0 ? 0 : end) & ~FirstLanes(begin < 0 ? 0 : begin));
    return _mm512_mask_blend_ps(lanes, outside, inside);
  }
  static float SumBlock(const Vector (&v)[4]) {
    return SumLanes(_mm512_add_ps(_mm512_add_ps(v[0], v[1]), _mm512_add_ps(v[2], v[3])));
  }
};

}  // namespace

void Attention(const AttentionArgs& args) { FlashAttention<Sixteen>(args).Run(); }

}  // namespace emptor::engine::avx512
