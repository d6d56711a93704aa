// One step of a model over all its tokens at once.
#include "engine/model/transformer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "engine/kernels/packed_weights.h"
#include "engine/model/weight_packing.h"

namespace emptor::engine {
namespace {

// Work below which waking other threads costs more than it saves.
constexpr int64_t kMatmulGrain = 64 << 10;  // multiply-adds
constexpr int64_t kTokenGrain = 16;         // tokens of element-wise work
constexpr int64_t kHeadGrain = 64;          // heads to normalise

}  // namespace

Transformer::Transformer(std::shared_ptr<const ModelSource> source,
                         const TransformerOptions& options, const ModelConfig& config,
                         const RankContext& rank)
    : source_(std::move(source)),
      options_(options),
      config_(config),
      rank_(rank),
      kernels_(KernelsFor(options.isa)),
      threads_(options.threads),
      attention_({config.layers, config.heads, config.kv_heads, config.head_dim,
                  options.block_tokens, options.kv_type},
                 kernels_, threads_) {}

size_t Transformer::KvBlockBytes(const ModelConfig& config, int block_tokens, KvType type) {
  return KvShape{config.layers, config.kv_heads, config.head_dim, block_tokens, type}.BlockBytes();
}

absl::StatusOr<std::unique_ptr<Transformer>> Transformer::Create(
    std::shared_ptr<const ModelSource> source, const TransformerOptions& options,
    const RankContext& rank) {
  const absl::StatusOr<ModelConfig> config = source->Config();
  if (!config.ok()) return config.status();
  absl::StatusOr<ModelWeights> weights = ModelWeights::Read(*source, *config);
  if (!weights.ok()) return weights.status();
  absl::Status ranks = CheckRanks(*config, *weights, rank.place.ranks);
  if (!ranks.ok()) return ranks;
  std::unique_ptr<Transformer> model(
      new Transformer(std::move(source), options, ShardConfig(*config, rank.place.ranks), rank));
  model->weights_ = std::move(*weights);
  if (rank.reduction != nullptr) {
    assert(!options.release_file);
    absl::StatusOr<WeightShard> shard = ShardWeights(*config, model->weights_, rank.place);
    if (!shard.ok()) return shard.status();
    model->Take(*std::move(shard));
  }
  if (absl::Status status = model->TakeAdapters(*config); !status.ok()) return status;
  if (absl::Status status = model->Pack(); !status.ok()) return status;
  const absl::Status allocated = model->Allocate();
  if (!allocated.ok()) return allocated;
  return model;
}

void Transformer::Take(WeightShard shard) {
  weights_ = std::move(shard.weights);
  columns_ = std::move(shard.columns);
  first_output_row_ = shard.first_output_row;
}

absl::Status Transformer::TakeAdapters(const ModelConfig& whole) {
  if (options_.merged != nullptr) {
    absl::StatusOr<AlignedBuffer> merged = MergeAdapter(
        *source_, *options_.merged, whole, rank_.place, options_.release_file, weights_);
    if (!merged.ok()) return merged.status();
    merged_weights_ = *std::move(merged);
  }
  if (!options_.adapters.empty()) {
    auto adapters = LoraProducts::Create(options_.adapters, whole, rank_.place);
    if (!adapters.ok()) return adapters.status();
    adapters_ = *std::move(adapters);
  }
  // They live as long as their loader wants.
  options_.merged = nullptr;
  options_.adapters.clear();
  return absl::OkStatus();
}

absl::Status Transformer::Pack() {
  const auto is_merged = [&](const TensorView* matrix) {
    const std::span<const std::byte> all = merged_weights_.bytes();
    return std::less_equal<>()(all.data(), matrix->data) &&
           std::less<>()(matrix->data, all.data() + all.size());
  };
  bool merged_is_packed = true;
  for (const TensorView* matrix : ProductMatrices(weights_)) {
    merged_is_packed &= kernels_.Packs(matrix->type) || !is_merged(matrix);
  }
  absl::StatusOr<AlignedBuffer> packed =
      PackWeights(*source_, options_.release_file, kernels_, threads_, weights_);
  if (!packed.ok()) return packed.status();
  packed_ = std::move(*packed);
  // The copied columns are not needed once all of them are packed.
  bool all_packed = true;
  for (const ModelLayer& layer : weights_.layers) {
    all_packed &= layer.attention_out.packed != nullptr;
    for (const FeedForward& part : layer.feed_forward) all_packed &= part.down.packed != nullptr;
  }
  if (all_packed) columns_ = AlignedBuffer();
  if (merged_is_packed) merged_weights_ = AlignedBuffer();
  return absl::OkStatus();
}

absl::Status Transformer::Allocate() {
  const absl::Status allocated = attention_.Allocate(options_.blocks);
  if (!allocated.ok()) return allocated;
  const std::vector<float>& factors = weights_.rope_factors;
  frequencies_ = RopeFrequencies(config_.rope, factors.empty() ? nullptr : factors.data());
  return absl::OkStatus();
}

void Transformer::OrderSequences(std::span<const SequenceStep> steps) {
  order_.resize(steps.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return steps[a].adapter < steps[b].adapter; });
  ordered_.clear();
  last_rows_.resize(steps.size());
  int64_t rows = 0;
  for (const size_t index : order_) {
    ordered_.push_back(steps[index]);
    rows += std::ssize(steps[index].tokens);
    last_rows_[index] = rows - 1;
  }
}

