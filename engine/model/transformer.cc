// One step of a Llama model over all its tokens at once.
#include "engine/model/transformer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "engine/kernels/packed_weights.h"
#include "engine/model/weight_packing.h"

namespace emptor::engine {
namespace {

// Work below which waking other threads costs more than it brings.
constexpr int64_t kMatmulGrain = 64 << 10;  // multiply-adds
constexpr int64_t kTokenGrain = 16;         // tokens of element-wise work

}  // namespace

Transformer::Transformer(std::shared_ptr<const GgufFile> file, const TransformerOptions& options,
                         const LlamaConfig& config)
    : file_(std::move(file)),
      options_(options),
      config_(config),
      kernels_(KernelsFor(options.isa)),
      threads_(options.threads),
      attention_(
          {config.layers, config.heads, config.kv_heads, config.head_dim, options.block_tokens},
          kernels_, threads_) {}

size_t Transformer::KvBlockBytes(const LlamaConfig& config, int block_tokens) {
  return KvShape{config.layers, config.kv_heads, config.head_dim, block_tokens}.BlockBytes();
}

absl::StatusOr<std::unique_ptr<Transformer>> Transformer::Create(
    std::shared_ptr<const GgufFile> file, const TransformerOptions& options) {
  const absl::StatusOr<LlamaConfig> config = LlamaConfig::Read(*file);
  if (!config.ok()) return config.status();
  absl::StatusOr<LlamaWeights> weights = LlamaWeights::Read(*file, *config);
  if (!weights.ok()) return weights.status();
  std::unique_ptr<Transformer> model(new Transformer(std::move(file), options, *config));
  model->weights_ = std::move(*weights);
  if (model->kernels_.packs_weights || model->kernels_.rounds_to_bf16) {
    absl::StatusOr<AlignedBuffer> packed =
        PackWeights(*model->file_, options.release_file, model->kernels_, model->weights_);
    if (!packed.ok()) return packed.status();
    model->packed_ = std::move(*packed);
  }
  const absl::Status allocated = model->Allocate();
  if (!allocated.ok()) return allocated;
  return model;
}

absl::Status Transformer::Allocate() {
  const absl::Status allocated = attention_.Allocate(options_.blocks);
  if (!allocated.ok()) return allocated;
  const int pairs = config_.rope_dims / 2;
  for (int i = 0; i < pairs; ++i) {
    const double exponent = -2.0 * i / config_.rope_dims;
    const double factor =
        weights_.rope_factors == nullptr ? 1.0 : static_cast<double>(weights_.rope_factors[i]);
    frequencies_.push_back(std::pow(static_cast<double>(config_.rope_base), exponent) / factor);
  }
  return absl::OkStatus();
}

void Transformer::PlaceTokens(std::span<const SequenceStep> steps) {
  places_.clear();
  for (const SequenceStep& step : steps) {
    for (size_t i = 0; i < step.tokens.size(); ++i) {
      places_.push_back({&step, step.position + static_cast<int>(i)});
    }
  }
  assert(tokens() <= options_.max_step_tokens);
  const size_t n = places_.size();
  const auto width = static_cast<size_t>(config_.width);
  residual_.resize(n * width);
  normed_.resize(n * width);
  projected_.resize(n * width);
  query_.resize(n * static_cast<size_t>(config_.query_width()));
  attended_.resize(query_.size());
  key_.resize(n * static_cast<size_t>(config_.kv_width()));
  value_.resize(key_.size());
  gate_.resize(n * static_cast<size_t>(config_.feed_forward));
  up_.resize(gate_.size());
  const size_t widest = std::max({residual_.size(), query_.size(), gate_.size()});
  quants_.resize(widest);
  quant_scales_.resize(widest / kQuantBlock + 1);
  if (kernels_.packs_weights) quant_offsets_.resize(quant_scales_.size());
  if (kernels_.rounds_to_bf16) rounded_.resize(widest);
}

void Transformer::ComputeAngles() {
  const size_t pairs = frequencies_.size();
  cosine_.resize(places_.size() * pairs);
  sine_.resize(cosine_.size());
  for (size_t t = 0; t < places_.size(); ++t) {
    for (size_t i = 0; i < pairs; ++i) {
      const double angle = places_[t].position * frequencies_[i];
      cosine_[t * pairs + i] = static_cast<float>(std::cos(angle));
      sine_[t * pairs + i] = static_cast<float>(std::sin(angle));
    }
  }
}

void Transformer::Embed() {
  for (int t = 0; t < tokens(); ++t) {
    const TokenPlace& place = places_[static_cast<size_t>(t)];
    const int32_t token =
        place.step->tokens[static_cast<size_t>(place.position - place.step->position)];
    assert(token >= 0 && token < config_.vocabulary);
    kernels_.dequantize(weights_.embedding, token, residual_.data() + int64_t{t} * config_.width);
  }
}

void Transformer::QuantizeActivations(const Activations& in) {
  const int64_t blocks = in.width / kQuantBlock;
  threads_.ParallelRange(in.tokens, kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      int8_t* quants = quants_.data() + t * in.width;
      kernels_.quantize(in.x + t * in.width, in.width, quants, quant_scales_.data() + t * blocks);
      if (!kernels_.packs_weights) continue;
      kernels_.offset_terms(quants, in.width, quant_offsets_.data() + t * blocks);
    }
  });
}

