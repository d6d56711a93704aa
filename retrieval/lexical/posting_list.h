// The encoded postings of one term: records, impacts and positions.
// Layout: docs/formats/lexical_index.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/lexical/bit_packing.h"

namespace emptor::retrieval {

/// The header of a block, readable without unpacking it. Lists of at least kBlockSize postings
/// begin with one for each block.
struct BlockHead {
  uint32_t last_record;
  uint16_t max_impact;
  uint8_t record_bits;  // of a full block; the last one, if it is not full, is varints
  uint8_t impact_bits;
  uint32_t body;       // offset from the beginning of the list
  uint32_t positions;  // offset from the beginning of the list's positions
};
static_assert(sizeof(BlockHead) == 16);

/// A view of one list. Thread-safety: const methods. Lifetime: of the index.
/// Invariants: records ascend; an impact is from 1 to the block's maximum.
struct PostingList {
  const uint8_t* bytes = nullptr;
  const uint8_t* positions = nullptr;
  uint32_t count = 0;  // document frequency
  uint16_t max_impact = 0;

  uint32_t block_count() const { return (count + kBlockSize - 1) / kBlockSize; }
  uint32_t block_size(uint32_t block) const {
    const uint32_t rest = count - block * static_cast<uint32_t>(kBlockSize);
    return rest < kBlockSize ? rest : static_cast<uint32_t>(kBlockSize);
  }
  bool has_heads() const { return count >= kBlockSize; }

  /// Of a short list without heads: bounds that hold for it as a whole.
  BlockHead head(uint32_t block) const {
    if (!has_heads()) return {UINT32_MAX, max_impact, 0, 0, 0, 0};
    BlockHead found{};
    std::memcpy(&found, bytes + size_t{block} * sizeof found, sizeof found);
    return found;
  }

  /// The first block at or behind `from` that may hold a record >= target; block_count() if none.
  uint32_t FindBlock(uint32_t from, uint32_t target) const;

  /// Unpacks one block; returns how many entries of it count.
  uint32_t ReadRecords(uint32_t block, NumberBlock& records) const;
  uint32_t ReadImpacts(uint32_t block, NumberBlock& impacts) const;

  /// The positions of the block's first posting; those of the others follow.
  const uint8_t* BlockPositions(uint32_t block) const { return positions + head(block).positions; }
};

/// Positions of one posting: ascending; each is twice its distance from the one before, plus one
/// for the last. Moves `at` behind them.
void ReadPositions(const uint8_t*& at, std::vector<uint32_t>& positions);
void SkipPositions(const uint8_t*& at);
void AppendPosition(uint32_t distance, bool last, std::string& out);

/// One posting on its way into a list.
struct NewPosting {
  uint32_t record = 0;
  uint16_t impact = 0;
  std::string_view positions;  // as AppendPosition writes them
};

/// Appends a list to the two sections. Returns its greatest impact.
/// REQUIRES: postings ascend strictly by record, impacts are positive.
uint16_t AppendPostingList(std::span<const NewPosting> postings, std::string& lists,
                           std::string& positions);

}  // namespace emptor::retrieval
