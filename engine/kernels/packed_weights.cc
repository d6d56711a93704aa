// Each type says where the scales and quants of one block of one row go, and reads them back.
#include "engine/kernels/packed_weights.h"

#include <algorithm>
#include <array>
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

/// The bytes of a row in a line of quads.
std::byte* QuadAt(std::byte* plane, int line, int row) {
  return plane + (line * kPackedRows + row) * 4;
}
void AddQuad(uint32_t bits, std::byte* at) {
  uint32_t quad = 0;
  std::memcpy(&quad, at, sizeof(quad));
  quad |= bits;
  std::memcpy(at, &quad, sizeof(quad));
}

std::byte* PairScale(const PackedPlace& place) {  // of the types with a tile of two blocks
  return place.tile + (place.block * kPackedRows + place.row) * static_cast<int>(sizeof(Half));
}
/// Its minimum, in the types that have one.
std::byte* PairMin(const PackedPlace& place) { return PairScale(place) + 64; }

/// The planes of bits that a block of a type consists of, in this order, the lowest bits first.
struct Planes {
  bool nibbles, pairs, singles;
};
constexpr int kNibblesBytes = kPackedRows * kQuantBlock / 2;
constexpr int kPairsBytes = kPackedRows * kQuantBlock / 4;

Planes PlanesOf(DType type) {
  switch (type) {
    case DType::kQ2_K:
      return {.nibbles = false, .pairs = true, .singles = false};
    case DType::kQ3_K:
      return {.nibbles = false, .pairs = true, .singles = true};
    case DType::kQ5_0:
    case DType::kQ5_1:
    case DType::kQ5_K:
      return {.nibbles = true, .pairs = false, .singles = true};
    case DType::kQ6_K:
      return {.nibbles = true, .pairs = true, .singles = false};
    default:
      return {.nibbles = true, .pairs = false, .singles = false};
  }
}

/// Calls visit(byte, its lowest bit, lowest bit of the quant, count of bits) for each plane of
/// element i.
template <typename Visit>
void ForEachPlane(const Planes& planes, const PackedPlace& place, int i, const Visit& visit) {
  std::byte* plane = place.quants;
  const int in_line = place.row * 4 + i % 4;
  int bit = 0;
  if (planes.nibbles) {
    visit(plane[ByteOf(i % 16, place.row)], i < 16 ? 0 : 4, bit, 4);
    plane += kNibblesBytes;
    bit += 4;
  }
  if (planes.pairs) {
    visit(plane[i / 16 * 64 + in_line], i % 16 / 4 * 2, bit, 2);
    plane += kPairsBytes;
    bit += 2;
  }
  if (planes.singles) visit(plane[in_line], i / 4, bit, 1);
}

/// What makes the quants of a type not negative.
int QuantOffset(DType type) {
  switch (type) {
    case DType::kQ4_0:
      return 8;
    case DType::kQ5_0:
      return 16;
    case DType::kQ3_K:
      return 4;
    case DType::kQ6_K:
      return 32;
    default:
      return 0;
  }
}

bool IsIq4(DType type) { return type == DType::kIQ4_NL || type == DType::kIQ4_XS; }

/// By quant, as an unsigned byte: its place among kIq4Values.
constexpr std::array<uint8_t, 256> kIq4Bits = [] {
  std::array<uint8_t, 256> bits{};
  for (size_t i = 0; i < kIq4Values.size(); ++i) {
    bits[static_cast<uint8_t>(kIq4Values[i])] = static_cast<uint8_t>(i);
  }
  return bits;
}();

/// The quants of a block as they are packed, none negative.
std::array<uint8_t, kQuantBlock> BitsOf(DType type, const QuantBlock& block) {
  std::array<uint8_t, kQuantBlock> bits;
  const int offset = QuantOffset(type);
  const bool is_iq4 = IsIq4(type);
  for (size_t i = 0; i < bits.size(); ++i) {
    const auto quant = static_cast<uint8_t>(block.quants[i]);
    bits[i] = is_iq4 ? kIq4Bits[quant] : static_cast<uint8_t>(quant + offset);
  }
  return bits;
}
int8_t BitsToQuant(DType type, int bits) {
  if (IsIq4(type)) return kIq4Values[static_cast<size_t>(bits)];
  return static_cast<int8_t>(bits - QuantOffset(type));
}

/// Sign of a half.
constexpr Half kSignBit = 0x8000;

template <typename Block>
void PackPairHead(const Block& block, const PackedPlace& place) {
  PutHalf(block.scale, PairScale(place));
  if constexpr (requires { block.base; }) {
    PutHalf(static_cast<Half>(block.base ^ kSignBit), PairMin(place));
  }
}

std::byte* TileScale(const PackedPlace& place) {  // of the types with super-blocks
  return place.tile + place.row * static_cast<int>(sizeof(Half));
}
std::byte* TileMin(const PackedPlace& place) { return TileScale(place) + 32; }
/// The small scale of a sub-block, of which the tile has one for each row.
std::byte& SmallScale(const PackedPlace& place, int sub_block) {
  return place.tile[64 + sub_block * kPackedRows + place.row];
}
/// The small minimum of Q4_K and Q5_K.
std::byte& SmallMin(const PackedPlace& place) { return (&SmallScale(place, place.block))[128]; }

