// Element types of stored tensors, and the layouts of the quantised ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emptor::engine {

/// How the elements of a tensor are stored.
enum class DType { kF32, kF16, kQ8_0, kBF16, kQ4_0, kQ4_K, kQ6_K };
inline constexpr std::array<DType, 7> kAllDTypes = {
    DType::kF32, DType::kF16, DType::kQ8_0, DType::kBF16, DType::kQ4_0, DType::kQ4_K, DType::kQ6_K};

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

/// Elements of one block of the K types.
inline constexpr int kSuperBlock = 256;

/// Q4_K: eight sub-blocks of 32 with a scale and a least value of 6 bits each:
///   value[i] = scale * scale6 * nibble - least * least6.
/// 32 bytes of nibbles hold two sub-blocks: one below, the next above.
struct BlockQ4K {
  Half scale, least;
  std::array<uint8_t, 12> packed;  // scale6 and least6 of all; quant_block.cc takes them apart
  std::array<uint8_t, kSuperBlock / 2> nibbles;
};
static_assert(sizeof(BlockQ4K) == 144 && alignof(BlockQ4K) == 2);

/// Q6_K: sixteen sub-blocks of 16: value[i] = scale * scales[i / 16] * (six bits - 32). The lower
/// four bits and the upper two lie apart.
struct BlockQ6K {
  std::array<uint8_t, kSuperBlock / 2> low;
  std::array<uint8_t, kSuperBlock / 4> high;
  std::array<int8_t, kSuperBlock / 16> scales;
  Half scale;
};
static_assert(sizeof(BlockQ6K) == 210 && alignof(BlockQ6K) == 2);

/// Elements of one block: 1, 32 for Q8_0 and Q4_0, 256 for the K types. A row holds whole blocks.
int BlockElements(DType type);
/// Bytes of one block.
int BlockBytes(DType type);
/// "F32", "F16", "Q8_0", "BF16", "Q4_0", "Q4_K", "Q6_K".
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
