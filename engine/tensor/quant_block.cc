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
int Bit(uint8_t byte, int bit) { return byte >> bit & 1; }

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
  return {block.quants, {scale, scale}, {}};
}

QuantBlock ReadQ4(const BlockQ4& block) {
  const float scale = HalfToFloat(block.scale);
  QuantBlock out{{}, {scale, scale}, {}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(Nibble(block.nibbles[i % 16], i >= 16) - 8);
  }
  return out;
}

QuantBlock ReadQ4_1(const BlockQ4_1& block) {
  const float scale = HalfToFloat(block.scale), min = -HalfToFloat(block.base);
  QuantBlock out{{}, {scale, scale}, {min, min}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(Nibble(block.nibbles[i % 16], i >= 16));
  }
  return out;
}

/// Five bits of an element of Q5_0 and Q5_1.
template <typename Block>
int FiveBits(const Block& block, size_t i) {
  return Nibble(block.nibbles[i % 16], i >= 16) | Bit(block.high[i / 8], static_cast<int>(i % 8))
                                                      << 4;
}

QuantBlock ReadQ5_0(const BlockQ5_0& block) {
  const float scale = HalfToFloat(block.scale);
  QuantBlock out{{}, {scale, scale}, {}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(FiveBits(block, i) - 16);
  }
  return out;
}

QuantBlock ReadQ5_1(const BlockQ5_1& block) {
  const float scale = HalfToFloat(block.scale), min = -HalfToFloat(block.base);
  QuantBlock out{{}, {scale, scale}, {min, min}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(FiveBits(block, i));
  }
  return out;
}

QuantBlock ReadIq4(float scale, const uint8_t* nibbles) {
  QuantBlock out{{}, {scale, scale}, {}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = kIq4Values[static_cast<size_t>(Nibble(nibbles[i % 16], i >= 16))];
  }
  return out;
}

QuantBlock ReadIq4Nl(const BlockIQ4NL& block) {
  return ReadIq4(HalfToFloat(block.scale), block.nibbles.data());
}

QuantBlock ReadIq4Xs(const BlockIQ4XS& block, int sub_block) {
  return ReadIq4(HalfToFloat(block.scale) * static_cast<float>(ReadScale(block, sub_block)),
                 block.nibbles.data() + 16 * sub_block);
}

/// The two bits of Q2_K and the lower two of Q3_K.
int TwoBits(const std::array<uint8_t, kSuperBlock / 4>& quants, int sub_block, size_t i) {
  return quants[static_cast<size_t>(sub_block / 4 * kQuantBlock) + i] >> (2 * (sub_block % 4)) & 3;
}

QuantBlock ReadQ2K(const BlockQ2K& block, int sub_block) {
  const float scale = HalfToFloat(block.scale), min = HalfToFloat(block.min);
  QuantBlock out{};
  for (size_t half = 0; half < 2; ++half) {
    const int pair = block.scales[static_cast<size_t>(2 * sub_block) + half];
    out.scales[half] = scale * static_cast<float>(pair & 15);
    out.min[half] = min * static_cast<float>(pair >> 4);
  }
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(TwoBits(block.quants, sub_block, i));
  }
  return out;
}

QuantBlock ReadQ3K(const BlockQ3K& block, int sub_block) {
  const float scale = HalfToFloat(block.scale);
  QuantBlock out{{},
                 {scale * static_cast<float>(ReadScale(block, 2 * sub_block)),
                  scale * static_cast<float>(ReadScale(block, 2 * sub_block + 1))},
                 {}};
  for (size_t i = 0; i < kQuantBlock; ++i) {
    const int bits = TwoBits(block.quants, sub_block, i) | Bit(block.high[i], sub_block) << 2;
    out.quants[i] = static_cast<int8_t>(bits - 4);
  }
  return out;
}

/// Scale and minimum of a sub-block of Q4_K and Q5_K.
template <typename Block>
QuantBlock SixBitHead(const Block& block, int sub_block) {
  const SixBitPair pair = ReadSixBits(block.packed, sub_block);
  const float scale = HalfToFloat(block.scale) * static_cast<float>(pair.scale);
  const float min = HalfToFloat(block.min) * static_cast<float>(pair.min);
  return {{}, {scale, scale}, {min, min}};
}

QuantBlock ReadQ4K(const BlockQ4K& block, int sub_block) {
  QuantBlock out = SixBitHead(block, sub_block);
  const auto first = static_cast<size_t>(sub_block / 2 * kQuantBlock);
  for (size_t i = 0; i < kQuantBlock; ++i) {
    out.quants[i] = static_cast<int8_t>(Nibble(block.nibbles[first + i], sub_block % 2 != 0));
  }
  return out;
}

