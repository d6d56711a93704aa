// Product of packed BF16 weights with AVX-512 BF16: pairs of products of bf16, summed in f32.
#include <cassert>
#include <cstring>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"
#include "engine/kernels/packed_weights.h"

namespace emptor::engine::avx512 {
namespace {

constexpr int kTileTokens = 12;  // with two groups of rows, 24 sums
// Pairs of columns that are taken at a time, so that two groups of rows stay in the first-level
// cache while all tokens pass; sums wait in the output meanwhile.
constexpr int64_t kPanelPairs = 256;
// Activations of a panel that stay in the second-level cache while all rows pass.
constexpr int64_t kMaxTokens = 512;
constexpr int64_t kPrefetchBytes = 4096;
constexpr int64_t kLine = 64;  // bytes: 16 rows of a pair of columns

inline __m512bh AsPairs(__m512i bits) {
  __m512bh pairs;
  std::memcpy(&pairs, &bits, sizeof(pairs));
  return pairs;
}

/// A panel of columns of some groups of rows, against all tokens.
struct Panel {
  const MatmulArgs& args;
  int64_t group;
  int64_t first_pair, pairs;

  int64_t group_bytes() const { return PackedMatrixGroupBytes(DType::kBF16, args.weights.cols); }
  __mmask16 Mask(int64_t at) const {
    const int64_t first = at * kPackedRows;
    const int64_t skipped = args.row_begin > first ? args.row_begin - first : 0;
    return static_cast<__mmask16>(FirstLanes(args.row_end - first) & ~FirstLanes(skipped));
  }
};

/// The pair of columns of a token in every lane. The last column of an odd number stands alone.
inline __m512bh LoadPair(const BFloat16* x, bool alone) {
  uint32_t pair = 0;
  std::memcpy(&pair, x, alone ? sizeof(BFloat16) : sizeof(pair));
  return AsPairs(_mm512_set1_epi32(static_cast<int>(pair)));
}

/// Adds a panel to the sums of Groups * 16 rows and Tokens tokens, pair by pair whatever the tile.
template <int Groups, int Tokens>
void Tile(const Panel& panel, int64_t token, bool ahead) {
  const MatmulArgs& args = panel.args;
  const int64_t k = args.weights.cols;
  const int64_t group_bytes = panel.group_bytes();
  const std::byte* w = args.weights.packed + panel.group * group_bytes + panel.first_pair * kLine;
  const BFloat16* x = args.x_bf16 + token * k + 2 * panel.first_pair;
  float* out = args.out + token * args.out_stride + panel.group * kPackedRows;
  __mmask16 masks[Groups];
  __m512 sums[Groups][Tokens];
  for (int g = 0; g < Groups; ++g) {
    masks[g] = panel.Mask(panel.group + g);
    for (int t = 0; t < Tokens; ++t) {
      sums[g][t] =
          panel.first_pair == 0
              ? _mm512_setzero_ps()
              : _mm512_maskz_loadu_ps(masks[g], out + t * args.out_stride + g * kPackedRows);
    }
  }
  const auto add = [&](int64_t pair, bool alone) {
    __m512bh rows[Groups];
    for (int g = 0; g < Groups; ++g) {
      const std::byte* line = w + g * group_bytes + pair * kLine;
      rows[g] = AsPairs(_mm512_load_si512(line));
      if (ahead) _mm_prefetch(reinterpret_cast<const char*>(line + kPrefetchBytes), _MM_HINT_T0);
    }
    for (int t = 0; t < Tokens; ++t) {
      const __m512bh both = LoadPair(x + t * k + 2 * pair, alone);
      for (int g = 0; g < Groups; ++g) sums[g][t] = _mm512_dpbf16_ps(sums[g][t], rows[g], both);
    }
  };
  const bool odd = 2 * (panel.first_pair + panel.pairs) > k;
  const int64_t whole = panel.pairs - (odd ? 1 : 0);
  for (int64_t pair = 0; pair < whole; ++pair) add(pair, false);
  if (odd) add(whole, true);
  for (int g = 0; g < Groups; ++g) {
    for (int t = 0; t < Tokens; ++t) {
      _mm512_mask_storeu_ps(out + t * args.out_stride + g * kPackedRows, masks[g], sums[g][t]);
    }
  }
}

/// The last tokens, fewer than a tile.
template <int Groups, int Count>
void Rest(const Panel& panel, int64_t token, int64_t count, bool ahead) {
  if constexpr (Count > 0) {
    if (count == Count) return Tile<Groups, Count>(panel, token, ahead);
    Rest<Groups, Count - 1>(panel, token, count, ahead);
  }
}

template <int Groups>
void Tokens(const Panel& panel, int64_t token, int64_t end) {
  bool ahead = true;  // a first pass comes from memory
  for (; token + kTileTokens <= end; token += kTileTokens) {
    Tile<Groups, kTileTokens>(panel, token, ahead);
    ahead = false;
  }
  Rest<Groups, kTileTokens - 1>(panel, token, end - token, ahead);
}

}  // namespace

void MatmulPackedBf16(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows && args.x_bf16 != nullptr);
  const int64_t pairs = (args.weights.cols + 1) / 2;
  const int64_t end_group = PackedGroups(args.row_end);
  for (int64_t token = 0; token < args.tokens; token += kMaxTokens) {
    const int64_t end =
        token + kMaxTokens < args.tokens ? token + kMaxTokens : int64_t{args.tokens};
    // A few tokens stream through whole rows; many meet a panel of all rows before the next.
    const int64_t width = end - token > kTileTokens ? kPanelPairs : pairs;
    for (int64_t first = 0; first < pairs; first += width) {
      const int64_t count = first + width < pairs ? width : pairs - first;
      int64_t group = args.row_begin / kPackedRows;
      for (; group + 2 <= end_group; group += 2) Tokens<2>({args, group, first, count}, token, end);
      for (; group < end_group; ++group) Tokens<1>({args, group, first, count}, token, end);
    }
  }
}

void ToBFloat16(const float* x, int64_t n, BFloat16* out) {
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(lanes, x + i));
    __m256i bits;
    std::memcpy(&bits, &rounded, sizeof(bits));
    _mm256_mask_storeu_epi16(out + i, lanes, bits);
  }
}

}  // namespace emptor::engine::avx512
