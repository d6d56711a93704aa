// A few persistent threads that share one loop at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace emptor::engine {

/// Runs the chunks of a loop on the caller and the pool's threads. Each thread has a run of
/// consecutive chunks, so that it goes through memory in order; a thread that has
/// finished its run steals the last chunks of others. A chunk's result must not depend on the
/// thread that runs it. A thread that the system preempts delays only the chunk that it has begun.
/// Idle threads spin for some 20 us, then sleep. Thread-safety: one caller at a time.
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

  static constexpr int kMaxChunks = 0xfffe;

 private:
  /// The open chunks of one thread's run: the first (16 bits), the end (16). Words of two loops may
  /// be equal: a thread that takes a chunk gets one of the open loop.
  struct alignas(64) Run {
    std::atomic<uint32_t> open = 0;
  };

  /// Makes the thread's part of the loop open; false when it has none.
  bool OpenRun(size_t thread);
  bool TakeFirst(Run& run);
  bool TakeLast(Run& run);
  /// Runs one chunk, of the thread's own run if there is one; false when none is open.
  bool RunOneChunk(size_t thread);
  void RunChunk(uint32_t chunk);
  void Work(size_t thread);

  std::vector<Run> runs_;  // of each thread; the first is the caller's
  alignas(64) std::atomic<uint32_t> done_ = 0;
  // Stable while a chunk of their loop is open.
  const std::function<void(int)>* fn_ = nullptr;
  uint32_t chunks_ = 0;
  std::vector<std::jthread> workers_;
};

}  // namespace emptor::engine
