// Both ways drive the engine through its front door; they differ in when they submit, and what.
#include "engine/speed/batching_meter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <random>
#include <utility>

#include "engine/engine.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;
constexpr int kMostTokens = 1 << 20;

/// When the tokens of one answer came.
struct Track {
  std::vector<std::pair<double, int>> pieces;  // time, tokens
  bool ended = false;
};

int Longest(const std::vector<BatchingRequest>& requests, int BatchingRequest::*length) {
  int longest = 0;
  for (const BatchingRequest& request : requests) longest = std::max(longest, request.*length);
  return longest;
}

absl::Status CheckOptions(const BatchingOptions& options) {
  const auto refuse = [](const char* field, double found) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: batching: {}: out of range: {}", field, found));
  };
  if (options.requests.empty()) return refuse("requests", 0);
  if (options.batch < 1 || options.batch > 1024) return refuse("batch", options.batch);
  if (!(options.load > 0 && options.load <= 10)) return refuse("load", options.load);
  for (const BatchingRequest& request : options.requests) {
    if (request.input_tokens < 1 || request.input_tokens > kMostTokens) {
      return refuse("input tokens", request.input_tokens);
    }
    if (request.output_tokens < 1 || request.output_tokens > kMostTokens) {
      return refuse("output tokens", request.output_tokens);
    }
  }
  return absl::OkStatus();
}

/// One pass of all requests through the engine.
class Pass {
 public:
  Pass(Engine& engine, const std::vector<BatchingRequest>& requests, uint64_t seed)
      : engine_(engine), requests_(requests), tracks_(requests.size()), random_(seed) {}
  // Callbacks point here: what was submitted must have ended.
  ~Pass() {
    for (const uint64_t handle : handles_) engine_.Cancel(handle);
    Wait([this] { return ended_ == handles_.size(); });
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  absl::Status RunContinuous() {
    for (size_t i = 0; i < requests_.size(); ++i) {
      WaitUntil(requests_[i].at_seconds);
      const absl::Status status = Submit(i, requests_[i].input_tokens, requests_[i].output_tokens);
      if (!status.ok()) return status;
    }
    Wait([this] { return ended_ == requests_.size(); });
    return failure_;
  }

  absl::Status RunStatic(size_t batch) {
    for (size_t begin = 0; begin < requests_.size();) {
      WaitUntil(requests_[begin].at_seconds);
      size_t end = begin;
      int input = 0, output = 0;
      while (end < requests_.size() && end - begin < batch && requests_[end].at_seconds <= Now()) {
        input = std::max(input, requests_[end].input_tokens);
        output = std::max(output, requests_[end].output_tokens);
        ++end;
      }
      for (size_t i = begin; i < end; ++i) {
        const absl::Status status = Submit(i, input, output);
        if (!status.ok()) return status;
      }
      Wait([this, end] { return ended_ == end; });
      begin = end;
    }
    return failure_;
  }

  BatchingOutcome Outcome() const {
    BatchingOutcome outcome;
    std::vector<double> ttft, tpot, e2e;
    for (size_t i = 0; i < requests_.size(); ++i) {
      const int wanted = requests_[i].output_tokens;
      int tokens = 0;
      double first = 0, last = 0;
      for (const auto& [time, count] : tracks_[i].pieces) {
        if (tokens >= wanted) break;
        if (tokens == 0) first = time;
        tokens += count;
        last = time;
      }
      if (tokens == 0) continue;
      tokens = std::min(tokens, wanted);
      outcome.output_tokens += tokens;
      outcome.seconds = std::max(outcome.seconds, last);
      ttft.push_back(first - requests_[i].at_seconds);
      e2e.push_back(last - requests_[i].at_seconds);
      if (tokens > 1) tpot.push_back((last - first) / (tokens - 1));
    }
    outcome.ttft = Summarize(std::move(ttft));
    outcome.tpot = Summarize(std::move(tpot));
    outcome.e2e = Summarize(std::move(e2e));
    return outcome;
  }

 private:
  double Now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  template <typename Predicate>
  void Wait(Predicate predicate) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, predicate);
  }

  void WaitUntil(double seconds) {
    std::unique_lock lock(mutex_);
    const auto due = begin_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                  std::chrono::duration<double>(seconds));
    changed_.wait_until(lock, due, [&] { return Now() >= seconds; });
  }

  absl::Status Submit(size_t index, int input, int output) {
    GenerationRequest request;
    for (int i = 0; i < input; ++i) {  // no two prompts begin alike: no cache helps
      request.prompt_tokens.push_back(
          static_cast<int32_t>(random_() % static_cast<uint64_t>(engine_.model().vocabulary)));
    }
    request.max_tokens = output;
    request.sampling.ignore_end = true;
    GenerationCallbacks callbacks;
    callbacks.on_text = [this, index](const TextPiece& piece) {
      std::lock_guard lock(mutex_);
      tracks_[index].pieces.push_back({Now(), static_cast<int>(piece.tokens.size())});
    };
    callbacks.on_end = [this](const GenerationEnd& end) {
      std::lock_guard lock(mutex_);
      if (end.reason == FinishReason::kError && failure_.ok()) failure_ = end.status;
      ++ended_;
      changed_.notify_all();
    };
    auto handle = engine_.Submit(std::move(request), std::move(callbacks));
    if (!handle.ok()) return handle.status();
    handles_.push_back(*handle);
    return absl::OkStatus();
  }

  Engine& engine_;
  const std::vector<BatchingRequest>& requests_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<uint64_t> handles_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Track> tracks_;  // guarded by mutex_ until all have ended
  size_t ended_ = 0;           // guarded by mutex_
  absl::Status failure_;       // guarded by mutex_
  std::mt19937_64 random_;
};

