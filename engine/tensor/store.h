// Floats as the elements of a stored tensor, and back.
#pragma once

#include <cstddef>
#include <span>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Writes `values` to `out` as F32, F16 or BF16 (nearest, ties to even) or quantised: each value to
/// the nearest step, the steps of a block such that its largest value (Q4_K: its range) is just
/// reached; NaN quantised is no step, 0. `out` takes values.size() elements. REQUIRES: whole
/// blocks, one of kWritableDTypes.
void StoreInto(DType type, std::span<const float> values, std::byte* out);

/// The other way round: the elements that lie at `stored`, as many as `values` takes.
/// REQUIRES: whole blocks.
void LoadInto(DType type, const std::byte* stored, std::span<float> values);

}  // namespace emptor::engine
