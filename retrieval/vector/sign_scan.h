// Scans stretches of rows by their signs and scores what they pass.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "retrieval/vector/quantized_rows.h"
#include "retrieval/vector/sign_plane.h"

namespace emptor::retrieval {

/// Rows and their signs against one query. Lifetime: the rows' and the plane's outlive it.
class SignScan {
 public:
  /// REQUIRES: `signs` were made from `rows` as they lie.
  SignScan(const QuantizedRows& rows, const SignPlane& signs, std::span<const float> query)
      : rows_(rows), signs_(signs), codes_(query), signs_query_(signs.Prepare(query)) {}

  /// The inner product by the coarse plane.
  float Score(size_t place) const {
    float score = 0;
    rows_.ScoreCoarselyInto(codes_, place, 1, &score);
    return score;
  }

  /// Calls offer(place, coarse score) for the rows at places begin..end-1 of which keep(block), bit
  /// i for the row at place kSignRows * block + i, holds the bit and which may score threshold().
  template <typename Keep, typename Threshold, typename Offer>
  void Run(size_t begin, size_t end, Keep&& keep, Threshold&& threshold, Offer&& offer) const {
    std::array<size_t, kScoredTogether + kSignRows> places;
    size_t waiting = 0;
    const auto score = [&] {
      for (const size_t place : std::span(places).first(waiting)) {
        offer(place, Score(place));
      }
      waiting = 0;
    };
    for (size_t block = begin / kSignRows; block * kSignRows < end; ++block) {
      uint32_t wanted = keep(block) & Inside(block, begin, end);
      if (wanted == 0) continue;
      wanted &= signs_.MayReach(signs_query_, block, threshold());
      for (; wanted != 0; wanted &= wanted - 1) {
        const size_t place = block * kSignRows + static_cast<size_t>(std::countr_zero(wanted));
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
    const size_t first = block * kSignRows;
    uint32_t inside = ~uint32_t{0};
    if (begin > first) inside &= ~uint32_t{0} << (begin - first);
    if (end - first < kSignRows) inside &= ~(~uint32_t{0} << (end - first));
    return inside;
  }

  const QuantizedRows& rows_;
  const SignPlane& signs_;
  QuantizedQuery codes_;
  SignPlane::Query signs_query_;
};

}  // namespace emptor::retrieval
