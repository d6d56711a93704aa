// Plain kernels: the reference of the vector variants, and the fallback on any machine.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "engine/kernels/kernels.h"
#include "engine/kernels/packed_weights.h"
#include "engine/tensor/half.h"
#include "engine/tensor/quant_block.h"
#include "engine/tensor/store.h"

namespace emptor::engine {
namespace {

// Sums are taken in double: the plain kernels are also the more exact ones.

float DotQuantised(DType type, const std::byte* weights, const int8_t* q, const float* scale,
                   int64_t blocks) {
  double sum = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    const QuantBlock block = ReadQuantBlock(type, weights, b);
    std::array<int32_t, 2> dots = {}, totals = {};
    for (size_t i = 0; i < kQuantBlock; ++i) {
      const int32_t x = q[b * kQuantBlock + static_cast<int64_t>(i)];
      dots[i / 16] += block.quants[i] * x;
      totals[i / 16] += x;
    }
    for (size_t half = 0; half < 2; ++half) {
      sum += static_cast<double>(scale[b]) * (static_cast<double>(block.scales[half]) * dots[half] -
                                              static_cast<double>(block.min[half]) * totals[half]);
    }
  }
  return static_cast<float>(sum);
}

float DotF32(const float* weights, const float* x, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i)
    sum += static_cast<double>(weights[i]) * static_cast<double>(x[i]);
  return static_cast<float>(sum);
}

float DotF16(const Half* weights, const float* x, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i) {
    sum += static_cast<double>(HalfToFloat(weights[i])) * static_cast<double>(x[i]);
  }
  return static_cast<float>(sum);
}

float DotBF16(const BFloat16* weights, const float* x, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i) {
    sum += static_cast<double>(BFloat16ToFloat(weights[i])) * static_cast<double>(x[i]);
  }
  return static_cast<float>(sum);
}

float Dot(const MatmulArgs& args, int64_t row, int64_t token) {
  const int64_t k = args.weights.cols;
  const std::byte* weights = args.weights.row(row);
  switch (args.weights.type) {
    case DType::kF32:
      return DotF32(reinterpret_cast<const float*>(weights), args.x + token * k, k);
    case DType::kF16:
      return DotF16(reinterpret_cast<const Half*>(weights), args.x + token * k, k);
    case DType::kBF16:
      return DotBF16(reinterpret_cast<const BFloat16*>(weights), args.x + token * k, k);
    default:
      break;
  }
  const int64_t blocks = k / kQuantBlock;
  return DotQuantised(args.weights.type, weights, args.q + token * k, args.q_scale + token * blocks,
                      blocks);
}

void Matmul(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows);
  for (int64_t r = args.row_begin; r < args.row_end; ++r) {
    for (int64_t t = 0; t < args.tokens; ++t) args.out[t * args.out_stride + r] = Dot(args, r, t);
  }
}

void Quantize(const float* x, int64_t n, int8_t* q, float* scale) {
  assert(n % kQuantBlock == 0);
  for (int64_t b = 0; b < n / kQuantBlock; ++b, x += kQuantBlock, q += kQuantBlock) {
    float largest = 0;
    for (int i = 0; i < kQuantBlock; ++i) largest = std::max(largest, std::fabs(x[i]));
    scale[b] = largest / 127.0f;
    const float inverse = largest > 0 ? 127.0f / largest : 0;
    for (int i = 0; i < kQuantBlock; ++i) {
      // Clamped, so that an infinity in a broken model stays inside int8.
      const float rounded = std::nearbyint(x[i] * inverse);
      q[i] = static_cast<int8_t>(rounded >= -127 && rounded <= 127 ? rounded : 0);
    }
  }
}

void OffsetTerms(const int8_t* q, int64_t n, int32_t* terms) {
  for (int64_t b = 0; b < n / kQuantBlock; ++b) {
    int32_t sum = 0;
    for (int i = 0; i < kQuantBlock; ++i) sum += q[b * kQuantBlock + i];
    terms[b] = -128 * sum;
  }
}

void RmsNorm(const float* x, const float* gain, int64_t n, float epsilon, float* out) {
  double squares = 0;
  for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  const auto scale = static_cast<float>(
      1.0 / std::sqrt(squares / static_cast<double>(n) + static_cast<double>(epsilon)));
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * scale * gain[i];
}

void SiluMultiply(const float* gate, const float* up, int64_t n, float* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];
}

void Add(const float* y, int64_t n, float* x) {
  for (int64_t i = 0; i < n; ++i) x[i] += y[i];
}

void Rope(const float* cosine, const float* sine, int pairs, float* x) {
  for (int i = 0; i < pairs; ++i) {
    const float a = x[2 * i];
    const float b = x[2 * i + 1];
    x[2 * i] = a * cosine[i] - b * sine[i];
    x[2 * i + 1] = a * sine[i] + b * cosine[i];
  }
}

