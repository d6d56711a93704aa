// Samples are interleaved: memory, decoding in every batch size, prompts, and again.
#include "engine/speed/speed_meter.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <span>
#include <utility>

#include "engine/kernels/thread_pool.h"
#include "engine/model/gguf_file.h"
#include "engine/model/tensor_parallel.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;
constexpr int kMaxStepTokens = 512;
constexpr int kMostSequences = kSpeedBatches.back();
constexpr uint64_t kUnknownCache = uint64_t{32} << 20;
constexpr int kReadChunks = 64;
constexpr size_t kReadUnit = 512;  // what sum_words wants

/// What the first core can reach, as the kernel tells it; the C library's figure adds up the caches
/// of a whole package on some processors.
uint64_t ThirdLevelCacheBytes() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  uint64_t kibibytes = 0;
  if (file >> kibibytes && file.get() == 'K') return kibibytes << 10;
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
}

/// Bytes of the matrices and norms that decoding one token reads whole.
uint64_t WeightBytes(const GgufFile& file) {
  const bool tied = file.FindTensor("output.weight") == nullptr;
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    if (tied || tensor.name != "token_embd.weight") bytes += tensor.bytes.size();
  }
  return bytes;
}

absl::Status CheckOptions(const SpeedOptions& options) {
  const auto refuse = [](std::string_view field, int found) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: {}: expected at least 1, found {}", field, found));
  };
  if (options.prompt < 1) return refuse("prompt", options.prompt);
  if (options.tokens < 1) return refuse("tokens", options.tokens);
  if (options.rounds < 1) return refuse("rounds", options.rounds);
  if (!HasIsa(options.isa)) {
    return absl::InvalidArgumentError(fmt::format("bench engine: isa: this machine has {}, not {}",
                                                  IsaName(DetectIsa()), IsaName(options.isa)));
  }
  return absl::OkStatus();
}

/// Seconds of the clock that the options want.
class Stopwatch {
 public:
  Stopwatch(bool processor_time, int threads)
      : threads_(processor_time ? threads : 0), begin_(Now()) {}
  double Seconds() const { return Now() - begin_; }

 private:
  double Now() const {
    if (threads_ > 0) {
      std::timespec time{};
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
      return (static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)) /
             threads_;
    }
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  }
  int threads_;  // 0: time on the wall
  double begin_;
};

/// A loaded model, its sequences and the buffer.
class Meter {
 public:
  Meter(const SpeedOptions& options, std::unique_ptr<Model> model, AlignedBuffer buffer)
      : options_(options),
        model_(std::move(model)),
        buffer_(std::move(buffer)),
        kernels_(KernelsFor(options.isa)),
        readers_(options.threads) {
    const int blocks = BlocksPerSequence(options);
    for (int i = 0; i < kMostSequences * blocks; ++i) blocks_.push_back(BlockId{i});
    for (int i = 0; i < options.prompt; ++i) {
      prompt_.push_back(static_cast<int32_t>(int64_t{i} * 7919 % model_->vocabulary_size()));
    }
    logits_.resize(static_cast<size_t>(model_->vocabulary_size()) * kMostSequences);
    std::memset(buffer_.data(), 1, buffer_.size());  // pages that were never written share one
  }

  static int BlocksPerSequence(const SpeedOptions& options) {
    return (options.prompt + options.tokens + kBlockTokens - 1) / kBlockTokens;
  }
  int threads() const { return readers_.threads(); }

  SpeedRound Round() {
    for (int i = 0; i < kMostSequences; ++i) Prompt(i);
    SpeedRound round;
    round.read_bytes = Rate(static_cast<double>(buffer_.size()), [this] { ReadBuffer(); });
    for (size_t i = 0; i < kSpeedBatches.size(); ++i) {
      const int sequences = kSpeedBatches[i];
      round.decode[i] = Rate(sequences * options_.tokens, [&] { Decode(sequences); });
    }
    round.prefill = Rate(options_.prompt, [this] { Prompt(0); });
    return round;
  }

 private:
  /// Units per second of fn, which does `units` each time.
  template <typename Fn>
  double Rate(double units, Fn fn) const {
    const Stopwatch watch(options_.processor_time, threads());
    double done = 0, seconds = 0;
    do {
      fn();
      done += units;
      seconds = watch.Seconds();
    } while (seconds < options_.min_seconds);
    return done / seconds;
  }

