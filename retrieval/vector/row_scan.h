// Scans of quantised rows: exact ones, and one that 1-bit codes make short.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/record_set.h"
#include "retrieval/top_k_queue.h"
#include "retrieval/vector/bit_codes.h"
#include "retrieval/vector/quantized_rows.h"

namespace emptor::retrieval {

/// How many of the best by coarse scores are scored finely, so that the best `k` are among them. On
/// a million real titles k + 16 missed none of the exact 10 or 200 nearest of 100 queries.
size_t ShortlistSize(size_t k);

/// The best `k` of `found` by the scores of both planes, best first.
std::vector<ScoredRecord> Refine(const QuantizedRows& rows, std::span<const float> query, size_t k,
                                 std::vector<ScoredRecord> found);

/// Scores every allowed row coarsely (all when `allowed` is null) and refines the shortlist. The
/// oracle of all other searches.
std::vector<ScoredRecord> ScanExactly(const QuantizedRows& rows, std::span<const float> query,
                                      size_t k, const RecordSet* allowed);

/// Scores only the rows that their 1-bit codes select, a twentieth of them or fewer. Returns as
/// many as ScanExactly. REQUIRES: `codes` are those of `rows`.
std::vector<ScoredRecord> ScanBitCodes(const QuantizedRows& rows, const BitCodes& codes,
                                       std::span<const float> query, size_t k,
                                       const RecordSet* allowed);

}  // namespace emptor::retrieval
