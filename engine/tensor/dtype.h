// Element types of stored tensors, and the layout of the quantised one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emptor::engine {

/// How the elements of a tensor are stored.
enum class DType { kF32, kF16, kQ8_0, kBF16 };

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

/// Elements of one block: 1, or 32 for Q8_0. A row holds whole blocks.
int BlockElements(DType type);
/// Bytes of one block: 4, 2 or 34.
int BlockBytes(DType type);
/// "F32", "F16", "Q8_0", "BF16".
std::string_view DTypeName(DType type);

/// A matrix in somebody else's memory: `rows` rows of `cols` elements, row-major, no gaps.
/// Invariant: cols is a multiple of BlockElements(type).
struct TensorView {
  DType type = DType::kF32;
  int64_t rows = 0;
  int64_t cols = 0;
  const std::byte* data = nullptr;
  /// The same matrix of Q8_0 in the layout of kernels/packed_q8.h, if it was packed; `data` may
  /// then be null.
  const std::byte* packed = nullptr;

  size_t row_bytes() const {
    return static_cast<size_t>(cols / BlockElements(type)) * static_cast<size_t>(BlockBytes(type));
  }
  const std::byte* row(int64_t r) const { return data + static_cast<size_t>(r) * row_bytes(); }
};

}  // namespace emptor::engine