  void ReadBuffer() {
    std::array<uint64_t, kReadChunks> sums{};
    const size_t units = buffer_.size() / kReadUnit;
    const auto read = [&](int chunk) {
      const auto at = static_cast<size_t>(chunk);
      const size_t begin = units * at / kReadChunks * kReadUnit;
      const size_t end = units * (at + 1) / kReadChunks * kReadUnit;
      sums[at] = kernels_.sum_words(buffer_.data() + begin, end - begin);
    };
    readers_.ParallelFor(kReadChunks, std::ref(read));
    for (const uint64_t sum : sums) checksum_ = checksum_ + sum;
  }

  std::span<const BlockId> BlocksOf(int sequence) const {
    const auto count = blocks_.size() / kMostSequences;
    return std::span(blocks_).subspan(static_cast<size_t>(sequence) * count, count);
  }

  void Prompt(int sequence) {
    const std::span<const int32_t> tokens(prompt_);
    for (size_t at = 0; at < tokens.size(); at += kMaxStepTokens) {
      const size_t n = std::min<size_t>(kMaxStepTokens, tokens.size() - at);
      const bool last = at + n == tokens.size();
      const SequenceStep step{tokens.subspan(at, n), static_cast<int>(at), BlocksOf(sequence),
                              last};
      const size_t rows = last ? logits_.size() / kMostSequences : 0;
      model_->ComputeInto(std::span(&step, 1), std::span(logits_).first(rows));
    }
  }

  void Decode(int sequences) {
    std::vector<SequenceStep> steps;
    for (int i = 0; i < sequences; ++i) {
      steps.push_back({std::span(prompt_).first(1), options_.prompt, BlocksOf(i), true});
    }
    const size_t rows = logits_.size() / kMostSequences * static_cast<size_t>(sequences);
    for (int n = 0; n < options_.tokens; ++n) {
      model_->ComputeInto(steps, std::span(logits_).first(rows));
      for (SequenceStep& step : steps) ++step.position;
    }
  }

  const SpeedOptions options_;
  std::unique_ptr<Model> model_;
  AlignedBuffer buffer_;
  const Kernels& kernels_;
  ThreadPool readers_;
  std::vector<BlockId> blocks_;  // those of each sequence in a row
  std::vector<int32_t> prompt_;
  std::vector<float> logits_;
  volatile uint64_t checksum_ = 0;  // so that the reading is not left out
};

}  // namespace

double SpeedReport::MedianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

absl::StatusOr<SpeedReport> MeasureSpeed(const std::string& path, const SpeedOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  auto loaded = GgufFile::Load(path);
  if (!loaded.ok()) return loaded.status();
  const std::shared_ptr<const GgufFile> file = std::move(*loaded);
  auto model = CreateModel(file, {.blocks = kMostSequences * Meter::BlocksPerSequence(options),
                                  .block_tokens = kBlockTokens,
                                  .max_step_tokens = kMaxStepTokens,
                                  .threads = options.threads,
                                  .ranks = options.ranks,
                                  .pin = options.ranks > 1,
                                  .isa = options.isa,
                                  .release_file = true});
  if (!model.ok()) return model.status();
  if (options.prompt + options.tokens > (*model)->context_length()) {
    return file->Error("llama.context_length",
                       fmt::format("prompt and tokens: expected at most {}, found {}",
                                   (*model)->context_length(), options.prompt + options.tokens));
  }
  SpeedReport report;
  report.model = path;
  report.isa = options.isa;
  report.weight_bytes = WeightBytes(*file);
  report.cache_bytes = ThirdLevelCacheBytes();
  report.read_buffer_bytes = options.read_buffer_bytes;
  if (report.read_buffer_bytes == 0) {
    report.read_buffer_bytes = 8 * (report.cache_bytes > 0 ? report.cache_bytes : kUnknownCache);
  }
  report.read_buffer_bytes = (report.read_buffer_bytes + kReadUnit - 1) / kReadUnit * kReadUnit;
  auto buffer = AlignedBuffer::Allocate(report.read_buffer_bytes);
  if (!buffer.ok()) return buffer.status();
  Meter meter(options, std::move(*model), std::move(*buffer));
  report.threads = meter.threads();
  for (int i = 0; i < options.rounds; ++i) report.rounds.push_back(meter.Round());
  return report;
}

}  // namespace emptor::engine
