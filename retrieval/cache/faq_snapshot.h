// The state of a FAQ index at one moment, and what it finds for a question.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/cache/faq_features.h"
#include "retrieval/cache/faq_segment.h"
#include "retrieval/cache/learned_entries.h"
#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// A segment and which of its rows count.
class FaqSegmentView {
 public:
  /// REQUIRES: `alive` has a bit for each row.
  FaqSegmentView(std::shared_ptr<const FaqSegment> segment, RecordSet alive);

  const FaqSegment& segment() const { return *segment_; }
  const std::shared_ptr<const FaqSegment>& shared_segment() const { return segment_; }
  const RecordSet& alive() const { return alive_; }
  size_t alive_rows() const { return alive_rows_; }

  /// The rows that answer questions in a language (a primary subtag; empty: any language).
  const RecordSet& AllowedFor(std::string_view language) const;

 private:
  std::shared_ptr<const FaqSegment> segment_;
  RecordSet alive_;
  size_t alive_rows_;
  RecordSet of_any_;                                           // rows of entries without a locale
  std::map<std::string, RecordSet, std::less<>> by_language_;  // with those of any
};

/// Immutable. Thread-safety: const methods from any thread.
class FaqSnapshot {
 public:
  /// `learned`: of these segments, or null where nothing is learned (yet).
  explicit FaqSnapshot(std::vector<FaqSegmentView> segments,
                       std::shared_ptr<const LearnedEntries> learned = nullptr);

  const std::vector<FaqSegmentView>& segments() const { return segments_; }
  const LearnedEntries* learned() const { return learned_.get(); }
  size_t entry_count() const { return entries_; }
  /// Mean cosine of unrelated phrasings.
  double background() const { return background_; }
  size_t phrasing_count() const { return phrasings_; }
  /// Number of phrasings that have the trigram, the term; of entries that have the term.
  size_t PhrasingsWithTrigram(uint32_t trigram) const;
  size_t PhrasingsWithTerm(uint64_t term) const;
  size_t EntriesWithTerm(uint64_t term) const;

  /// The entries that have exactly this text, or nothing. Needs no vector.
  FaqMatches MatchExactly(std::string_view question, std::string_view locale) const;

  /// The nearest entries, at most 8. `vector`: of the question; empty: none.
  FaqMatches Match(std::string_view question, std::string_view locale,
                   std::span<const float> vector) const;

 private:
  std::vector<FaqSegmentView> segments_;
  std::shared_ptr<const LearnedEntries> learned_;  // within the lifetime of segments_
  size_t entries_ = 0;
  size_t phrasings_ = 0;
  double background_ = 0;
};

}  // namespace emptor::retrieval
