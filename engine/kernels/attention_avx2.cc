// Attention with AVX2: see flash_attention.h.
#include <immintrin.h>

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"
#include "engine/kernels/flash_attention.h"

namespace emptor::engine::avx2 {
namespace {

struct Eight {
  using Vector = __m256;
  static constexpr int kCount = 8;
  static constexpr int kRowTile = 2;

  static Vector Set(float x) { return _mm256_set1_ps(x); }
  static float First(Vector v) { return _mm256_cvtss_f32(v); }
  static Vector Load(const float* p) { return _mm256_loadu_ps(p); }
  static void Store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void StoreFirst(float* p, int n, Vector v) { _mm256_maskstore_ps(p, FirstLanes(n), v); }
  static Vector Widen(const Half* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static Vector WidenFirst(const Half* p, int n) {
    if (n >= kCount) return Widen(p);
    alignas(32) float values[kCount] = {};
    for (int i = 0; i < n; ++i) values[i] = _cvtsh_ss(p[i]);
    return _mm256_load_ps(values);
  }
  static float WidenOne(Half half) { return _cvtsh_ss(half); }
  static void Prefetch(const char* p) { _mm_prefetch(p, _MM_HINT_T0); }
  static Vector Multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector Subtract(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
  static Vector Max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  static float MaxLanes(Vector v) { return avx2::MaxLanes(v); }
  static Vector Exp(Vector v) { return avx2::Exp(v); }
  /// Lanes [begin, end) of `inside`, else of `outside`.
  static Vector Select(int begin, int end, Vector inside, Vector outside) {
    const __m256i lanes = _mm256_andnot_si256(FirstLanes(begin), FirstLanes(end));
    return _mm256_blendv_ps(outside, inside, _mm256_castsi256_ps(lanes));
  }
  /// In the order of the AVX-512 variant.
  static float SumBlock(const Vector (&v)[8]) {
    const Vector low = _mm256_add_ps(_mm256_add_ps(v[0], v[2]), _mm256_add_ps(v[4], v[6]));
    const Vector high = _mm256_add_ps(_mm256_add_ps(v[1], v[3]), _mm256_add_ps(v[5], v[7]));
    return SumLanes(_mm256_add_ps(low, high));
  }
};

}  // namespace

void Attention(const AttentionArgs& args) { FlashAttention<Eight>(args).Run(); }

}  // namespace emptor::engine::avx2
