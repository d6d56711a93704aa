// The life of a shop's generations: copies, hand-over of writes, retirement, saved indexes.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_store.h"
#include "catalog/product_store.h"
#include "services/shop/written_records.h"

namespace emptor::services {

struct ShopParts;

/// For ShopDirectory, backups and rebuilds. Thread-safety: any thread. Lifetime: within the Shop's.
///
/// Hand-over of a served generation to the next one: FollowWrites on the served one; fill the next
/// one; repeat TakeWritten and ReplayDelta until little is left; pause, TakeWritten and ReplayDelta
/// once more; Retire the served one.
class ShopLifecycle {
 public:
  explicit ShopLifecycle(ShopParts& parts) : parts_(parts) {}

  /// While this lives nothing is written to the shop; searches go on.
  class WritePause {
   public:
    explicit WritePause(std::mutex& mutex) : lock_(mutex) {}

   private:
    std::unique_lock<std::mutex> lock_;
  };
  /// Waits for the batch that is under way. REQUIRES: the thread writes nothing to this shop while
  /// it holds the pause.
  WritePause PauseWrites();

  /// Records from now on which records are written; all metadata counts as written. Errors: of the
  /// store.
  absl::Status FollowWrites(const WritePause& pause);
  void StopFollowing(const WritePause& pause);
  /// What was written since FollowWrites or the last call. REQUIRES: writes are followed.
  WrittenRecords TakeWritten(const WritePause& pause);
  /// Makes each of the records that `delta` names what `served` holds. What was written before an
  /// error stays. Errors: of the stores and the embedder; kResourceExhausted for new text beyond
  /// the budget of memory.
  absl::Status ReplayDelta(const WrittenRecords& delta, const catalog::ProductStore& served);
  /// A retired shop refuses every write with kAborted: another generation is served.
  void Retire(const WritePause& pause, bool is_retired);

  /// Copies every record and metadata entry of another store but the entry that names its embedder;
  /// all texts are embedded. For a shop that is not served. What was written before an error stays.
  /// Errors: of the stores and the embedder.
  absl::Status CopyRecords(const catalog::ProductStore& from);
  /// Copies the documents of another store except those named. Returns how many. Errors: as
  /// CopyRecords.
  absl::StatusOr<uint64_t> CopyDocuments(const catalog::ProductStore& from,
                                         const std::set<std::string>& except);

  /// The records, for backups (catalog/backup/) and delta replay.
  catalog::ProductStore& store();
  /// The FAQ, for backups.
  catalog::FaqStore& faq();

  /// Waits until no save of the search index runs or is due.
  void WaitForSaves();
  /// How the search index came to be and how often it was saved.
  struct IndexCounts {
    uint64_t builds = 0;    // from all records
    uint64_t replayed = 0;  // records replayed on a saved index
    uint64_t saves = 0;
  };
  IndexCounts index_counts() const;
  /// Waits until corrections and completions know every record, which searches need not. False:
  /// `patience` is over.
  bool WaitForWords(std::chrono::milliseconds patience = std::chrono::hours(24));

 private:
  ShopParts& parts_;
};

}  // namespace emptor::services
