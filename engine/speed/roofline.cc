// Threads that read one buffer, or turn in their registers.
#include "engine/speed/roofline.h"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace emptor::engine {
namespace {

constexpr uint64_t kUnknownCache = uint64_t{32} << 20;
constexpr int kReadChunks = 64;
constexpr size_t kReadUnit = 512;             // what sum_words wants
constexpr int64_t kPeakIterations = 200'000;  // some milliseconds

}  // namespace

// The cache of the first core, as the kernel reports it; the C library's figure adds up the caches
// of a whole package on some processors.
uint64_t ThirdLevelCacheBytes() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  uint64_t kibibytes = 0;
  if (file >> kibibytes && file.get() == 'K') return kibibytes << 10;
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
}

Stopwatch::Stopwatch(bool processor_time, int threads)
    : threads_(processor_time ? threads : 0), begin_(Now()) {}

double Stopwatch::Now() const {
  if (threads_ > 0) {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)) / threads_;
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

absl::StatusOr<Roofline> Roofline::Create(const Options& options) {
  uint64_t bytes = options.buffer_bytes;
  if (bytes == 0) {
    const uint64_t cache = ThirdLevelCacheBytes();
    bytes = 8 * (cache > 0 ? cache : kUnknownCache);
  }
  bytes = (bytes + kReadUnit - 1) / kReadUnit * kReadUnit;
  auto buffer = AlignedBuffer::Allocate(bytes);
  if (!buffer.ok()) return buffer.status();
  std::memset(buffer->data(), 1, buffer->size());  // pages that were never written share one
  return Roofline(options, std::move(*buffer));
}

Roofline::Roofline(const Options& options, AlignedBuffer buffer)
    : options_(options),
      buffer_(std::move(buffer)),
      kernels_(&KernelsFor(options.isa)),
      readers_(std::make_unique<ThreadPool>(options.threads)) {}

double Roofline::MeasureRead(double min_seconds) {
  std::vector<uint64_t> sums(kReadChunks);
  const size_t units = buffer_.size() / kReadUnit;
  const std::function<void(int)> read = [&](int chunk) {
    const auto at = static_cast<size_t>(chunk);
    const size_t begin = units * at / kReadChunks * kReadUnit;
    const size_t end = units * (at + 1) / kReadChunks * kReadUnit;
    sums[at] = kernels_->sum_words(buffer_.data() + begin, end - begin);
  };
  const Stopwatch watch(options_.processor_time, threads());
  return watch.Rate(static_cast<double>(buffer_.size()), min_seconds, [&] {
    readers_->ParallelFor(kReadChunks, read);
    for (const uint64_t sum : sums) checksum_ = checksum_ + sum;
  });
}

double Roofline::MeasurePeak(Arithmetic arithmetic, double min_seconds) {
  const PeakLoop loop = PeakLoopFor(options_.isa, arithmetic);
  if (loop.run == nullptr) return 0;
  std::vector<float> results(static_cast<size_t>(threads()));
  const std::function<void(int)> turn = [&](int chunk) {
    results[static_cast<size_t>(chunk)] = loop.run(kPeakIterations);
  };
  const auto operations = static_cast<double>(loop.operations * kPeakIterations * threads());
  const Stopwatch watch(options_.processor_time, threads());
  return watch.Rate(operations, min_seconds, [&] {
    readers_->ParallelFor(threads(), turn);
    for (const float result : results) checksum_ = checksum_ + (result > 0 ? 1 : 0);
  });
}

}  // namespace emptor::engine
