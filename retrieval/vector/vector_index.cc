// What all implementations share: the check of the query and the exact scan.
#include "retrieval/vector/vector_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "retrieval/vector/bit_code_scan.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kBlock = 64;
// Where at least one in so many rows is allowed, all are scored: rows side by side come faster.
constexpr size_t kDenseOneIn = 4;
// Where fewer than one in so many are, looking at signs costs more than scoring what is allowed.
constexpr size_t kCodesOneIn = 256;

/// Scores the allowed positions one by one.
std::vector<ScoredRecord> ScanFew(const QuantizedRows& rows, std::span<const float> query, size_t k,
                                  const RecordSet& allowed) {
  const QuantizedQuery quantized(query);
  TopKQueue queue(ShortlistSize(k));
  allowed.ForEach([&](uint32_t position) {
    float score = 0;
    rows.ScoreCoarselyInto(quantized, rows.place_of(position), 1, &score);
    queue.Push({position, score});
  });
  return RankFinely(rows, query, k, queue.TakeSorted());
}

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
  if (allowed != nullptr && allowed->count() * kDenseOneIn < rows.size()) {
    return ScanFew(rows, query, k, *allowed);
  }
  const QuantizedQuery quantized(query);
  TopKQueue queue(ShortlistSize(k));
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

std::vector<ScoredRecord> ScanBitCodes(const QuantizedRows& rows, const BitCodes& signs,
                                       std::span<const float> query, size_t k,
                                       const RecordSet* allowed) {
  if (allowed != nullptr && allowed->count() * kCodesOneIn < rows.size()) {
    return ScanFew(rows, query, k, *allowed);
  }
  const bool by_word = allowed != nullptr && rows.in_order();
  const auto keep = [&](size_t block) {
    if (!by_word) return ~uint32_t{0};
    constexpr size_t kBlocks = 64 / kBlockRows;  // in a word of the set
    return static_cast<uint32_t>(allowed->words()[block / kBlocks] >>
                                 (block % kBlocks * kBlockRows));
  };
  TopKQueue queue(ShortlistSize(k));
  const auto wanted = [&](size_t place) {
    return by_word || allowed == nullptr || allowed->contains(rows.position_at(place));
  };
  BitCodeScan(rows, signs, query)
      .Run(
          0, rows.size(), keep, wanted, [&] { return queue.threshold(); },
          [&](size_t place, float score) {
            queue.Push({rows.position_at(place), score});
          });
  return RankFinely(rows, query, k, queue.TakeSorted());
}

}  // namespace emptor::retrieval
