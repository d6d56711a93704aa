// Reads the bytes of an index.
#include "retrieval/lexical/inverted_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "retrieval/lexical/index_check.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kLengthBytes = sizeof(PerField<uint16_t>);

uint64_t DictionaryBlocks(uint32_t terms) {
  return (uint64_t{terms} + TermDictionary::kTermsPerBlock - 1) / TermDictionary::kTermsPerBlock;
}

}  // namespace

FieldPositions::FieldPositions(const PerField<uint16_t>& lengths) {
  for (size_t f = 0; f < kFieldCount; ++f) begins_[f + 1] = begins_[f] + lengths[f] + 1;
}

size_t FieldPositions::FieldOf(uint32_t position) const {
  size_t field = 0;
  while (field + 1 < kFieldCount && position >= begins_[field + 1]) ++field;
  return field;
}

InvertedIndex::InvertedIndex(const Head& head, const Sections& sections,
                             std::shared_ptr<const void> owner)
    : head_(head),
      sections_(sections),
      terms_(head.terms, sections.block_offsets.data(), sections.dictionary.data()),
      owner_(std::move(owner)) {
  for (uint32_t r = 0; r < head_.records; ++r) statistics_.Add(lengths(r));
}

absl::StatusOr<InvertedIndex> InvertedIndex::Parse(std::span<const uint8_t> bytes,
                                                   std::shared_ptr<const void> owner) {
  Head head;
  if (bytes.size() < sizeof head) {
    return absl::DataLossError(fmt::format("lexical index: header: expected {} bytes, found {}",
                                           sizeof head, bytes.size()));
  }
  std::memcpy(&head, bytes.data(), sizeof head);
  std::span<const uint8_t> rest = bytes.subspan(sizeof head);
  bool complete = true;
  const auto take = [&](uint64_t size) {
    complete = complete && size <= rest.size();
    const auto section = rest.first(complete ? static_cast<size_t>(size) : 0);
    rest = rest.subspan(section.size());
    return section;
  };
  Sections sections;
  sections.lengths = take(uint64_t{head.records} * kLengthBytes);
  sections.block_offsets = take(DictionaryBlocks(head.terms) * sizeof(uint32_t));
  sections.dictionary = take(head.dictionary_bytes);
  sections.lists = take(head.list_bytes);
  sections.positions = take(head.position_bytes);
  if (!complete || !rest.empty()) {
    return absl::DataLossError(fmt::format(
        "lexical index: sections: expected the sum of their sizes, found {} bytes", bytes.size()));
  }
  if (!std::isfinite(head.impact_unit) || head.impact_unit < 0 || head.reserved != 0) {
    return absl::DataLossError("lexical index: header: expected a finite impact unit");
  }
  const absl::Status sound = CheckIndexBytes({.records = head.records,
                                              .terms = head.terms,
                                              .postings = head.postings,
                                              .lengths = sections.lengths,
                                              .block_offsets = sections.block_offsets,
                                              .dictionary = sections.dictionary,
                                              .lists = sections.lists,
                                              .positions = sections.positions});
  if (!sound.ok()) return sound;
  return InvertedIndex(head, sections, std::move(owner));
}

absl::Status InvertedIndex::Write(const ByteSink& sink) const {
  absl::Status status = sink(&head_, sizeof head_);
  for (const auto& section : {sections_.lengths, sections_.block_offsets, sections_.dictionary,
                              sections_.lists, sections_.positions}) {
    if (status.ok() && !section.empty()) status = sink(section.data(), section.size());
  }
  return status;
}

uint64_t InvertedIndex::byte_size() const {
  return sizeof head_ + sections_.lengths.size() + sections_.block_offsets.size() +
         sections_.dictionary.size() + sections_.lists.size() + sections_.positions.size();
}

PostingList InvertedIndex::list(const TermEntry& entry) const {
  return {.bytes = sections_.lists.data() + entry.list,
          .positions = sections_.positions.data() + entry.positions,
          .count = entry.document_frequency,
          .max_impact = entry.max_impact};
}

std::optional<PostingList> InvertedIndex::Find(std::string_view term) const {
  const auto entry = terms_.Find(term);
  if (!entry) return std::nullopt;
  return list(*entry);
}

uint32_t InvertedIndex::document_frequency(std::string_view term) const {
  const auto entry = terms_.Find(term);
  return entry ? entry->document_frequency : 0;
}

std::vector<uint32_t> InvertedIndex::FindPositions(std::string_view term, uint32_t record) const {
  std::vector<uint32_t> positions;
  const auto found = Find(term);
  if (!found) return positions;
  const uint32_t block = found->FindBlock(0, record);
  if (block == found->block_count()) return positions;
  NumberBlock records;
  const auto end = records.begin() + found->ReadRecords(block, records);
  const auto place = std::lower_bound(records.begin(), end, record);
  if (place == end || *place != record) return positions;
  const uint8_t* at = found->BlockPositions(block);
  for (auto before = place - records.begin(); before > 0; --before) SkipPositions(at);
  ReadPositions(at, positions);
  return positions;
}

PerField<uint16_t> InvertedIndex::lengths(uint32_t record) const {
  PerField<uint16_t> lengths;
  std::memcpy(lengths.data(), sections_.lengths.data() + size_t{record} * kLengthBytes,
              kLengthBytes);
  return lengths;
}

}  // namespace emptor::retrieval
