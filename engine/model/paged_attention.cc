// Work is cut along tokens and KV heads.
#include "engine/model/paged_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace emptor::engine {
namespace {

// Work below which waking other threads costs more than it saves.
constexpr int64_t kAttentionGrain = 32 << 10;  // multiply-adds
constexpr int64_t kTokenGrain = 16;            // tokens to rotate and store
constexpr int kTileRows = 64;     // queries, per head, that are computed against a page together
constexpr int kStorePiece = 128;  // elements of a key that are rounded at a time

}  // namespace

PagedAttention::PagedAttention(const AttentionShape& shape, const Kernels& kernels,
                               ThreadPool& threads)
    : shape_(shape), kernels_(kernels), threads_(threads) {
  scratch_.resize(static_cast<size_t>(threads_.most_chunks()));
  const int rows = std::max(kTileRows, group());
  for (Scratch& scratch : scratch_) {
    scratch.floats.resize(static_cast<size_t>(AttentionScratchFloats(rows, shape_.head_dim)));
  }
}

absl::Status PagedAttention::Allocate(int blocks) {
  absl::StatusOr<KvCache> kv = KvCache::Create(shape_.kv(), blocks);
  if (!kv.ok()) return kv.status();
  kv_ = std::move(*kv);
  return absl::OkStatus();
}

void PagedAttention::Place(std::span<const SequenceStep> steps) {
  places_.clear();
  tiles_.clear();
  const int most = std::max(1, kTileRows / group());
  for (const SequenceStep& step : steps) {
    const auto first = static_cast<int>(places_.size());
    const auto count = static_cast<int>(step.tokens.size());
    for (int i = 0; i < count; ++i) {
      const int position = step.position + i;
      places_.push_back({step.blocks[static_cast<size_t>(position / shape_.block_tokens)],
                         position % shape_.block_tokens});
    }
    for (int i = 0; i < count; i += most) {
      tiles_.push_back({&step, first + i, step.position + i, std::min(most, count - i)});
    }
  }
}

void PagedAttention::StoreHalves(const TokenPlace& place, const float* key, const float* value,
                                 std::byte* keys, std::byte* values) {
  const int head_dim = shape_.head_dim;
  auto* column = reinterpret_cast<Half*>(keys) + place.row;
  std::array<Half, kStorePiece> halves;
  for (int i = 0; i < head_dim; i += kStorePiece) {
    const int count = std::min(kStorePiece, head_dim - i);
    kernels_.to_half(key + i, count, halves.data());
    for (int j = 0; j < count; ++j) {
      column[(i + j) * shape_.block_tokens] = halves[static_cast<size_t>(j)];
    }
  }
  kernels_.to_half(value, head_dim,
                   reinterpret_cast<Half*>(values) + int64_t{place.row} * head_dim);
}

void PagedAttention::StoreBytes(const TokenPlace& place, const float* key, const float* value,
                                std::byte* keys, std::byte* values) {
  const int head_dim = shape_.head_dim;
  const auto store = [&](const float* x, std::byte* block, int first, int stride) {
    auto* scales = reinterpret_cast<float*>(block);
    auto* quants = reinterpret_cast<int8_t*>(scales + shape_.block_tokens) + first;
    float largest = 0;
    for (int i = 0; i < head_dim; ++i) largest = std::max(largest, std::fabs(x[i]));
    const float inverse = largest > 0 ? 127.0f / largest : 0;
    for (int i = 0; i < head_dim; ++i) {
      // Clamped, so that an infinity of a broken model stays within int8.
      const float rounded = std::nearbyint(x[i] * inverse);
      quants[i * stride] = static_cast<int8_t>(rounded >= -127 && rounded <= 127 ? rounded : 0);
    }
    scales[place.row] = largest / 127.0f;
  };
  store(key, keys, place.row, shape_.block_tokens);
  store(value, values, place.row * head_dim, 1);
}

void PagedAttention::StoreToken(int layer, int64_t row, const float* key, const float* value) {
  const TokenPlace& place = places_[static_cast<size_t>(row)];
  for (int h = 0; h < shape_.kv_heads; ++h) {
    std::byte* keys = kv_.Keys(layer, place.block, h);
    std::byte* values = kv_.Values(layer, place.block, h);
    const int64_t at = int64_t{h} * shape_.head_dim;
    if (shape_.kv_type == KvType::kF16) {
      StoreHalves(place, key + at, value + at, keys, values);
    } else {
      StoreBytes(place, key + at, value + at, keys, values);
    }
  }
}

void PagedAttention::RotateAndStore(int layer, const RotaryAngles& angles, float* query, float* key,
                                    const float* value) {
  const auto rotate = angles.neox ? kernels_.rope_neox : kernels_.rope;
  threads_.ParallelRange(std::ssize(places_), kTokenGrain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const float* cosine = angles.cosine + t * angles.pairs;
      const float* sine = angles.sine + t * angles.pairs;
      float* q = query + t * shape_.query_width();
      float* k = key + t * shape_.kv_width();
      for (int h = 0; h < shape_.heads; ++h) {
        rotate(cosine, sine, angles.pairs, q + h * shape_.head_dim);
      }
      for (int h = 0; h < shape_.kv_heads; ++h) {
        rotate(cosine, sine, angles.pairs, k + h * shape_.head_dim);
      }
      StoreToken(layer, t, k, value + t * shape_.kv_width());
    }
  });
}

void PagedAttention::AttendTile(const Request& request, const Tile& tile, int kv_head,
                                Scratch& scratch) {
  scratch.keys.clear();
  scratch.values.clear();
  for (int b = 0; b * shape_.block_tokens < tile.position + tile.tokens; ++b) {
    const BlockId block = tile.step->blocks[static_cast<size_t>(b)];
    scratch.keys.push_back(kv_.Keys(request.layer, block, kv_head));
    scratch.values.push_back(kv_.Values(request.layer, block, kv_head));
  }
  const int64_t at =
      int64_t{tile.row} * shape_.query_width() + int64_t{kv_head} * group() * shape_.head_dim;
  kernels_.attention({.q = request.query + at,
                      .out = request.out + at,
                      .stride = shape_.query_width(),
                      .tokens = tile.tokens,
                      .position = tile.position,
                      .window = request.window,
                      .group = group(),
                      .head_dim = shape_.head_dim,
                      .block_tokens = shape_.block_tokens,
                      .kv_type = shape_.kv_type,
                      .keys = scratch.keys,
                      .values = scratch.values,
                      .scale = request.scale,
                      .scratch = scratch.floats.data()});
}

void PagedAttention::Attend(int layer, const float* query, float scale, int window, float* out) {
  const Request request{layer, query, scale, window, out};
  int64_t positions = 0;  // attended to by all tokens together
  for (const Tile& tile : tiles_) positions += int64_t{tile.position + tile.tokens} * tile.tokens;
  const int64_t work = 2 * positions * shape_.query_width();
  const int64_t items = std::ssize(tiles_) * shape_.kv_heads;
  const int64_t chunks = std::clamp<int64_t>(work / kAttentionGrain, 1,
                                             std::min<int64_t>(items, std::ssize(scratch_)));
  // Interleaved, since later tokens have more to attend to.
  const auto run = [&](int chunk) {
    Scratch& scratch = scratch_[static_cast<size_t>(chunk)];
    for (int64_t i = chunk; i < items; i += chunks) {
      AttendTile(request, tiles_[static_cast<size_t>(i / shape_.kv_heads)],
                 static_cast<int>(i % shape_.kv_heads), scratch);
    }
  };
  threads_.ParallelFor(static_cast<int>(chunks), std::ref(run));
}

}  // namespace emptor::engine