QuantBlock ReadQ5K(const BlockQ5K& block, int sub_block) {
  QuantBlock out = SixBitHead(block, sub_block);
  const auto first = static_cast<size_t>(sub_block / 2 * kQuantBlock);
  for (size_t i = 0; i < kQuantBlock; ++i) {
    const int low = Nibble(block.nibbles[first + i], sub_block % 2 != 0);
    out.quants[i] = static_cast<int8_t>(low | Bit(block.high[i], sub_block) << 4);
  }
  return out;
}

QuantBlock ReadQ6K(const BlockQ6K& block, int sub_block) {
  const float scale = HalfToFloat(block.scale);
  const auto first = static_cast<size_t>(2 * sub_block);
  QuantBlock out{{},
                 {scale * static_cast<float>(block.scales[first]),
                  scale * static_cast<float>(block.scales[first + 1])},
                 {}};
  // All elements of a sub-block lie in the same bits of consecutive bytes.
  const Q6Place place(sub_block * kQuantBlock);
  const int low_shift = place.row >= 2 ? 4 : 0, high_shift = 2 * place.row;
  for (size_t i = 0; i < out.quants.size(); ++i) {
    const int low = block.low[place.low + i] >> low_shift & 15;
    const int high = block.high[place.high + i] >> high_shift & 3;
    out.quants[i] = static_cast<int8_t>((low | high << 4) - 32);
  }
  return out;
}

}  // namespace

// The first four pairs lie in the lower six bits of bytes 0-3 (scales) and 4-7 (minimums); the
// others have their lower four bits in bytes 8-11 and their upper two in the bits left over above.
SixBitPair ReadSixBits(const std::array<uint8_t, 12>& bytes, int sub_block) {
  const auto j = static_cast<size_t>(sub_block);
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
    add(j + 4, pair.min);
  } else {
    add(j + 4, (pair.scale & 15) | (pair.min & 15) << 4);
    add(j - 4, pair.scale >> 4 << 6);
    add(j, pair.min >> 4 << 6);
  }
}

void WriteSixBits(int element, int value, BlockQ6K& block) {
  const Q6Place place(element);
  uint8_t& low = block.low[place.low];
  uint8_t& high = block.high[place.high];
  low = static_cast<uint8_t>(low | (value & 15) << (place.row >= 2 ? 4 : 0));
  high = static_cast<uint8_t>(high | value >> 4 << (2 * place.row));
}

// The lower four bits of scales 0-7 lie in the lower nibbles of bytes 0-7, of 8-15 in the upper
// ones; bytes 8-11 hold the upper two bits of every fourth scale, the first in the lowest bits.
int ReadScale(const BlockQ3K& block, int sub_block) {
  const auto j = static_cast<size_t>(sub_block);
  const int low = Nibble(block.packed[j % 8], j >= 8);
  return (low | (block.packed[8 + j % 4] >> (2 * (j / 4)) & 3) << 4) - 32;
}

int ReadScale(const BlockIQ4XS& block, int sub_block) {
  const auto j = static_cast<size_t>(sub_block);
  const int low = Nibble(block.scales_low[j / 2], j % 2 != 0);
  return (low | (block.scales_high >> (2 * j) & 3) << 4) - 32;
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
    case DType::kQ4_1:
      return ReadQ4_1(reinterpret_cast<const BlockQ4_1*>(row)[index]);
    case DType::kQ5_0:
      return ReadQ5_0(reinterpret_cast<const BlockQ5_0*>(row)[index]);
    case DType::kQ5_1:
      return ReadQ5_1(reinterpret_cast<const BlockQ5_1*>(row)[index]);
    case DType::kQ2_K:
      return ReadQ2K(reinterpret_cast<const BlockQ2K*>(row)[index / kSubBlocks], SubBlock(index));
    case DType::kQ3_K:
      return ReadQ3K(reinterpret_cast<const BlockQ3K*>(row)[index / kSubBlocks], SubBlock(index));
    case DType::kQ5_K:
      return ReadQ5K(reinterpret_cast<const BlockQ5K*>(row)[index / kSubBlocks], SubBlock(index));
    case DType::kIQ4_NL:
      return ReadIq4Nl(reinterpret_cast<const BlockIQ4NL*>(row)[index]);
    case DType::kIQ4_XS:
      return ReadIq4Xs(reinterpret_cast<const BlockIQ4XS*>(row)[index / kSubBlocks],
                       SubBlock(index));
    case DType::kF32:
    case DType::kF16:
    case DType::kBF16:
      break;
  }
  assert(false);
  return {};
}

}  // namespace emptor::engine
