// Product of packed Q8_0 weights with AVX-512 VNNI: 16 rows in the lanes of a register, so that no
// sum ever crosses lanes, and each weight is read once for all tokens of a pass.
#include <immintrin.h>

#include <cassert>
#include <cstring>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"
#include "engine/kernels/packed_q8.h"

namespace emptor::engine::avx512 {
namespace {

constexpr int kTileTokens = 6;
// Activations that stay in the second-level cache while all rows pass.
constexpr int64_t kActivationBytes = 256 << 10;
// How far ahead of the row that is being read the next lines are asked for.
constexpr int64_t kPrefetchBytes = 4096;

inline int32_t LoadFour(const int8_t* q) {
  int32_t four = 0;
  std::memcpy(&four, q, sizeof(four));
  return four;
}

/// What a tile of Groups * 16 rows by Tokens tokens reads.
struct TileInput {
  const std::byte* weights;  // of the first group
  int64_t group_bytes;       // to the next group
  const int8_t* q;           // of the first token
  const float* scale;
  const int32_t* offset;
  int64_t blocks;
};

/// One block of 32 columns: the sum of (quant + 128) * q less 128 * the sum of q is exact in
/// int32; then one scaled addition to each sum.
template <int Groups, int Tokens>
[[gnu::always_inline]] inline void AddBlock(const TileInput& in, int64_t block,
                                            __m512 (&sums)[Groups][Tokens]) {
  const std::byte* tile = in.weights + block / 2 * kPackedTileBytes;
  const std::byte* quants = tile + kPackedScaleBytes + block % 2 * kPackedBlockBytes;
  const int64_t k = in.blocks * kQuantBlock;
  __m512i dots[Groups][Tokens];
  for (int t = 0; t < Tokens; ++t) {
    for (int g = 0; g < Groups; ++g)
      dots[g][t] = _mm512_set1_epi32(in.offset[t * in.blocks + block]);
  }
#pragma GCC unroll 8
  for (int quad = 0; quad < kQuantBlock / 4; ++quad) {
    __m512i w[Groups];
    for (int g = 0; g < Groups; ++g)
      w[g] = _mm512_load_si512(quants + g * in.group_bytes + 64 * quad);
    for (int t = 0; t < Tokens; ++t) {
      const __m512i x = _mm512_set1_epi32(LoadFour(in.q + t * k + block * kQuantBlock + 4 * quad));
      for (int g = 0; g < Groups; ++g) dots[g][t] = _mm512_dpbusd_epi32(dots[g][t], w[g], x);
    }
  }
  for (int g = 0; g < Groups; ++g) {
    const __m512 w_scale = LoadHalves(reinterpret_cast<const Half*>(tile + g * in.group_bytes) +
                                      block % 2 * kPackedRows);
    for (int t = 0; t < Tokens; ++t) {
      const __m512 both = _mm512_mul_ps(w_scale, _mm512_set1_ps(in.scale[t * in.blocks + block]));
      sums[g][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[g][t]), both, sums[g][t]);
    }
  }
}

/// What a tile asks for ahead of its reading, one tile of the layout for each that it reads.
enum class Ahead {
  kNothing,
  kNear,  // the bytes that it reads itself next: a first pass, which comes from memory
  kNext,  // the rows after these, into the second-level cache: while a later pass computes
};

template <int Groups>
[[gnu::always_inline]] inline void Prefetch(const TileInput& in, int64_t block, Ahead ahead) {
  if (ahead == Ahead::kNothing) return;
  const std::byte* tile = in.weights + block / 2 * kPackedTileBytes;
  for (int g = 0; g < Groups; ++g, tile += in.group_bytes) {
    for (int64_t line = 0; line < kPackedTileBytes; line += 64) {
      if (ahead == Ahead::kNear) {
        _mm_prefetch(reinterpret_cast<const char*>(tile + kPrefetchBytes + line), _MM_HINT_T0);
      } else {
        _mm_prefetch(reinterpret_cast<const char*>(tile + Groups * in.group_bytes + line),
                     _MM_HINT_T1);
      }
    }
  }
}

/// All of k for Groups * 16 rows and Tokens tokens. Each sum is taken block by block, whatever the
/// tile. `mask[g]` says which rows are wanted.
template <int Groups, int Tokens>
void Tile(const MatmulArgs& args, int64_t group, int64_t token, const __mmask16* masks,
          Ahead ahead) {
  const int64_t k = args.weights.cols;
  const int64_t blocks = k / kQuantBlock;
  const int64_t group_bytes = PackedGroupBytes(k);
  const TileInput in{.weights = args.weights.packed + group * group_bytes,
                     .group_bytes = group_bytes,
                     .q = args.q + token * k,
                     .scale = args.q_scale + token * blocks,
                     .offset = args.q_offset + token * blocks,
                     .blocks = blocks};
  __m512 sums[Groups][Tokens];
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  for (int64_t b = 0; b < blocks; b += 2) {
    Prefetch<Groups>(in, b, ahead);
    AddBlock(in, b, sums);
    if (b + 1 < blocks) AddBlock(in, b + 1, sums);
  }
  for (int t = 0; t < Tokens; ++t) {
    float* out = args.out + (token + t) * args.out_stride + group * kPackedRows;
    for (int g = 0; g < Groups; ++g) {
      _mm512_mask_storeu_ps(out + g * kPackedRows, masks[g], sums[g][t]);
    }
  }
}

/// Tokens [token, end) against Groups groups of rows.
template <int Groups>
void Tokens(const MatmulArgs& args, int64_t group, int64_t token, int64_t end) {
  __mmask16 masks[Groups];
  for (int g = 0; g < Groups; ++g) {
    const int64_t first = (group + g) * kPackedRows;
    const int64_t skipped = args.row_begin > first ? args.row_begin - first : 0;
    masks[g] = static_cast<__mmask16>(FirstLanes(args.row_end - first) & ~FirstLanes(skipped));
  }
  Ahead ahead = Ahead::kNear;
  for (; token + kTileTokens <= end; token += kTileTokens) {
    Tile<Groups, kTileTokens>(args, group, token, masks, ahead);
    ahead = ahead == Ahead::kNear ? Ahead::kNext : Ahead::kNothing;
  }
  switch (end - token) {
    case 1:
      return Tile<Groups, 1>(args, group, token, masks, ahead);
    case 2:
      return Tile<Groups, 2>(args, group, token, masks, ahead);
    case 3:
      return Tile<Groups, 3>(args, group, token, masks, ahead);
    case 4:
      return Tile<Groups, 4>(args, group, token, masks, ahead);
    case 5:
      return Tile<Groups, 5>(args, group, token, masks, ahead);
    default:
      return;
  }
}

}  // namespace

void MatmulPackedQ8(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows && args.q_offset != nullptr);
  const int64_t fitting = kActivationBytes / args.weights.cols / kTileTokens * kTileTokens;
  const int64_t tokens_at_once = fitting < 4 * kTileTokens ? 4 * kTileTokens : fitting;
  const int64_t end_group = PackedGroups(args.row_end);
  for (int64_t token = 0; token < args.tokens; token += tokens_at_once) {
    const int64_t end =
        token + tokens_at_once < args.tokens ? token + tokens_at_once : int64_t{args.tokens};
    int64_t group = args.row_begin / kPackedRows;
    // A lone token streams through the weights best in one stretch; more share each activation
    // between two groups.
    if (end - token > 1) {
      for (; group + 2 <= end_group; group += 2) Tokens<2>(args, group, token, end);
    }
    for (; group < end_group; ++group) Tokens<1>(args, group, token, end);
  }
}

}  // namespace emptor::engine::avx512
