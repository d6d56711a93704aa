// One atomic per thread holds what is open of its chunks.
#include "engine/kernels/thread_pool.h"

#include <algorithm>
#include <cassert>

#include "engine/kernels/spin_wait.h"

namespace emptor::engine {
namespace {

constexpr int kChunksPerThread = 4;

constexpr uint32_t MakeRun(uint32_t first, uint32_t end) { return first << 16 | end; }
constexpr uint32_t FirstOf(uint32_t run) { return run >> 16; }
constexpr uint32_t EndOf(uint32_t run) { return run & 0xffff; }
constexpr bool IsOpen(uint32_t run) { return FirstOf(run) < EndOf(run); }

constexpr uint32_t kStop = MakeRun(0xffff, 0);  // never a run of a loop

}  // namespace

ThreadPool::ThreadPool(int threads)
    : runs_(threads > 0 ? static_cast<size_t>(threads)
                        : std::max<size_t>(1, std::thread::hardware_concurrency())) {
  for (size_t i = 1; i < runs_.size(); ++i) workers_.emplace_back([this, i] { Work(i); });
}

ThreadPool::~ThreadPool() {
  for (size_t i = 1; i < runs_.size(); ++i) {
    runs_[i].open.exchange(kStop);
    runs_[i].open.notify_one();
  }
  workers_.clear();  // joins before the runs go
}

bool ThreadPool::TakeFirst(Run& run) {
  uint32_t open = run.open.load(std::memory_order_acquire);
  while (IsOpen(open)) {
    const uint32_t rest = MakeRun(FirstOf(open) + 1, EndOf(open));
    if (!run.open.compare_exchange_weak(open, rest, std::memory_order_acq_rel)) continue;
    RunChunk(FirstOf(open));
    return true;
  }
  return false;
}

bool ThreadPool::TakeLast(Run& run) {
  uint32_t open = run.open.load(std::memory_order_acquire);
  while (IsOpen(open)) {
    const uint32_t rest = MakeRun(FirstOf(open), EndOf(open) - 1);
    if (!run.open.compare_exchange_weak(open, rest, std::memory_order_acq_rel)) continue;
    RunChunk(EndOf(open) - 1);
    return true;
  }
  return false;
}

void ThreadPool::RunChunk(uint32_t chunk) {
  const uint32_t chunks = chunks_;  // another loop's once this chunk is done
  (*fn_)(static_cast<int>(chunk));
  if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == chunks) done_.notify_all();
}

bool ThreadPool::RunOneChunk(size_t thread) {
  if (TakeFirst(runs_[thread])) return true;
  for (size_t i = 1; i < runs_.size(); ++i) {
    if (TakeLast(runs_[(thread + i) % runs_.size()])) return true;
  }
  return false;
}

bool ThreadPool::OpenRun(size_t thread) {
  const auto i = static_cast<uint32_t>(thread);
  const auto threads = static_cast<uint32_t>(runs_.size());
  const uint32_t first = (chunks_ * i + threads - 1) / threads;
  const uint32_t end = (chunks_ * (i + 1) + threads - 1) / threads;
  if (first == end) return false;
  runs_[thread].open.exchange(MakeRun(first, end));
  return true;
}

void ThreadPool::ParallelFor(int chunks, const std::function<void(int)>& fn) {
  assert(chunks >= 0 && chunks <= kMaxChunks);
  if (chunks <= 1 || workers_.empty()) {
    for (int i = 0; i < chunks; ++i) fn(i);
    return;
  }
  fn_ = &fn;
  chunks_ = static_cast<uint32_t>(chunks);
  done_.store(0, std::memory_order_relaxed);
  // The caller's run is open before a thread is woken: a thread that has taken its own run, and
  // that of one still asleep, sleeps again if it finds nothing else. The runs are exchanged, not
  // stored: whether a thread sleeps is looked up only after all can see its run.
  OpenRun(0);
  for (size_t i = runs_.size(); i-- > 1;) {
    if (OpenRun(i)) runs_[i].open.notify_one();
  }
  while (RunOneChunk(0)) {
  }
  uint32_t done = done_.load(std::memory_order_acquire);
  while (done != chunks_) done = WaitForChange(done_, done);
}

int ThreadPool::most_chunks() const { return workers_.empty() ? 1 : threads() * kChunksPerThread; }

void ThreadPool::ParallelRange(int64_t n, int64_t grain,
                               const std::function<void(int64_t, int64_t)>& fn) {
  const int64_t chunks = std::clamp<int64_t>(n / std::max<int64_t>(grain, 1), 1, most_chunks());
  const auto run = [&](int chunk) { fn(n * chunk / chunks, n * (chunk + 1) / chunks); };
  ParallelFor(static_cast<int>(chunks), std::ref(run));
}

void ThreadPool::Work(size_t thread) {
  const std::atomic<uint32_t>& own = runs_[thread].open;
  uint32_t seen = own.load(std::memory_order_acquire);
  while (seen != kStop) {
    while (RunOneChunk(thread)) {
    }
    seen = own.load(std::memory_order_acquire);
    if (seen != kStop && !IsOpen(seen)) seen = WaitForChange(own, seen);
  }
}

}  // namespace emptor::engine
