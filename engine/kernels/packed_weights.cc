// Each type says where the scales and quants of one block of one row go, and reads them back.
#include "engine/kernels/packed_weights.h"

#include <cassert>
#include <cstring>

#include "engine/tensor/half.h"
#include "engine/tensor/quant_block.h"

namespace emptor::engine {
namespace {

/// A block of a row in a tile.
struct PackedPlace {
  std::byte* tile;    // its scales
  std::byte* quants;  // of the block
  int block;          // in the tile
  int row;            // among the 16
};

void PutHalf(Half half, std::byte* at) { std::memcpy(at, &half, sizeof(half)); }
float HalfAt(const std::byte* at) {
  Half half = 0;
  std::memcpy(&half, at, sizeof(half));
  return HalfToFloat(half);
}

/// Byte of element i of the row in lines of whole quads.
int ByteOf(int i, int row) { return (i / 4 * kPackedRows + row) * 4 + i % 4; }

void AddBits(int bits, std::byte& byte) { byte |= static_cast<std::byte>(bits); }

/// Bytes of element i's nibble and of its upper bits; the latter for Q6_K.
std::byte& NibbleByte(const PackedPlace& place, int i) {
  return place.quants[ByteOf(i % 16, place.row)];
}
std::byte& UpperByte(const PackedPlace& place, int i) {
  return place.quants[kPackedQ4.block_bytes + i / 16 * 64 + place.row * 4 + i % 4];
}
int NibbleShift(int i) { return i < 16 ? 0 : 4; }
int UpperShift(int i) { return i % 16 / 4 * 2; }

std::byte* PairScale(const PackedPlace& place) {  // of Q8_0 and Q4_0
  return place.tile + (place.block * kPackedRows + place.row) * static_cast<int>(sizeof(Half));
}

void PackQ8(const BlockQ8& block, const PackedPlace& place) {
  PutHalf(block.scale, PairScale(place));
  for (int i = 0; i < kQuantBlock; ++i) {
    place.quants[ByteOf(i, place.row)] =
        static_cast<std::byte>(block.quants[static_cast<size_t>(i)] + 128);
  }
}

/// Nibbles of quants that are made not negative by `offset`, and what is above them.
void PackQuants(const QuantBlock& block, int offset, bool upper, const PackedPlace& place) {
  for (int i = 0; i < kQuantBlock; ++i) {
    const int quant = block.quants[static_cast<size_t>(i)] + offset;
    AddBits((quant & 15) << NibbleShift(i), NibbleByte(place, i));
    if (upper) AddBits(quant >> 4 << UpperShift(i), UpperByte(place, i));
  }
}

void PackBlock(const TensorView& weights, int64_t row, int64_t index, const PackedPlace& place) {
  const std::byte* stored = weights.row(row);
  const int64_t super = index * kQuantBlock / kSuperBlock;
  if (weights.type == DType::kQ8_0) {
    return PackQ8(reinterpret_cast<const BlockQ8*>(stored)[index], place);
  }
  const QuantBlock block = ReadQuantBlock(weights.type, stored, index);
  if (weights.type == DType::kQ4_0) {
    PutHalf(reinterpret_cast<const BlockQ4*>(stored)[index].scale, PairScale(place));
    return PackQuants(block, 8, false, place);
  }
  std::byte* halves = place.tile + place.row * static_cast<int>(sizeof(Half));
  if (weights.type == DType::kQ4_K) {
    const BlockQ4K& source = reinterpret_cast<const BlockQ4K*>(stored)[super];
    const SixBitPair pair = ReadSixBits(source, place.block);
    PutHalf(source.scale, halves);
    PutHalf(source.least, halves + 32);
    place.tile[64 + place.block * kPackedRows + place.row] = static_cast<std::byte>(pair.scale);
    place.tile[192 + place.block * kPackedRows + place.row] = static_cast<std::byte>(pair.least);
    return PackQuants(block, 0, false, place);
  }
  const BlockQ6K& source = reinterpret_cast<const BlockQ6K*>(stored)[super];
  PutHalf(source.scale, halves);
  for (int half = 0; half < 2; ++half) {
    const int at = 2 * place.block + half;
    place.tile[64 + at * kPackedRows + place.row] =
        static_cast<std::byte>(source.scales[static_cast<size_t>(at)]);
  }
  PackQuants(block, 32, true, place);
}

PackedPlace PlaceOf(const TensorView& weights, std::byte* packed, int64_t row, int64_t index) {
  const PackedLayout layout = PackedLayoutOf(weights.type);
  std::byte* tile = packed + row / kPackedRows * PackedGroupBytes(layout, weights.cols) +
                    index / layout.blocks * layout.tile_bytes();
  const auto block = static_cast<int>(index % layout.blocks);
  return {tile, tile + layout.head_bytes + block * layout.block_bytes, block,
          static_cast<int>(row % kPackedRows)};
}

int ByteAt(const std::byte* at) { return std::to_integer<int>(*at); }

int QuantAt(DType type, const PackedPlace& place, int i) {
  if (type == DType::kQ8_0) return ByteAt(place.quants + ByteOf(i, place.row)) - 128;
  const int nibble = ByteAt(&NibbleByte(place, i)) >> NibbleShift(i) & 15;
  if (type == DType::kQ4_0) return nibble - 8;
  if (type == DType::kQ4_K) return nibble;
  return (nibble | (ByteAt(&UpperByte(place, i)) >> UpperShift(i) & 3) << 4) - 32;
}

QuantBlock UnpackBlock(DType type, const PackedPlace& place) {
  QuantBlock block{};
  for (int i = 0; i < kQuantBlock; ++i) {
    block.quants[static_cast<size_t>(i)] = static_cast<int8_t>(QuantAt(type, place, i));
  }
  const std::byte* halves = place.tile + place.row * static_cast<int>(sizeof(Half));
  const std::byte* bytes = place.tile + 64 + place.row;
  if (type == DType::kQ4_K) {
    const float scale =
        HalfAt(halves) * static_cast<float>(ByteAt(bytes + place.block * kPackedRows));
    block.scales = {scale, scale};
    block.least =
        HalfAt(halves + 32) * static_cast<float>(ByteAt(bytes + 128 + place.block * kPackedRows));
  } else if (type == DType::kQ6_K) {
    for (size_t half = 0; half < 2; ++half) {
      const int at = (2 * place.block + static_cast<int>(half)) * kPackedRows;
      block.scales[half] =
          HalfAt(halves) * static_cast<float>(static_cast<int8_t>(ByteAt(bytes + at)));
    }
  } else {
    const float scale = HalfAt(PairScale(place));
    block.scales = {scale, scale};
  }
  return block;
}

/// Where element i of a row of BF16 lies.
size_t PairedPlace(int64_t cols, int64_t row, int64_t i) {
  return static_cast<size_t>(row / kPackedRows * PackedMatrixGroupBytes(DType::kBF16, cols) +
                             i / 2 * 64 + row % kPackedRows * 4 + i % 2 * 2);
}

void PackPairs(const TensorView& weights, std::byte* out) {
  for (int64_t row = 0; row < weights.rows; ++row) {
    const std::byte* stored = weights.row(row);
    for (int64_t i = 0; i < weights.cols; ++i) {
      std::memcpy(out + PairedPlace(weights.cols, row, i), stored + 2 * i, sizeof(BFloat16));
    }
  }
}

void UnpackPairs(const TensorView& weights, int64_t row, float* out) {
  for (int64_t i = 0; i < weights.cols; ++i) {
    BFloat16 value = 0;
    std::memcpy(&value, weights.packed + PairedPlace(weights.cols, row, i), sizeof(value));
    out[i] = BFloat16ToFloat(value);
  }
}

}  // namespace

void PackWeights(const TensorView& weights, std::byte* out) {
  assert(weights.data != nullptr);
  std::memset(out, 0, PackedBytes(weights.type, weights.rows, weights.cols));
  if (weights.type == DType::kBF16) return PackPairs(weights, out);
  for (int64_t row = 0; row < weights.rows; ++row) {
    for (int64_t index = 0; index < weights.cols / kQuantBlock; ++index) {
      PackBlock(weights, row, index, PlaceOf(weights, out, row, index));
    }
  }
}

void UnpackRow(const TensorView& weights, int64_t row, float* out) {
  if (weights.type == DType::kBF16) return UnpackPairs(weights, row, out);
  auto* packed = const_cast<std::byte*>(weights.packed);  // only read
  for (int64_t index = 0; index < weights.cols / kQuantBlock; ++index) {
    const QuantBlock block = UnpackBlock(weights.type, PlaceOf(weights, packed, row, index));
    for (int i = 0; i < kQuantBlock; ++i) out[index * kQuantBlock + i] = block.value(i);
  }
}

}  // namespace emptor::engine
