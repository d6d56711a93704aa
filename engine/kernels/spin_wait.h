// Waiting for another thread: a short spin, then sleep.
#pragma once

#include <atomic>

namespace emptor::engine {

/// Some 20 us: longer than threads that work side by side differ, shorter than a busy neighbour's
/// turn on the core, which a spinning thread would only take from the one that it waits for.
inline constexpr int kSpins = 512;

inline void SpinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `atomic` differs from `old` and returns the new value. The writer must notify.
template <typename T>
T WaitForChange(const std::atomic<T>& atomic, T old) {
  for (int i = 0; i < kSpins; ++i) {
    const T now = atomic.load(std::memory_order_acquire);
    if (now != old) return now;
    SpinPause();
  }
  atomic.wait(old, std::memory_order_acquire);
  return atomic.load(std::memory_order_acquire);
}

}  // namespace emptor::engine
