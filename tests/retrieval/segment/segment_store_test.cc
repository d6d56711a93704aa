// Compaction during reads and writes: no record is lost or reappears, and no caller waits.
#include "retrieval/segment/segment_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

SegmentBuildOptions FlatOptions() {
  return {.bm25 = {},
          .averages = nullptr,
          .dimension = 2,
          .make_vectors =
              [](std::span<const std::string>, QuantizedRows rows,
                 const std::stop_token&) -> absl::StatusOr<std::unique_ptr<const VectorIndex>> {
            return std::make_unique<VectorIndex>(std::move(rows));
          },
          .find_row = nullptr,
          .stop = {}};
}

/// `ids` ascend.
std::shared_ptr<const Segment> MakeSegment(const std::vector<std::string>& ids) {
  static const Analyzer analyzer = *Analyzer::Create();
  std::vector<IndexedProduct> records;
  for (const std::string& id : ids) records.push_back({testing::MakeProduct(id, "lamp"), {1, 0}});
  return *BuildSegment(analyzer, records, FlatOptions());
}

std::shared_ptr<const Segment> MergeNow(std::span<const SegmentView> views) {
  return *MergeSegments(views, FlatOptions());
}

void Bury(const std::string& id, std::vector<SegmentView>& views) {
  for (SegmentView& view : views) {
    const auto position = view.segment->Find(id);
    if (!position || !view.live->contains(*position)) continue;
    auto live = std::make_shared<RecordSet>(*view.live);
    live->Erase(*position);
    view.live = std::move(live);
    --view.live_count;
  }
}

absl::Status Add(SegmentStore& store, const std::vector<std::string>& ids) {
  return store.Change([&ids](std::vector<SegmentView>& views) {
    for (const std::string& id : ids) Bury(id, views);
    views.push_back(ViewOf(MakeSegment(ids)));
    return absl::OkStatus();
  });
}

absl::Status Remove(SegmentStore& store, const std::string& id) {
  return store.Change([&id](std::vector<SegmentView>& views) {
    Bury(id, views);
    return absl::OkStatus();
  });
}

/// Every live id; an id that is live twice is marked.
std::multiset<std::string> LiveIds(const Snapshot& snapshot) {
  std::multiset<std::string> ids;
  for (const SegmentView& view : snapshot.segments) {
    EXPECT_EQ(view.live->count(), view.live_count);
    view.live->ForEach([&](uint32_t record) { ids.insert(view.segment->ids[record]); });
  }
  return ids;
}

const MergeLimits kSmallLimits{
    .min_fresh_records = 8, .fresh_share = 0.25, .first_immutable_records = 4};

/// Holds merges of one kind until it is opened.
class Gate {
 public:
  explicit Gate(MergeKind kind) : kind_(kind) {}

  MergeFunction Merge() {
    return [this](MergeKind kind, std::span<const SegmentView> views, const LengthStatistics*,
                  const std::stop_token& stop) -> absl::StatusOr<std::shared_ptr<const Segment>> {
      if (kind == kind_ && !Pass(stop)) return absl::CancelledError("stopped");
      return MergeNow(views);
    };
  }

  void WaitForArrival() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return arrived_; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  bool Pass(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    arrived_ = true;
    changed_.notify_all();
    return changed_.wait(lock, stop, [this] { return open_; });
  }

  const MergeKind kind_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool arrived_ = false;
  bool open_ = false;
};

TEST(SegmentStoreTest, WritersAndReadersContinueDuringAFullCompaction) {
  Gate gate(MergeKind::kFullCompaction);
  SegmentStore store(kSmallLimits, {ViewOf(MakeSegment({}))}, gate.Merge());
  ASSERT_TRUE(Add(store, {"a", "b", "c", "d"}).ok());
  gate.WaitForArrival();
  // All of these return while the full compaction is held.
  ASSERT_TRUE(Remove(store, "a").ok());
  ASSERT_TRUE(Add(store, {"b", "e"}).ok());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Add(store, {testing::Numbered("n", 10 + i)}).ok());
  EXPECT_EQ(LiveIds(*store.Current()).size(), 24u);
  EXPECT_EQ(store.merge_counts().full_compactions, 0u);
  gate.Open();
  store.WaitForMerges();
  const auto ids = LiveIds(*store.Current());
  EXPECT_EQ(ids.size(), 24u);
  EXPECT_EQ(ids.count("a"), 0u);  // it died during the compaction
  EXPECT_EQ(ids.count("b"), 1u);  // replaced during the compaction
  EXPECT_GE(store.merge_counts().full_compactions, 1u);
  EXPECT_LE(store.Current()->segments.size(), 5u);
}

