// Decides when a shop's search index is saved while it is open, so that little has to be replayed
// after a kill.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "absl/status/status.h"

namespace emptor::services {

struct SaveLimits {
  /// At the end of a job the index is saved after so many changed records, if they are at least
  /// this share of all. With fewer, a replay at the next start costs less than writing the file.
  size_t job_changes = 256;
  double job_share = 0.01;
  /// At any other time it is saved after so many, and this share.
  size_t many_changes = 50000;
  double many_share = 0.5;
  /// No change stays unsaved for longer.
  std::chrono::milliseconds longest_unsaved = std::chrono::minutes(5);
  /// A save that took t is followed by a pause of so many times t.
  int rest_factor = 20;
};

/// The input of the decision.
struct SaveView {
  using Time = std::chrono::steady_clock::time_point;
  size_t records = 0;
  size_t changes = 0;      // since the last save began
  bool job_ended = false;  // since then
  Time first_change;       // since then
  std::optional<Time> last_end;
  std::chrono::steady_clock::duration last_took{0};
  bool last_failed = false;
};

/// The time at which a save is due; nothing when there is nothing to save. Pure.
std::optional<SaveView::Time> PlanSave(const SaveLimits& limits, const SaveView& view);

/// Saves on a thread of low priority that starts with the first change.
/// Thread-safety: any thread; `save` is called on the saver's thread, with no lock held.
class IndexSaver {
 public:
  /// `save` writes the present state; it may or may not contain a change made meanwhile.
  IndexSaver(const SaveLimits& limits, std::function<absl::Status()> save);
  ~IndexSaver();

  /// So many of `records` records have changed.
  void NoteChanges(size_t changes, size_t records);
  void NoteJobEnd();
  /// Waits until no save runs or is due now.
  void WaitUntilIdle();
  /// Waits for a save that runs, then ends the thread. Idempotent.
  void Stop();

 private:
  void Run(const std::stop_token& stop);
  void SaveOnce(std::unique_lock<std::mutex>& lock);

  const SaveLimits limits_;
  const std::function<absl::Status()> save_;
  std::mutex mutex_;
  std::condition_variable_any changed_;  // for the saver
  std::condition_variable idle_;
  SaveView view_;           // guarded by mutex_
  bool is_saving_ = false;  // guarded by mutex_
  bool stopped_ = false;    // guarded by mutex_
  std::jthread thread_;     // guarded by mutex_
};

}  // namespace emptor::services