void Transformer::PlaceTokens() {
  places_.clear();
  for (const SequenceStep& step : ordered_) {
    for (size_t i = 0; i < step.tokens.size(); ++i) {
      places_.push_back({&step, step.position + static_cast<int>(i)});
    }
  }
  assert(tokens() <= options_.max_step_tokens);
}

void Transformer::PlaceAdapters() {
  adapter_rows_.clear();
  for (int t = 0; t < tokens(); ++t) {
    const int adapter = places_[static_cast<size_t>(t)].step->adapter;
    if (adapter < 0) continue;
    if (adapter_rows_.empty() || adapter_rows_.back().adapter != adapter) {
      adapter_rows_.push_back({adapter, t, 0});
    }
    ++adapter_rows_.back().count;
  }
  adapters_.Place(adapter_rows_);
}

void Transformer::SizeScratch() {
  const size_t n = places_.size();
  const auto hidden_size = static_cast<size_t>(config_.hidden_size);
  residual_.resize(n * hidden_size);
  normed_.resize(n * hidden_size);
  projected_.resize(n * hidden_size);
  answered_.resize(rank_.reduction == nullptr ? 0 : n * hidden_size);
  query_.resize(n * static_cast<size_t>(config_.query_width()));
  attended_.resize(query_.size());
  key_.resize(n * static_cast<size_t>(config_.kv_width()));
  value_.resize(key_.size());
  gate_.resize(n * static_cast<size_t>(config_.intermediate_size));
  up_.resize(gate_.size());
  const size_t widest = std::max({residual_.size(), query_.size(), gate_.size()});
  quants_.resize(widest);
  quant_scales_.resize(widest / kQuantBlock + 1);
  if (kernels_.packs_weights) quant_offsets_.resize(quant_scales_.size());
  if (kernels_.rounds_to_bf16) rounded_.resize(widest);
}

size_t Transformer::ActivationBytes(const ModelConfig& config, int tokens) {
  const auto hidden = static_cast<size_t>(config.hidden_size);
  const auto query = static_cast<size_t>(config.query_width());
  const auto middle = static_cast<size_t>(config.intermediate_size);
  const size_t floats = 3 * hidden + 2 * query + 2 * static_cast<size_t>(config.kv_width()) +
                        2 * middle + static_cast<size_t>(config.rope.dims);
  const size_t widest = std::max({hidden, query, middle});
  const size_t rounded = widest + 2 * sizeof(float) * widest / kQuantBlock + 2 * widest;
  return static_cast<size_t>(tokens) * (floats * sizeof(float) + rounded);
}

void Transformer::ComputeAngles() {
  const size_t pairs = frequencies_.size();
  cosine_.resize(places_.size() * pairs);
  sine_.resize(cosine_.size());
  for (size_t t = 0; t < places_.size(); ++t) {
    for (size_t i = 0; i < pairs; ++i) {
      const double angle = places_[t].position * frequencies_[i];
      cosine_[t * pairs + i] = static_cast<float>(std::cos(angle)) * config_.rope.attention_factor;
      sine_[t * pairs + i] = static_cast<float>(std::sin(angle)) * config_.rope.attention_factor;
    }
  }
}

void Transformer::Embed() {
  for (int t = 0; t < tokens(); ++t) {
    const TokenPlace& place = places_[static_cast<size_t>(t)];
    const int32_t token =
        place.step->tokens[static_cast<size_t>(place.position - place.step->position)];
    assert(token >= 0 && token < config_.vocabulary);
    kernels_.dequantize(weights_.embedding, token,
                        residual_.data() + int64_t{t} * config_.hidden_size);
  }
}

