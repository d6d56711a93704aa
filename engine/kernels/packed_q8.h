// Q8_0 matrices re-laid so that a product with vpdpbusd streams through them once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Rows that lie interleaved, one for each 32-bit lane of a 512-bit register.
inline constexpr int kPackedRows = 16;
/// One tile: 16 rows of two blocks, 17 lines of 64 bytes:
///   [2 blocks][16 rows] f16 scales, then
///   [2 blocks][8 groups of four columns][16 rows][4 columns] quants + 128, as unsigned bytes.
/// Tiles of 16 rows follow each other along the columns, then come the next 16 rows. Missing rows
/// and a missing second block are filled with zero scales. Whole tiles take the bytes of the file's
/// layout, no more.
inline constexpr int64_t kPackedTileBytes = 17 * 64;
inline constexpr int64_t kPackedScaleBytes = 2 * kPackedRows * sizeof(Half);
inline constexpr int64_t kPackedBlockBytes = int64_t{kPackedRows} * kQuantBlock;

inline int64_t PackedGroups(int64_t rows) { return (rows + kPackedRows - 1) / kPackedRows; }
/// Bytes from 16 rows to the next 16.
inline int64_t PackedGroupBytes(int64_t cols) {
  return (cols / kQuantBlock + 1) / 2 * kPackedTileBytes;
}
/// Bytes of a packed matrix.
inline size_t PackedQ8Bytes(int64_t rows, int64_t cols) {
  return static_cast<size_t>(PackedGroups(rows) * PackedGroupBytes(cols));
}

/// Packs `weights` from its stored layout into PackedQ8Bytes at `out`, aligned to 64.
/// REQUIRES: Q8_0.
void PackQ8(const TensorView& weights, std::byte* out);

/// One row of a packed matrix as f32.
void UnpackQ8Row(const TensorView& weights, int64_t row, float* out);

}  // namespace emptor::engine
