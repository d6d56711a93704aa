// Lists of records by what they are, not by how well words fit them: browsing, and `sort=`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "retrieval/hybrid/sort_order.h"
#include "retrieval/record_set.h"
#include "retrieval/segment/segment.h"

namespace emptor::retrieval {

struct SortCriteria {
  SortOrder sort = SortOrder::kRelevance;
  std::string currency;  // of prices; empty: any
  std::string region;    // whose prices count first
  int64_t now_unix = 0;  // decides which prices hold
};

struct SortedRecord {
  size_t view = 0;
  uint32_t record = 0;
};

/// The first `limit` of the records of `sets` ([views]):
///   relevance   what can be bought now, then what can be ordered, then the rest; then as
///   popularity popularity  as the shop counts it, then rating, then stock rating      smoothed
///   rating, then its count; unrated ones last price       payable now; ones without a price in
///   that currency last in both directions newest      by `updated_at`; ones without it last
/// Equal ones go on by popularity, smoothed rating, stock and at last id: no order is left to
/// chance. A smoothed rating is (10 m + sum of the reviews) / (10 + reviews), m the mean of all
/// reviews in the list: five stars of one buyer stand behind 4.6 of three hundred. Cost: two passes
/// over the records, `limit` kept. Pure.
std::vector<SortedRecord> RetrieveSorted(std::span<const SegmentView> views,
                                         std::span<const RecordSet> sets, const SortCriteria& order,
                                         size_t limit);

}  // namespace emptor::retrieval
