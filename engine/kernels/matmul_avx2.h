// Matrix product of the AVX2 variant; use KernelsFor.
#pragma once

#include "engine/kernels/kernels.h"

namespace emptor::engine::avx2 {

void Matmul(const MatmulArgs& args);
void Attention(const AttentionArgs& args);

}  // namespace emptor::engine::avx2
