// What all implementations share: the check of the query and the exact scan.
#include "retrieval/vector/vector_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace emptor::retrieval {
namespace {

constexpr size_t kBlock = 64;
// Where at least one in so many rows is allowed, all are scored: rows side by side come faster.
constexpr size_t kDenseOneIn = 4;

}  // namespace

absl::Status ValidateQueryVector(std::span<const float> query, int dimension) {
  if (query.size() != static_cast<size_t>(dimension)) {
    return absl::InvalidArgumentError(
        fmt::format("vector search: query: expected {} values, found {}", dimension, query.size()));
  }
  if (!std::all_of(query.begin(), query.end(), [](float x) { return std::isfinite(x); })) {
    return absl::InvalidArgumentError(
        "vector search: query: expected finite values, found infinity or NaN");
  }
  if (std::all_of(query.begin(), query.end(), [](float x) { return x == 0.0f; })) {
    return absl::InvalidArgumentError("vector search: query: expected a direction, found zeros");
  }
  return absl::OkStatus();
}

size_t ShortlistSize(size_t k) { return k + 16 + k / 8; }

std::vector<ScoredRecord> RankFinely(const QuantizedRows& rows, std::span<const float> query,
                                     size_t k, std::vector<ScoredRecord> found) {
  const QuantizedQuery quantized(query);
  for (ScoredRecord& each : found) each.score = rows.Score(quantized, each.record);
  std::sort(found.begin(), found.end(), RanksBefore);
  found.resize(std::min(found.size(), k));
  return found;
}

std::vector<ScoredRecord> ScanExactly(const QuantizedRows& rows, std::span<const float> query,
                                      size_t k, const RecordSet* allowed) {
  const QuantizedQuery quantized(query);
  const size_t allowed_count = allowed == nullptr ? rows.size() : allowed->count();
  TopKQueue queue(std::min(ShortlistSize(k), allowed_count));
  if (allowed_count * kDenseOneIn < rows.size()) {
    allowed->ForEach([&](uint32_t position) {
      float score = 0;
      rows.ScoreCoarselyInto(quantized, rows.place_of(position), 1, &score);
      queue.Push({position, score});
    });
    return RankFinely(rows, query, k, queue.TakeSorted());
  }
  std::array<float, kBlock> scores;
  for (size_t place = 0; place < rows.size(); place += kBlock) {
    const size_t count = std::min(kBlock, rows.size() - place);
    rows.ScoreCoarselyInto(quantized, place, count, scores.data());
    for (size_t i = 0; i < count; ++i) {
      if (scores[i] < queue.threshold()) continue;
      const uint32_t position = rows.position_at(place + i);
      if (allowed == nullptr || allowed->contains(position)) queue.Push({position, scores[i]});
    }
  }
  return RankFinely(rows, query, k, queue.TakeSorted());
}

}  // namespace emptor::retrieval
