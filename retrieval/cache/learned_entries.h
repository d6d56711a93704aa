// The classifier over the entries of a snapshot, and what it says of a question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "retrieval/cache/entry_classifier.h"
#include "retrieval/cache/faq_segment.h"

namespace emptor::retrieval {

class FaqSegmentView;

/// An entry that answers questions in the language, and how probable it is among these.
struct LearnedScore {
  const FaqRecord* record = nullptr;
  uint32_t segment = 0;  // of the snapshot; its rows are [first, last)
  uint32_t first = 0, last = 0;
  double score = 0;
  double probability = 0;
};

/// Immutable. Thread-safety: const methods from any thread. Lifetime: within that of the segments.
class LearnedEntries {
 public:
  /// Greatest product of phrasings and entries that is learned: about a second.
  static constexpr size_t kMaxCells = 1'500'000;

  /// An entry has at least so many phrasings, on average: single ones teach nothing.
  static constexpr size_t kMinPhrasings = 2;

  /// Learns from the live phrasings. Null for fewer than two entries, below kMinPhrasings, and
  /// above kMaxCells.
  static std::shared_ptr<const LearnedEntries> Train(std::span<const FaqSegmentView> views);

  /// The entries of `views`, those that were trained with, by score, best first. `language`: a
  /// primary subtag; empty: any.
  std::vector<LearnedScore> Score(std::span<const FaqSegmentView> views, const QuestionText& text,
                                  std::span<const float> vector, std::string_view language) const;

  size_t memory_bytes() const { return classifier_.memory_bytes(); }

 private:
  struct Place {
    std::shared_ptr<const FaqRecord> record;
    uint32_t segment = 0, first = 0, last = 0;
  };
  LearnedEntries(std::vector<Place> places, EntryClassifier classifier)
      : places_(std::move(places)), classifier_(std::move(classifier)) {}

  std::vector<Place> places_;  // by entry number of the classifier
  EntryClassifier classifier_;
};

}  // namespace emptor::retrieval
