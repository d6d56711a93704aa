// Floats as the elements of a stored tensor.
#pragma once

#include <cstddef>
#include <span>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Writes `values` to `out` as F32, F16 or BF16 (nearest, ties to even) or Q8_0 (blocks of 32, the
/// scale such that the largest value is 127 steps). `out` takes values.size() elements. REQUIRES:
/// whole blocks.
void StoreInto(DType type, std::span<const float> values, std::byte* out);

}  // namespace emptor::engine
