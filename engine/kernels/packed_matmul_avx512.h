// The product of packed weights with AVX-512 VNNI: 16 rows in the lanes of a register, so that no
// sum ever crosses lanes, and each weight is read once for all tokens of a pass. Included by the
// matmul_avx512_q*.cc files alone, each with types of its own in an unnamed namespace.
#pragma once

#include <immintrin.h>

#include <cassert>
#include <cstring>

#include "engine/kernels/avx512_math.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/packed_weights.h"

namespace emptor::engine::avx512 {

/// A tile's rows of one of its inputs, a stride apart. Every third has a pointer of its own: the
/// others are reached by one or two strides, so that six rows need three registers, not six.
template <typename T>
struct TileRows {
  const T* thirds[2];
  int64_t stride;

  TileRows(const T* first, int64_t elements)
      : thirds{first, first + 3 * elements}, stride(elements) {}
  [[gnu::always_inline]] const T* Row(int row) const { return thirds[row / 3] + row % 3 * stride; }
};

/// What a tile of Groups * 16 rows by Tokens tokens reads.
struct TileInput {
  const std::byte* weights;  // of the first group
  int64_t group_bytes;       // to the next group
  TileRows<int8_t> q;        // of the tile's tokens
  TileRows<float> scale;
  TileRows<int32_t> offset;

  /// Four activations of a token in every lane.
  [[gnu::always_inline]] __m512i Quad(int token, int64_t block, int quad) const {
    int32_t four = 0;
    std::memcpy(&four, q.Row(token) + block * kQuantBlock + 4 * quad, sizeof(four));
    return _mm512_set1_epi32(four);
  }
  [[gnu::always_inline]] __m512 Scale(int token, int64_t block) const {
    return _mm512_set1_ps(scale.Row(token)[block]);
  }
  [[gnu::always_inline]] __m512i Offset(int token, int64_t block) const {
    return _mm512_set1_epi32(offset.Row(token)[block]);
  }
};

/// Type: kLayout, kTileTokens (tokens whose sums and dots fit into registers with those of two
/// groups of rows), and
///   template <int Groups, int Tokens>
///   AddBlock(input, tile, j, block, sums): block j of a tile, which is `block` of the columns.
template <typename Type>
class PackedMatmul {
 public:
  static void Run(const MatmulArgs& args) {
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

 private:
  static constexpr PackedLayout kLayout = Type::kLayout;
  static constexpr int kTileTokens = Type::kTileTokens;
  static_assert(kTileTokens <= 6);  // TileRows
  // Activations that stay in the second-level cache while all rows pass.
  static constexpr int64_t kActivationBytes = 256 << 10;
  // How far ahead of the row that is being read the next lines are asked for.
  static constexpr int64_t kPrefetchBytes = 4096;

  /// What a tile asks for ahead of its reading, as many bytes as it reads.
  enum class Ahead {
    kNothing,
    kNear,  // the bytes that it reads itself next: a first pass, which comes from memory
    kNext,  // the rows after these, into the second-level cache: while a later pass computes
  };

  /// The lines that a tile asks for, from those that it reads. Behind the groups that are read
  /// together come as many others: past its end each goes on that many groups later.
  template <int Groups>
  class Later {
   public:
    Later(const TileInput& in, Ahead ahead)
        : turn_(in.weights +
                (ahead == Ahead::kNear ? in.group_bytes - kPrefetchBytes : in.group_bytes)),
          shift_(ahead == Ahead::kNear ? kPrefetchBytes : Groups * in.group_bytes),
          skip_((Groups - 1) * in.group_bytes) {}
    [[gnu::always_inline]] const std::byte* Of(const std::byte* tile) const {
      return tile + shift_ + (Groups > 1 && tile >= turn_ ? skip_ : 0);
    }

   private:
    const std::byte* turn_;  // of the first group: what it asks for lies behind its end
    int64_t shift_, skip_;
  };

  /// Block j's share of the lines of a tile, in each group.
  template <int Groups>
  [[gnu::always_inline]] static void Prefetch(const std::byte* tile, int64_t group_bytes, int j,
                                              Ahead ahead) {
    if (ahead == Ahead::kNothing) return;
    constexpr int kLines = kLayout.tile_bytes() / 64;
    for (int g = 0; g < Groups; ++g, tile += group_bytes) {
      for (int line = kLines * j / kLayout.blocks; line < kLines * (j + 1) / kLayout.blocks;
           ++line) {
        if (ahead == Ahead::kNear) {
          _mm_prefetch(reinterpret_cast<const char*>(tile + 64 * line), _MM_HINT_T0);
        } else {
          _mm_prefetch(reinterpret_cast<const char*>(tile + 64 * line), _MM_HINT_T1);
        }
      }
    }
  }

  /// All of k for Groups * 16 rows and Tokens tokens. Each sum is taken block by block, whatever
  /// the tile. `mask[g]` says which rows are wanted.
  template <int Groups, int Tokens>
  static void Tile(const MatmulArgs& args, int64_t group, int64_t token, const __mmask16* masks,
                   Ahead wanted) {
    // A constant where a step decodes one token: it does nothing but wait for memory.
    const Ahead ahead = Groups * Tokens == 1 ? Ahead::kNear : wanted;
    const int64_t k = args.weights.cols;
    const int64_t blocks = k / kQuantBlock;
    const int64_t group_bytes = PackedGroupBytes(kLayout, k);
    const TileInput in{.weights = args.weights.packed + group * group_bytes,
                       .group_bytes = group_bytes,
                       .q = {args.q + token * k, k},
                       .scale = {args.q_scale + token * blocks, blocks},
                       .offset = {args.q_offset + token * blocks, blocks}};
    __m512 sums[Groups][Tokens];
    for (auto& row : sums) {
      for (__m512& sum : row) sum = _mm512_setzero_ps();
    }
    const Later<Groups> later(in, ahead);
    const std::byte* tile = in.weights;
    for (int64_t b = 0; b < blocks; b += kLayout.blocks, tile += kLayout.tile_bytes()) {
#pragma GCC unroll 2
      for (int j = 0; j < kLayout.blocks; ++j) {
        if (b + j >= blocks) break;
        Prefetch<Groups>(later.Of(tile), group_bytes, j, ahead);
        Type::template AddBlock<Groups, Tokens>(in, tile, j, b + j, sums);
      }
    }
    for (int t = 0; t < Tokens; ++t) {
      float* out = args.out + (token + t) * args.out_stride + group * kPackedRows;
      for (int g = 0; g < Groups; ++g) {
        _mm512_mask_storeu_ps(out + g * kPackedRows, masks[g], sums[g][t]);
      }
    }
  }

  /// The last tokens of a pass, fewer than a tile.
  template <int Groups, int Count>
  static void Rest(const MatmulArgs& args, int64_t group, int64_t token, int64_t count,
                   const __mmask16* masks, Ahead ahead) {
    if constexpr (Count > 0) {
      if (count == Count) return Tile<Groups, Count>(args, group, token, masks, ahead);
      Rest<Groups, Count - 1>(args, group, token, count, masks, ahead);
    }
  }

  /// Tokens [token, end) against Groups groups of rows.
  template <int Groups>
  static void Tokens(const MatmulArgs& args, int64_t group, int64_t token, int64_t end) {
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
    Rest<Groups, kTileTokens - 1>(args, group, token, end - token, masks, ahead);
  }
};

}  // namespace emptor::engine::avx512
