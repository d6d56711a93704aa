// Chunks are handed out by one atomic ticket.
#include "engine/kernels/thread_pool.h"

#include <algorithm>
#include <cassert>

#include "engine/kernels/spin_wait.h"

namespace emptor::engine {
namespace {

constexpr int kChunksPerThread = 4;

constexpr uint64_t MakeTicket(uint64_t loop, uint64_t chunks) { return loop << 32 | chunks << 16; }
constexpr uint64_t LoopOf(uint64_t ticket) { return ticket >> 32; }
constexpr uint64_t ChunksOf(uint64_t ticket) { return ticket >> 16 & 0xffff; }
constexpr uint64_t NextOf(uint64_t ticket) { return ticket & 0xffff; }

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { Work(); });
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_release);
  const uint64_t ticket = ticket_.load(std::memory_order_acquire);
  ticket_.store(MakeTicket(LoopOf(ticket) + 1, 0), std::memory_order_release);
  ticket_.notify_all();
}

/// Takes the next chunk if `ticket` is still the state of the pool; false when there is none left.
bool ThreadPool::RunOneChunk(uint64_t ticket) {
  if (NextOf(ticket) >= ChunksOf(ticket)) return false;
  if (!ticket_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) return true;
  (*fn_)(static_cast<int>(NextOf(ticket)));
  if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == ChunksOf(ticket)) done_.notify_all();
  return true;
}

void ThreadPool::ParallelFor(int chunks, const std::function<void(int)>& fn) {
  assert(chunks >= 0 && chunks <= kMaxChunks);
  if (chunks <= 1 || workers_.empty()) {
    for (int i = 0; i < chunks; ++i) fn(i);
    return;
  }
  fn_ = &fn;
  done_.store(0, std::memory_order_relaxed);
  const uint64_t loop = LoopOf(ticket_.load(std::memory_order_relaxed)) + 1;
  ticket_.store(MakeTicket(loop, static_cast<uint64_t>(chunks)), std::memory_order_release);
  ticket_.notify_all();
  while (RunOneChunk(ticket_.load(std::memory_order_acquire))) {
  }
  uint32_t done = done_.load(std::memory_order_acquire);
  while (done != static_cast<uint32_t>(chunks)) done = WaitForChange(done_, done);
}

int ThreadPool::most_chunks() const { return workers_.empty() ? 1 : threads() * kChunksPerThread; }

void ThreadPool::ParallelRange(int64_t n, int64_t grain,
                               const std::function<void(int64_t, int64_t)>& fn) {
  const int64_t chunks = std::clamp<int64_t>(n / std::max<int64_t>(grain, 1), 1, most_chunks());
  const auto run = [&](int chunk) { fn(n * chunk / chunks, n * (chunk + 1) / chunks); };
  ParallelFor(static_cast<int>(chunks), std::ref(run));
}

void ThreadPool::Work() {
  uint64_t seen = ticket_.load(std::memory_order_acquire);
  while (!stop_.load(std::memory_order_acquire)) {
    if (!RunOneChunk(seen)) {
      seen = WaitForChange(ticket_, seen);
    } else {
      seen = ticket_.load(std::memory_order_acquire);
    }
  }
}

}  // namespace emptor::engine
