// One pass over dictionary, lists and positions, side by side.
#include "retrieval/lexical/index_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "retrieval/lexical/inverted_index.h"
#include "retrieval/lexical/varint.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxTermBytes = 64;

/// One pass. Each method advances its cursors over valid bytes and returns false at invalid ones.
class Walk {
 public:
  explicit Walk(const IndexBytes& index)
      : index_(index),
        dictionary_(index.dictionary.data()),
        lists_(index.lists.data()),
        positions_(index.positions.data()) {}

  absl::Status Run() {
    uint64_t postings = 0;
    for (uint32_t id = 0; id < index_.terms; ++id) {
      if (!CheckBlockBegin(id)) return Damaged("dictionary block", id);
      if (!CheckTerm(id)) return Damaged("term", id);
      if (!CheckList()) return Damaged("posting list", id);
      postings += entry_.document_frequency;
    }
    if (postings != index_.postings) return Damaged("number of postings", index_.terms);
    if (dictionary_ != End(index_.dictionary) || lists_ != End(index_.lists) ||
        positions_ != End(index_.positions)) {
      return Damaged("bytes after the last term", index_.terms);
    }
    return absl::OkStatus();
  }

 private:
  static const uint8_t* End(std::span<const uint8_t> bytes) { return bytes.data() + bytes.size(); }

  static absl::Status Damaged(std::string_view what, uint32_t id) {
    return absl::DataLossError(fmt::format("lexical index: term {}: {} is damaged", id, what));
  }

  bool ReadWord(uint64_t& value) {
    return ReadVarintChecked(dictionary_, End(index_.dictionary), value);
  }

  bool CheckBlockBegin(uint32_t id) {
    if (id % TermDictionary::kTermsPerBlock != 0) return true;
    uint32_t offset;
    std::memcpy(&offset,
                index_.block_offsets.data() + id / TermDictionary::kTermsPerBlock * sizeof offset,
                sizeof offset);
    uint64_t list = 0, positions = 0;
    return offset == static_cast<uint64_t>(dictionary_ - index_.dictionary.data()) &&
           ReadWord(list) && ReadWord(positions) &&
           list == static_cast<uint64_t>(lists_ - index_.lists.data()) &&
           positions == static_cast<uint64_t>(positions_ - index_.positions.data());
  }

  bool CheckTerm(uint32_t id) {
    uint64_t shared = 0, own = 0, frequency = 0, impact = 0;
    if (!ReadWord(shared) || !ReadWord(own)) return false;
    const auto left = static_cast<uint64_t>(End(index_.dictionary) - dictionary_);
    const bool first = id % TermDictionary::kTermsPerBlock == 0;
    if (shared > (first ? 0 : term_.size()) || own > left || shared + own > kMaxTermBytes) {
      return false;
    }
    std::string term = term_.substr(0, shared);
    term.append(reinterpret_cast<const char*>(dictionary_), own);
    dictionary_ += own;
    if (id > 0 && term <= term_) return false;
    term_ = std::move(term);
    if (!ReadWord(frequency) || !ReadWord(impact) || !ReadWord(entry_.list_bytes) ||
        !ReadWord(entry_.positions_bytes)) {
      return false;
    }
    if (frequency < 1 || frequency > index_.records || impact < 1 || impact > UINT16_MAX) {
      return false;
    }
    entry_.document_frequency = static_cast<uint32_t>(frequency);
    entry_.max_impact = static_cast<uint16_t>(impact);
    return entry_.list_bytes <= static_cast<uint64_t>(End(index_.lists) - lists_) &&
           entry_.positions_bytes <= static_cast<uint64_t>(End(index_.positions) - positions_);
  }

  bool CheckList() {
    const PostingList list{lists_, positions_, entry_.document_frequency, entry_.max_impact};
    const uint8_t* const list_end = lists_ + entry_.list_bytes;
    const uint8_t* const positions_end = positions_ + entry_.positions_bytes;
    if (list.has_heads()) {
      const uint64_t heads = uint64_t{list.block_count()} * sizeof(BlockHead);
      if (heads > entry_.list_bytes) return false;
      lists_ += heads;
    }
    next_record_ = 0;
    uint16_t max_impact = 0;
    for (uint32_t b = 0; b < list.block_count(); ++b) {
      const BlockHead head = list.head(b);
      if (list.has_heads() &&
          (head.body != static_cast<uint64_t>(lists_ - list.bytes) ||
           head.positions != static_cast<uint64_t>(positions_ - list.positions))) {
        return false;
      }
      if (!CheckBlock(head, list.block_size(b), list_end)) return false;
      if (list.has_heads() && uint64_t{head.last_record} + 1 != next_record_) return false;
      if (!CheckPositions(list.block_size(b), positions_end)) return false;
      max_impact = std::max(max_impact, head.max_impact);
    }
    return lists_ == list_end && positions_ == positions_end && max_impact == entry_.max_impact;
  }

  /// Records and impacts of a block whose body begins at lists_.
  bool CheckBlock(const BlockHead& head, uint32_t size, const uint8_t* end) {
    if (size == kBlockSize) {
      if (head.record_bits > 32 || head.impact_bits > 32) return false;
      const size_t bytes = PackedBytes(head.record_bits) + PackedBytes(head.impact_bits);
      if (bytes > static_cast<size_t>(end - lists_)) return false;
      UnpackBlock(lists_, head.record_bits, gaps_);
      UnpackBlock(lists_ + PackedBytes(head.record_bits), head.impact_bits, impacts_);
      lists_ += bytes;
    } else {
      for (NumberBlock* numbers : {&gaps_, &impacts_}) {
        for (uint32_t i = 0; i < size; ++i) {
          uint64_t value = 0;
          if (!ReadVarintChecked(lists_, end, value) || value > UINT32_MAX) return false;
          (*numbers)[i] = static_cast<uint32_t>(value);
        }
      }
    }
    for (uint32_t i = 0; i < size; ++i) {
      next_record_ += uint64_t{gaps_[i]} + 1;
      if (impacts_[i] >= head.max_impact) return false;
      records_[i] = static_cast<uint32_t>(next_record_ - 1);
      if (next_record_ > index_.records) return false;
    }
    return true;
  }

  /// Positions of the records in records_: within the fields of each.
  bool CheckPositions(uint32_t size, const uint8_t* end) {
    for (uint32_t i = 0; i < size; ++i) {
      PerField<uint16_t> lengths;
      std::memcpy(lengths.data(), index_.lengths.data() + size_t{records_[i]} * sizeof lengths,
                  sizeof lengths);
      uint64_t most = kFieldCount;
      for (const uint16_t length : lengths) most += length;
      uint64_t position = 0, coded = 0;
      do {
        if (!ReadVarintChecked(positions_, end, coded)) return false;
        position += coded >> 1;
        if (position >= most) return false;
      } while ((coded & 1) == 0);
    }
    return true;
  }

  const IndexBytes& index_;
  const uint8_t* dictionary_;
  const uint8_t* lists_;
  const uint8_t* positions_;
  std::string term_;
  TermEntry entry_;
  uint64_t next_record_ = 0;  // the least that the next posting may have
  NumberBlock gaps_ = {}, impacts_ = {}, records_ = {};
};

}  // namespace

absl::Status CheckIndexBytes(const IndexBytes& index) { return Walk(index).Run(); }

}  // namespace emptor::retrieval
