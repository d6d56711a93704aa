// Exhaustive scoring, and block-max MaxScore over windows.
#include "retrieval/lexical/ranked_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace emptor::retrieval {
namespace {

constexpr double kWeightSteps = 16777216;  // 2^24 for a weight of 1
constexpr double kMaxWeight = 1024;        // so that 2^10 terms of full impact fit into 64 bits
constexpr uint32_t kWindow = 4096;         // records; its accumulators fit into the first cache
constexpr uint32_t kWordBits = 64;

/// A term of the query in this index.
struct Term {
  PostingList list;
  uint64_t weight = 0;  // of one step of impact

  uint64_t bound() const { return weight * list.max_impact; }
};

std::vector<Term> OpenTerms(const InvertedIndex& index, std::span<const QueryTerm> query) {
  std::vector<Term> terms;
  for (const QueryTerm& term : query) {
    const auto list = index.Find(term.text);
    if (!list) continue;
    const double weight = std::clamp(static_cast<double>(term.weight), 0.0, kMaxWeight);
    terms.push_back({*list, static_cast<uint64_t>(std::llround(weight * kWeightSteps))});
  }
  return terms;
}

/// Converts sums to scores. Monotonic.
class ScoreScale {
 public:
  explicit ScoreScale(const InvertedIndex& index)
      : scale_(static_cast<double>(index.impact_unit()) / kWeightSteps) {}
  float ToScore(uint64_t sum) const {
    return static_cast<float>(static_cast<double>(sum) * scale_);
  }

 private:
  double scale_;
};

/// A posting list that is read window by window. Keeps the unpacked block between calls.
class Cursor {
 public:
  explicit Cursor(const Term& term) : term_(term) {}

  /// Upper bound of the score of a record in [begin, end). REQUIRES: windows ascend.
  uint64_t BoundIn(uint32_t begin, uint32_t end) {
    if (!term_.list.has_heads()) {  // short: its records are known
      Seek(begin);
      return at_ < size_ && records_[at_] < end ? term_.bound() : 0;
    }
    const uint32_t blocks = term_.list.block_count();
    bound_block_ = term_.list.FindBlock(bound_block_, begin);
    uint16_t most = 0;
    uint32_t before = 0;  // where the block begins, at the earliest
    for (uint32_t b = bound_block_; b < blocks && before < end; ++b) {
      const BlockHead head = term_.list.head(b);
      most = std::max(most, head.max_impact);
      if (head.last_record >= end) break;
      before = head.last_record + 1;
    }
    return term_.weight * most;
  }

  /// Calls `visit(record, score)` for each posting in [begin, end).
  template <typename Visit>
  void ForEachIn(uint32_t begin, uint32_t end, Visit&& visit) {
    for (Seek(begin); block_ < term_.list.block_count(); Load(block_ + 1)) {
      if (at_ < size_ && records_[at_] < end) LoadImpacts();
      for (; at_ < size_; ++at_) {
        if (records_[at_] >= end) return;
        visit(records_[at_], term_.weight * impacts_[at_]);
      }
    }
  }

  /// The score of the term in `record`; 0 when it does not occur. REQUIRES: records ascend.
  uint64_t ScoreOf(uint32_t record) {
    Seek(record);
    if (at_ == size_ || records_[at_] != record) return 0;
    LoadImpacts();
    return term_.weight * impacts_[at_];
  }

 private:
  /// Moves to the first posting >= target; to at_ == size_ when there is none.
  void Seek(uint32_t target) {
    if (at_ < size_ && records_[at_] >= target) return;
    if (size_ == 0 || records_[size_ - 1] < target) {
      const uint32_t next = size_ == 0 ? block_ : block_ + 1;
      if (block_ == term_.list.block_count()) return;
      Load(term_.list.FindBlock(std::min(next, term_.list.block_count()), target));
    }
    uint32_t step = 1;
    uint32_t low = at_;
    while (low + step < size_ && records_[low + step] < target) {
      low += step;
      step *= 2;
    }
    const auto begin = records_.begin();
    at_ = static_cast<uint32_t>(
        std::lower_bound(begin + low, begin + std::min(low + step + 1, size_), target) - begin);
  }

  void Load(uint32_t block) {
    block_ = block;
    at_ = 0;
    has_impacts_ = false;
    size_ = block < term_.list.block_count() ? term_.list.ReadRecords(block, records_) : 0;
  }

  void LoadImpacts() {
    if (!has_impacts_) term_.list.ReadImpacts(block_, impacts_);
    has_impacts_ = true;
  }