TEST(SegmentStoreTest, FreshSegmentsAreCompactedDuringAFullCompaction) {
  Gate gate(MergeKind::kFullCompaction);
  SegmentStore store(kSmallLimits, {ViewOf(MakeSegment({}))}, gate.Merge());
  ASSERT_TRUE(Add(store, {"a", "b", "c", "d"}).ok());
  gate.WaitForArrival();
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(Add(store, {testing::Numbered("n", 100 + i)}).ok());
  while (store.Current()->segments.size() > 10) std::this_thread::yield();
  EXPECT_EQ(store.merge_counts().full_compactions, 0u);
  EXPECT_EQ(LiveIds(*store.Current()).size(), 68u);
  gate.Open();
  store.WaitForMerges();
  EXPECT_EQ(LiveIds(*store.Current()).size(), 68u);
}

TEST(SegmentStoreTest, DestructionStopsAMerge) {
  Gate gate(MergeKind::kFullCompaction);
  {
    SegmentStore store(kSmallLimits, {ViewOf(MakeSegment({}))}, gate.Merge());
    ASSERT_TRUE(Add(store, {"a", "b", "c", "d"}).ok());
    gate.WaitForArrival();
  }  // the gate stays shut
}

TEST(SegmentStoreTest, FailedMergeLeavesTheSegmentsAndTheNextChangeTriesAgain) {
  std::atomic<int> calls = 0;
  SegmentStore store(
      kSmallLimits, {ViewOf(MakeSegment({}))},
      [&calls](MergeKind, std::span<const SegmentView> views, const LengthStatistics*,
               const std::stop_token&) -> absl::StatusOr<std::shared_ptr<const Segment>> {
        if (++calls == 1) return absl::InternalError("out of luck");
        return MergeNow(views);
      });
  ASSERT_TRUE(Add(store, {"a", "b", "c", "d"}).ok());
  store.WaitForMerges();
  EXPECT_EQ(store.Current()->segments.size(), 2u);
  EXPECT_EQ(LiveIds(*store.Current()).size(), 4u);
  ASSERT_TRUE(Add(store, {"e"}).ok());
  store.WaitForMerges();
  EXPECT_GE(store.merge_counts().full_compactions, 1u);
  EXPECT_EQ(LiveIds(*store.Current()), (std::multiset<std::string>{"a", "b", "c", "d", "e"}));
}

TEST(SegmentStoreTest, RefusedChangePublishesNothing) {
  SegmentStore store(kSmallLimits, {ViewOf(MakeSegment({"a"}))},
                     [](MergeKind, std::span<const SegmentView> views, const LengthStatistics*,
                        const std::stop_token&) -> absl::StatusOr<std::shared_ptr<const Segment>> {
                       return MergeNow(views);
                     });
  const auto before = store.Current();
  const absl::Status status = store.Change([](std::vector<SegmentView>& views) {
    Bury("a", views);
    return absl::InvalidArgumentError("no");
  });
  EXPECT_EQ(status, absl::InvalidArgumentError("no"));
  EXPECT_EQ(store.Current(), before);
}

// The model: a set of ids. Merges of both kinds run all the time.
TEST(SegmentStoreTest, RandomChangesFromTwoWritersEndLikeTheModel) {
  SegmentStore store(kSmallLimits, {ViewOf(MakeSegment({}))},
                     [](MergeKind, std::span<const SegmentView> views, const LengthStatistics*,
                        const std::stop_token&) -> absl::StatusOr<std::shared_ptr<const Segment>> {
                       return MergeNow(views);
                     });
  std::map<char, std::set<std::string>> truth = {{'a', {}}, {'b', {}}};
  std::atomic<bool> done = false;
  std::jthread reader([&] {
    while (!done) {
      const auto snapshot = store.Current();
      const auto ids = LiveIds(*snapshot);
      EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    }
  });
  {
    std::vector<std::jthread> writers;
    for (auto& [name, own] : truth) {
      writers.emplace_back([&store, &own, prefix = std::string(1, name)] {
        std::mt19937 random(static_cast<uint32_t>(prefix[0]));
        for (int step = 0; step < 200; ++step) {
          const std::string id = testing::Numbered(prefix, random() % 60);
          if (random() % 3 == 0) {
            EXPECT_TRUE(Remove(store, id).ok());
            own.erase(id);
          } else {
            EXPECT_TRUE(Add(store, {id}).ok());
            own.insert(id);
          }
        }
      });
    }
  }
  done = true;
  store.WaitForMerges();
  std::multiset<std::string> want(truth['a'].begin(), truth['a'].end());
  want.insert(truth['b'].begin(), truth['b'].end());
  EXPECT_EQ(LiveIds(*store.Current()), want);
  EXPECT_GE(store.merge_counts().full_compactions + store.merge_counts().minor_compactions, 1u);
}

}  // namespace
}  // namespace emptor::retrieval