template <typename Block>
void PackSixBitHead(const Block& block, const PackedPlace& place) {
  const SixBitPair pair = ReadSixBits(block.packed, place.block);
  PutHalf(block.scale, TileScale(place));
  PutHalf(block.min, TileMin(place));
  SmallScale(place, place.block) = static_cast<std::byte>(pair.scale);
  SmallMin(place) = static_cast<std::byte>(pair.min);
}

void PackQ2KHead(const BlockQ2K& block, const PackedPlace& place) {
  PutHalf(block.scale, TileScale(place));
  PutHalf(block.min, TileMin(place));
  for (int at = 2 * place.block; at < 2 * place.block + 2; ++at) {
    SmallScale(place, at) = static_cast<std::byte>(block.scales[static_cast<size_t>(at)]);
  }
}

int SubBlockScale(const BlockQ6K& block, int at) { return block.scales[static_cast<size_t>(at)]; }
int SubBlockScale(const BlockQ3K& block, int at) { return ReadScale(block, at); }

template <typename Block>
void PackHalvesHead(const Block& block, const PackedPlace& place) {
  PutHalf(block.scale, TileScale(place));
  for (int at = 2 * place.block; at < 2 * place.block + 2; ++at) {
    SmallScale(place, at) = static_cast<std::byte>(SubBlockScale(block, at));
  }
}

void PackIq4XsHead(const BlockIQ4XS& block, const PackedPlace& place) {
  PutHalf(block.scale, TileScale(place));
  SmallScale(place, place.block) = static_cast<std::byte>(ReadScale(block, place.block));
}

/// The scales of block `index` of a row; `super` is the index of its super-block.
void PackHead(DType type, const std::byte* stored, int64_t index, const PackedPlace& place) {
  const int64_t super = index * kQuantBlock / kSuperBlock;
  switch (type) {
    case DType::kQ4_0:
      return PackPairHead(reinterpret_cast<const BlockQ4*>(stored)[index], place);
    case DType::kQ4_1:
      return PackPairHead(reinterpret_cast<const BlockQ4_1*>(stored)[index], place);
    case DType::kQ5_0:
      return PackPairHead(reinterpret_cast<const BlockQ5_0*>(stored)[index], place);
    case DType::kQ5_1:
      return PackPairHead(reinterpret_cast<const BlockQ5_1*>(stored)[index], place);
    case DType::kIQ4_NL:
      return PackPairHead(reinterpret_cast<const BlockIQ4NL*>(stored)[index], place);
    case DType::kQ2_K:
      return PackQ2KHead(reinterpret_cast<const BlockQ2K*>(stored)[super], place);
    case DType::kQ3_K:
      return PackHalvesHead(reinterpret_cast<const BlockQ3K*>(stored)[super], place);
    case DType::kQ4_K:
      return PackSixBitHead(reinterpret_cast<const BlockQ4K*>(stored)[super], place);
    case DType::kQ5_K:
      return PackSixBitHead(reinterpret_cast<const BlockQ5K*>(stored)[super], place);
    case DType::kQ6_K:
      return PackHalvesHead(reinterpret_cast<const BlockQ6K*>(stored)[super], place);
    case DType::kIQ4_XS:
      return PackIq4XsHead(reinterpret_cast<const BlockIQ4XS*>(stored)[super], place);
    default:
      assert(false);
  }
}

void PackQ8(const BlockQ8& block, const PackedPlace& place) {
  PutHalf(block.scale, PairScale(place));
  for (int quad = 0; quad < kQuantBlock / 4; ++quad) {
    uint32_t quants = 0;
    std::memcpy(&quants, block.quants.data() + 4 * quad, sizeof(quants));
    quants ^= 0x80808080;  // + 128, in each byte
    std::memcpy(QuadAt(place.quants, quad, place.row), &quants, sizeof(quants));
  }
}

/// The planes of ForEachPlane, four elements at a time.
void PackQuants(const Planes& planes, const std::array<uint8_t, kQuantBlock>& bits,
                const PackedPlace& place) {
  for (int quad = 0; quad < kQuantBlock / 4; ++quad) {
    uint32_t rest = 0;  // of each element, the bits that are still to be packed
    std::memcpy(&rest, bits.data() + 4 * quad, sizeof(rest));
    std::byte* plane = place.quants;
    if (planes.nibbles) {
      AddQuad((rest & 0x0f0f0f0f) << quad / 4 * 4, QuadAt(plane, quad % 4, place.row));
      plane += kNibblesBytes;
      rest >>= 4;
    }
    if (planes.pairs) {
      AddQuad((rest & 0x03030303) << quad % 4 * 2, QuadAt(plane, quad / 4, place.row));
      plane += kPairsBytes;
      rest >>= 2;
    }
    if (planes.singles) AddQuad((rest & 0x01010101) << quad, QuadAt(plane, 0, place.row));
  }
}