void RopeNeox(const float* cosine, const float* sine, int pairs, float* x) {
  for (int i = 0; i < pairs; ++i) {
    const float a = x[i];
    const float b = x[i + pairs];
    x[i] = a * cosine[i] - b * sine[i];
    x[i + pairs] = a * sine[i] + b * cosine[i];
  }
}

void ToHalf(const float* x, int64_t n, Half* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = FloatToHalf(x[i]);
}

void ToBFloat16(const float* x, int64_t n, BFloat16* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = FloatToBFloat16(x[i]);
}

void Dequantize(const TensorView& weights, int64_t row, float* out) {
  if (weights.packed != nullptr) return UnpackRow(weights, row, out);
  LoadInto(weights.type, weights.row(row), {out, static_cast<size_t>(weights.cols)});
}

void AddLowRank(const LowRankArgs& args) {
  const int64_t end = std::min(args.outputs, args.group_end * kLowRankGroup);
  for (int t = 0; t < args.tokens; ++t) {
    const float* h = args.h + int64_t{t} * args.rank;
    for (int64_t r = args.group_begin * kLowRankGroup; r < end; ++r) {
      const float* b = args.b + r / kLowRankGroup * args.rank * kLowRankGroup + r % kLowRankGroup;
      double sum = 0;
      for (int64_t j = 0; j < args.rank; ++j) sum += double{h[j]} * double{b[j * kLowRankGroup]};
      args.out[t * args.out_stride + r] += static_cast<float>(sum);
    }
  }
}

/// Element `at` of the keys or values of a block, which belongs to its token `row`.
float KvElement(const AttentionArgs& args, const std::byte* block, int row, int at) {
  if (args.kv_type == KvType::kF16) return HalfToFloat(reinterpret_cast<const Half*>(block)[at]);
  const auto* scales = reinterpret_cast<const float*>(block);
  const auto* quants = reinterpret_cast<const int8_t*>(scales + args.block_tokens);
  return scales[row] * static_cast<float>(quants[at]);
}

float Score(const AttentionArgs& args, const float* q, int position) {
  const std::byte* keys = args.keys[static_cast<size_t>(position / args.block_tokens)];
  const int row = position % args.block_tokens;
  double sum = 0;
  for (int i = 0; i < args.head_dim; ++i) {
    sum += static_cast<double>(KvElement(args, keys, row, i * args.block_tokens + row)) *
           static_cast<double>(q[i]);
  }
  return args.scale * static_cast<float>(sum);
}

/// One head of one token, over positions [begin, end).
void AttendHead(const AttentionArgs& args, const float* q, int begin, int end, float* out) {
  float largest = -INFINITY;
  for (int p = begin; p < end; ++p) largest = std::max(largest, Score(args, q, p));
  float total = 0;
  std::fill_n(out, args.head_dim, 0.0f);
  for (int p = begin; p < end; ++p) {
    const float weight = std::exp(Score(args, q, p) - largest);
    const std::byte* values = args.values[static_cast<size_t>(p / args.block_tokens)];
    const int row = p % args.block_tokens;
    for (int i = 0; i < args.head_dim; ++i) {
      out[i] += weight * KvElement(args, values, row, row * args.head_dim + i);
    }
    total += weight;
  }
  for (int i = 0; i < args.head_dim; ++i) out[i] /= total;
}

void Attention(const AttentionArgs& args) {
  for (int t = 0; t < args.tokens; ++t) {
    const int end = args.position + t + 1;
    const int begin = args.window > 0 ? std::max(0, end - args.window) : 0;
    for (int h = 0; h < args.group; ++h) {
      const int64_t at = t * args.stride + int64_t{h} * args.head_dim;
      AttendHead(args, args.q + at, begin, end, args.out + at);
    }
  }
}

uint64_t SumWords(const std::byte* data, size_t bytes) {
  assert(bytes % 512 == 0);
  const auto* words = reinterpret_cast<const uint64_t*>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) sum += words[i];
  return sum;
}

}  // namespace

const Kernels kReferenceKernels = {
    .isa = Isa::kReference,
    .matmul = Matmul,
    .add_low_rank = AddLowRank,
    .quantize = Quantize,
    .offset_terms = OffsetTerms,
    .rms_norm = RmsNorm,
    .silu_multiply = SiluMultiply,
    .add = Add,
    .rope = Rope,
    .rope_neox = RopeNeox,
    .to_half = ToHalf,
    .to_bf16 = ToBFloat16,
    .dequantize = Dequantize,
    .attention = Attention,
    .sum_words = SumWords,
};

}  // namespace emptor::engine
