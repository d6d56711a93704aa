// Conversion to the stored element types.
#include "engine/tensor/store.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include "engine/tensor/half.h"
#include "engine/tensor/quant_block.h"

namespace emptor::engine {
namespace {

/// Steps of `value`, the nearest number of them in [min, most]; none where it is no number.
int Steps(float value, float size, int min, int max) {
  const float steps = std::round(value / size);
  if (size == 0 || std::isnan(steps)) return 0;
  return static_cast<int>(std::clamp(steps, static_cast<float>(min), static_cast<float>(max)));
}

BlockQ8 QuantizeBlock(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  BlockQ8 block{};
  block.scale = FloatToHalf(largest / 127);
  const float scale = HalfToFloat(block.scale);
  for (size_t i = 0; i < values.size(); ++i) {
    block.quants[i] = static_cast<int8_t>(Steps(values[i], scale, -127, 127));
  }
  return block;
}

/// The 16 steps reach from 8 below to 7 above; the largest value gets the 8.
BlockQ4 QuantizeBlock4(std::span<const float> values) {
  const float extreme = *std::max_element(
      values.begin(), values.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); });
  BlockQ4 block{};
  block.scale = FloatToHalf(extreme / -8);
  const float scale = HalfToFloat(block.scale);
  for (size_t i = 0; i < values.size(); ++i) {
    const int nibble = Steps(values[i], scale, -8, 7) + 8;
    uint8_t& byte = block.nibbles[i % 16];
    byte = static_cast<uint8_t>(byte | nibble << (i >= 16 ? 4 : 0));
  }
  return block;
}

BlockQ4K QuantizeBlock4K(std::span<const float> values) {
  constexpr size_t kSubBlocks = kSuperBlock / kQuantBlock;
  std::array<float, kSubBlocks> scales{}, mins{};
  for (size_t j = 0; j < kSubBlocks; ++j) {
    const auto [low, high] = std::ranges::minmax(values.subspan(j * kQuantBlock, kQuantBlock));
    mins[j] = std::max(0.0f, -low);
    scales[j] = (std::max(0.0f, high) + mins[j]) / 15;
  }
  BlockQ4K block{};
  block.scale = FloatToHalf(*std::ranges::max_element(scales) / 63);
  block.min = FloatToHalf(*std::ranges::max_element(mins) / 63);
  for (size_t j = 0; j < kSubBlocks; ++j) {
    const SixBitPair pair{Steps(scales[j], HalfToFloat(block.scale), 0, 63),
                          Steps(mins[j], HalfToFloat(block.min), 0, 63)};
    WriteSixBits(static_cast<int>(j), pair, block);
    const float scale = HalfToFloat(block.scale) * static_cast<float>(pair.scale);
    const float min = HalfToFloat(block.min) * static_cast<float>(pair.min);
    for (size_t i = 0; i < kQuantBlock; ++i) {
      const int nibble = Steps(values[j * kQuantBlock + i] + min, scale, 0, 15);
      uint8_t& byte = block.nibbles[j / 2 * kQuantBlock + i];
      byte = static_cast<uint8_t>(byte | nibble << (j % 2 != 0 ? 4 : 0));
    }
  }
  return block;
}

BlockQ6K QuantizeBlock6K(std::span<const float> values) {
  std::array<float, kSuperBlock / 16> scales{};
  for (size_t j = 0; j < scales.size(); ++j) {
    for (const float value : values.subspan(16 * j, 16)) {
      scales[j] = std::max(scales[j], std::fabs(value) / 31);
    }
  }
  BlockQ6K block{};
  block.scale = FloatToHalf(*std::ranges::max_element(scales) / 127);
  for (size_t j = 0; j < scales.size(); ++j) {
    const int steps = Steps(scales[j], HalfToFloat(block.scale), 0, 127);
    block.scales[j] = static_cast<int8_t>(steps);
    const float scale = HalfToFloat(block.scale) * static_cast<float>(steps);
    for (size_t i = 0; i < 16; ++i) {
      WriteSixBits(static_cast<int>(16 * j + i), Steps(values[16 * j + i], scale, -32, 31) + 32,
                   block);
    }
  }
  return block;
}

template <typename Block>
void StoreBlocks(std::span<const float> values, size_t elements,
                 Block (*quantize)(std::span<const float>), std::byte* out) {
  for (size_t i = 0; i < values.size(); i += elements) {
    const Block block = quantize(values.subspan(i, elements));
    std::memcpy(out, &block, sizeof block);
    out += sizeof block;
  }
}

}  // namespace

void StoreInto(DType type, std::span<const float> values, std::byte* out) {
  assert(values.size() % static_cast<size_t>(BlockElements(type)) == 0);
  if (type == DType::kF32) {
    std::memcpy(out, values.data(), values.size_bytes());
  } else if (type == DType::kF16) {
    for (const float value : values) {
      const Half half = FloatToHalf(value);
      std::memcpy(out, &half, sizeof half);
      out += sizeof half;
    }
  } else if (type == DType::kBF16) {
    for (const float value : values) {
      const BFloat16 upper = FloatToBFloat16(value);
      std::memcpy(out, &upper, sizeof upper);
      out += sizeof upper;
    }
  } else if (type == DType::kQ8_0) {
    StoreBlocks(values, kQuantBlock, QuantizeBlock, out);
  } else if (type == DType::kQ4_0) {
    StoreBlocks(values, kQuantBlock, QuantizeBlock4, out);
  } else if (type == DType::kQ4_K) {
    StoreBlocks(values, kSuperBlock, QuantizeBlock4K, out);
  } else {
    assert(type == DType::kQ6_K);
    StoreBlocks(values, kSuperBlock, QuantizeBlock6K, out);
  }
}

void LoadInto(DType type, const std::byte* stored, std::span<float> values) {
  assert(values.size() % static_cast<size_t>(BlockElements(type)) == 0);
  if (type == DType::kF32) {
    std::memcpy(values.data(), stored, values.size_bytes());
  } else if (IsQuantized(type)) {
    for (size_t i = 0; i < values.size(); i += kQuantBlock) {
      const QuantBlock block = ReadQuantBlock(type, stored, static_cast<int64_t>(i / kQuantBlock));
      for (int j = 0; j < kQuantBlock; ++j) values[i + static_cast<size_t>(j)] = block.value(j);
    }
  } else {
    float (*const convert)(uint16_t) = type == DType::kF16 ? HalfToFloat : BFloat16ToFloat;
    for (float& value : values) {
      uint16_t bits;
      std::memcpy(&bits, stored, sizeof bits);
      value = convert(bits);
      stored += sizeof bits;
    }
  }
}

}  // namespace emptor::engine
