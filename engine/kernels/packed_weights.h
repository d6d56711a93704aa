// Packed matrices: a product of 16 rows at a time reads them once, in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Rows that lie interleaved, one for each 32-bit lane of a 512-bit register.
inline constexpr int kPackedRows = 16;

/// One tile: 16 rows of some blocks of 32 columns, whole lines of 64 bytes. Tiles of 16 rows follow
/// each other along the columns, then come the next 16 rows. Missing rows and missing blocks are
/// filled with zero scales. "Quads" are groups of four columns; a line of quads holds those of
/// 16 rows, a byte for each element.
struct PackedLayout {
  int blocks;      // of 32 columns in a tile
  int head_bytes;  // scales, before the blocks
  int block_bytes;

  constexpr int tile_bytes() const { return head_bytes + blocks * block_bytes; }
};

/// [2 blocks][16 rows] f16 scales; block: [8 quads][16 rows][4] quants + 128, as unsigned bytes.
/// Whole tiles take the bytes of the file's layout, no more.
inline constexpr PackedLayout kPackedQ8{2, 64, 512};
/// [2 blocks][16 rows] f16 scales; block: [4 quads][16 rows][4] bytes, each a nibble of that quad
/// below, one of four quads later above. As many bytes as in the file.
inline constexpr PackedLayout kPackedQ4{2, 64, 256};
/// [16 rows] f16 scale, [16 rows] f16 min; [8 blocks][16 rows] scale6, the same of min6, in
/// bytes; blocks as those of Q4_0. 148 bytes where the file has 144.
inline constexpr PackedLayout kPackedQ4K{8, 320, 256};
/// [16 rows] f16 scale, filled up to a line; [8 blocks][2 halves][16 rows] int8 scales; block:
/// lower four bits as in Q4_0, then [2 halves][16 rows][4] bytes with the upper two bits of the
/// half's four quads, the first in the lowest bits. 212 bytes where the file has 210.
inline constexpr PackedLayout kPackedQ6K{8, 320, 384};

/// Q4_1: [2 blocks][16 rows] f16 scales, the same of f16 minimums; blocks as those of Q4_0.
inline constexpr PackedLayout kPackedQ4_1{2, 128, 256};
/// Q5_0 and Q5_1: as Q4_0 and Q4_1; behind the nibbles of a block one line [16 rows][4] of bytes
/// with the fifth bits: quad i has bit i.
inline constexpr PackedLayout kPackedQ5_0{2, 64, 320};
inline constexpr PackedLayout kPackedQ5_1{2, 128, 320};
/// Head as that of Q4_K, blocks as those of Q5_0.
inline constexpr PackedLayout kPackedQ5K{8, 320, 320};
/// [16 rows] f16 scale, [16 rows] f16 min; [8 blocks][2 halves][16 rows] bytes, scale4 below,
/// min4 above; block: two bits of each element, as the upper bits of Q6_K.
inline constexpr PackedLayout kPackedQ2K{8, 320, 128};
/// Head as that of Q6_K; block: lower two bits as in Q2_K, then the third as the fifth of Q5_0.
inline constexpr PackedLayout kPackedQ3K{8, 320, 192};
/// [16 rows] f16 scale, filled up to a line; [8 blocks][16 rows] int8 scales; blocks as those of
/// Q4_0, of nibbles that count in kIq4Values. IQ4_NL has the layout of Q4_0.
inline constexpr PackedLayout kPackedIQ4XS{8, 192, 256};

/// BF16, which is no PackedLayout: [pairs of columns][16 rows][2], one line for each pair; the last
/// of an odd number of columns is filled up with 0.

/// REQUIRES: a quantised type.
constexpr PackedLayout PackedLayoutOf(DType type) {
  switch (type) {
    case DType::kQ4_0:
    case DType::kIQ4_NL:
      return kPackedQ4;
    case DType::kQ4_1:
      return kPackedQ4_1;
    case DType::kQ5_0:
      return kPackedQ5_0;
    case DType::kQ5_1:
      return kPackedQ5_1;
    case DType::kQ2_K:
      return kPackedQ2K;
    case DType::kQ3_K:
      return kPackedQ3K;
    case DType::kQ4_K:
      return kPackedQ4K;
    case DType::kQ5_K:
      return kPackedQ5K;
    case DType::kQ6_K:
      return kPackedQ6K;
    case DType::kIQ4_XS:
      return kPackedIQ4XS;
    default:
      return kPackedQ8;
  }
}

inline int64_t PackedGroups(int64_t rows) { return (rows + kPackedRows - 1) / kPackedRows; }
/// Bytes from 16 rows to the next 16.
inline int64_t PackedGroupBytes(const PackedLayout& layout, int64_t cols) {
  const int64_t tile_cols = int64_t{layout.blocks} * kQuantBlock;
  return (cols + tile_cols - 1) / tile_cols * layout.tile_bytes();
}
/// The same for a type that can be packed.
inline int64_t PackedMatrixGroupBytes(DType type, int64_t cols) {
  if (type == DType::kBF16) return (cols + 1) / 2 * 64;
  return PackedGroupBytes(PackedLayoutOf(type), cols);
}
/// Bytes of a packed matrix.
inline size_t PackedBytes(DType type, int64_t rows, int64_t cols) {
  return static_cast<size_t>(PackedGroups(rows) * PackedMatrixGroupBytes(type, cols));
}

/// Packs `weights` from its stored layout into PackedBytes at `out`, aligned to 64.
/// REQUIRES: a quantised type or BF16; zeros at `out`.
void PackWeights(const TensorView& weights, std::byte* out);

/// The same of some groups of 16 rows alone, whose bytes no other call writes: several threads may
/// pack one matrix. REQUIRES: 0 <= begin <= end <= PackedGroups(weights.rows).
void PackGroups(const TensorView& weights, int64_t begin, int64_t end, std::byte* out);

/// One row of a packed matrix as f32: the numbers that the stored one stands for.
void UnpackRow(const TensorView& weights, int64_t row, float* out);

}  // namespace emptor::engine