void Transformer::RoundActivations(const Activations& in) {
  threads_.ParallelRange(in.tokens, kTokenGrain, [&](int64_t begin, int64_t end) {
    kernels_.to_bf16(in.x + begin * in.width, (end - begin) * in.width,
                     rounded_.data() + begin * in.width);
  });
}

void Transformer::Multiply(const Activations& in, std::span<const Product> products) {
  int64_t groups = 0;  // of rows that a chunk does not cut
  bool quantised = false, rounded = false;
  for (const Product& product : products) {
    groups += PackedGroups(product.weights->rows);
    quantised |= IsQuantized(product.weights->type);
    rounded |= product.weights->type == DType::kBF16 && kernels_.Packs(DType::kBF16);
  }
  if (quantised) QuantizeActivations(in);
  if (rounded) RoundActivations(in);
  const int64_t group_work = int64_t{in.width} * in.tokens * kPackedRows;
  threads_.ParallelRange(groups, kMatmulGrain / group_work + 1, [&](int64_t begin, int64_t end) {
    int64_t first = 0;  // group of this product among all
    for (const Product& product : products) {
      const int64_t rows = product.weights->rows;
      const int64_t count = PackedGroups(rows);
      const int64_t from = std::clamp<int64_t>(begin - first, 0, count);
      const int64_t to = std::clamp<int64_t>(end - first, 0, count);
      first += count;
      if (from == to) continue;
      kernels_.matmul({.weights = *product.weights,
                       .x = in.x,
                       .x_bf16 = rounded_.data(),
                       .q = quants_.data(),
                       .q_scale = quant_scales_.data(),
                       .q_offset = quant_offsets_.data(),
                       .tokens = in.tokens,
                       .row_begin = from * kPackedRows,
                       .row_end = std::min(to * kPackedRows, rows),
                       .out = product.out,
                       .out_stride = rows});
    }
  });
}

void Transformer::NormInto(const float* gain, float* out) {
  const int64_t width = config_.width;
  threads_.ParallelRange(tokens(), kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      kernels_.rms_norm(residual_.data() + t * width, gain, width, config_.norm_epsilon,
                        out + t * width);
    }
  });
}

void Transformer::AddToResidual(const float* delta) {
  kernels_.add(delta, int64_t{tokens()} * config_.width, residual_.data());
}

void Transformer::AttentionBlock(int layer) {
  const LlamaLayer& weights = weights_.layers[static_cast<size_t>(layer)];
  NormInto(weights.attention_norm, normed_.data());
  const std::array<Product, 3> projections = {{{&weights.query, query_.data()},
                                               {&weights.key, key_.data()},
                                               {&weights.value, value_.data()}}};
  Multiply({normed_.data(), tokens(), config_.width}, projections);
  attention_.RotateAndStore(layer, {cosine_.data(), sine_.data(), config_.rope_dims / 2},
                            query_.data(), key_.data(), value_.data());
  attention_.Attend(layer, query_.data(), 1.0f / std::sqrt(static_cast<float>(config_.head_dim)),
                    /*window=*/0, attended_.data());
  const std::array<Product, 1> out = {{{&weights.attention_out, projected_.data()}}};
  Multiply({attended_.data(), tokens(), config_.query_width()}, out);
  AddToResidual(projected_.data());
}

void Transformer::FeedForwardBlock(int layer) {
  const LlamaLayer& weights = weights_.layers[static_cast<size_t>(layer)];
  NormInto(weights.feed_forward_norm, normed_.data());
  const std::array<Product, 2> in = {{{&weights.gate, gate_.data()}, {&weights.up, up_.data()}}};
  Multiply({normed_.data(), tokens(), config_.width}, in);
  const int64_t width = config_.feed_forward;
  threads_.ParallelRange(tokens(), kTokenGrain, [&](int64_t begin, int64_t end) {
    kernels_.silu_multiply(gate_.data() + begin * width, up_.data() + begin * width,
                           (end - begin) * width, gate_.data() + begin * width);
  });
  const std::array<Product, 1> out = {{{&weights.down, projected_.data()}}};
  Multiply({gate_.data(), tokens(), config_.feed_forward}, out);
  AddToResidual(projected_.data());
}

void Transformer::ComputeLogits(std::span<const SequenceStep> steps, std::span<float> logits) {
  const int64_t width = config_.width;
  int64_t last = -1;  // row of the last token of the step at hand
  int rows = 0;
  for (const SequenceStep& step : steps) {
    last += static_cast<int64_t>(step.tokens.size());
    if (!step.wants_logits) continue;
    kernels_.rms_norm(residual_.data() + last * width, weights_.output_norm, width,
                      config_.norm_epsilon, normed_.data() + rows * width);
    ++rows;
  }
  assert(logits.size() == static_cast<size_t>(rows) * static_cast<size_t>(config_.vocabulary));
  if (rows == 0) return;
  const std::array<Product, 1> out = {{{&weights_.output, logits.data()}}};
  Multiply({normed_.data(), rows, config_.width}, out);
}

void Transformer::ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) {
  PlaceTokens(steps);
  if (places_.empty()) return;
  attention_.Place(steps);
  ComputeAngles();
  Embed();
  for (int layer = 0; layer < config_.layers; ++layer) {
    AttentionBlock(layer);
    FeedForwardBlock(layer);
  }
  ComputeLogits(steps, logits);
}

}  // namespace emptor::engine
