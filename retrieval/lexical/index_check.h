// Validates the bytes of an inverted index; later reads are unchecked.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"

namespace emptor::retrieval {

/// The counts of a header and the sections that belong to it.
struct IndexBytes {
  uint32_t records = 0;
  uint32_t terms = 0;
  uint64_t postings = 0;
  std::span<const uint8_t> lengths, block_offsets, dictionary, lists, positions;
};

/// Checks every term, posting and position: sizes, order, bounds. REQUIRES: the sizes of
/// `lengths` and `block_offsets` follow from the counts. Errors: kDataLoss, naming the term's
/// number.
absl::Status CheckIndexBytes(const IndexBytes& index);

}  // namespace emptor::retrieval
