// The policy PlanSave, and the loop that follows it.
#include "services/shop/index_saver.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

constexpr int kSaverNiceness = 10;

bool IsMany(size_t changes, size_t least, double share, size_t records) {
  return changes >= least && static_cast<double>(changes) >= share * static_cast<double>(records);
}

}  // namespace

std::optional<SaveView::Time> PlanSave(const SaveLimits& limits, const SaveView& view) {
  if (view.changes == 0) return std::nullopt;
  const bool is_urgent =
      IsMany(view.changes, limits.many_changes, limits.many_share, view.records) ||
      (view.job_ended && IsMany(view.changes, limits.job_changes, limits.job_share, view.records));
  SaveView::Time due = view.first_change;
  if (!is_urgent) due += limits.longest_unsaved;
  if (!view.last_end) return due;
  const auto pause = view.last_failed ? steady_clock::duration(limits.longest_unsaved)
                                      : view.last_took * limits.rest_factor;
  return std::max(due, *view.last_end + pause);
}

IndexSaver::IndexSaver(const SaveLimits& limits, std::function<absl::Status()> save)
    : limits_(limits), save_(std::move(save)) {}

IndexSaver::~IndexSaver() { Stop(); }

void IndexSaver::NoteChanges(size_t changes, size_t records) {
  if (changes == 0) return;
  const std::lock_guard lock(mutex_);
  if (view_.changes == 0) view_.first_change = steady_clock::now();
  view_.changes += changes;
  view_.records = records;
  if (stopped_) return;
  if (!thread_.joinable()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
  changed_.notify_all();
}

void IndexSaver::NoteJobEnd() {
  const std::lock_guard lock(mutex_);
  view_.job_ended = view_.changes > 0;
  changed_.notify_all();
}

void IndexSaver::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] {
    const auto due = PlanSave(limits_, view_);
    return stopped_ || (!is_saving_ && (!due || *due > steady_clock::now()));
  });
}

void IndexSaver::Stop() {
  std::jthread thread;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    thread.swap(thread_);
  }
  thread.request_stop();
  if (thread.joinable()) thread.join();
  idle_.notify_all();
}

void IndexSaver::Run(const std::stop_token& stop) {
  ::setpriority(PRIO_PROCESS, 0, kSaverNiceness);  // of this thread alone, on Linux
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto due = PlanSave(limits_, view_);
    if (due && *due <= steady_clock::now()) {
      SaveOnce(lock);
      continue;
    }
    idle_.notify_all();
    const auto earlier = [&] { return PlanSave(limits_, view_) != due; };
    if (due) {
      changed_.wait_until(lock, stop, *due, earlier);
    } else {
      changed_.wait(lock, stop, earlier);
    }
  }
}

/// REQUIRES: `lock` is held; it is released while the save runs.
void IndexSaver::SaveOnce(std::unique_lock<std::mutex>& lock) {
  SaveView next;
  next.records = view_.records;
  const SaveView before = std::exchange(view_, next);
  is_saving_ = true;
  lock.unlock();
  const auto begun = steady_clock::now();
  const absl::Status saved = save_();
  const auto ended = steady_clock::now();
  if (!saved.ok()) spdlog::warn("{}; the index is saved later", saved.ToString());
  lock.lock();
  is_saving_ = false;
  view_.last_end = ended;
  view_.last_took = ended - begun;
  view_.last_failed = !saved.ok();
  if (saved.ok()) return;
  view_.changes += before.changes;
  view_.first_change = before.first_change;
  view_.job_ended = view_.job_ended || before.job_ended;
}

}  // namespace emptor::services
