// A bounded queue and its threads.
#include "services/workers/worker_pool.h"

#include <sys/resource.h>

#include <utility>

namespace emptor::services {

WorkerPool::WorkerPool(int threads, size_t max_queued, int niceness)
    : max_queued_(max_queued), niceness_(niceness) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::TrySubmit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    if (tasks_.size() >= max_queued_) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

void WorkerPool::Submit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

size_t WorkerPool::queued() const {
  std::lock_guard lock(mutex_);
  return tasks_.size();
}

void WorkerPool::Run() {
  if (niceness_ > 0) ::setpriority(PRIO_PROCESS, 0, niceness_);  // of this thread alone, on Linux
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace emptor::services
