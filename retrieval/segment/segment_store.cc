// Publishing snapshots, planning compactions, and replacing segments by the merged one.
#include "retrieval/segment/segment_store.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr int kMergeNiceness = 10;

size_t IndexOf(const std::vector<SegmentView>& views, const Segment* segment) {
  const auto found = std::find_if(views.begin(), views.end(), [segment](const SegmentView& view) {
    return view.segment.get() == segment;
  });
  assert(found != views.end());
  return static_cast<size_t>(found - views.begin());
}

bool Holds(const std::vector<SegmentView>& views, const SegmentView& wanted) {
  return std::any_of(views.begin(), views.end(),
                     [&wanted](const SegmentView& view) { return view.segment == wanted.segment; });
}

SegmentSizes SizesOf(const std::vector<SegmentView>& views) {
  SegmentSizes sizes;
  for (const SegmentView& view : views) {
    sizes.live.push_back(view.live_count);
    sizes.dead += view.segment->size() - view.live_count;
  }
  return sizes;
}

/// The records deleted since `before`, by position in `merged`.
void BuryTheDead(const SegmentView& before, const RecordSet& live_now, const Segment& merged,
                 RecordSet& live) {
  before.live->ForEach([&](uint32_t record) {
    if (live_now.contains(record)) return;
    const auto position = merged.Find(before.segment->ids[record]);
    if (position) live.Erase(*position);
  });
}

/// The inventory changes since `before`, by position in `merged`.
void CollectChanges(const SegmentView& before, const SegmentView& now, const Segment& merged,
                    std::vector<InventoryChange>& changes) {
  const InventoryColumns& inventory = now.columns().inventory();
  for (const uint32_t record : before.columns().inventory().DifferencesTo(inventory)) {
    const auto position = merged.Find(before.segment->ids[record]);
    if (position && now.live->contains(record)) {
      changes.push_back({*position, inventory.row(record)});
    }
  }
}

}  // namespace

SegmentStore::SegmentStore(const MergeLimits& limits, std::vector<SegmentView> views,
                           MergeFunction merge)
    : limits_(limits), merge_(std::move(merge)) {
  Publish(std::move(views));
}

SegmentStore::~SegmentStore() {
  {
    const std::lock_guard lock(write_mutex_);
    stopping_ = true;
  }
  for (Worker* worker : {&full_compactor_, &minor_compactor_}) {
    worker->thread.request_stop();
    if (worker->thread.joinable()) worker->thread.join();
  }
}

std::shared_ptr<const Snapshot> SegmentStore::Current() const {
  const std::lock_guard lock(snapshot_mutex_);
  return snapshot_;
}

void SegmentStore::Publish(std::vector<SegmentView> views) {
  auto next = std::make_shared<const Snapshot>(Snapshot{std::move(views)});
  const std::lock_guard lock(snapshot_mutex_);
  snapshot_.swap(next);
}

absl::Status SegmentStore::Change(
    const std::function<absl::Status(std::vector<SegmentView>&)>& change) {
  const std::lock_guard lock(write_mutex_);
  std::vector<SegmentView> views = Current()->segments;
  if (absl::Status status = change(views); !status.ok()) return status;
  std::vector<SegmentView> kept = {views.front()};
  for (size_t i = 1; i < views.size(); ++i) {
    const bool merging =
        Holds(full_compactor_.inputs, views[i]) || Holds(minor_compactor_.inputs, views[i]);
    if (views[i].live_count > 0 || merging) kept.push_back(std::move(views[i]));
  }
  Publish(std::move(kept));
  StartPlanned();
  return absl::OkStatus();
}

/// Starts a thread for each compaction that is due and has none. REQUIRES: write_mutex_ is held.
void SegmentStore::StartPlanned() {
  for (const MergeKind kind : {MergeKind::kMinorCompaction, MergeKind::kFullCompaction}) {
    Worker& worker = WorkerFor(kind);
    if (stopping_ || worker.busy || !TakeInputs(kind, worker)) continue;
    worker.busy = true;
    // A finished worker needs no lock any more, so join returns at once.
    worker.thread = std::jthread([this, kind](const std::stop_token& stop) { Run(kind, stop); });
  }
}

