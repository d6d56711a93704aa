// A list of conversations by recency of use; the archive is read on a miss.
#include "services/assistant/dialogue/conversation_store.h"

#include <fmt/format.h>

#include <random>
#include <string_view>
#include <utility>

namespace emptor::services {
namespace {

constexpr std::string_view kPrefix = "c_";
constexpr size_t kRandomBytes = 16;

/// Of the form that Open gives.
bool IsOurs(std::string_view id) {
  return id.size() == kPrefix.size() + 2 * kRandomBytes && id.starts_with(kPrefix);
}

}  // namespace

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

ConversationStore::Conversation ConversationStore::Insert(const std::string& id,
                                                          std::vector<ConversationTurn> turns) {
  order_.push_back(id);
  const Entry& entry =
      entries_.emplace(id, Entry{std::move(turns), clock_(), std::prev(order_.end()), erasures_})
          .first->second;
  Count();
  return {id, entry.turns, entry.erasures};
}

ConversationStore::Conversation ConversationStore::Open(const std::string& id) {
  std::optional<std::vector<ConversationTurn>> stored;
  {
    std::lock_guard lock(mutex_);
    RemoveOld(id);
    if (const auto found = entries_.find(id); found != entries_.end()) {
      Touch(found->second);
      return {id, found->second.turns, found->second.erasures};
    }
  }
  if (archive_ != nullptr && !id.empty()) stored = archive_->Find(id);
  std::lock_guard lock(mutex_);
  // Another request of the same conversation may have been faster.
  if (const auto found = entries_.find(id); found != entries_.end()) {
    return {id, found->second.turns, found->second.erasures};
  }
  // It may have been erased since it was read.
  if (stored && archive_->Contains(id)) return Insert(id, *std::move(stored));
  const bool is_new = id.empty() || IsOurs(id);
  return Insert(is_new ? std::string(kPrefix) + RandomId(kRandomBytes) : id, {});
}

bool ConversationStore::Append(const Conversation& conversation, ConversationTurn turn) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(conversation.id);
  if (found == entries_.end() || found->second.erasures != conversation.erasures) return false;
  std::vector<ConversationTurn>& turns = found->second.turns;
  turns.push_back(std::move(turn));
  if (turns.size() > limits_.turns) turns.erase(turns.begin());
  Touch(found->second);
  // Under the lock, so that the turns of two answers are queued in their order.
  if (archive_ != nullptr) archive_->Save(conversation.id, turns);
  return true;
}

absl::Status ConversationStore::Erase(const std::string& id) {
  {
    std::lock_guard lock(mutex_);
    ++erasures_;
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
