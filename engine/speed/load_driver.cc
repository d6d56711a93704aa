// One thread decides who asks and what starts; the engine's own thread says what came.
#include "engine/speed/load_driver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <random>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxTokens = 1 << 20;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// When the tokens of one answer came.
struct Track {
  double asked = 0;
  std::vector<std::pair<double, int>> pieces;  // time, tokens
};

int Longest(const std::vector<BatchingRequest>& requests, int BatchingRequest::*length) {
  int longest = 0;
  for (const BatchingRequest& request : requests) longest = std::max(longest, request.*length);
  return longest;
}

/// One pass of all requests through the engine.
class Driver {
 public:
  Driver(Engine& engine, const std::vector<BatchingRequest>& requests, const LoadPlan& plan)
      : engine_(engine),
        requests_(requests),
        plan_(plan),
        tracks_(requests.size()),
        random_(plan.seed) {
    const size_t users = plan.users > 0 ? static_cast<size_t>(plan.users) : requests.size();
    for (size_t i = 0; i < std::min(users, requests.size()); ++i) users_.push_back({.next = i});
  }
  // Callbacks point here, so all submitted requests must have ended.
  ~Driver() {
    for (const uint64_t handle : handles_) engine_.Cancel(handle);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ == handles_.size(); });
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  absl::Status Run() {
    while (true) {
      size_t ended = 0;
      {
        const std::lock_guard lock(mutex_);
        if (!failure_.ok() || ended_ == requests_.size()) return failure_;
        ended = ended_;
        Ask();
      }
      const absl::Status status = Start(ended);
      if (!status.ok()) return status;
      WaitForMore(ended);
    }
  }

  BatchingOutcome Outcome() const;

 private:
  struct User {
    size_t next = 0;     // request
    bool waits = false;  // for an answer
    double free_at = 0;  // when the last answer had come
  };

  double Now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// When the user asks next; never while an answer is pending or if no request is left.
  double AsksAt(const User& user) const {
    if (user.waits || user.next >= requests_.size()) return kNever;
    return std::max(requests_[user.next].at_seconds, user.free_at);
  }

  /// Queues the requests of all users that are due. REQUIRES: mutex_ is held.
  void Ask() {
    const double now = Now();
    const size_t before = asked_.size();
    for (User& user : users_) {
      const double at = AsksAt(user);
      if (at > now) continue;
      tracks_[user.next].asked = at;
      asked_.push_back(user.next);
      user.waits = true;
    }
    std::sort(asked_.begin() + static_cast<std::ptrdiff_t>(before), asked_.end());
  }

  /// Submits the requests that the batching mode allows.
  absl::Status Start(size_t ended) {
    size_t count = asked_.size();
    int input = 0, output = 0;
    const bool padded = plan_.batching != Batching::kContinuous;
    if (padded) {
      const auto batch = static_cast<size_t>(plan_.batch);
      const size_t full = std::min({batch, users_.size(), requests_.size() - handles_.size()});
      const size_t least = plan_.batching == Batching::kStaticFull ? full : 1;
      if (ended < handles_.size() || count < least) return absl::OkStatus();
      count = std::min(count, batch);
      for (size_t i = 0; i < count; ++i) {
        input = std::max(input, requests_[asked_[i]].input_tokens);
        output = std::max(output, requests_[asked_[i]].output_tokens);
      }
    }
    for (size_t i = 0; i < count; ++i) {
      const BatchingRequest& request = requests_[asked_[i]];
      const absl::Status status = Submit(asked_[i], padded ? input : request.input_tokens,
                                         padded ? output : request.output_tokens);
      if (!status.ok()) return status;
    }
    asked_.erase(asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(count));
    return absl::OkStatus();
  }

  /// Waits until more than these answers have ended, or a user is due.
  void WaitForMore(size_t ended) {
    std::unique_lock lock(mutex_);
    double due = kNever;
    for (const User& user : users_) due = std::min(due, AsksAt(user));
    const auto more = [this, ended] { return ended_ > ended; };
    if (due == kNever) {
      changed_.wait(lock, more);
    } else {
      const auto length = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(due));
      changed_.wait_until(lock, begin_ + length, more);
    }
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
      const std::lock_guard lock(mutex_);
      tracks_[index].pieces.push_back({Now(), static_cast<int>(piece.tokens.size())});
    };
    callbacks.on_end = [this, index](const GenerationEnd& end) {
      const std::lock_guard lock(mutex_);
      if (end.reason == FinishReason::kError && failure_.ok()) failure_ = end.status;
      ++ended_;
      User& user = users_[index % users_.size()];
      user = {.next = user.next + users_.size(), .free_at = Now()};
      changed_.notify_all();
    };
    auto handle = engine_.Submit(std::move(request), std::move(callbacks));
    if (!handle.ok()) return handle.status();
    handles_.push_back(*handle);
    return absl::OkStatus();
  }

  Engine& engine_;
  const std::vector<BatchingRequest>& requests_;
  const LoadPlan plan_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<uint64_t> handles_;
  std::vector<size_t> asked_;  // requests that have not been submitted yet
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<User> users_;    // guarded by mutex_
  std::vector<Track> tracks_;  // guarded by mutex_ until all have ended
  size_t ended_ = 0;           // guarded by mutex_
  absl::Status failure_;       // guarded by mutex_
  std::mt19937_64 random_;
};

