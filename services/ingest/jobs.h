// The imports of a shop as jobs: started once, resumed after a kill, cancelled, looked up later.
#pragma once

#include <atomic>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/ingest/job.h"
#include "services/shop/shop_writer.h"

namespace emptor::services {

struct JobsOptions {
  std::string directory;                   // of the jobs' files, e.g. <data dir>/jobs
  size_t batch_lines = 256;                // rows between two checkpoints
  size_t keep = 200;                       // finished jobs; older ones are forgotten
  std::function<int64_t()> now_unix = {};  // null: the system's clock
  /// After each run, with the sums that it began with; e.g. metrics.
  std::function<void(const Job&, const catalog::ImportReport& before)> on_finished = {};
};

/// A job's state lies in the shop's store: its checkpoint is written in the same batch as the
/// changes, so that after a kill -9 no row is lost and none is applied twice.
/// Thread-safety: every method from any thread. Lifetime: the shop outlives it.
class Jobs {
 public:
  /// Reads the jobs of the shop. One that was running when its process ended is queued again when
  /// its feed was kept, else failed, "broken off". Errors: of the store, kDataLoss.
  static absl::StatusOr<std::unique_ptr<Jobs>> Open(ShopWriter& shop, const JobsOptions& options);

  struct Started {
    Job job;
    bool is_new = true;  // false: an earlier job, done or in progress
  };
  /// Makes a queued job, durably. `feed`, if given, is stored until the job has run.
  /// If the idempotency key names an earlier job of the same feed and options, returns that job, or
  /// queues it again at its checkpoint if it was interrupted. Errors: kAlreadyExists (the key was
  /// used for another feed), kResourceExhausted, kUnavailable.
  absl::StatusOr<Started> Start(const JobSpec& spec,
                                std::optional<std::string_view> feed = std::nullopt);
  /// Queues the newest job of that digest and these options that was broken off; nothing when there
  /// is none.
  absl::StatusOr<std::optional<Job>> Resume(const JobSpec& spec);

  /// Runs a queued job to its end on this thread; `feed` is the feed from its beginning, and can be
  /// read twice (seekg).
  /// `on_result` gets the rows behind the checkpoint, in order; may be null. What went wrong is in
  /// the job (state failed). Errors: kNotFound, kFailedPrecondition (not queued), of the store.
  absl::StatusOr<Job> Run(const std::string& id, std::istream& feed,
                          const catalog::ResultSink& on_result);
  /// Run on the feed that Start kept; it fails when that is damaged.
  absl::StatusOr<Job> RunKept(const std::string& id);

  /// Before the process ends: the running job stops after the batch that is under way, queued ones
  /// do not begin. Those whose feed was kept go on at the next start.
  void Interrupt() { interrupted_ = true; }

  /// Ends a running job after the batch that is under way, a queued one before it begins. What was
  /// written stays. Gives the job as it is. Errors: kNotFound; kFailedPrecondition (it has ended).
  absl::StatusOr<Job> Cancel(const std::string& id);

  std::optional<Job> Find(std::string_view id) const;
  std::vector<Job> List() const;               // newest first
  std::vector<std::string> QueuedIds() const;  // oldest first

  /// The finished part of the results and of the dead letters, JSON lines. Errors: kNotFound,
  /// kDataLoss.
  absl::StatusOr<std::string> ReadResults(std::string_view id) const;
  absl::StatusOr<std::string> ReadDeadLetters(std::string_view id) const;
  std::string DirectoryOf(std::string_view id) const;

 private:
  struct Entry {
    Job job;
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
  };
  struct Attempt;

  Jobs(ShopWriter& shop, const JobsOptions& options);
  std::string Now() const;
  absl::Status Load();
  absl::Status Store(const Job& job);
  void Keep(const Job& job);
  absl::StatusOr<Job> QueueAgain(Job job, std::optional<std::string_view> feed);
  absl::Status Forget();
  absl::StatusOr<Attempt> Begin(const std::string& id);
  absl::Status Checkpoint(Attempt& attempt, catalog::ImportBatch& batch,
                          const catalog::FeedReader& reader);
  bool IsStored(const Attempt& attempt) const;
  bool HasFeed(std::string_view id) const;
  absl::Status SettleCurrency(const Attempt& attempt, std::istream& feed,
                              catalog::FeedOptions& options) const;
  absl::Status RunAttempt(Attempt& attempt, std::istream& feed,
                          const catalog::ResultSink& on_result);
  absl::StatusOr<Job> End(Attempt& attempt, const absl::Status& status, double seconds);
  absl::StatusOr<std::string> ReadPart(std::string_view id, const char* file,
                                       JobFileMark Job::*mark) const;

  ShopWriter& shop_;
  const JobsOptions options_;
  std::mutex start_mutex_;  // one Start at a time: a key makes one job
  std::atomic<bool> interrupted_{false};
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> jobs_;  // guarded by mutex_
  uint64_t last_number_ = 0;                        // guarded by mutex_
};

}  // namespace emptor::services
