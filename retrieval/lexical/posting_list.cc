// Blocks of postings to bytes and back.
#include "retrieval/lexical/posting_list.h"

#include <algorithm>

#include "retrieval/lexical/varint.h"

namespace emptor::retrieval {
namespace {

constexpr uint32_t kBeforeFirst = UINT32_MAX;  // the record before the first: gaps are from it

/// Gaps less one and impacts below the block's greatest, of up to kBlockSize postings.
struct Block {
  explicit Block(std::span<const NewPosting> postings, uint32_t before) {
    gaps.fill(0);
    impacts.fill(0);
    for (const NewPosting& posting : postings) {
      head.max_impact = std::max(head.max_impact, posting.impact);
    }
    for (size_t i = 0; i < postings.size(); ++i) {
      gaps[i] = postings[i].record - before - 1;
      before = postings[i].record;
      impacts[i] = uint32_t{head.max_impact} - postings[i].impact;
    }
    head.last_record = before;
    head.record_bits = static_cast<uint8_t>(BitsNeeded(gaps));
    head.impact_bits = static_cast<uint8_t>(BitsNeeded(impacts));
  }

  NumberBlock gaps, impacts;
  BlockHead head = {};
};

void AppendPacked(const NumberBlock& numbers, unsigned bits, std::string& out) {
  const size_t begin = out.size();
  out.resize(begin + PackedBytes(bits));
  PackBlock(numbers, bits, reinterpret_cast<uint8_t*>(out.data()) + begin);
}

void AppendBody(const Block& block, size_t size, std::string& out) {
  if (size == kBlockSize) {
    AppendPacked(block.gaps, block.head.record_bits, out);
    AppendPacked(block.impacts, block.head.impact_bits, out);
    return;
  }
  for (size_t i = 0; i < size; ++i) AppendVarint(block.gaps[i], out);
  for (size_t i = 0; i < size; ++i) AppendVarint(block.impacts[i], out);
}

}  // namespace

uint32_t PostingList::FindBlock(uint32_t from, uint32_t target) const {
  const uint32_t blocks = block_count();
  if (from >= blocks || head(from).last_record >= target) return from;
  uint32_t low = from;  // its last record lies before the target
  uint32_t step = 1;
  while (low + step < blocks && head(low + step).last_record < target) {
    low += step;
    step *= 2;
  }
  uint32_t high = std::min(low + step, blocks);
  while (low + 1 < high) {
    const uint32_t middle = low + (high - low) / 2;
    (head(middle).last_record < target ? low : high) = middle;
  }
  return high;
}

uint32_t PostingList::ReadRecords(uint32_t block, NumberBlock& records) const {
  const uint32_t size = block_size(block);
  const BlockHead found = head(block);
  uint32_t record = block == 0 ? kBeforeFirst : head(block - 1).last_record;
  if (size == kBlockSize) {
    UnpackBlock(bytes + found.body, found.record_bits, records);
    SumGaps(record, records);
    return size;
  }
  const uint8_t* at = bytes + found.body;
  for (uint32_t i = 0; i < size; ++i) {
    record += static_cast<uint32_t>(ReadVarint(at)) + 1;
    records[i] = record;
  }
  return size;
}

uint32_t PostingList::ReadImpacts(uint32_t block, NumberBlock& impacts) const {
  const uint32_t size = block_size(block);
  const BlockHead found = head(block);
  const uint8_t* at = bytes + found.body;
  if (size == kBlockSize) {
    UnpackBlock(at + PackedBytes(found.record_bits), found.impact_bits, impacts);
    for (uint32_t& impact : impacts) impact = found.max_impact - impact;
    return size;
  }
  SkipVarints(size, at);
  for (uint32_t i = 0; i < size; ++i) {
    impacts[i] = found.max_impact - static_cast<uint32_t>(ReadVarint(at));
  }
  return size;
}

void ReadPositions(const uint8_t*& at, std::vector<uint32_t>& positions) {
  positions.clear();
  uint32_t position = 0;
  for (bool last = false; !last;) {
    const uint64_t coded = ReadVarint(at);
    position += static_cast<uint32_t>(coded >> 1);
    last = coded & 1;
    positions.push_back(position);
  }
}

void SkipPositions(const uint8_t*& at) {
  while ((ReadVarint(at) & 1) == 0) {
  }
}

void AppendPosition(uint32_t distance, bool last, std::string& out) {
  AppendVarint(uint64_t{distance} << 1 | (last ? 1 : 0), out);
}

uint16_t AppendPostingList(std::span<const NewPosting> postings, std::string& lists,
                           std::string& positions) {
  const size_t list_begin = lists.size();
  const size_t positions_begin = positions.size();
  const bool with_heads = postings.size() >= kBlockSize;
  const size_t blocks = (postings.size() + kBlockSize - 1) / kBlockSize;
  if (with_heads) lists.resize(list_begin + blocks * sizeof(BlockHead));
  uint32_t before = kBeforeFirst;
  uint16_t max_impact = 0;
  for (size_t b = 0; b < blocks; ++b) {
    const auto members =
        postings.subspan(b * kBlockSize, std::min(kBlockSize, postings.size() - b * kBlockSize));
    Block block(members, before);
    block.head.body = static_cast<uint32_t>(lists.size() - list_begin);
    block.head.positions = static_cast<uint32_t>(positions.size() - positions_begin);
    AppendBody(block, members.size(), lists);
    for (const NewPosting& posting : members) positions.append(posting.positions);
    if (with_heads) {
      std::memcpy(lists.data() + list_begin + b * sizeof(BlockHead), &block.head,
                  sizeof(BlockHead));
    }
    before = block.head.last_record;
    max_impact = std::max(max_impact, block.head.max_impact);
  }
  return max_impact;
}

}  // namespace emptor::retrieval
