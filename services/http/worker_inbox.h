// What other threads send to a worker: new connections, finished answers, the stop.
#pragma once

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace emptor::services {

/// A queue with an eventfd that a worker's poller watches. Take resets the eventfd before it
/// empties the queue, so a post in between is not lost. Thread-safety: Post... from any thread,
/// Take by the worker. May outlive the worker.
class WorkerInbox {
 public:
  struct Arrival {
    int fd;  // owned by the inbox until Take, then by its caller
    sockaddr_storage peer;
  };
  struct Contents {
    std::vector<Arrival> arrivals;
    std::vector<uint64_t> answered;  // connection ids
    bool stop = false;
  };

  WorkerInbox() : wake_fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~WorkerInbox() {
    for (const Arrival& arrival : contents_.arrivals) close(arrival.fd);
    if (wake_fd_ >= 0) close(wake_fd_);
  }
  WorkerInbox(const WorkerInbox&) = delete;
  WorkerInbox& operator=(const WorkerInbox&) = delete;

  int wake_fd() const { return wake_fd_; }

  void PostArrival(Arrival arrival) {
    Post([&](Contents& contents) { contents.arrivals.push_back(arrival); });
  }
  void PostAnswered(uint64_t connection) {
    Post([&](Contents& contents) { contents.answered.push_back(connection); });
  }
  void PostStop() {
    Post([](Contents& contents) { contents.stop = true; });
  }

  Contents Take() {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = read(wake_fd_, &count, sizeof count);
    const std::lock_guard lock(mutex_);
    return std::exchange(contents_, {});
  }

 private:
  template <typename Change>
  void Post(Change change) {
    {
      const std::lock_guard lock(mutex_);
      change(contents_);
    }
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
  }

  const int wake_fd_;
  std::mutex mutex_;
  Contents contents_;  // guarded by mutex_
};

}  // namespace emptor::services
