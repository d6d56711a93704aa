// Work is cut along tokens and KV heads.
#include "engine/model/paged_attention.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {
namespace {

// Work below which waking other threads costs more than it brings.
constexpr int64_t kAttentionGrain = 32 << 10;  // multiply-adds
constexpr int64_t kTokenGrain = 16;            // tokens to rotate and store

}  // namespace

PagedAttention::PagedAttention(const AttentionShape& shape, const Kernels& kernels,
                               ThreadPool& threads)
    : shape_(shape), kernels_(kernels), threads_(threads) {
  scratch_.resize(static_cast<size_t>(threads_.most_chunks()));
}

absl::Status PagedAttention::Allocate(int blocks) {
  absl::StatusOr<KvCache> kv = KvCache::Create(shape_.kv(), blocks);
  if (!kv.ok()) return kv.status();
  kv_ = std::move(*kv);
  return absl::OkStatus();
}

void PagedAttention::Place(std::span<const SequenceStep> steps) {
  places_.clear();
  for (const SequenceStep& step : steps) {
    for (size_t i = 0; i < step.tokens.size(); ++i) {
      places_.push_back({&step, step.position + static_cast<int>(i)});
    }
  }
}

void PagedAttention::RotateAndStore(int layer, const RotaryAngles& angles, float* query, float* key,
                                    const float* value) {
  const int head_dim = shape_.head_dim;
  const auto rotate = angles.halves ? kernels_.rope_halves : kernels_.rope;
  threads_.ParallelRange(tokens(), kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const float* cosine = angles.cosine + t * angles.pairs;
      const float* sine = angles.sine + t * angles.pairs;
      float* q = query + t * shape_.query_width();
      float* k = key + t * shape_.kv_width();
      const float* v = value + t * shape_.kv_width();
      for (int h = 0; h < shape_.heads; ++h) {
        rotate(cosine, sine, angles.pairs, q + h * head_dim);
      }
      const TokenPlace& place = places_[static_cast<size_t>(t)];
      const auto block =
          place.step->blocks[static_cast<size_t>(place.position / shape_.block_tokens)];
      const int64_t row = int64_t{place.position % shape_.block_tokens} * head_dim;
      for (int h = 0; h < shape_.kv_heads; ++h) {
        rotate(cosine, sine, angles.pairs, k + h * head_dim);
        kernels_.to_half(k + h * head_dim, head_dim, kv_.Keys(layer, block, h) + row);
        kernels_.to_half(v + h * head_dim, head_dim, kv_.Values(layer, block, h) + row);
      }
    }
  });
}

void PagedAttention::AttendHead(const Request& request, int token, int kv_head, Scratch& scratch) {
  const int group = shape_.heads / shape_.kv_heads;
  const TokenPlace& place = places_[static_cast<size_t>(token)];
  const int positions = place.position + 1;
  scratch.keys.clear();
  scratch.values.clear();
  for (int b = 0; b * shape_.block_tokens < positions; ++b) {
    const BlockId block = place.step->blocks[static_cast<size_t>(b)];
    scratch.keys.push_back(kv_.Keys(request.layer, block, kv_head));
    scratch.values.push_back(kv_.Values(request.layer, block, kv_head));
  }
  const size_t scores = scratch.keys.size() * static_cast<size_t>(shape_.block_tokens * group);
  scratch.scores.resize(std::max(scratch.scores.size(), scores));
  const int64_t at = int64_t{token} * shape_.query_width() + kv_head * group * shape_.head_dim;
  kernels_.attention({.q = request.query + at,
                      .out = request.out + at,
                      .group = group,
                      .head_dim = shape_.head_dim,
                      .positions = positions,
                      .block_tokens = shape_.block_tokens,
                      .keys = scratch.keys,
                      .values = scratch.values,
                      .scale = request.scale,
                      .scores = scratch.scores.data()});
}

void PagedAttention::Attend(int layer, const float* query, float scale, int window, float* out) {
  const Request request{layer, query, scale, window, out};
  int64_t positions = 0;  // attended to by all tokens together
  for (const TokenPlace& place : places_) positions += place.position + 1;
  const int64_t work = 2 * positions * shape_.query_width();
  const int64_t items = int64_t{tokens()} * shape_.kv_heads;
  const int64_t chunks = std::clamp<int64_t>(work / kAttentionGrain, 1,
                                             std::min<int64_t>(items, std::ssize(scratch_)));
  const auto run = [&](int chunk) {
    Scratch& scratch = scratch_[static_cast<size_t>(chunk)];
    for (int64_t i = items * chunk / chunks; i < items * (chunk + 1) / chunks; ++i) {
      AttendHead(request, static_cast<int>(i / shape_.kv_heads),
                 static_cast<int>(i % shape_.kv_heads), scratch);
    }
  };
  threads_.ParallelFor(static_cast<int>(chunks), std::ref(run));
}

}  // namespace emptor::engine
