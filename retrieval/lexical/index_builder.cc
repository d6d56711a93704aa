// Postings gathered as compact streams, merged term by term into the sections of an index.
#include "retrieval/lexical/index_builder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "retrieval/lexical/varint.h"

namespace emptor::retrieval {
namespace {

constexpr uint16_t kMaxLength = std::numeric_limits<uint16_t>::max();

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string_view TextBetween(const uint8_t* begin, const uint8_t* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<size_t>(end - begin)};
}

FieldFrequencies CountByField(std::string_view positions, const FieldPositions& fields) {
  FieldFrequencies frequencies;
  const auto* at = reinterpret_cast<const uint8_t*>(positions.data());
  const uint8_t* const end = at + positions.size();
  for (uint32_t position = 0; at != end;) {
    position += static_cast<uint32_t>(ReadVarint(at) >> 1);
    frequencies.Increment(static_cast<Field>(fields.FieldOf(position)));
  }
  return frequencies;
}

}  // namespace

/// The sections being written; later the owner of the index's bytes.
struct InvertedIndexBuilder::Output {
  std::vector<PerField<uint16_t>> lengths;
  TermDictionaryWriter dictionary;
  std::string lists;
  std::string positions;
};

/// Walks over the terms of the own text and of all sources together, in byte order.
class InvertedIndexBuilder::TermMerger {
 public:
  explicit TermMerger(InvertedIndexBuilder& builder) : builder_(builder) {
    for (const auto& [term, id] : builder.terms_) own_terms_.emplace_back(term, id);
    std::sort(own_terms_.begin(), own_terms_.end());
    for (const Source& source : builder.sources_) {
      iterators_.push_back(source.index.terms().Seek({}));
    }
  }

  /// The next term and its postings without impacts. False behind the last. The views live until
  /// the next call.
  bool Next(std::string& term, std::vector<NewPosting>& postings) {
    if (spent_ != nullptr) *spent_ = std::string();
    spent_ = nullptr;
    if (!FindLeast(term)) return false;
    postings.clear();
    if (own_ < own_terms_.size() && own_terms_[own_].first == term) {
      AppendStream(builder_.streams_[own_terms_[own_].second], postings);
      spent_ = &builder_.streams_[own_terms_[own_].second].bytes;
      ++own_;
    }
    for (size_t s = 0; s < iterators_.size(); ++s) {
      if (!iterators_[s].valid() || iterators_[s].term() != term) continue;
      AppendFrom(builder_.sources_[s], iterators_[s].entry(), postings);
      iterators_[s].Next();
    }
    const auto by_record = [](const NewPosting& a, const NewPosting& b) {
      return a.record < b.record;
    };
    if (!std::is_sorted(postings.begin(), postings.end(), by_record)) {
      std::sort(postings.begin(), postings.end(), by_record);
    }
    return true;
  }

 private:
  bool FindLeast(std::string& term) const {
    bool any = own_ < own_terms_.size();
    if (any) term = own_terms_[own_].first;
    for (const TermIterator& iterator : iterators_) {
      if (!iterator.valid() || (any && iterator.term() >= term)) continue;
      term = iterator.term();
      any = true;
    }
    return any;
  }

  static void AppendStream(const TermStream& stream, std::vector<NewPosting>& postings) {
    const auto* at = reinterpret_cast<const uint8_t*>(stream.bytes.data());
    const uint8_t* const end = at + stream.bytes.size();
    for (uint32_t record = 0; at != end; ++record) {
      record += static_cast<uint32_t>(ReadVarint(at));
      const uint8_t* const begin = at;
      SkipPositions(at);
      postings.push_back({record, 0, TextBetween(begin, at)});
    }
  }

  static void AppendFrom(const Source& source, const TermEntry& entry,
                         std::vector<NewPosting>& postings) {
    const PostingList list = source.index.list(entry);
    NumberBlock records;
    for (uint32_t b = 0; b < list.block_count(); ++b) {
      const uint32_t size = list.ReadRecords(b, records);
      const uint8_t* at = list.BlockPositions(b);
      for (uint32_t i = 0; i < size; ++i) {
        const uint8_t* const begin = at;
        SkipPositions(at);
        const uint32_t record = source.new_positions[records[i]];
        if (record != kDropped) postings.push_back({record, 0, TextBetween(begin, at)});
      }
    }
  }

  InvertedIndexBuilder& builder_;
  std::vector<std::pair<std::string_view, uint32_t>> own_terms_;
  std::vector<TermIterator> iterators_;  // [sources]
  size_t own_ = 0;
  std::string* spent_ = nullptr;  // a stream that is read completely
};

