// The tables of the variants, and the choice among them at run time. The tables are filled here,
// because only this file is compiled for every machine.
#include "engine/kernels/kernels.h"

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx512_kernels.h"

namespace emptor::engine {
namespace {

Kernels MakeAvx512() {
  return {
      .isa = Isa::kAvx512,
      .packs_weights = true,
      .matmul = avx512::Matmul,
      .add_low_rank = avx512::AddLowRank,
      .quantize = avx512::Quantize,
      .offset_terms = avx512::OffsetTerms,
      .rms_norm = avx512::RmsNorm,
      .silu_multiply = avx512::SiluMultiply,
      .add = avx512::Add,
      .rope = avx512::Rope,
      .rope_neox = avx512::RopeNeox,
      .to_half = avx512::ToHalf,
      .to_bf16 = kReferenceKernels.to_bf16,
      .dequantize = kReferenceKernels.dequantize,
      .attention = avx512::Attention,
      .sum_words = avx512::SumWords,
  };
}

Kernels MakeAvx512Bf16() {
  Kernels kernels = MakeAvx512();
  kernels.isa = Isa::kAvx512Bf16;
  kernels.rounds_to_bf16 = true;
  kernels.matmul = avx512::MatmulBf16;
  kernels.to_bf16 = avx512::ToBFloat16;
  return kernels;
}

}  // namespace

const Kernels kAvx2Kernels = {
    .isa = Isa::kAvx2,
    .matmul = avx2::Matmul,
    .add_low_rank = avx2::AddLowRank,
    .quantize = avx2::Quantize,
    .offset_terms = kReferenceKernels.offset_terms,
    .rms_norm = avx2::RmsNorm,
    .silu_multiply = avx2::SiluMultiply,
    .add = avx2::Add,
    .rope = kReferenceKernels.rope,
    .rope_neox = kReferenceKernels.rope_neox,
    .to_half = avx2::ToHalf,
    .to_bf16 = kReferenceKernels.to_bf16,
    .dequantize = kReferenceKernels.dequantize,
    .attention = avx2::Attention,
    .sum_words = avx2::SumWords,
};
const Kernels kAvx512Kernels = MakeAvx512();
const Kernels kAvx512Bf16Kernels = MakeAvx512Bf16();

const Kernels& KernelsFor(Isa isa) {
  switch (isa) {
    case Isa::kReference:
      return kReferenceKernels;
    case Isa::kAvx2:
      return kAvx2Kernels;
    case Isa::kAvx512:
      return kAvx512Kernels;
    case Isa::kAvx512Bf16:
      return kAvx512Bf16Kernels;
  }
  return kReferenceKernels;
}

}  // namespace emptor::engine
