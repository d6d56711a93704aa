// Keys by caller, oldest first out.
#include "services/limits/idempotency_store.h"

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

/// Between two looks at all entries.
constexpr std::chrono::seconds kSweep{5};
/// Of an entry without its texts.
constexpr size_t kEntryBytes = 300;

size_t BytesOf(const IdempotencyStore::Answer& answer) {
  size_t bytes = answer.content_type.size() + answer.body.size();
  for (const auto& [name, value] : answer.headers) bytes += name.size() + value.size();
  return bytes;
}

}  // namespace

IdempotencyStore::Entries::iterator IdempotencyStore::Find(const std::string& caller,
                                                           const std::string& key) {
  const auto of_caller = callers_.find(caller);
  if (of_caller == callers_.end()) return entries_.end();
  const auto found = of_caller->second.by_key.find(key);
  return found == of_caller->second.by_key.end() ? entries_.end() : found->second;
}

void IdempotencyStore::Forget(Entries::iterator entry) {
  const auto caller = callers_.find(entry->caller);
  caller->second.order.erase(entry->place);
  caller->second.by_key.erase(entry->key);
  if (caller->second.order.empty()) callers_.erase(caller);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
}

void IdempotencyStore::ForgetExpired(std::chrono::steady_clock::time_point now) {
  if (now < next_sweep_) return;
  next_sweep_ = now + kSweep;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto each = entry++;
    if (!each->is_running && each->expires <= now) Forget(each);
  }
}

bool IdempotencyStore::ForgetOldest() {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) { return !entry.is_running; });
  if (found == entries_.end()) return false;
  Forget(found);
  return true;
}

bool IdempotencyStore::ForgetOldestOf(const Caller& caller) {
  const auto found = std::find_if(caller.order.begin(), caller.order.end(),
                                  [](const auto& entry) { return !entry->is_running; });
  if (found == caller.order.end()) return false;
  Forget(*found);
  return true;
}

IdempotencyStore::Claimed IdempotencyStore::Claim(const std::string& caller, const std::string& key,
                                                  const Fingerprint& fingerprint) {
  const auto now = clock_();
  const std::lock_guard lock(mutex_);
  ForgetExpired(now);
  if (const auto found = Find(caller, key); found != entries_.end()) {
    if (!found->is_running && found->expires <= now) {
      Forget(found);
    } else if (found->fingerprint != fingerprint) {
      return {Outcome::kOther, nullptr};
    } else {
      return {found->is_running ? Outcome::kRunning : Outcome::kDone, found->answer};
    }
  }
  const auto known = callers_.find(caller);
  const bool is_full =
      known != callers_.end() && known->second.order.size() >= limits_.keys_of_caller;
  if (is_full && !ForgetOldestOf(known->second)) return {Outcome::kTooMany, nullptr};
  if (entries_.size() >= limits_.keys && !ForgetOldest()) return {Outcome::kTooMany, nullptr};
  Entry entry{caller, key, fingerprint, true, nullptr, {}, 0, {}};
  entry.bytes = kEntryBytes + 2 * (caller.size() + key.size());
  bytes_ += entry.bytes;
  const auto added = entries_.insert(entries_.end(), std::move(entry));
  Caller& of_caller = callers_[caller];
  added->place = of_caller.order.insert(of_caller.order.end(), added);
  of_caller.by_key.emplace(key, added);
  return {Outcome::kNew, nullptr};
}

void IdempotencyStore::Keep(const std::string& caller, const std::string& key,
                            std::shared_ptr<const Answer> answer, std::chrono::seconds time) {
  const auto now = clock_();
  const size_t bytes = answer == nullptr ? 0 : BytesOf(*answer);
  if (bytes > limits_.answer_bytes) return Keep(caller, key, nullptr, time);
  const std::lock_guard lock(mutex_);
  const auto found = Find(caller, key);
  if (found == entries_.end() || !found->is_running) return;
  found->is_running = false;
  found->answer = std::move(answer);
  found->expires = now + time;
  found->bytes += bytes;
  bytes_ += bytes;
  while (bytes_ > limits_.bytes && ForgetOldest()) {
  }
}

void IdempotencyStore::Release(const std::string& caller, const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = Find(caller, key);
  if (found != entries_.end() && found->is_running) Forget(found);
}

size_t IdempotencyStore::size() {
  const auto now = clock_();
  const std::lock_guard lock(mutex_);
  ForgetExpired(now);
  return entries_.size();
}

}  // namespace emptor::services