void PackBlock(const TensorView& weights, int64_t row, int64_t index, const PackedPlace& place) {
  const std::byte* stored = weights.row(row);
  if (weights.type == DType::kQ8_0) {
    return PackQ8(reinterpret_cast<const BlockQ8*>(stored)[index], place);
  }
  PackHead(weights.type, stored, index, place);
  const QuantBlock block = ReadQuantBlock(weights.type, stored, index);
  PackQuants(PlanesOf(weights.type), BitsOf(weights.type, block), place);
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

int8_t QuantAt(DType type, const PackedPlace& place, int i) {
  if (type == DType::kQ8_0) {
    return static_cast<int8_t>(ByteAt(place.quants + ByteOf(i, place.row)) - 128);
  }
  int bits = 0;
  ForEachPlane(PlanesOf(type), place, i, [&](const std::byte& byte, int at, int bit, int count) {
    bits |= (ByteAt(&byte) >> at & ((1 << count) - 1)) << bit;
  });
  return BitsToQuant(type, bits);
}

float SignedAt(const std::byte& at) {
  return static_cast<float>(static_cast<int8_t>(std::to_integer<int>(at)));
}

/// Scales and minimums of a block.
void UnpackHead(DType type, const PackedPlace& place, QuantBlock& out) {
  const auto both = [](float value) { return std::array<float, 2>{value, value}; };
  const auto half = [](size_t i, const PackedPlace& at) {
    return 2 * at.block + static_cast<int>(i);
  };
  switch (type) {
    case DType::kQ4_K:
    case DType::kQ5_K:
      out.scales = both(HalfAt(TileScale(place)) *
                        static_cast<float>(ByteAt(&SmallScale(place, place.block))));
      out.min = both(HalfAt(TileMin(place)) * static_cast<float>(ByteAt(&SmallMin(place))));
      return;
    case DType::kQ2_K:
      for (size_t i = 0; i < 2; ++i) {
        const int pair = ByteAt(&SmallScale(place, half(i, place)));
        out.scales[i] = HalfAt(TileScale(place)) * static_cast<float>(pair & 15);
        out.min[i] = HalfAt(TileMin(place)) * static_cast<float>(pair >> 4);
      }
      return;
    case DType::kQ3_K:
    case DType::kQ6_K:
      for (size_t i = 0; i < 2; ++i) {
        out.scales[i] = HalfAt(TileScale(place)) * SignedAt(SmallScale(place, half(i, place)));
      }
      return;
    case DType::kIQ4_XS:
      out.scales = both(HalfAt(TileScale(place)) * SignedAt(SmallScale(place, place.block)));
      return;
    case DType::kQ4_1:
    case DType::kQ5_1:
      out.min = both(HalfAt(PairMin(place)));
      break;
    default:
      break;
  }
  out.scales = both(HalfAt(PairScale(place)));
}

QuantBlock UnpackBlock(DType type, const PackedPlace& place) {
  QuantBlock block{};
  for (int i = 0; i < kQuantBlock; ++i) {
    block.quants[static_cast<size_t>(i)] = QuantAt(type, place, i);
  }
  UnpackHead(type, place, block);
  return block;
}

/// Where element i of a row of BF16 lies.
size_t PairedPlace(int64_t cols, int64_t row, int64_t i) {
  return static_cast<size_t>(row / kPackedRows * PackedMatrixGroupBytes(DType::kBF16, cols) +
                             i / 2 * 64 + row % kPackedRows * 4 + i % 2 * 2);
}

/// Rows of BF16 into their places.
void PackPairs(const TensorView& weights, int64_t row, int64_t end, std::byte* out) {
  for (; row < end; ++row) {
    const std::byte* stored = weights.row(row);
    for (int64_t i = 0; i < weights.cols; i += 2) {
      const auto count = static_cast<size_t>(std::min<int64_t>(2, weights.cols - i));
      std::memcpy(out + PairedPlace(weights.cols, row, i), stored + 2 * i,
                  count * sizeof(BFloat16));
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
  PackGroups(weights, 0, PackedGroups(weights.rows), out);
}

void PackGroups(const TensorView& weights, int64_t begin, int64_t end, std::byte* out) {
  assert(weights.data != nullptr && begin <= end && end <= PackedGroups(weights.rows));
  for (int64_t group = begin; group < end; ++group) {
    const int64_t first = group * kPackedRows;
    const int64_t last = std::min(first + kPackedRows, weights.rows);
    if (weights.type == DType::kBF16) {
      PackPairs(weights, first, last, out);
      continue;
    }
    for (int64_t index = 0; index < weights.cols / kQuantBlock; ++index) {
      PackedPlace place = PlaceOf(weights, out, first, index);
      for (int64_t row = first; row < last; ++row, ++place.row) {
        PackBlock(weights, row, index, place);
      }
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
