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
/// [16 rows] f16 scale, [16 rows] f16 least; [8 blocks][16 rows] scale6, the same of least6, in
/// bytes; blocks as those of Q4_0. 148 bytes where the file has 144.
inline constexpr PackedLayout kPackedQ4K{8, 320, 256};
/// [16 rows] f16 scale, filled up to a line; [8 blocks][2 halves][16 rows] int8 scales; block:
/// lower four bits as in Q4_0, then [2 halves][16 rows][4] bytes with the upper two bits of the
/// half's four quads, the first in the lowest bits. 212 bytes where the file has 210.
inline constexpr PackedLayout kPackedQ6K{8, 320, 384};

/// BF16, which is no PackedLayout: [pairs of columns][16 rows][2], one line for each pair; the last
/// of an odd number of columns is filled up with 0.

/// REQUIRES: a quantised type.
constexpr PackedLayout PackedLayoutOf(DType type) {
  if (type == DType::kQ4_0) return kPackedQ4;
  if (type == DType::kQ4_K) return kPackedQ4K;
  return type == DType::kQ6_K ? kPackedQ6K : kPackedQ8;
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
/// REQUIRES: a quantised type or BF16.
void PackWeights(const TensorView& weights, std::byte* out);

/// One row of a packed matrix as f32: the numbers that the stored one stands for.
void UnpackRow(const TensorView& weights, int64_t row, float* out);

}  // namespace emptor::engine
