// The machine's roofline: peak memory reads and arithmetic of the threads of a run.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/peak.h"
#include "engine/kernels/thread_pool.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// Bytes of the third-level cache that the first core reaches; 0: unknown.
uint64_t ThirdLevelCacheBytes();

/// Measures for a while and ends. A sample is repeated until it has taken `min_seconds`.
/// `processor_time`: of all threads, divided by their number, in place of the time on the wall.
/// Source: Williams, Waterman and Patterson 2009, "Roofline".
class Stopwatch {
 public:
  Stopwatch(bool processor_time, int threads);
  double Seconds() const { return Now() - begin_; }

  /// Units per second of fn, which does `units` each time.
  template <typename Fn>
  double Rate(double units, double min_seconds, Fn fn) const {
    double done = 0, seconds = 0;
    do {
      fn();
      done += units;
      seconds = Seconds();
    } while (seconds < min_seconds);
    return done / seconds;
  }

 private:
  double Now() const;
  int threads_;  // 0: time on the wall
  double begin_;
};

/// Thread-safety: one caller at a time.
class Roofline {
 public:
  struct Options {
    int threads = 1;  // 0: one per core
    Isa isa = DetectIsa();
    uint64_t buffer_bytes = 0;  // 0: eight times the third-level cache
    bool processor_time = false;
  };

  /// Errors: kResourceExhausted (memory).
  static absl::StatusOr<Roofline> Create(const Options& options);

  int threads() const { return readers_->threads(); }
  uint64_t buffer_bytes() const { return buffer_.size(); }

  /// Bytes per second of streaming reads.
  double MeasureRead(double min_seconds);
  /// Operations per second of register-only loops; 0: the instruction set has none.
  double MeasurePeak(Arithmetic arithmetic, double min_seconds);

 private:
  Roofline(const Options& options, AlignedBuffer buffer);

  Options options_;
  AlignedBuffer buffer_;
  const Kernels* kernels_;
  std::unique_ptr<ThreadPool> readers_;
  volatile uint64_t checksum_ = 0;  // so that nothing is left out
};

}  // namespace emptor::engine
