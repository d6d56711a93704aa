// A list of conversations by recency of use; the archive is read on a miss.
#include "services/assistant/dialogue/conversation_store.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace emptor::services {

std::string RandomId(size_t bytes) {
  thread_local std::random_device device;
  std::string id;
  while (id.size() < bytes * 2) id += fmt::format("{:08x}", device());
  id.resize(bytes * 2);
  return id;
}

ConversationStore::ConversationStore(ConversationLimits limits, Clock clock,
                                     std::shared_ptr<ConversationArchive> archive,
                                     std::shared_ptr<ConversationCounters> counters)
    : limits_(limits),
      clock_(std::move(clock)),
      archive_(std::move(archive)),
      counters_(std::move(counters)) {}

ConversationStore::~ConversationStore() {
  if (counters_ != nullptr) counters_->in_memory -= counted_;
}

void ConversationStore::Touch(Entry& entry) {
  entry.used = clock_();
  order_.splice(order_.end(), order_, entry.place);
}

void ConversationStore::Count() {
  const auto now = static_cast<int64_t>(entries_.size());
  if (counters_ != nullptr) counters_->in_memory += now - std::exchange(counted_, now);
}

/// Removes what is idle, and the oldest but `kept` while there is no room for one more.
void ConversationStore::RemoveOld(const std::string& kept) {
  const auto now = clock_();
  while (!order_.empty()) {
    const auto oldest = entries_.find(order_.front());
    const bool is_idle = now - oldest->second.used > limits_.idle;
    if (!is_idle && entries_.size() < limits_.conversations) break;
    if (!is_idle && oldest->first == kept) break;
    entries_.erase(oldest);
    order_.pop_front();
  }
}

std::string ConversationStore::Insert(std::string id, std::vector<ConversationTurn> turns) {
  order_.push_back(id);
  entries_.emplace(id, Entry{std::move(turns), clock_(), std::prev(order_.end())});
  Count();
  return id;
}

ConversationStore::Conversation ConversationStore::Open(const std::string& id) {
  std::optional<std::vector<ConversationTurn>> stored;
  {
    std::lock_guard lock(mutex_);
    RemoveOld(id);
    if (const auto found = entries_.find(id); found != entries_.end()) {
      Touch(found->second);
      return {id, found->second.turns};
    }
  }
  if (archive_ != nullptr && !id.empty()) stored = archive_->Find(id);
  std::lock_guard lock(mutex_);
  // Another request of the same conversation may have been faster.
  if (const auto found = entries_.find(id); found != entries_.end()) {
    return {id, found->second.turns};
  }
  // It may have been erased since it was read.
  if (stored && archive_->Contains(id)) {
    std::vector<ConversationTurn> turns = *stored;
    return {Insert(id, *std::move(stored)), std::move(turns)};
  }
  return {Insert("c_" + RandomId(16), {}), {}};
}

bool ConversationStore::Append(const std::string& id, ConversationTurn turn) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return false;
  std::vector<ConversationTurn>& turns = found->second.turns;
  turns.push_back(std::move(turn));
  if (turns.size() > limits_.turns) turns.erase(turns.begin());
  Touch(found->second);
  // Under the lock, so that the turns of two answers are queued in their order.
  if (archive_ != nullptr) archive_->Save(id, turns);
  return true;
}

absl::Status ConversationStore::Erase(const std::string& id) {
  {
    std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(id); found != entries_.end()) {
      order_.erase(found->second.place);
      entries_.erase(found);
      Count();
    }
    // Under the lock, so that no answer reads it back in between.
    if (archive_ != nullptr) archive_->Forget(id);
  }
  return archive_ == nullptr ? absl::OkStatus() : archive_->Flush();
}

size_t ConversationStore::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace emptor::services
