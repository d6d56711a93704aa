// The best k of a stream of scored records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace emptor::retrieval {

/// A record position of one segment and its score.
struct ScoredRecord {
  uint32_t record = 0;
  float score = 0;

  friend bool operator==(const ScoredRecord&, const ScoredRecord&) = default;
};

/// Higher scores first; equal scores in record order, so that every search is deterministic.
inline bool RanksBefore(const ScoredRecord& a, const ScoredRecord& b) {
  return a.score != b.score ? a.score > b.score : a.record < b.record;
}

/// Keeps the best k of what is pushed, in a binary heap with the worst on top.
/// Thread-safety: one thread.
class TopKQueue {
 public:
  explicit TopKQueue(size_t k) : k_(k) { heap_.reserve(std::min<size_t>(k, 4096)); }

  /// Score that a record pushed later (of a higher position) must exceed to enter.
  float threshold() const {
    return heap_.size() < k_ ? -std::numeric_limits<float>::infinity() : heap_.front().score;
  }

  void Push(ScoredRecord scored) {
    if (k_ == 0) return;
    if (heap_.size() < k_) {
      heap_.push_back(scored);
      std::push_heap(heap_.begin(), heap_.end(), RanksBefore);
    } else if (RanksBefore(scored, heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), RanksBefore);
      heap_.back() = scored;
      std::push_heap(heap_.begin(), heap_.end(), RanksBefore);
    }
  }

  /// The kept records, best first. Leaves the queue empty.
  std::vector<ScoredRecord> TakeSorted() {
    std::sort_heap(heap_.begin(), heap_.end(), RanksBefore);
    return std::exchange(heap_, {});
  }

 private:
  size_t k_;
  std::vector<ScoredRecord> heap_;
};

}  // namespace emptor::retrieval