  Term term_;
  uint32_t bound_block_ = 0;
  uint32_t block_ = 0;
  uint32_t size_ = 0;  // of the unpacked block; 0: none yet, or behind the last
  uint32_t at_ = 0;
  bool has_impacts_ = false;
  NumberBlock records_, impacts_;
};

/// The pruned search, window by window.
class WindowSearch {
 public:
  WindowSearch(const InvertedIndex& index, std::span<const Term> terms, size_t k,
               const RecordSet* allowed)
      : cursors_(terms.begin(), terms.end()),
        bounds_(terms.size()),
        order_(terms.size()),
        allowed_(allowed),
        scale_(index),
        records_(static_cast<uint32_t>(index.record_count())),
        queue_(k) {
    std::iota(order_.begin(), order_.end(), size_t{0});
  }

  std::vector<ScoredRecord> Run() {
    for (uint64_t begin = 0; begin < records_; begin += kWindow) {
      begin_ = static_cast<uint32_t>(begin);
      end_ = static_cast<uint32_t>(std::min<uint64_t>(begin + kWindow, records_));
      if (AnyAllowed()) SearchWindow();
    }
    return queue_.TakeSorted();
  }

 private:
  static constexpr uint32_t kWords = kWindow / kWordBits;

  bool Enters(uint64_t sum) const { return scale_.ToScore(sum) > queue_.threshold(); }

  bool AnyAllowed() const {
    if (allowed_ == nullptr) return true;
    const auto words = AllowedWords();
    return std::any_of(words.begin(), words.end(), [](uint64_t word) { return word != 0; });
  }

  std::span<const uint64_t> AllowedWords() const {
    return allowed_->words().subspan(begin_ / kWordBits,
                                     (end_ - begin_ + kWordBits - 1) / kWordBits);
  }

  void SearchWindow() {
    uint64_t total = 0;
    for (size_t i = 0; i < cursors_.size(); ++i) {
      bounds_[i] = cursors_[i].BoundIn(begin_, end_);
      total += bounds_[i];
    }
    if (!Enters(total)) return;
    std::sort(order_.begin(), order_.end(),
              [&](size_t a, size_t b) { return bounds_[a] > bounds_[b]; });
    size_t essential = order_.size();
    uint64_t rest = 0;  // what the terms behind `essential` can add together
    while (essential > 0 && !Enters(rest + bounds_[order_[essential - 1]])) {
      rest += bounds_[order_[--essential]];
    }
    for (size_t i = 0; i < essential; ++i) Accumulate(cursors_[order_[i]]);
    KeepAllowed();
    for (size_t i = essential; i < order_.size(); ++i) {
      AskAbout(cursors_[order_[i]], rest);
      rest -= bounds_[order_[i]];
    }
    Harvest();
  }

  void Accumulate(Cursor& cursor) {
    cursor.ForEachIn(begin_, end_, [this](uint32_t record, uint64_t score) {
      const uint32_t place = record - begin_;
      sums_[place] += score;
      found_[place / kWordBits] |= uint64_t{1} << (place % kWordBits);
    });
  }

  void KeepAllowed() {
    if (allowed_ == nullptr) return;
    const auto words = AllowedWords();
    for (size_t w = 0; w < words.size(); ++w) {
      for (uint64_t dropped = found_[w] & ~words[w]; dropped != 0; dropped &= dropped - 1) {
        sums_[w * kWordBits + static_cast<size_t>(std::countr_zero(dropped))] = 0;
      }
      found_[w] &= words[w];
    }
  }

  /// Adds the term's scores to the found records. Drops those that cannot reach the best k with
  /// `rest`, the upper bound of this and the later terms.
  void AskAbout(Cursor& cursor, uint64_t rest) {
    for (uint32_t w = 0; w < kWords; ++w) {
      for (uint64_t word = found_[w]; word != 0; word &= word - 1) {
        const auto bit = static_cast<uint32_t>(std::countr_zero(word));
        uint64_t& sum = sums_[w * kWordBits + bit];
        if (Enters(sum + rest)) {
          sum += cursor.ScoreOf(begin_ + w * kWordBits + bit);
        } else {
          sum = 0;
          found_[w] &= ~(uint64_t{1} << bit);
        }
      }
    }
  }