BatchingOutcome Driver::Outcome() const {
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
    ttft.push_back(first - tracks_[i].asked);
    e2e.push_back(last - tracks_[i].asked);
    if (tokens > 1) tpot.push_back((last - first) / (tokens - 1));
  }
  outcome.ttft = Summarize(std::move(ttft));
  outcome.tpot = Summarize(std::move(tpot));
  outcome.e2e = Summarize(std::move(e2e));
  return outcome;
}

}  // namespace

absl::StatusOr<BatchingOutcome> DriveLoad(Engine& engine,
                                          const std::vector<BatchingRequest>& requests,
                                          const LoadPlan& plan) {
  Driver driver(engine, requests, plan);
  const absl::Status status = driver.Run();
  if (!status.ok()) return status;
  return driver.Outcome();
}

std::vector<BatchingRequest> AtRate(std::vector<BatchingRequest> requests, double rate,
                                    uint64_t seed) {
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

int LongestPadded(const std::vector<BatchingRequest>& requests) {
  return Longest(requests, &BatchingRequest::input_tokens) +
         Longest(requests, &BatchingRequest::output_tokens);
}

absl::Status CheckRequests(const std::vector<BatchingRequest>& requests) {
  const auto refuse = [](const char* field, int found) {
    return absl::InvalidArgumentError(
        fmt::format("bench engine: {}: out of range: {}", field, found));
  };
  if (requests.empty()) return refuse("requests", 0);
  for (const BatchingRequest& request : requests) {
    if (request.input_tokens < 1 || request.input_tokens > kMaxTokens) {
      return refuse("input tokens", request.input_tokens);
    }
    if (request.output_tokens < 1 || request.output_tokens > kMaxTokens) {
      return refuse("output tokens", request.output_tokens);
    }
  }
  return absl::OkStatus();
}

EngineOptions OptionsFor(const std::vector<BatchingRequest>& requests, int batch, int block_tokens,
                         int threads) {
  EngineOptions options;
  options.kv_block_tokens = block_tokens;
  options.kv_blocks = batch * (LongestPadded(requests) / block_tokens + 2);
  options.max_running = batch;
  options.max_waiting = static_cast<int>(requests.size()) + 1;
  options.max_waiting_tokens = std::numeric_limits<int>::max();
  options.threads = threads;
  return options;
}

absl::StatusOr<std::unique_ptr<Engine>> LoadFor(const std::string& path,
                                                const std::vector<BatchingRequest>& requests,
                                                const EngineOptions& options) {
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Load(path, options);
  if (!engine.ok()) return engine.status();
  const int tokens = LongestPadded(requests);
  const int context = (*engine)->model().context_length;
  if (tokens <= context) return engine;
  return absl::InvalidArgumentError(
      fmt::format("{}: bench engine: the longest prompt and answer together: expected at most {} "
                  "tokens, found {}",
                  path, context, tokens));
}

}  // namespace emptor::engine