uint32_t InvertedIndexBuilder::TermId(std::string_view term) {
  const auto [entry, fresh] = terms_.try_emplace(term, static_cast<uint32_t>(terms_.size()));
  if (fresh) streams_.emplace_back();
  return entry->second;
}

void InvertedIndexBuilder::SetLengths(uint32_t record, const PerField<uint16_t>& lengths) {
  if (record >= lengths_.size()) lengths_.resize(size_t{record} + 1);
  lengths_[record] = lengths;
}

void InvertedIndexBuilder::Add(const Analyzer& analyzer, const FieldTexts& texts) {
  const auto record = static_cast<uint32_t>(lengths_.size());
  PerField<uint16_t> lengths = {};
  occurrences_.clear();
  for (size_t f = 0; f < kFieldCount; ++f) {
    const uint32_t begin = FieldPositions(lengths).begin(f);
    analyzer.ForEachTerm(texts[f], TextRole::kRecord, [&](std::string_view term) {
      if (lengths[f] < kMaxLength) ++lengths[f];
      occurrences_.emplace_back(TermId(term), begin + lengths[f] - 1);
    });
  }
  SetLengths(record, lengths);
  AppendOccurrences(record);
}

/// Positions that are equal, because the field is longer than they can tell, are kept once.
void InvertedIndexBuilder::AppendOccurrences(uint32_t record) {
  std::sort(occurrences_.begin(), occurrences_.end());
  occurrences_.erase(std::unique(occurrences_.begin(), occurrences_.end()), occurrences_.end());
  for (size_t i = 0; i < occurrences_.size(); ++i) {
    const auto [term, position] = occurrences_[i];
    TermStream& stream = streams_[term];
    const bool first = i == 0 || occurrences_[i - 1].first != term;
    const bool last = i + 1 == occurrences_.size() || occurrences_[i + 1].first != term;
    if (first) AppendVarint(record - stream.next_record, stream.bytes);
    AppendPosition(first ? position : position - occurrences_[i - 1].second, last, stream.bytes);
    stream.next_record = record + 1;
  }
}

void InvertedIndexBuilder::AddSegment(const InvertedIndex& source,
                                      std::span<const uint32_t> new_positions) {
  assert(new_positions.size() == source.record_count());
  for (uint32_t i = 0; i < new_positions.size(); ++i) {
    if (new_positions[i] != kDropped) SetLengths(new_positions[i], source.lengths(i));
  }
  sources_.push_back({source, {new_positions.begin(), new_positions.end()}});
}

InvertedIndex InvertedIndexBuilder::Seal(const LengthStatistics* averages) && {
  LengthStatistics own;
  for (const auto& lengths : lengths_) own.Add(lengths);
  const LengthStatistics& statistics = averages != nullptr ? *averages : own;
  InvertedIndex::Head head{.records = static_cast<uint32_t>(lengths_.size()),
                           .impact_unit = (options_.k1 + 1.0f) / 65535.0f};
  auto output = std::make_shared<Output>();
  TermMerger merger(*this);
  std::string term;
  std::vector<NewPosting> postings;
  while (merger.Next(term, postings)) {
    if (postings.empty()) continue;  // all of its records have been dropped
    for (NewPosting& posting : postings) {
      const PerField<uint16_t>& lengths = lengths_[posting.record];
      const FieldFrequencies frequencies = CountByField(posting.positions, FieldPositions(lengths));
      const float impact = ComputeImpact(options_, statistics, frequencies, lengths);
      posting.impact =
          static_cast<uint16_t>(std::clamp(std::lround(impact / head.impact_unit), 1L, 65535L));
    }
    TermEntry entry{.document_frequency = static_cast<uint32_t>(postings.size()),
                    .list = output->lists.size(),
                    .positions = output->positions.size()};
    entry.max_impact = AppendPostingList(postings, output->lists, output->positions);
    entry.list_bytes = output->lists.size() - entry.list;
    entry.positions_bytes = output->positions.size() - entry.positions;
    output->dictionary.Add(term, entry);
    head.postings += postings.size();
  }
  output->lengths = std::move(lengths_);
  head.terms = output->dictionary.term_count();
  head.dictionary_bytes = output->dictionary.bytes().size();
  head.list_bytes = output->lists.size();
  head.position_bytes = output->positions.size();
  const auto* lengths = reinterpret_cast<const uint8_t*>(output->lengths.data());
  return InvertedIndex(head,
                       {.lengths = {lengths, output->lengths.size() * sizeof(PerField<uint16_t>)},
                        .block_offsets = BytesOf(output->dictionary.block_offsets()),
                        .dictionary = BytesOf(output->dictionary.bytes()),
                        .lists = BytesOf(output->lists),
                        .positions = BytesOf(output->positions)},
                       output);
}

}  // namespace emptor::retrieval
