// Conversion to the stored element types.
#include "engine/tensor/store.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "engine/tensor/half.h"

namespace emptor::engine {
namespace {

BlockQ8 QuantizeBlock(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  BlockQ8 block{};
  block.scale = FloatToHalf(largest / 127);
  const float scale = HalfToFloat(block.scale);
  for (size_t i = 0; i < values.size(); ++i) {
    const float steps = scale > 0 ? std::round(values[i] / scale) : 0;
    block.quants[i] = static_cast<int8_t>(std::clamp(steps, -127.0f, 127.0f));
  }
  return block;
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
  } else {
    assert(type == DType::kQ8_0);
    for (size_t i = 0; i < values.size(); i += kQuantBlock) {
      const BlockQ8 block = QuantizeBlock(values.subspan(i, kQuantBlock));
      std::memcpy(out, &block, sizeof block);
      out += sizeof block;
    }
  }
}

}  // namespace emptor::engine
