// Element types of stored tensors, and the layouts of the quantised ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emptor::engine {

/// How the elements of a tensor are stored.
enum class DType {
  kF32,
  kF16,
  kQ8_0,
  kBF16,
  kQ4_0,
  kQ4_K,
  kQ6_K,
  // Read and computed with, not written.
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ2_K,
  kQ3_K,
  kQ5_K,
  kIQ4_NL,
  kIQ4_XS,
};
/// The types that StoreInto writes.
inline constexpr std::array<DType, 7> kWritableDTypes = {
    DType::kF32, DType::kF16, DType::kQ8_0, DType::kBF16, DType::kQ4_0, DType::kQ4_K, DType::kQ6_K};
inline constexpr std::array<DType, 15> kAllDTypes = {
    DType::kF32,  DType::kF16,  DType::kQ8_0, DType::kBF16,   DType::kQ4_0,
    DType::kQ4_K, DType::kQ6_K, DType::kQ4_1, DType::kQ5_0,   DType::kQ5_1,
    DType::kQ2_K, DType::kQ3_K, DType::kQ5_K, DType::kIQ4_NL, DType::kIQ4_XS};

/// How keys and values are stored: f16, or int8 with one scale for a head of a token.
enum class KvType { kF16, kInt8 };

/// IEEE 754 binary16, as bits.
using Half = uint16_t;

/// The upper half of an IEEE 754 binary32, as bits.
using BFloat16 = uint16_t;

/// Elements that share one scale in Q8_0 and in quantised activations.
inline constexpr int kQuantBlock = 32;

/// Q8_0: value[i] = scale * quants[i]. 34 bytes in the file and in memory.
struct BlockQ8 {
  Half scale;
  std::array<int8_t, kQuantBlock> quants;
};
static_assert(sizeof(BlockQ8) == 34 && alignof(BlockQ8) == 2);

/// Q4_0: value[i] = scale * (nibble - 8); byte j holds element j below and element j + 16 above.
struct BlockQ4 {
  Half scale;
  std::array<uint8_t, kQuantBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ4) == 18 && alignof(BlockQ4) == 2);

/// Q4_1: value[i] = scale * nibble + base; nibbles as in Q4_0.
struct BlockQ4_1 {
  Half scale, base;
  std::array<uint8_t, kQuantBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ4_1) == 20 && alignof(BlockQ4_1) == 2);

/// Q5_0: value[i] = scale * (five bits - 16); the lower four as in Q4_0, the fifth of element i is
/// bit i % 8 of byte i / 8.
struct BlockQ5_0 {
  Half scale;
  std::array<uint8_t, kQuantBlock / 8> high;
  std::array<uint8_t, kQuantBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ5_0) == 22 && alignof(BlockQ5_0) == 2);

/// Q5_1: value[i] = scale * (five bits) + base; bits as in Q5_0.
struct BlockQ5_1 {
  Half scale, base;
  std::array<uint8_t, kQuantBlock / 8> high;
  std::array<uint8_t, kQuantBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ5_1) == 24 && alignof(BlockQ5_1) == 2);

/// IQ4_NL: value[i] = scale * kIq4Values[nibble]; nibbles as in Q4_0.
struct BlockIQ4NL {
  Half scale;
  std::array<uint8_t, kQuantBlock / 2> nibbles;
};
static_assert(sizeof(BlockIQ4NL) == 18 && alignof(BlockIQ4NL) == 2);

/// The values of a nibble in IQ4_NL and IQ4_XS.
inline constexpr std::array<int8_t, 16> kIq4Values = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                      1,    13,   25,  38,  53,  69,  89,  113};

/// Elements of one block of the K types and of IQ4_XS.
inline constexpr int kSuperBlock = 256;

/// Q2_K: sixteen sub-blocks of 16 with a scale (lower nibble) and a minimum (upper nibble) of four
/// bits each: value[i] = scale * scale4 * (two bits) - min * min4. Element i has bits
/// 2 * (i % 128 / 32) and the next of byte i / 128 * 32 + i % 32.
struct BlockQ2K {
  std::array<uint8_t, kSuperBlock / 16> scales;
  std::array<uint8_t, kSuperBlock / 4> quants;
  Half scale, min;
};
static_assert(sizeof(BlockQ2K) == 84 && alignof(BlockQ2K) == 2);

