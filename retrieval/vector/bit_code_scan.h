// Scans stretches of rows by their signs and scores what they pass.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "retrieval/vector/bit_codes.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// Rows and their signs against one query. Lifetime: the rows' and the plane's outlive it.
class BitCodeScan {
 public:
  /// REQUIRES: `signs` were made from `rows` as they lie.
  BitCodeScan(const QuantizedRows& rows, const BitCodes& bit_codes, std::span<const float> query)
      : rows_(rows), bit_codes_(bit_codes), query_(query), bit_query_(bit_codes.Prepare(query)) {}

  /// The inner product by the coarse plane.
  float Score(size_t place) const {
    float score = 0;
    rows_.ScoreCoarselyInto(query_, place, 1, &score);
    return score;
  }

  /// Calls offer(place, coarse score) for the rows at places begin..end-1 of which keep(block), bit
  /// i for the row at place kBlockRows * block + i, holds the bit, which may score threshold() and
  /// are wanted(place): asked last, for filters that cannot tell a block.
  template <typename Keep, typename Wanted, typename Threshold, typename Offer>
  void Run(size_t begin, size_t end, Keep&& keep, Wanted&& wanted, Threshold&& threshold,
           Offer&& offer) const {
    std::array<size_t, kScoredTogether + kBlockRows> places;
    size_t waiting = 0;
    const auto score = [&] {
      for (const size_t place : std::span(places).first(waiting)) {
        offer(place, Score(place));
      }
      waiting = 0;
    };
    for (size_t block = begin / kBlockRows; block * kBlockRows < end; ++block) {
      uint32_t passed = keep(block) & Inside(block, begin, end);
      if (passed == 0) continue;
      passed &= bit_codes_.MayReach(bit_query_, block, threshold());
      for (; passed != 0; passed &= passed - 1) {
        const size_t place = block * kBlockRows + static_cast<size_t>(std::countr_zero(passed));
        if (!wanted(place)) continue;
        rows_.PrefetchCoarse(place);
        places[waiting++] = place;
      }
      if (waiting >= kScoredTogether) score();
    }
    score();
  }

 private:
  /// So many that their bytes are there when they are scored, so few that the threshold keeps up.
  static constexpr size_t kScoredTogether = 64;

  /// The rows of a block that lie in begin..end-1.
  static uint32_t Inside(size_t block, size_t begin, size_t end) {
    const size_t first = block * kBlockRows;
    uint32_t inside = ~uint32_t{0};
    if (begin > first) inside &= ~uint32_t{0} << (begin - first);
    if (end - first < kBlockRows) inside &= ~(~uint32_t{0} << (end - first));
    return inside;
  }

  const QuantizedRows& rows_;
  const BitCodes& bit_codes_;
  QuantizedQuery query_;
  BitCodes::Query bit_query_;
};

}  // namespace emptor::retrieval
