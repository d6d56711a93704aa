// Sorted retrieval: records in the order of a property instead of relevance. For browsing and
// `sort=`.
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
  std::string region;    // its prices take precedence
  int64_t now_unix = 0;  // decides which prices are in effect
};

struct SortedRecord {
  size_t view = 0;
  uint32_t record = 0;
};

/// The first `limit` of the records of `sets` ([views]) in the order of `order.sort`:
/// - kRelevance: records in stock, then orderable ones, then the rest; each as kPopularity.
/// - kPopularity: by the shop's count, then rating, then stock.
/// - kRating: by smoothed rating, then number of reviews; unrated records last.
/// - kPriceAscending, kPriceDescending: by the price payable now; records without a price in
///   `currency` last in both directions.
/// - kNewest: by `updated_at`; records without it last.
///
/// Ties are broken by popularity, smoothed rating, stock and finally id, so the order is total.
/// A smoothed rating is (10 m + sum of the ratings) / (10 + reviews), where m is the mean of all
/// reviews of the records: one review of five stars ranks below 300 reviews of 4.6.
/// Cost: two passes over the records, `limit` kept. Pure.
std::vector<SortedRecord> RetrieveSorted(std::span<const SegmentView> views,
                                         std::span<const RecordSet> sets, const SortCriteria& order,
                                         size_t limit);

}  // namespace emptor::retrieval
