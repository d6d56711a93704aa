// The loops over blocks of rows.
#include "retrieval/vector/row_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace emptor::retrieval {
namespace {

constexpr size_t kScoredTogether = 64;
// If at least one row in this many is allowed, ScanExactly scores all rows: sequential reads are
// fast.
constexpr size_t kDenseOneIn = 4;
// If fewer than one row in this many is allowed, reading codes costs more than scoring those rows.
constexpr size_t kCodesOneIn = 256;

float ScoreCoarsely(const QuantizedRows& rows, const QuantizedQuery& query, size_t row) {
  float score = 0;
  rows.ScoreCoarselyInto(query, row, 1, &score);
  return score;
}

/// Scores the allowed rows one by one.
std::vector<ScoredRecord> ScanFew(const QuantizedRows& rows, std::span<const float> query, size_t k,
                                  const RecordSet& allowed) {
  const QuantizedQuery quantized(query);
  TopKQueue queue(ShortlistSize(k));
  allowed.ForEach([&](uint32_t row) { queue.Push({row, ScoreCoarsely(rows, quantized, row)}); });
  return Refine(rows, query, k, queue.TakeSorted());
}

/// The bits of `allowed` for the rows of a block.
uint32_t BlockOf(const RecordSet& allowed, size_t block) {
  constexpr size_t kBlocks = 64 / kBlockRows;  // in a word of the set
  return static_cast<uint32_t>(allowed.words()[block / kBlocks] >> (block % kBlocks * kBlockRows));
}

/// Ones for the rows of a block that exist.
uint32_t ExistingOf(size_t rows, size_t block) {
  const size_t left = rows - block * kBlockRows;
  return left >= kBlockRows ? ~uint32_t{0} : (uint32_t{1} << left) - 1;
}

}  // namespace

size_t ShortlistSize(size_t k) { return k + 16 + k / 8; }

std::vector<ScoredRecord> Refine(const QuantizedRows& rows, std::span<const float> query, size_t k,
                                 std::vector<ScoredRecord> found) {
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
  std::array<float, kScoredTogether> scores;
  for (size_t first = 0; first < rows.size(); first += kScoredTogether) {
    const size_t count = std::min(kScoredTogether, rows.size() - first);
    rows.ScoreCoarselyInto(quantized, first, count, scores.data());
    for (size_t i = 0; i < count; ++i) {
      if (scores[i] < queue.threshold()) continue;
      const auto row = static_cast<uint32_t>(first + i);
      if (allowed == nullptr || allowed->contains(row)) queue.Push({row, scores[i]});
    }
  }
  return Refine(rows, query, k, queue.TakeSorted());
}

std::vector<ScoredRecord> ScanBitCodes(const QuantizedRows& rows, const BitCodes& codes,
                                       std::span<const float> query, size_t k,
                                       const RecordSet* allowed) {
  if (allowed != nullptr && allowed->count() * kCodesOneIn < rows.size()) {
    return ScanFew(rows, query, k, *allowed);
  }
  const QuantizedQuery quantized(query);
  const BitCodes::Query prepared = codes.Prepare(query);
  TopKQueue queue(ShortlistSize(k));
  // Selected rows are buffered: enough of them that their bytes are in the cache when they are
  // scored, few enough that the threshold stays current.
  std::array<uint32_t, kScoredTogether + kBlockRows> waiting;
  size_t count = 0;
  const auto score = [&] {
    for (const uint32_t row : std::span(waiting).first(count)) {
      queue.Push({row, ScoreCoarsely(rows, quantized, row)});
    }
    count = 0;
  };
  for (size_t block = 0; block * kBlockRows < rows.size(); ++block) {
    uint32_t passed = ExistingOf(rows.size(), block);
    if (allowed != nullptr) passed &= BlockOf(*allowed, block);
    if (passed == 0) continue;
    passed &= codes.MayReach(prepared, block, queue.threshold());
    for (; passed != 0; passed &= passed - 1) {
      const auto row =
          static_cast<uint32_t>(block * kBlockRows + static_cast<size_t>(std::countr_zero(passed)));
      rows.PrefetchCoarse(row);
      waiting[count++] = row;
    }
    if (count >= kScoredTogether) score();
  }
  score();
  return Refine(rows, query, k, queue.TakeSorted());
}

}  // namespace emptor::retrieval
