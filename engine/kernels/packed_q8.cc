// Packing moves groups of four columns as 32-bit words.
#include "engine/kernels/packed_q8.h"

#include <cassert>
#include <cstring>

#include "engine/tensor/half.h"

namespace emptor::engine {
namespace {

constexpr int kQuads = kQuantBlock / 4;
constexpr uint32_t kOffsets = 0x80808080u;  // added to four quants at once: int8 to quant + 128

/// Block `half` of the pair in one tile; `row` is its place among the 16.
void PackBlock(const BlockQ8& block, int half, int row, std::byte* tile) {
  std::memcpy(tile + (half * kPackedRows + row) * static_cast<int>(sizeof(Half)), &block.scale,
              sizeof(Half));
  std::byte* quants = tile + kPackedScaleBytes + half * kPackedBlockBytes + row * 4;
  for (int quad = 0; quad < kQuads; ++quad) {
    uint32_t four = 0;
    std::memcpy(&four, block.quants.data() + 4 * quad, sizeof(four));
    four ^= kOffsets;
    std::memcpy(quants + quad * 4 * kPackedRows, &four, sizeof(four));
  }
}

}  // namespace

void PackQ8(const TensorView& weights, std::byte* out) {
  assert(weights.type == DType::kQ8_0 && weights.data != nullptr);
  std::memset(out, 0, PackedQ8Bytes(weights.rows, weights.cols));
  const int64_t blocks = weights.cols / kQuantBlock;
  for (int64_t r = 0; r < weights.rows; ++r) {
    std::byte* group = out + r / kPackedRows * PackedGroupBytes(weights.cols);
    const auto* row = reinterpret_cast<const BlockQ8*>(weights.row(r));
    for (int64_t b = 0; b < blocks; ++b) {
      PackBlock(row[b], static_cast<int>(b % 2), static_cast<int>(r % kPackedRows),
                group + b / 2 * kPackedTileBytes);
    }
  }
}

void UnpackQ8Row(const TensorView& weights, int64_t row, float* out) {
  const std::byte* group = weights.packed + row / kPackedRows * PackedGroupBytes(weights.cols);
  const int64_t lane = row % kPackedRows;
  for (int64_t i = 0; i < weights.cols; ++i) {
    const int64_t block = i / kQuantBlock;
    const std::byte* tile = group + block / 2 * kPackedTileBytes;
    Half scale = 0;
    std::memcpy(&scale,
                tile + (block % 2 * kPackedRows + lane) * static_cast<int64_t>(sizeof(Half)),
                sizeof(scale));
    const int64_t quad = i % kQuantBlock / 4;
    const std::byte quant = tile[kPackedScaleBytes + block % 2 * kPackedBlockBytes +
                                 (quad * kPackedRows + lane) * 4 + i % 4];
    out[i] = HalfToFloat(scale) * static_cast<float>(std::to_integer<int>(quant) - 128);
  }
}

}  // namespace emptor::engine
