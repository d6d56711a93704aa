// Intersection of posting lists, then of their positions.
#include "retrieval/lexical/phrase.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emptor::retrieval {
namespace {

struct QuotePair {
  std::string_view open, close;
};
constexpr std::array<QuotePair, 5> kQuotes = {
    {{"\"", "\""},
     {"\xE2\x80\x9C", "\xE2\x80\x9D"},    // U+201C, U+201D
     {"\xE2\x80\x9E", "\xE2\x80\x9C"},    // U+201E, U+201C
     {"\xC2\xAB", "\xC2\xBB"},            // guillemets
     {"\xE3\x80\x8C", "\xE3\x80\x8D"}}};  // corner brackets

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A closing quote is not followed by a letter or digit.
bool EndsWord(std::string_view rest) {
  constexpr std::string_view kAscii = " \t\n\r,.;:!?)]";
  return rest.empty() || kAscii.find(rest[0]) != kAscii.npos ||
         (static_cast<unsigned char>(rest[0]) >= 0x80);
}

size_t FindClose(std::string_view query, size_t from, std::string_view close) {
  for (size_t at = query.find(close, from); at != query.npos; at = query.find(close, at + 1)) {
    if (at > from && !IsBlank(query[at - 1]) && EndsWord(query.substr(at + close.size())))
      return at;
  }
  return query.npos;
}

/// From U+2E80 on: the scripts that are indexed as overlapping pairs.
bool IsOverlapping(std::string_view term) {
  return std::any_of(term.begin(), term.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0xE2; });
}

/// A posting list that is looked up in ascending order, with its positions.
class PositionCursor {
 public:
  explicit PositionCursor(const PostingList& list) : list_(list) {}

  uint32_t count() const { return list_.count; }

  /// True when the record is in the list; positions() are then those of the record.
  bool MoveTo(uint32_t record) {
    if (size_ == 0 || records_[size_ - 1] < record) {
      if (block_ == list_.block_count()) return false;
      Load(list_.FindBlock(size_ == 0 ? block_ : block_ + 1, record));
      if (size_ == 0) return false;
    }
    const auto end = records_.begin() + size_;
    const auto found = std::lower_bound(records_.begin() + read_, end, record);
    if (found == end || *found != record) return false;
    for (const auto index = static_cast<uint32_t>(found - records_.begin()); read_ < index;
         ++read_) {
      SkipPositions(at_);
    }
    const uint8_t* at = at_;  // stays, in case the same record is asked for again
    ReadPositions(at, positions_);
    return true;
  }

  const std::vector<uint32_t>& positions() const { return positions_; }

  template <typename Visit>
  static void ForEachRecord(const PostingList& list, Visit&& visit) {
    NumberBlock records;
    for (uint32_t b = 0; b < list.block_count(); ++b) {
      const uint32_t size = list.ReadRecords(b, records);
      for (uint32_t i = 0; i < size; ++i) visit(records[i]);
    }
  }

 private:
  void Load(uint32_t block) {
    block_ = block;
    read_ = 0;
    size_ = 0;
    if (block == list_.block_count()) return;
    size_ = list_.ReadRecords(block, records_);
    at_ = list_.BlockPositions(block);
  }

  PostingList list_;
  uint32_t block_ = 0;
  uint32_t size_ = 0;
  uint32_t read_ = 0;  // the posting whose positions begin at at_
  const uint8_t* at_ = nullptr;
  NumberBlock records_;
  std::vector<uint32_t> positions_;
};

/// One reading of a phrase in one index.
class Reading {
 public:
  Reading(const InvertedIndex& index, const Phrase::Terms& terms) : index_(index) {
    for (const std::string& term : terms) {
      const auto list = index.Find(term);
      complete_ = complete_ && list.has_value();
      if (!complete_) return;
      cursors_.emplace_back(*list);
      if (rarest_.bytes == nullptr || list->count < rarest_.count) rarest_ = *list;
      overlapping_ = overlapping_ || IsOverlapping(term);
    }
  }