std::vector<BatchingRequest> At(std::vector<BatchingRequest> requests, double rate, uint64_t seed) {
  std::mt19937_64 random(seed);
  double at = 0;
  for (BatchingRequest& request : requests) {
    if (rate > 0) {
      const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
      at -= std::log(1 - unit) / rate;
    }
    request.at_seconds = at;
  }
  return requests;
}

/// Continuous, then static, on the same arrivals.
absl::Status MeasureBoth(Engine& engine, const std::vector<BatchingRequest>& requests,
                         const BatchingOptions& options, BatchingOutcome& continuous,
                         BatchingOutcome& fixed) {
  {
    Pass pass(engine, requests, options.seed);
    if (absl::Status status = pass.RunContinuous(); !status.ok()) return status;
    continuous = pass.Outcome();
  }
  Pass pass(engine, requests, options.seed + 1);
  const absl::Status status = pass.RunStatic(static_cast<size_t>(options.batch));
  if (status.ok()) fixed = pass.Outcome();
  return status;
}

}  // namespace

absl::StatusOr<BatchingReport> MeasureBatching(const std::string& path,
                                               const BatchingOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  const int tokens = Longest(options.requests, &BatchingRequest::input_tokens) +
                     Longest(options.requests, &BatchingRequest::output_tokens);
  EngineOptions engine_options;
  engine_options.kv_block_tokens = kBlockTokens;
  engine_options.kv_blocks = options.batch * (tokens / kBlockTokens + 2);
  engine_options.max_running = options.batch;
  engine_options.max_waiting = static_cast<int>(options.requests.size()) + 1;
  engine_options.threads = options.threads;
  auto engine = Engine::Load(path, engine_options);
  if (!engine.ok()) return engine.status();
  BatchingReport report;
  report.model = path;
  report.batch = options.batch;
  report.requests = options.requests.size();
  if (tokens > (*engine)->model().context_length) {
    return absl::InvalidArgumentError(
        fmt::format("{}: batching: the longest prompt and answer together: expected at most {} "
                    "tokens, found {}",
                    path, (*engine)->model().context_length, tokens));
  }
  absl::Status status = MeasureBoth(**engine, At(options.requests, 0, 0), options,
                                    report.continuous_full, report.static_full);
  if (!status.ok()) return status;
  report.rate = options.load * static_cast<double>(report.requests) / report.static_full.seconds;
  status = MeasureBoth(**engine, At(options.requests, report.rate, options.seed), options,
                       report.continuous_stream, report.static_stream);
  if (!status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
