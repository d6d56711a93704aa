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

/// Makes one segment of the live records of `views`; called on a thread of the store, with no lock
/// held. `averages` are those of the immutable part, null where it is empty or merged itself.
using MergeFunction = std::function<absl::StatusOr<std::shared_ptr<const Segment>>(
    MergeKind kind, std::span<const SegmentView> views, const LengthStatistics* averages,
    const std::stop_token& stop)>;

struct MergeCounts {
  uint64_t full_compactions = 0, minor_compactions = 0;
  double seconds = 0;  // of both
};

/// Writers change the list of segments one at a time and publish it whole; readers take what is
/// current. Neither ever waits for a merge: two threads of low priority, started when there is
/// something for them to do, merge copies of what is current and put the result in its place,
/// together with the deletions and new prices that have come in the meantime. A full compaction
/// takes long and a minor one does not, so a bulk import during a full compaction still leaves few
/// segments to search. Thread-safety: any thread. The destructor stops merges and waits for their
/// threads.
class SegmentStore {
 public:
  /// `views` begin with the immutable part.
  SegmentStore(const MergeLimits& limits, std::vector<SegmentView> views, MergeFunction merge);
  ~SegmentStore();
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;

  std::shared_ptr<const Snapshot> Current() const;

  /// Lets `change` work on a copy of the views and publishes that, unless it returns an error.
  /// Views in front stay where they are; new ones go to the end.
  absl::Status Change(const std::function<absl::Status(std::vector<SegmentView>&)>& change);

  /// Waits until nothing is merged or due to be.
  void WaitForMerges();

  MergeCounts merge_counts() const;

 private:
  /// One of the two merging threads.
  struct Worker {
    std::jthread thread;
    bool busy = false;
    std::vector<SegmentView> inputs;  // what it merges; empty: nothing
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
  bool stopping_ = false;  // guarded by write_mutex_, as what follows
  MergeCounts counts_;
  Worker full_compactor_, minor_compactor_;
};

}  // namespace emptor::retrieval