  void FindInto(const RecordSet* allowed, RecordSet& matched) {
    if (!complete_ || cursors_.empty()) return;
    PositionCursor::ForEachRecord(rarest_, [&](uint32_t record) {
      if (allowed != nullptr && !allowed->contains(record)) return;
      const bool all = std::all_of(cursors_.begin(), cursors_.end(),
                                   [&](PositionCursor& cursor) { return cursor.MoveTo(record); });
      if (all && (overlapping_ ? ShareField(record) : StandInOrder())) matched.Insert(record);
    });
  }

 private:
  bool StandInOrder() const {
    const auto follows = [&](uint32_t first) {
      for (size_t i = 1; i < cursors_.size(); ++i) {
        const std::vector<uint32_t>& positions = cursors_[i].positions();
        if (!std::binary_search(positions.begin(), positions.end(),
                                first + static_cast<uint32_t>(i))) {
          return false;
        }
      }
      return true;
    };
    const std::vector<uint32_t>& first = cursors_[0].positions();
    return std::any_of(first.begin(), first.end(), follows);
  }

  bool ShareField(uint32_t record) const {
    const FieldPositions fields(index_.lengths(record));
    unsigned shared = ~0u;
    for (const PositionCursor& cursor : cursors_) {
      unsigned own = 0;
      for (const uint32_t position : cursor.positions()) own |= 1u << fields.FieldOf(position);
      shared &= own;
    }
    return shared != 0;
  }

  const InvertedIndex& index_;
  std::vector<PositionCursor> cursors_;
  PostingList rarest_;
  bool complete_ = true;
  bool overlapping_ = false;
};

}  // namespace

std::vector<std::string_view> FindQuoted(std::string_view query) {
  std::vector<std::string_view> quoted;
  for (size_t at = 0; at < query.size();) {
    const std::string_view rest = query.substr(at);
    const bool at_word = at == 0 || IsBlank(query[at - 1]) || query[at - 1] == '(' ||
                         static_cast<unsigned char>(query[at - 1]) >= 0x80;
    size_t next = at + 1;
    for (const auto& [open, close] : kQuotes) {
      if (!at_word || !rest.starts_with(open)) continue;
      const size_t begin = at + open.size();
      if (begin >= query.size() || IsBlank(query[begin])) continue;
      if (query.substr(begin).starts_with(close)) continue;
      const size_t end = FindClose(query, begin, close);
      if (end == query.npos) continue;
      quoted.push_back(query.substr(begin, end - begin));
      next = end + close.size();
      break;
    }
    at = next;
  }
  return quoted;
}

std::vector<Phrase> CompilePhrases(const Analyzer& analyzer, std::string_view query) {
  std::vector<Phrase> phrases;
  for (const std::string_view quoted : FindQuoted(query)) {
    Phrase phrase;
    std::string apart(quoted);
    std::replace(apart.begin(), apart.end(), '-', ' ');
    for (const std::string_view text : {quoted, std::string_view(apart)}) {
      Phrase::Terms terms = analyzer.Analyze(text, TextRole::kRecord);
      const bool fresh = phrase.readings.empty() || phrase.readings[0] != terms;
      if (fresh && !terms.empty()) phrase.readings.push_back(std::move(terms));
    }
    if (!phrase.readings.empty()) phrases.push_back(std::move(phrase));
  }
  return phrases;
}

RecordSet MatchPhrases(const InvertedIndex& index, std::span<const Phrase> phrases,
                       const RecordSet* allowed) {
  RecordSet left(index.record_count(), true);
  if (allowed != nullptr) left.Intersect(*allowed);
  for (const Phrase& phrase : phrases) {
    RecordSet matched(index.record_count());
    for (const Phrase::Terms& terms : phrase.readings)
      Reading(index, terms).FindInto(&left, matched);
    left = std::move(matched);
  }
  return left;
}

}  // namespace emptor::retrieval
