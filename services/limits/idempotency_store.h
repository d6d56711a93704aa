// Answers to requests that named a key, so that the same request, sent again, is not done again
// (draft-ietf-httpapi-idempotency-key-header).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emptor::services {

/// Of the answers of a process. In memory: a restart forgets them.
struct IdempotencyLimits {
  size_t keys = 20000;
  size_t keys_of_caller = 1000;
  size_t bytes = 32u << 20;
  size_t answer_bytes = 256u << 10;  // a larger answer is not kept, but known to have been given
};

/// A caller's keys are its own. Beyond a limit, the
/// oldest answer is forgotten, of the caller or of all; a request that runs never is.
/// Thread-safety: any thread.
class IdempotencyStore {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  using Fingerprint = std::array<uint8_t, 32>;  // of the request

  IdempotencyStore(IdempotencyLimits limits, Clock clock)
      : limits_(limits), clock_(std::move(clock)) {}

  /// As the client was sent it.
  struct Answer {
    int status = 0;
    std::string content_type, body;
    std::vector<std::pair<std::string, std::string>> headers;
  };

  enum class Outcome {
    kNew,      // the request is the caller's to do, and to end with Keep or Release
    kRunning,  // the same request is under way
    kDone,     // it was answered
    kOther,    // the key named another request
    kTooMany,  // all that the caller may have are under way
  };
  struct Claimed {
    Outcome outcome = Outcome::kNew;
    std::shared_ptr<const Answer> answer;  // of kDone; null: it was too large to keep
  };
  Claimed Claim(const std::string& caller, const std::string& key, const Fingerprint& fingerprint);

  /// Keeps the answer for that time from now; null: one that was too large.
  void Keep(const std::string& caller, const std::string& key, std::shared_ptr<const Answer> answer,
            std::chrono::seconds time);
  /// Forgets the request: it was not done.
  void Release(const std::string& caller, const std::string& key);

  /// Keys that are known now.
  size_t size();

 private:
  struct Entry;
  using Entries = std::list<Entry>;
  struct Caller {
    std::unordered_map<std::string, Entries::iterator> by_key;
    std::list<Entries::iterator> order;  // oldest first
  };
  struct Entry {
    std::string caller, key;
    Fingerprint fingerprint;
    bool is_running = true;
    std::shared_ptr<const Answer> answer;
    std::chrono::steady_clock::time_point expires;
    size_t bytes = 0;
    std::list<Entries::iterator>::iterator place;  // in the order of its caller
  };
  // With mutex_ held:
  Entries::iterator Find(const std::string& caller, const std::string& key);
  void Forget(Entries::iterator entry);
  void ForgetExpired(std::chrono::steady_clock::time_point now);
  /// False: nothing is left that may be forgotten.
  bool ForgetOldest();
  bool ForgetOldestOf(const Caller& caller);

  const IdempotencyLimits limits_;
  const Clock clock_;
  std::mutex mutex_;
  Entries entries_;                                     // oldest first; guarded by mutex_
  std::unordered_map<std::string, Caller> callers_;     // guarded by mutex_
  size_t bytes_ = 0;                                    // guarded by mutex_
  std::chrono::steady_clock::time_point next_sweep_{};  // guarded by mutex_
};

}  // namespace emptor::services