void Transformer::QuantizeActivations(const Activations& in) {
  const int64_t blocks = in.cols / kQuantBlock;
  threads_.ParallelRange(in.tokens, kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      int8_t* quants = quants_.data() + t * in.cols;
      kernels_.quantize(in.x + t * in.cols, in.cols, quants, quant_scales_.data() + t * blocks);
      if (!kernels_.packs_weights) continue;
      kernels_.offset_terms(quants, in.cols, quant_offsets_.data() + t * blocks);
    }
  });
}

void Transformer::RoundActivations(const Activations& in) {
  threads_.ParallelRange(in.tokens, kTokenGrain, [&](int64_t begin, int64_t end) {
    kernels_.to_bf16(in.x + begin * in.cols, (end - begin) * in.cols,
                     rounded_.data() + begin * in.cols);
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
  const int64_t group_work = int64_t{in.cols} * in.tokens * kPackedRows;
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
                       .out_stride = product.out_stride > 0 ? product.out_stride : rows});
    }
  });
}

void Transformer::NormInto(const std::vector<float>& gain, float* out) {
  const int64_t hidden_size = config_.hidden_size;
  threads_.ParallelRange(tokens(), kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      kernels_.rms_norm(residual_.data() + t * hidden_size, gain.data(), hidden_size,
                        config_.norm_epsilon, out + t * hidden_size);
    }
  });
}

void Transformer::AddToResidual(int turn, const float* part) {
  const int64_t size = int64_t{tokens()} * config_.hidden_size;
  if (rank_.reduction == nullptr) {
    kernels_.add(part, size, residual_.data());
  } else {
    rank_.reduction->AddInto(rank_.place.rank, turn, part, size, kernels_, residual_.data());
  }
}

void Transformer::AddBias(const std::vector<float>& bias, float* x) {
  const auto size = std::ssize(bias);
  if (size == 0) return;
  for (int64_t t = 0; t < tokens(); ++t) kernels_.add(bias.data(), size, x + t * size);
}

void Transformer::NormHeads(const std::vector<float>& gain, int heads, float* x) {
  if (gain.empty()) return;
  const int64_t head_dim = config_.head_dim;
  threads_.ParallelRange(int64_t{tokens()} * heads, kHeadGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* head = x + i * head_dim;
      kernels_.rms_norm(head, gain.data(), head_dim, config_.norm_epsilon, head);
    }
  });
}

void Transformer::AdjustHeads(const ModelLayer& weights) {
  AddBias(weights.query_bias, query_.data());
  AddBias(weights.key_bias, key_.data());
  AddBias(weights.value_bias, value_.data());
  NormHeads(weights.query_norm, config_.heads, query_.data());
  NormHeads(weights.key_norm, config_.kv_heads, key_.data());
}

void Transformer::Adapt(int layer, const Activations& in,
                        std::span<const AdaptedProduct> products) {
  adapters_.AddInto(layer, in.x, products, kernels_, threads_);
}

void Transformer::AttentionBlock(int layer) {
  const ModelLayer& weights = weights_.layers[static_cast<size_t>(layer)];
  NormInto(weights.attention_norm, normed_.data());
  const std::array<Product, 3> projections = {{{&weights.query, query_.data()},
                                               {&weights.key, key_.data()},
                                               {&weights.value, value_.data()}}};
  const Activations normed{normed_.data(), tokens(), config_.hidden_size};
  Multiply(normed, projections);
  Adapt(layer, normed,
        std::array<AdaptedProduct, 3>{{{LoraTarget::kQuery, query_.data()},
                                       {LoraTarget::kKey, key_.data()},
                                       {LoraTarget::kValue, value_.data()}}});
  AdjustHeads(weights);
  attention_.RotateAndStore(
      layer,
      {cosine_.data(), sine_.data(), static_cast<int>(frequencies_.size()), config_.rope.neox},
      query_.data(), key_.data(), value_.data());
  attention_.Attend(layer, query_.data(), 1.0f / std::sqrt(static_cast<float>(config_.head_dim)),
                    config_.windows[static_cast<size_t>(layer)], attended_.data());
  const std::array<Product, 1> out = {{{&weights.attention_out, projected_.data()}}};
  const Activations attended{attended_.data(), tokens(), config_.query_width()};
  Multiply(attended, out);
  Adapt(layer, attended,
        std::array<AdaptedProduct, 1>{{{LoraTarget::kAttentionOut, projected_.data()}}});
  if (rank_.place.rank == 0) AddBias(weights.attention_out_bias, projected_.data());
  AddToResidual(0, projected_.data());
}

