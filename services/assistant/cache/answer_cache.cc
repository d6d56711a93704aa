// A map next to the policy that bounds it.
#include "services/assistant/cache/answer_cache.h"

#include <utility>

namespace emptor::services {
namespace {

void CountOutdated(Outdated why, AnswerCacheCounters& counters) {
  if (why == Outdated::kContent) ++counters.outdated_content;
  if (why == Outdated::kPrices) ++counters.outdated_prices;
  if (why == Outdated::kFaq) ++counters.outdated_faq;
  if (why == Outdated::kTime) ++counters.outdated_time;
}

}  // namespace

AnswerCache::AnswerCache(const AnswerCacheOptions& options,
                         std::shared_ptr<AnswerCacheCounters> counters)
    : options_(options),
      counters_(counters == nullptr ? std::make_shared<AnswerCacheCounters>() : counters),
      policy_({.max_bytes = options.max_bytes, .seed = options.seed}) {}

AnswerCache::~AnswerCache() {
  counters_->bytes -= noted_bytes_;
  counters_->entries -= noted_entries_;
}

AnswerCache::Found AnswerCache::Find(const AnswerKey& key, const ShopChanges& changes,
                                     int64_t now_unix) {
  const auto now = options_.now();
  std::shared_ptr<const CachedAnswer> dropped;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  policy_.Touch(key.hash());
  const auto found = entries_.find(key.hash());
  if (found == entries_.end() || found->second.key != key) return {};
  const std::shared_ptr<const CachedAnswer> answer = found->second.answer;
  const bool is_old = now - answer->made >= options_.ttl;
  const Outdated why = is_old ? Outdated::kTime : CheckBasis(answer->basis, changes, now_unix);
  if (why == Outdated::kNo) return {.fresh = answer, .stale = nullptr};
  CountOutdated(why, *counters_);
  dropped = answer;
  Erase(key.hash());
  NoteSize();
  if (is_old || !answer->is_of_model) return {};
  return {.fresh = nullptr, .stale = answer};
}

void AnswerCache::Put(const AnswerKey& key, std::shared_ptr<const CachedAnswer> answer) {
  const size_t bytes = RetainedBytes(*answer);
  std::vector<Entry> dropped;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto before = entries_.find(key.hash());
  if (before != entries_.end()) dropped.push_back(std::exchange(before->second, {}));
  entries_[key.hash()] = {key, std::move(answer)};
  ++counters_->stored;
  for (const uint64_t hash : policy_.Insert(key.hash(), bytes)) {
    ++(hash == key.hash() ? counters_->rejected : counters_->evicted);
    const auto gone = entries_.find(hash);
    dropped.push_back(std::move(gone->second));
    entries_.erase(gone);
  }
  NoteSize();
}

void AnswerCache::Drop(const AnswerKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key.hash());
  if (found == entries_.end() || found->second.key != key) return;
  Erase(key.hash());
  NoteSize();
}

void AnswerCache::Erase(uint64_t hash) {
  policy_.Erase(hash);
  entries_.erase(hash);
}

void AnswerCache::NoteSize() {
  const auto bytes = static_cast<int64_t>(policy_.bytes());
  const auto entries = static_cast<int64_t>(entries_.size());
  counters_->bytes += bytes - std::exchange(noted_bytes_, bytes);
  counters_->entries += entries - std::exchange(noted_entries_, entries);
}

void AnswerCache::Count(CacheOutcome outcome) {
  switch (outcome) {
    case CacheOutcome::kHit:
      ++counters_->hits;
      break;
    case CacheOutcome::kReused:
      ++counters_->reused;
      break;
    case CacheOutcome::kMiss:
      ++counters_->misses;
      break;
    case CacheOutcome::kBypass:
      ++counters_->bypasses;
      break;
  }
}

size_t AnswerCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return policy_.bytes();
}

size_t AnswerCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace emptor::services
