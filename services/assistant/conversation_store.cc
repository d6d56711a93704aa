// A list of conversations by recency of use.
#include "services/assistant/conversation_store.h"

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

ConversationStore::ConversationStore(ConversationLimits limits, Clock clock)
    : limits_(limits), clock_(std::move(clock)) {}

void ConversationStore::Touch(Entry& entry) {
  entry.used = clock_();
  order_.splice(order_.end(), order_, entry.place);
}

ConversationStore::Conversation ConversationStore::Open(const std::string& id) {
  std::lock_guard lock(mutex_);
  const auto now = clock_();
  while (!order_.empty()) {
    const auto oldest = entries_.find(order_.front());
    const bool is_idle = now - oldest->second.used > limits_.idle;
    if (!is_idle && entries_.size() < limits_.conversations) break;
    if (!is_idle && oldest->first == id) break;
    entries_.erase(oldest);
    order_.pop_front();
  }
  if (const auto found = entries_.find(id); found != entries_.end()) {
    Touch(found->second);
    return {id, found->second.turns};
  }
  std::string fresh = "c_" + RandomId(16);
  order_.push_back(fresh);
  entries_.emplace(fresh, Entry{{}, now, std::prev(order_.end())});
  return {std::move(fresh), {}};
}

void ConversationStore::Append(const std::string& id, ConversationTurn turn) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  std::vector<ConversationTurn>& turns = found->second.turns;
  turns.push_back(std::move(turn));
  if (turns.size() > limits_.turns) turns.erase(turns.begin());
  Touch(found->second);
}

size_t ConversationStore::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace emptor::services