void Transformer::RunFeedForward(const FeedForward& weights, int layer, const Activations& in,
                                 float* out) {
  const std::array<Product, 2> both = {{{&weights.gate, gate_.data()}, {&weights.up, up_.data()}}};
  Multiply(in, both);
  if (layer >= 0) {
    Adapt(layer, in,
          std::array<AdaptedProduct, 2>{
              {{LoraTarget::kGate, gate_.data()}, {LoraTarget::kUp, up_.data()}}});
  }
  const int64_t size = config_.intermediate_size;
  threads_.ParallelRange(in.tokens, kTokenGrain, [&](int64_t begin, int64_t end) {
    kernels_.silu_multiply(gate_.data() + begin * size, up_.data() + begin * size,
                           (end - begin) * size, gate_.data() + begin * size);
  });
  const std::array<Product, 1> down = {{{&weights.down, out}}};
  const Activations gated{gate_.data(), in.tokens, config_.intermediate_size};
  Multiply(gated, down);
  if (layer >= 0) {
    Adapt(layer, gated, std::array<AdaptedProduct, 1>{{{LoraTarget::kDown, out}}});
  }
}

void Transformer::RunExperts(const ModelLayer& weights, float* out) {
  const auto hidden_size = static_cast<size_t>(config_.hidden_size);
  router_scores_.resize(places_.size() * static_cast<size_t>(config_.experts));
  expert_in_.resize(normed_.size());
  expert_out_.resize(normed_.size());
  const std::array<Product, 1> router = {{{&weights.router, router_scores_.data()}}};
  Multiply({normed_.data(), tokens(), config_.hidden_size}, router);
  const auto routes = RouteTokens(router_scores_, config_.experts, config_.experts_used);
  std::fill_n(out, normed_.size(), 0.0f);
  // Experts in ascending order: the order in which a token's sum is taken is always the same.
  for (size_t expert = 0; expert < routes.size(); ++expert) {
    const std::vector<RoutedToken>& route = routes[expert];
    if (route.empty()) continue;
    for (size_t i = 0; i < route.size(); ++i) {
      std::copy_n(normed_.data() + static_cast<size_t>(route[i].token) * hidden_size, hidden_size,
                  expert_in_.data() + i * hidden_size);
    }
    RunFeedForward(weights.feed_forward[expert], /*layer=*/-1,
                   {expert_in_.data(), static_cast<int>(route.size()), config_.hidden_size},
                   expert_out_.data());
    for (size_t i = 0; i < route.size(); ++i) {
      const float* answer = expert_out_.data() + i * hidden_size;
      float* sum = out + static_cast<size_t>(route[i].token) * hidden_size;
      for (size_t k = 0; k < hidden_size; ++k) sum[k] += route[i].weight * answer[k];
    }
  }
}

void Transformer::FeedForwardBlock(int layer) {
  const ModelLayer& weights = weights_.layers[static_cast<size_t>(layer)];
  NormInto(weights.feed_forward_norm, normed_.data());
  float* out = rank_.reduction == nullptr ? projected_.data() : answered_.data();
  if (config_.experts > 0) {
    RunExperts(weights, out);
  } else {
    RunFeedForward(weights.feed_forward[0], layer, {normed_.data(), tokens(), config_.hidden_size},
                   out);
  }
  AddToResidual(1, out);
}

void Transformer::ComputeLogits(std::span<const SequenceStep> steps, std::span<float> logits) {
  const int64_t hidden_size = config_.hidden_size;
  int rows = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const int wanted = steps[i].logit_rows;
    assert(wanted >= 0 && wanted <= std::ssize(steps[i].tokens));
    for (int64_t row = last_rows_[i] - wanted + 1; row <= last_rows_[i]; ++row) {
      kernels_.rms_norm(residual_.data() + row * hidden_size, weights_.output_norm.data(),
                        hidden_size, config_.norm_epsilon, normed_.data() + rows * hidden_size);
      ++rows;
    }
  }
  assert(logits.size() == static_cast<size_t>(rows) * static_cast<size_t>(config_.vocabulary));
  if (rows == 0) return;
  const std::array<Product, 1> out = {
      {{&weights_.output, logits.data() + first_output_row_, config_.vocabulary}}};
  Multiply({normed_.data(), rows, config_.hidden_size}, out);
}

void Transformer::ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) {
  OrderSequences(steps);
  PlaceTokens();
  if (places_.empty()) return;
  PlaceAdapters();
  SizeScratch();
  attention_.Place(ordered_);
  ComputeAngles();
  Embed();
  for (int layer = 0; layer < config_.layers; ++layer) {
    AttentionBlock(layer);
    FeedForwardBlock(layer);
  }
  ComputeLogits(steps, logits);
}

}  // namespace emptor::engine