/// Fills worker.inputs with the views that are due and not taken by the other thread. False: none.
/// REQUIRES: write_mutex_ is held.
bool SegmentStore::TakeInputs(MergeKind kind, Worker& worker) {
  const std::vector<SegmentView> views = Current()->segments;
  const SegmentSizes sizes = SizesOf(views);
  size_t begin = 0;
  size_t end = views.size();
  if (kind == MergeKind::kFullCompaction) {
    if (!NeedsFullCompaction(limits_, sizes)) return false;
    if (!minor_compactor_.inputs.empty()) {
      end = IndexOf(views, minor_compactor_.inputs.front().segment.get());
      if (end == 1) return false;  // nothing to merge before the minor compaction ends
    }
  } else {
    const size_t first_free = std::max<size_t>(1, full_compactor_.inputs.size());
    begin = first_free + PlanMinorCompaction(std::span(sizes.live).subspan(first_free));
    if (begin == end) return false;
  }
  worker.inputs.assign(views.begin() + static_cast<std::ptrdiff_t>(begin),
                       views.begin() + static_cast<std::ptrdiff_t>(end));
  return true;
}

/// Compacts until nothing is due. A failed merge leaves the segments unchanged: searches stay
/// correct, only slower, and the next change retries.
void SegmentStore::Run(MergeKind kind, const std::stop_token& stop) {
  ::setpriority(PRIO_PROCESS, 0, kMergeNiceness);  // of this thread alone, on Linux
  Worker& worker = WorkerFor(kind);
  for (bool due = true; due;) {
    // The inputs change under the lock alone, and only by this thread.
    const auto start = std::chrono::steady_clock::now();
    const std::shared_ptr<const Segment> immutable = Current()->segments[0].segment;
    const LengthStatistics* averages = kind == MergeKind::kMinorCompaction && immutable->size() > 0
                                           ? &immutable->lexical.length_statistics()
                                           : nullptr;
    auto merged = merge_(kind, worker.inputs, averages, stop);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!merged.ok() && !absl::IsCancelled(merged.status())) {
      spdlog::warn("search index: a merge failed: {}", merged.status().ToString());
    }
    const std::lock_guard lock(write_mutex_);
    const std::vector<SegmentView> inputs = std::exchange(worker.inputs, {});
    due = merged.ok();
    if (due) {
      Replace(inputs, *std::move(merged));
      ++(kind == MergeKind::kFullCompaction ? counts_.full_compactions : counts_.minor_compactions);
      counts_.seconds += taken.count();
      StartPlanned();  // the other one may have waited for these; this one is still busy
      due = !stopping_ && TakeInputs(kind, worker);
    }
    worker.busy = due;
    idle_.notify_all();
  }
}

/// Replaces `inputs` by `merged`, without the records deleted since the merge began and with the
/// inventory changes of the others.
/// REQUIRES: write_mutex_ is held.
void SegmentStore::Replace(const std::vector<SegmentView>& inputs,
                           std::shared_ptr<const Segment> merged) {
  std::vector<SegmentView> views = Current()->segments;
  const size_t begin = IndexOf(views, inputs.front().segment.get());
  auto live = std::make_shared<RecordSet>(merged->size(), true);
  std::vector<InventoryChange> changes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const SegmentView& now = views[begin + i];
    assert(now.segment == inputs[i].segment);
    if (now.live_count < inputs[i].live_count) {
      BuryTheDead(inputs[i], *now.live, *merged, *live);
    }
    if (now.changed != inputs[i].changed) CollectChanges(inputs[i], now, *merged, changes);
  }
  SegmentView view{.segment = std::move(merged), .live = live, .live_count = live->count()};
  if (!changes.empty()) {
    std::ranges::sort(changes, {}, &InventoryChange::record);
    view.changed = std::make_shared<FilterColumns>(view.segment->columns.With(changes));
  }
  const auto at = views.begin() + static_cast<std::ptrdiff_t>(begin);
  views.erase(at + 1, at + static_cast<std::ptrdiff_t>(inputs.size()));
  if (begin > 0 && view.live_count == 0) {
    views.erase(views.begin() + static_cast<std::ptrdiff_t>(begin));
  } else {
    views[begin] = std::move(view);
  }
  Publish(std::move(views));
}

void SegmentStore::WaitForMerges() {
  std::unique_lock lock(write_mutex_);
  idle_.wait(lock, [this] { return !full_compactor_.busy && !minor_compactor_.busy; });
}

MergeCounts SegmentStore::merge_counts() const {
  const std::lock_guard lock(write_mutex_);
  return counts_;
}

}  // namespace emptor::retrieval
