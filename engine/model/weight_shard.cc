// Cuts matrices along heads and intermediate size.
#include "engine/model/weight_shard.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

int64_t Share(int64_t n, int rank, int ranks) { return n * rank / ranks; }

TensorView Rows(const TensorView& whole, RankOf place) {
  const int64_t begin = Share(whole.rows, place.rank, place.ranks);
  TensorView part = whole;
  part.rows = Share(whole.rows, place.rank + 1, place.ranks) - begin;
  part.data = whole.row(begin);
  return part;
}

std::vector<float> Elements(const std::vector<float>& whole, RankOf place) {
  const auto n = std::ssize(whole);
  return {whole.begin() + Share(n, place.rank, place.ranks),
          whole.begin() + Share(n, place.rank + 1, place.ranks)};
}

size_t ColumnBytes(const TensorView& whole, int ranks) {
  return static_cast<size_t>(whole.rows) * (whole.row_bytes() / static_cast<size_t>(ranks));
}

/// Copies the rank's columns of every row to `out` and advances it.
TensorView Columns(const TensorView& whole, RankOf place, std::byte*& out) {
  TensorView part = whole;
  part.cols = whole.cols / place.ranks;
  part.data = out;
  const size_t bytes = part.row_bytes();
  for (int64_t r = 0; r < whole.rows; ++r, out += bytes) {
    std::memcpy(out, whole.row(r) + static_cast<size_t>(place.rank) * bytes, bytes);
  }
  return part;
}

/// Bytes of the copies, each matrix begun at a multiple of 64.
size_t Aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

ModelLayer ShardLayer(const ModelLayer& whole, RankOf place, std::byte*& out) {
  const auto columns = [&](const TensorView& matrix) {
    std::byte* at = out;
    out += Aligned(ColumnBytes(matrix, place.ranks));
    return Columns(matrix, place, at);
  };
  ModelLayer part = whole;
  part.query = Rows(whole.query, place);
  part.key = Rows(whole.key, place);
  part.value = Rows(whole.value, place);
  part.query_bias = Elements(whole.query_bias, place);
  part.key_bias = Elements(whole.key_bias, place);
  part.value_bias = Elements(whole.value_bias, place);
  part.attention_out = columns(whole.attention_out);
  for (FeedForward& network : part.feed_forward) {
    network = {Rows(network.gate, place), Rows(network.up, place), columns(network.down)};
  }
  return part;
}

absl::Status CheckDivides(std::string_view what, int64_t n, int ranks) {
  if (n % ranks == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("ranks: {} does not divide {} {}", ranks, n, what));
}

}  // namespace

absl::Status CheckRanks(const ModelConfig& config, const ModelWeights& weights, int ranks) {
  if (ranks < 1) {
    return absl::InvalidArgumentError(fmt::format("ranks: expected at least 1, found {}", ranks));
  }
  if (absl::Status s = CheckDivides("heads", config.heads, ranks); !s.ok()) return s;
  if (absl::Status s = CheckDivides("heads of keys and values", config.kv_heads, ranks); !s.ok()) {
    return s;
  }
  if (absl::Status s =
          CheckDivides("elements of the intermediate size", config.intermediate_size, ranks);
      !s.ok()) {
    return s;
  }
  const auto check_blocks = [&](std::string_view what, const TensorView& matrix) {
    return CheckDivides(what, matrix.cols / BlockElements(matrix.type), ranks);
  };
  for (const ModelLayer& layer : weights.layers) {
    absl::Status status = check_blocks("blocks of columns of attention_out", layer.attention_out);
    if (!status.ok()) return status;
    for (const FeedForward& network : layer.feed_forward) {
      status = check_blocks("blocks of columns of down", network.down);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

ModelConfig ShardConfig(const ModelConfig& config, int ranks) {
  ModelConfig shard = config;
  shard.heads /= ranks;
  shard.kv_heads /= ranks;
  shard.intermediate_size /= ranks;
  return shard;
}

absl::StatusOr<WeightShard> ShardWeights(const ModelConfig& config, const ModelWeights& whole,
                                         RankOf place) {
  assert(CheckRanks(config, whole, place.ranks).ok());
  size_t bytes = 0;
  for (const ModelLayer& layer : whole.layers) {
    bytes += Aligned(ColumnBytes(layer.attention_out, place.ranks));
    for (const FeedForward& network : layer.feed_forward) {
      bytes += Aligned(ColumnBytes(network.down, place.ranks));
    }
  }
  absl::StatusOr<AlignedBuffer> buffer = AlignedBuffer::Allocate(bytes);
  if (!buffer.ok()) return buffer.status();
  WeightShard shard;
  shard.columns = *std::move(buffer);
  shard.weights = whole;
  std::byte* out = shard.columns.data();
  for (ModelLayer& layer : shard.weights.layers) layer = ShardLayer(layer, place, out);
  shard.weights.output = Rows(whole.output, place);
  shard.first_output_row = Share(whole.output.rows, place.rank, place.ranks);
  return shard;
}

}  // namespace emptor::engine