  void Harvest() {
    for (uint32_t w = 0; w < kWords; ++w) {
      for (uint64_t word = std::exchange(found_[w], 0); word != 0; word &= word - 1) {
        const uint32_t place = w * kWordBits + static_cast<uint32_t>(std::countr_zero(word));
        const float score = scale_.ToScore(std::exchange(sums_[place], 0));
        if (score > queue_.threshold()) queue_.Push({begin_ + place, score});
      }
    }
  }

  std::vector<Cursor> cursors_;
  std::vector<uint64_t> bounds_;  // [cursors_] in the window
  std::vector<size_t> order_;     // of cursors_, greatest bound first
  const RecordSet* allowed_;
  ScoreScale scale_;
  uint32_t records_;
  TopKQueue queue_;
  uint32_t begin_ = 0, end_ = 0;
  std::array<uint64_t, kWindow> sums_ = {};
  std::array<uint64_t, kWords> found_ = {};
};

RecordSet MatchedBy(std::span<const Term> terms, size_t records, const RecordSet* allowed) {
  RecordSet matched(records);
  NumberBlock block;
  for (const Term& term : terms) {
    for (uint32_t b = 0; b < term.list.block_count(); ++b) {
      const uint32_t size = term.list.ReadRecords(b, block);
      matched.InsertAscending(std::span(block).first(size));
    }
  }
  if (allowed != nullptr) matched.Intersect(*allowed);
  return matched;
}

}  // namespace

std::vector<QueryTerm> CompileQuery(const Analyzer& analyzer, std::string_view query,
                                    std::span<const InvertedIndex* const> segments) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->record_count();
  std::vector<QueryTerm> terms;
  absl::flat_hash_set<std::string> seen;
  analyzer.ForEachTerm(query, TextRole::kQuery, [&](std::string_view term) {
    if (!seen.emplace(term).second) return;
    uint64_t document_frequency = 0;
    for (const InvertedIndex* segment : segments) {
      document_frequency += segment->document_frequency(term);
    }
    if (document_frequency == 0) return;
    terms.push_back({std::string(term), ComputeIdf(records, document_frequency)});
  });
  return terms;
}

RecordSet FindMatched(const InvertedIndex& index, std::span<const QueryTerm> query,
                      const RecordSet* allowed) {
  return MatchedBy(OpenTerms(index, query), index.record_count(), allowed);
}

std::vector<ScoredRecord> SearchExhaustively(const InvertedIndex& index,
                                             std::span<const QueryTerm> query, size_t k,
                                             const RecordSet* allowed) {
  const std::vector<Term> terms = OpenTerms(index, query);
  std::vector<uint64_t> sums(index.record_count(), 0);
  NumberBlock records, impacts;
  for (const Term& term : terms) {
    for (uint32_t b = 0; b < term.list.block_count(); ++b) {
      const uint32_t size = term.list.ReadRecords(b, records);
      term.list.ReadImpacts(b, impacts);
      for (uint32_t i = 0; i < size; ++i) sums[records[i]] += term.weight * impacts[i];
    }
  }
  const ScoreScale scale(index);
  TopKQueue queue(k);
  MatchedBy(terms, index.record_count(), allowed).ForEach([&](uint32_t record) {
    queue.Push({record, scale.ToScore(sums[record])});
  });
  return queue.TakeSorted();
}

std::vector<ScoredRecord> SearchPruned(const InvertedIndex& index, std::span<const QueryTerm> query,
                                       size_t k, const RecordSet* allowed) {
  if (k == 0) return {};
  return WindowSearch(index, OpenTerms(index, query), k, allowed).Run();
}

LexicalMatches SearchRanked(const InvertedIndex& index, std::span<const QueryTerm> query, size_t k,
                            const RecordSet* allowed) {
  return {SearchPruned(index, query, k, allowed), FindMatched(index, query, allowed)};
}

std::vector<float> ScoreRecords(const InvertedIndex& index, std::span<const QueryTerm> query,
                                std::span<const uint32_t> records) {
  std::vector<size_t> ascending(records.size());
  std::iota(ascending.begin(), ascending.end(), size_t{0});
  std::sort(ascending.begin(), ascending.end(),
            [&](size_t a, size_t b) { return records[a] < records[b]; });
  std::vector<uint64_t> sums(records.size(), 0);
  for (const Term& term : OpenTerms(index, query)) {
    Cursor cursor(term);
    for (const size_t i : ascending) sums[i] += cursor.ScoreOf(records[i]);
  }
  const ScoreScale scale(index);
  std::vector<float> scores;
  for (const uint64_t sum : sums) scores.push_back(scale.ToScore(sum));
  return scores;
}

}  // namespace emptor::retrieval