/// Q3_K: sixteen sub-blocks of 16 with a scale of six bits:
///   value[i] = scale * (scale6 - 32) * (three bits - 4).
/// The lower two bits as in Q2_K; the third is bit i / 32 of byte i % 32.
struct BlockQ3K {
  std::array<uint8_t, kSuperBlock / 8> high;
  std::array<uint8_t, kSuperBlock / 4> quants;
  std::array<uint8_t, 12> packed;  // scale6 of all; quant_block.cc unpacks them
  Half scale;
};
static_assert(sizeof(BlockQ3K) == 110 && alignof(BlockQ3K) == 2);

/// Q4_K: eight sub-blocks of 32 with a scale and a minimum of 6 bits each:
///   value[i] = scale * scale6 * nibble - min * min6.
/// 32 bytes of nibbles hold two sub-blocks: one below, the next above.
struct BlockQ4K {
  Half scale, min;
  std::array<uint8_t, 12> packed;  // scale6 and min6 of all; quant_block.cc takes them apart
  std::array<uint8_t, kSuperBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ4K) == 144 && alignof(BlockQ4K) == 2);

/// Q5_K: as Q4_K with a fifth bit of element i, which is bit i / 32 of byte i % 32.
struct BlockQ5K {
  Half scale, min;
  std::array<uint8_t, 12> packed;  // as in Q4_K
  std::array<uint8_t, kSuperBlock / 8> high;
  std::array<uint8_t, kSuperBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ5K) == 176 && alignof(BlockQ5K) == 2);

/// IQ4_XS: eight sub-blocks of 32 with a scale of six bits:
///   value[i] = scale * (scale6 - 32) * kIq4Values[nibble].
/// Sixteen bytes of nibbles for each sub-block, as in Q4_0. The lower four bits of scale6 are
/// nibbles of scales_low, the upper two lie in scales_high, the first in the lowest bits.
struct BlockIQ4XS {
  Half scale;
  uint16_t scales_high;
  std::array<uint8_t, kSuperBlock / 64> scales_low;
  std::array<uint8_t, kSuperBlock / 2> nibbles;
};
static_assert(sizeof(BlockIQ4XS) == 136 && alignof(BlockIQ4XS) == 2);

/// Q6_K: sixteen sub-blocks of 16: value[i] = scale * scales[i / 16] * (six bits - 32). The lower
/// four bits and the upper two lie apart.
struct BlockQ6K {
  std::array<uint8_t, kSuperBlock / 2> low;
  std::array<uint8_t, kSuperBlock / 4> high;
  std::array<int8_t, kSuperBlock / 16> scales;
  Half scale;
};
static_assert(sizeof(BlockQ6K) == 210 && alignof(BlockQ6K) == 2);

/// Elements of one block: 1; 32; or 256 for the K types and IQ4_XS. A row holds whole blocks.
int BlockElements(DType type);
/// Bytes of one block.
int BlockBytes(DType type);
/// As ggml writes it: "F32", "Q4_0", "IQ4_XS".
std::string_view DTypeName(DType type);
/// Whether its products take activations as int8.
constexpr bool IsQuantized(DType type) {
  return type != DType::kF32 && type != DType::kF16 && type != DType::kBF16;
}

/// A view of a matrix: `rows` rows of `cols` elements, row-major, no gaps.
/// Invariant: cols is a multiple of BlockElements(type).
struct TensorView {
  DType type = DType::kF32;
  int64_t rows = 0;
  int64_t cols = 0;
  const std::byte* data = nullptr;
  /// The same matrix in the layout of kernels/packed_weights.h, if it was packed; `data` may then
  /// be null.
  const std::byte* packed = nullptr;

  size_t row_bytes() const {
    return static_cast<size_t>(cols / BlockElements(type)) * static_cast<size_t>(BlockBytes(type));
  }
  /// Of all rows as stored.
  size_t bytes() const { return static_cast<size_t>(rows) * row_bytes(); }
  const std::byte* row(int64_t r) const { return data + static_cast<size_t>(r) * row_bytes(); }
};

}  // namespace emptor::engine
