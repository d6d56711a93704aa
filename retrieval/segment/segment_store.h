// The segments of one shop: writers append to them while background threads compact them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/segment/merge_policy.h"
#include "retrieval/segment/segment.h"
#include "retrieval/segment/snapshot.h"

namespace emptor::retrieval {

enum class MergeKind {
  kFullCompaction,   // everything into one new immutable part
  kMinorCompaction,  // fresh segments into one fresh segment
};

/// Merges the live records of `views` into one segment. Called on a thread of the store without a
/// lock. `averages` are those of the immutable part; null when it is empty or takes part itself.
using MergeFunction = std::function<absl::StatusOr<std::shared_ptr<const Segment>>(
    MergeKind kind, std::span<const SegmentView> views, const LengthStatistics* averages,
    const std::stop_token& stop)>;

struct MergeCounts {
  uint64_t full_compactions = 0, minor_compactions = 0;
  double seconds = 0;  // of both
};

/// Writers change the list of segments one at a time and publish it as a snapshot; readers use the
/// current snapshot. Neither waits for a compaction. Two background threads of low priority,
/// started when needed, one for full and one for minor compactions, merge segments of a snapshot
/// and replace them by the result, with the deletions and inventory changes made in the meantime. A
/// full compaction takes long; minor ones run during it, so a bulk import leaves few segments to
/// search. Thread-safety: any thread. The destructor cancels compactions and joins their threads.
class SegmentStore {
 public:
  /// REQUIRES: views[0] is the immutable part.
  SegmentStore(const MergeLimits& limits, std::vector<SegmentView> views, MergeFunction merge);
  ~SegmentStore();
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;

  std::shared_ptr<const Snapshot> Current() const;

  /// Calls `change` with a copy of the views and publishes the copy, unless it returns an error.
  /// REQUIRES: `change` keeps the order of the views and appends new ones.
  absl::Status Change(const std::function<absl::Status(std::vector<SegmentView>&)>& change);

  /// Waits until no compaction runs or is due.
  void WaitForMerges();

  MergeCounts merge_counts() const;

 private:
  /// One of the two compacting threads.
  struct Worker {
    std::jthread thread;
    bool busy = false;
    std::vector<SegmentView> inputs;  // being merged; empty: idle
  };

  void Publish(std::vector<SegmentView> views);
  void StartPlanned();
  bool TakeInputs(MergeKind kind, Worker& worker);
  void Run(MergeKind kind, const std::stop_token& stop);
  void Replace(const std::vector<SegmentView>& inputs, std::shared_ptr<const Segment> merged);
  Worker& WorkerFor(MergeKind kind) {
    return kind == MergeKind::kFullCompaction ? full_compactor_ : minor_compactor_;
  }

  const MergeLimits limits_;
  const MergeFunction merge_;

  mutable std::mutex snapshot_mutex_;
  std::shared_ptr<const Snapshot> snapshot_;  // guarded by snapshot_mutex_

  mutable std::mutex write_mutex_;
  std::condition_variable idle_;
  bool stopping_ = false;  // guarded by write_mutex_, as all members below
  MergeCounts counts_;
  Worker full_compactor_, minor_compactor_;
};

}  // namespace emptor::retrieval
