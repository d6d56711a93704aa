// Matrices of 4-bit checkpoints of Hugging Face directories: GPTQ and AWQ.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "engine/loading/safetensors.h"
#include "engine/model/model_source.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// How config.json says that matrices are quantised.
struct Int4Format {
  enum class Kind { kGptq, kAwq };
  Kind kind = Kind::kGptq;
  int group_size = 128;  // columns that share a scale and a zero point; -1: all
  int zero_offset = 0;   // added to a stored zero point
};

/// The tensors of a matrix in the file, by the ends of their names.
struct Int4Tensors {
  const SafeTensor* qweight = nullptr;
  const SafeTensor* qzeros = nullptr;
  const SafeTensor* scales = nullptr;
  const SafeTensor* g_idx = nullptr;  // may be absent
};

/// A matrix in the layout that the engine computes with.
struct Int4Matrix {
  StoredTensor tensor() const;

  DType type = DType::kQ4_1;
  int64_t rows = 0, cols = 0;
  AlignedBuffer blocks;
};

/// The same numbers as Q4_0 where every zero point is 8, else as Q4_1, whose base is the product of
/// scale and zero point, rounded to f16: at most a 128th of a scale off.
/// `name`: of the matrix. REQUIRES: a qweight; a group size that is -1 or positive. Errors:
/// kInvalidArgument (a missing tensor, a shape or a type that does not fit, numbers that are not
/// finite), kUnimplemented (columns in another order, groups that are no multiple of 32),
/// kResourceExhausted.
absl::StatusOr<Int4Matrix> ConvertInt4(const ModelSource& source, const std::string& name,
                                       const Int4Format& format, const Int4Tensors& tensors);

}  // namespace emptor::engine
