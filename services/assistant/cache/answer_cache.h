// Answers of one shop that may be given again, bounded in bytes and time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "retrieval/cache/tiny_lfu.h"
#include "services/assistant/cache/answer_key.h"
#include "services/assistant/cache/cached_answer.h"

namespace emptor::services {

/// What became of a question that a cache was asked for.
enum class CacheOutcome {
  kHit,
  kReused,  // chosen again, and the model's text is the one that was kept
  kMiss,
  kBypass,  // it is no first question, it is personal, or the client wants a fresh answer
};

/// Of the caches of all shops. Thread-safety: any thread.
struct AnswerCacheCounters {
  std::atomic<uint64_t> hits{0}, reused{0}, misses{0}, bypasses{0};
  std::atomic<uint64_t> stored{0};
  std::atomic<uint64_t> evicted{0};   // for others
  std::atomic<uint64_t> rejected{0};  // not admitted
  std::atomic<uint64_t> outdated_content{0}, outdated_prices{0}, outdated_faq{0}, outdated_time{0};
  std::atomic<int64_t> bytes{0}, entries{0};
};

struct AnswerCacheOptions {
  size_t max_bytes = 8u << 20;
  std::chrono::seconds ttl{600};
  uint64_t seed = 0;
  std::function<std::chrono::steady_clock::time_point()> now = [] {
    return std::chrono::steady_clock::now();
  };
};

/// One shop's cache: another shop's questions change neither its content nor its timing.
/// Thread-safety: any thread; answers are immutable and shared.
class AnswerCache {
 public:
  /// Without `counters` nothing is counted.
  explicit AnswerCache(const AnswerCacheOptions& options,
                       std::shared_ptr<AnswerCacheCounters> counters = nullptr);
  ~AnswerCache();
  AnswerCache(const AnswerCache&) = delete;
  AnswerCache& operator=(const AnswerCache&) = delete;

  struct Found {
    std::shared_ptr<const CachedAnswer> fresh;  // its choice holds
    /// Of a model's text whose choice may be another by now: of use where it turns out the same.
    std::shared_ptr<const CachedAnswer> stale;
  };
  /// At most one of the two. What is too old, or stale without a model's text, is dropped.
  Found Find(const AnswerKey& key, const ShopChanges& changes, int64_t now_unix);
  /// Replaces what was kept under the key. May keep nothing (TinyLfu).
  void Put(const AnswerKey& key, std::shared_ptr<const CachedAnswer> answer);
  void Drop(const AnswerKey& key);
  void Count(CacheOutcome outcome);

  std::chrono::steady_clock::time_point Now() const { return options_.now(); }
  size_t bytes() const;
  size_t size() const;

 private:
  struct Entry {
    AnswerKey key;
    std::shared_ptr<const CachedAnswer> answer;
  };
  void Erase(uint64_t hash);  // with mutex_ held
  void NoteSize();            // with mutex_ held

  const AnswerCacheOptions options_;
  const std::shared_ptr<AnswerCacheCounters> counters_;
  mutable std::mutex mutex_;
  retrieval::TinyLfu policy_;                    // guarded by mutex_
  std::unordered_map<uint64_t, Entry> entries_;  // those of policy_; guarded by mutex_
  int64_t noted_bytes_ = 0, noted_entries_ = 0;  // in counters_; guarded by mutex_
};

}  // namespace emptor::services
