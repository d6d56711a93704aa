// The blocks of all quantised types in one form.
#pragma once

#include <array>
#include <cstdint>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// 32 elements of a row: value[i] = scales[i / 16] * quants[i] - min[i / 16]. Quants of Q8_0 take
/// all of int8, those of Q4_0 -8 to 7, of Q5_0 -16 to 15, of Q3_K -4 to 3, of Q6_K -32 to 31, of
/// the IQ4 types kIq4Values; those of the types with a minimum are 0 to 3, 15 or 31.
struct QuantBlock {
  std::array<int8_t, kQuantBlock> quants;
  std::array<float, 2> scales;
  std::array<float, 2> min;

  float value(int i) const {
    const auto at = static_cast<size_t>(i);
    return scales[at / 16] * static_cast<float>(quants[at]) - min[at / 16];
  }
};

/// Scale and minimum of a sub-block of Q4_K and Q5_K, 0 to 63 each.
struct SixBitPair {
  int scale, min;
};
SixBitPair ReadSixBits(const std::array<uint8_t, 12>& packed, int sub_block);
/// The other way round. REQUIRES: 0 to 63; fields that are not yet set are 0.
void WriteSixBits(int sub_block, const SixBitPair& pair, BlockQ4K& block);

/// The six bits of an element of Q6_K. REQUIRES: 0 to 63; the field is still 0.
void WriteSixBits(int element, int value, BlockQ6K& block);

/// The scale of a sub-block of 16 of Q3_K, and of one of 32 of IQ4_XS: -32 to 31.
int ReadScale(const BlockQ3K& block, int sub_block);
int ReadScale(const BlockIQ4XS& block, int sub_block);

/// Elements [32 * index, 32 * index + 32) of a row as stored. REQUIRES: a quantised type.
QuantBlock ReadQuantBlock(DType type, const std::byte* row, int64_t index);

}  // namespace emptor::engine
