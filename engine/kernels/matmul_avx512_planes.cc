// Products of packed weights whose quants lie in planes of bits, with AVX-512 VNNI: Q4_1, Q5_0,
// Q5_1, Q2_K, Q3_K, Q5_K, IQ4_NL and IQ4_XS.
#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/packed_matmul_avx512.h"

namespace emptor::engine::avx512 {
namespace {

/// The planes of a block, in this order, the lowest bits of a quant first.
struct Planes {
  bool nibbles = false, pairs = false, singles = false;
};

/// The bits of each byte from bit `From`, moved to bit `To`; what crosses over is to be masked off.
template <int From, int To>
[[gnu::always_inline]] inline __m512i Move(__m512i bytes) {
  if constexpr (From < To) return _mm512_slli_epi16(bytes, To - From);
  if constexpr (From > To) return _mm512_srli_epi16(bytes, From - To);
  return bytes;
}

/// The quants of a quad of 16 rows, unsigned. `Quad` counts within the block.
template <Planes kPlanes, int Quad>
[[gnu::always_inline]] inline __m512i LoadQuad(const std::byte* plane) {
  __m512i quants = _mm512_setzero_si512();
  constexpr int kPairBit = kPlanes.nibbles ? 4 : 0;
  constexpr int kSingleBit = kPairBit + (kPlanes.pairs ? 2 : 0);
  if constexpr (kPlanes.nibbles) {
    const __m512i both = _mm512_load_si512(plane + 64 * (Quad % 4));
    quants = _mm512_and_si512(Move<Quad / 4 * 4, 0>(both), _mm512_set1_epi8(15));
    plane += 256;
  }
  if constexpr (kPlanes.pairs) {
    const __m512i bits = Move<2 * (Quad % 4), kPairBit>(_mm512_load_si512(plane + Quad / 4 * 64));
    quants = _mm512_or_si512(quants, _mm512_and_si512(bits, _mm512_set1_epi8(3 << kPairBit)));
    plane += 128;
  }
  if constexpr (kPlanes.singles) {
    const __m512i bits = Move<Quad, kSingleBit>(_mm512_load_si512(plane));
    quants = _mm512_or_si512(quants, _mm512_and_si512(bits, _mm512_set1_epi8(1 << kSingleBit)));
  }
  return quants;
}

inline __m128i LoadLane(const std::byte* p) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}
inline __m512 Unsigned(__m128i bytes) { return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes)); }
inline __m512 Signed(__m128i bytes) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)); }

/// The halves of 16 rows, the `index`-th in a head.
inline __m512 HalvesAt(const std::byte* head, int index) {
  return LoadHalves(reinterpret_cast<const Half*>(head) + index * kPackedRows);
}

/// Four bits of each of 16 bytes, from bit `Shift`.
template <int Shift>
__m512 FourBits(__m128i bytes) {
  return Unsigned(_mm_and_si128(_mm_srli_epi16(bytes, Shift), _mm_set1_epi8(15)));
}

// What a type adds to its planes. kOffset: what its quants are stored above, a divisor of 128.
// Scale and Min: of block j (half `half`) of a tile with this head, for 16 rows.

struct TypeQ4_1 {
  static constexpr PackedLayout kLayout = kPackedQ4_1;
  static constexpr Planes kPlanes{.nibbles = true};
  static constexpr bool kHalves = false, kMin = true, kTable = false;
  static constexpr int kOffset = 0;
  static __m512 Scale(const std::byte* head, int j, int) { return HalvesAt(head, j); }
  static __m512 Min(const std::byte* head, int j, int) { return HalvesAt(head, 2 + j); }
};

struct TypeQ5_0 {
  static constexpr PackedLayout kLayout = kPackedQ5_0;
  static constexpr Planes kPlanes{.nibbles = true, .singles = true};
  static constexpr bool kHalves = false, kMin = false, kTable = false;
  static constexpr int kOffset = 16;
  static __m512 Scale(const std::byte* head, int j, int) { return HalvesAt(head, j); }
};

struct TypeQ5_1 {
  static constexpr PackedLayout kLayout = kPackedQ5_1;
  static constexpr Planes kPlanes{.nibbles = true, .singles = true};
  static constexpr bool kHalves = false, kMin = true, kTable = false;
  static constexpr int kOffset = 0;
  static __m512 Scale(const std::byte* head, int j, int) { return HalvesAt(head, j); }
  static __m512 Min(const std::byte* head, int j, int) { return HalvesAt(head, 2 + j); }
};

struct TypeIq4Nl {
  static constexpr PackedLayout kLayout = kPackedQ4;
  static constexpr Planes kPlanes{.nibbles = true};
  static constexpr bool kHalves = false, kMin = false, kTable = true;
  static constexpr int kOffset = 128;  // of the table
  static __m512 Scale(const std::byte* head, int j, int) { return HalvesAt(head, j); }
};

