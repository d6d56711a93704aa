// Where each type keeps its bits.
#include "engine/tensor/quant_block.h"

#include <cassert>

#include "engine/tensor/half.h"

namespace emptor::engine {
namespace {

constexpr int kSubBlocks = kSuperBlock / kQuantBlock;

/// Index of a sub-block among those of its super-block.
int SubBlock(int64_t index) { return static_cast<int>(index % kSubBlocks); }

int Nibble(uint8_t byte, bool upper) { return upper ? byte >> 4 : byte & 15; }

/// Elements of a Q6_K half (128) lie in four rows of 32: rows 0 and 1 have the lower nibbles of 64
/// bytes, rows 2 and 3 the upper ones; each row has two bits of its own in 32 bytes.
struct Q6Place {
  explicit Q6Place(int element)
      : row(element / 32 % 4),
        low(static_cast<size_t>(element / 128 * 64 + row % 2 * 32 + element % 32)),
        high(static_cast<size_t>(element / 128 * 32 + element % 32)) {}
  int row;
  size_t low, high;
};

QuantBlock ReadQ8(const BlockQ8& block) {
  const float scale = HalfToFloat(block.scale);
  return {block.quants, {scale, scale}, 0};
}

QuantBlock ReadQ4(const BlockQ4& block) {
  const float scale = HalfToFloat(block.scale);
  QuantBlock out{{}, {scale, scale}, 0};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(Nibble(block.nibbles[i % 16], i >= 16) - 8);
  }
  return out;
}

QuantBlock ReadQ4K(const BlockQ4K& block, int sub_block) {
  const SixBitPair pair = ReadSixBits(block, sub_block);
  const float scale = HalfToFloat(block.scale) * static_cast<float>(pair.scale);
  QuantBlock out{{}, {scale, scale}, HalfToFloat(block.least) * static_cast<float>(pair.least)};
  const auto first = static_cast<size_t>(sub_block / 2 * kQuantBlock);
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(Nibble(block.nibbles[first + i], sub_block % 2 != 0));
  }
  return out;
}

QuantBlock ReadQ6K(const BlockQ6K& block, int sub_block) {
  const float scale = HalfToFloat(block.scale);
  const auto first = static_cast<size_t>(2 * sub_block);
  QuantBlock out{{},
                 {scale * static_cast<float>(block.scales[first]),
                  scale * static_cast<float>(block.scales[first + 1])},
                 0};
  for (int i = 0; i < kQuantBlock; ++i) {
    out.quants[static_cast<size_t>(i)] =
        static_cast<int8_t>(ReadSixBits(block, sub_block * kQuantBlock + i) - 32);
  }
  return out;
}

}  // namespace

// The first four pairs lie in the lower six bits of bytes 0-3 (scales) and 4-7 (least values); the
// others have their lower four bits in bytes 8-11 and their upper two in the bits left over above.
SixBitPair ReadSixBits(const BlockQ4K& block, int sub_block) {
  const auto j = static_cast<size_t>(sub_block);
  const std::array<uint8_t, 12>& bytes = block.packed;
  if (j < 4) return {bytes[j] & 63, bytes[j + 4] & 63};
  return {(bytes[j + 4] & 15) | (bytes[j - 4] >> 6 << 4), bytes[j + 4] >> 4 | (bytes[j] >> 6 << 4)};
}

void WriteSixBits(int sub_block, const SixBitPair& pair, BlockQ4K& block) {
  const auto j = static_cast<size_t>(sub_block);
  const auto add = [&](size_t byte, int bits) {
    block.packed[byte] = static_cast<uint8_t>(block.packed[byte] | bits);
  };
  if (j < 4) {
    add(j, pair.scale);
    add(j + 4, pair.least);
  } else {
    add(j + 4, (pair.scale & 15) | (pair.least & 15) << 4);
    add(j - 4, pair.scale >> 4 << 6);
    add(j, pair.least >> 4 << 6);
  }
}

int ReadSixBits(const BlockQ6K& block, int element) {
  const Q6Place place(element);
  return Nibble(block.low[place.low], place.row >= 2) |
         (block.high[place.high] >> (2 * place.row) & 3) << 4;
}

void WriteSixBits(int element, int value, BlockQ6K& block) {
  const Q6Place place(element);
  uint8_t& low = block.low[place.low];
  uint8_t& high = block.high[place.high];
  low = static_cast<uint8_t>(low | (value & 15) << (place.row >= 2 ? 4 : 0));
  high = static_cast<uint8_t>(high | value >> 4 << (2 * place.row));
}

QuantBlock ReadQuantBlock(DType type, const std::byte* row, int64_t index) {
  switch (type) {
    case DType::kQ8_0:
      return ReadQ8(reinterpret_cast<const BlockQ8*>(row)[index]);
    case DType::kQ4_0:
      return ReadQ4(reinterpret_cast<const BlockQ4*>(row)[index]);
    case DType::kQ4_K:
      return ReadQ4K(reinterpret_cast<const BlockQ4K*>(row)[index / kSubBlocks], SubBlock(index));
    case DType::kQ6_K:
      return ReadQ6K(reinterpret_cast<const BlockQ6K*>(row)[index / kSubBlocks], SubBlock(index));
    case DType::kF32:
    case DType::kF16:
    case DType::kBF16:
      break;
  }
  assert(false);
  return {};
}

}  // namespace emptor::engine
