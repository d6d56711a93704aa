// A few persistent threads that share one loop at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace emptor::engine {

/// Runs the chunks of a loop on the caller and the pool's threads. Which thread takes which chunk
/// is open, so a chunk's result must not depend on it. A thread that the system has set aside
/// holds up nothing but the chunk that it has begun. Idle threads spin for some 20 us, then sleep.
/// Thread-safety: one caller at a time.
class ThreadPool {
 public:
  /// `threads` in all, the caller among them; 0: one per core.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls fn(chunk) for each chunk in [0, chunks) and returns when all are done.
  /// REQUIRES: chunks <= kMaxChunks; fn does not throw.
  void ParallelFor(int chunks, const std::function<void(int)>& fn);

  /// Calls fn(begin, end) over [0, n) in pieces of at least about `grain`, at most most_chunks().
  void ParallelRange(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)>& fn);

  /// Chunks that a loop is best cut into at most: a few per thread, so that one that was set aside
  /// by the system holds up little.
  int most_chunks() const;

  static constexpr int kMaxChunks = 0xffff;

 private:
  bool RunOneChunk(uint64_t ticket);
  void Work();

  // Loop number (32 bits), its chunks (16), the next to be taken (16): a late thread can never
  // take a chunk of another loop than the one that it read.
  std::atomic<uint64_t> ticket_ = 0;
  std::atomic<uint32_t> done_ = 0;
  std::atomic<bool> stop_ = false;
  const std::function<void(int)>* fn_ = nullptr;  // stable while a chunk of its loop is open
  std::vector<std::jthread> workers_;
};

}  // namespace emptor::engine
