// A few threads for the work that HTTP threads and the engine thread must not do.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace emptor::services {

/// Runs tasks in the order of submission, each once, on one of `threads` threads.
/// Thread-safety: any thread. The destructor runs what is queued and joins.
class WorkerPool {
 public:
  /// Threads with a `niceness` above 0 yield a busy processor to others.
  WorkerPool(int threads, size_t max_queued, int niceness = 0);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// False if `max_queued` tasks wait already: the caller has to refuse the work.
  bool TrySubmit(std::function<void()> task);
  /// Never refuses: for work that continues something already admitted.
  void Submit(std::function<void()> task);
  size_t queued() const;

 private:
  void Run();

  const size_t max_queued_;
  const int niceness_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;  // guarded by mutex_
  bool stopping_ = false;                    // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace emptor::services