struct TypeIq4Xs {
  static constexpr PackedLayout kLayout = kPackedIQ4XS;
  static constexpr Planes kPlanes{.nibbles = true};
  static constexpr bool kHalves = false, kMin = false, kTable = true;
  static constexpr int kOffset = 128;  // of the table
  static __m512 Scale(const std::byte* head, int j, int) {
    return _mm512_mul_ps(HalvesAt(head, 0), Signed(LoadLane(head + 64 + j * kPackedRows)));
  }
};

struct TypeQ5K {
  static constexpr PackedLayout kLayout = kPackedQ5K;
  static constexpr Planes kPlanes{.nibbles = true, .singles = true};
  static constexpr bool kHalves = false, kMin = true, kTable = false;
  static constexpr int kOffset = 0;
  static __m512 Scale(const std::byte* head, int j, int) {
    return _mm512_mul_ps(HalvesAt(head, 0), Unsigned(LoadLane(head + 64 + j * kPackedRows)));
  }
  static __m512 Min(const std::byte* head, int j, int) {
    return _mm512_mul_ps(HalvesAt(head, 1), Unsigned(LoadLane(head + 192 + j * kPackedRows)));
  }
};

struct TypeQ2K {
  static constexpr PackedLayout kLayout = kPackedQ2K;
  static constexpr Planes kPlanes{.pairs = true};
  static constexpr bool kHalves = true, kMin = true, kTable = false;
  static constexpr int kOffset = 0;
  static __m512 Scale(const std::byte* head, int j, int half) {
    return _mm512_mul_ps(HalvesAt(head, 0), FourBits<0>(Small(head, j, half)));
  }
  static __m512 Min(const std::byte* head, int j, int half) {
    return _mm512_mul_ps(HalvesAt(head, 1), FourBits<4>(Small(head, j, half)));
  }
  static __m128i Small(const std::byte* head, int j, int half) {
    return LoadLane(head + 64 + (2 * j + half) * kPackedRows);
  }
};

struct TypeQ3K {
  static constexpr PackedLayout kLayout = kPackedQ3K;
  static constexpr Planes kPlanes{.pairs = true, .singles = true};
  static constexpr bool kHalves = true, kMin = false, kTable = false;
  static constexpr int kOffset = 4;
  static __m512 Scale(const std::byte* head, int j, int half) {
    return _mm512_mul_ps(HalvesAt(head, 0),
                         Signed(LoadLane(head + 64 + (2 * j + half) * kPackedRows)));
  }
};

/// Types of which a block has one scale take the sum of the activations from TileInput; those with
/// one for each half take it themselves.
template <typename T>
struct PlaneType {
  static constexpr PackedLayout kLayout = T::kLayout;
  static constexpr int kTileTokens = T::kHalves ? 4 : 6;

  template <int Groups, int Tokens>
  struct Dots {
    __m512i of_rows[Groups][Tokens];
    __m512i of_ones[Tokens];  // the sum of the activations; with kHalves
  };

  template <int Quad, int Groups, int Tokens>
  [[gnu::always_inline]] static void AddQuad(const TileInput& in, const std::byte* quants,
                                             int64_t block, Dots<Groups, Tokens>& dots) {
    __m512i w[Groups];
    for (int g = 0; g < Groups; ++g) {
      w[g] = LoadQuad<T::kPlanes, Quad>(quants + g * in.group_bytes);
      if constexpr (T::kTable) {
        const __m128i table =
            _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kIq4Values.data())),
                         _mm_set1_epi8(static_cast<char>(0x80)));
        w[g] = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), w[g]);
      }
    }
    for (int t = 0; t < Tokens; ++t) {
      const __m512i x = in.Quad(t, block, Quad);
      if constexpr (T::kHalves) {
        dots.of_ones[t] = _mm512_dpbusd_epi32(dots.of_ones[t], _mm512_set1_epi8(1), x);
      }
      for (int g = 0; g < Groups; ++g) {
        dots.of_rows[g][t] = _mm512_dpbusd_epi32(dots.of_rows[g][t], w[g], x);
      }
    }
  }

  template <int First, int Groups, int Tokens>
  [[gnu::always_inline]] static void AddHalf(const TileInput& in, const std::byte* quants,
                                             int64_t block, Dots<Groups, Tokens>& dots) {
    AddQuad<First>(in, quants, block, dots);
    AddQuad<First + 1>(in, quants, block, dots);
    AddQuad<First + 2>(in, quants, block, dots);
    AddQuad<First + 3>(in, quants, block, dots);
  }

  /// scale * (dot - kOffset * sum) - min * sum. `of_ones` is `kOnes` times the sum.
  template <int kOnes, int Groups, int Tokens>
  [[gnu::always_inline]] static void AddScaled(const TileInput& in, const std::byte* tile, int j,
                                               int half, int64_t block,
                                               const Dots<Groups, Tokens>& dots,
                                               __m512 (&sums)[Groups][Tokens]) {
    for (int g = 0; g < Groups; ++g) {
      const std::byte* head = tile + g * in.group_bytes;
      const __m512 scale = T::Scale(head, j, half);
      __m512 min{};
      if constexpr (T::kMin) {
        min = _mm512_mul_ps(T::Min(head, j, half), _mm512_set1_ps(1.0f / kOnes));
      }
      for (int t = 0; t < Tokens; ++t) {
        const __m512 dot = _mm512_cvtepi32_ps(dots.of_rows[g][t]);
        if constexpr (T::kMin) {
          const __m512 value =
              _mm512_fnmadd_ps(min, _mm512_cvtepi32_ps(dots.of_ones[t]), _mm512_mul_ps(dot, scale));
          sums[g][t] = _mm512_fmadd_ps(value, in.Scale(t, block), sums[g][t]);
        } else {
          const __m512 both = _mm512_mul_ps(scale, in.Scale(t, block));
          sums[g][t] = _mm512_fmadd_ps(dot, both, sums[g][t]);
        }
      }
    }
  }

  template <int Groups, int Tokens>
  [[gnu::always_inline]] static void AddBlock(const TileInput& in, const std::byte* tile, int j,
                                              int64_t block, __m512 (&sums)[Groups][Tokens]) {
    const std::byte* quants = tile + kLayout.head_bytes + j * kLayout.block_bytes;
    if constexpr (T::kHalves) {
      AddOneHalf<0>(in, quants, tile, j, block, sums);
      AddOneHalf<1>(in, quants, tile, j, block, sums);
    } else {
      Dots<Groups, Tokens> dots{};
      for (int t = 0; t < Tokens; ++t) {
        dots.of_ones[t] = in.Offset(t, block);  // -128 times the sum
        if constexpr (T::kOffset > 0) {
          const __m512i offset = _mm512_srai_epi32(dots.of_ones[t], kOffsetShift);
          for (int g = 0; g < Groups; ++g) dots.of_rows[g][t] = offset;
        }
      }
      AddHalf<0>(in, quants, block, dots);
      AddHalf<4>(in, quants, block, dots);
      AddScaled<-128>(in, tile, j, 0, block, dots, sums);
    }
  }

 private:
  /// 128 / kOffset as a power of two.
  static constexpr int kOffsetShift = T::kOffset == 128 ? 0 : T::kOffset == 16 ? 3 : 5;

  template <int Half, int Groups, int Tokens>
  [[gnu::always_inline]] static void AddOneHalf(const TileInput& in, const std::byte* quants,
                                                const std::byte* tile, int j, int64_t block,
                                                __m512 (&sums)[Groups][Tokens]) {
    Dots<Groups, Tokens> dots{};
    AddHalf<4 * Half>(in, quants, block, dots);
    if constexpr (T::kOffset > 0) {
      static_assert(T::kOffset == 4);
      for (int t = 0; t < Tokens; ++t) {
        const __m512i offset = _mm512_slli_epi32(dots.of_ones[t], 2);
        for (int g = 0; g < Groups; ++g) {
          dots.of_rows[g][t] = _mm512_sub_epi32(dots.of_rows[g][t], offset);
        }
      }
    }
    AddScaled<1>(in, tile, j, Half, block, dots, sums);
  }
};

}  // namespace

void MatmulPackedPlanes(const MatmulArgs& args) {
  switch (args.weights.type) {
    case DType::kQ4_1:
      return PackedMatmul<PlaneType<TypeQ4_1>>::Run(args);
    case DType::kQ5_0:
      return PackedMatmul<PlaneType<TypeQ5_0>>::Run(args);
    case DType::kQ5_1:
      return PackedMatmul<PlaneType<TypeQ5_1>>::Run(args);
    case DType::kQ2_K:
      return PackedMatmul<PlaneType<TypeQ2K>>::Run(args);
    case DType::kQ3_K:
      return PackedMatmul<PlaneType<TypeQ3K>>::Run(args);
    case DType::kQ5_K:
      return PackedMatmul<PlaneType<TypeQ5K>>::Run(args);
    case DType::kIQ4_NL:
      return PackedMatmul<PlaneType<TypeIq4Nl>>::Run(args);
    default:
      assert(args.weights.type == DType::kIQ4_XS);
      return PackedMatmul<PlaneType<TypeIq4Xs>>::Run(args);
  }
}

}  // namespace emptor::engine::avx512
