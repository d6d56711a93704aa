// The last turns of each conversation, in memory, to resolve "it" and "the second one".
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "services/assistant/query_understanding.h"

namespace emptor::services {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

struct ConversationLimits {
  size_t conversations = 10000;  // the least recently used one is dropped
  size_t turns = 8;              // of one conversation
  std::chrono::seconds idle{1800};
};

/// Thread-safety: any thread. Nothing is stored beyond the process.
class ConversationStore {
 public:
  ConversationStore(ConversationLimits limits, Clock clock);

  struct Conversation {
    std::string id;
    std::vector<ConversationTurn> turns;  // oldest first
  };
  /// The conversation of that id. A new one, under an id of 128 random bits, when the id is empty,
  /// unknown or expired: a client cannot choose an id.
  Conversation Open(const std::string& id);

  /// Adds a turn; does nothing when the conversation is gone.
  void Append(const std::string& id, ConversationTurn turn);

  size_t size() const;

 private:
  struct Entry {
    std::vector<ConversationTurn> turns;
    std::chrono::steady_clock::time_point used;
    std::list<std::string>::iterator place;
  };
  void Touch(Entry& entry);

  const ConversationLimits limits_;
  const Clock clock_;
  mutable std::mutex mutex_;
  std::list<std::string> order_;                    // least recently used first; guarded by mutex_
  std::unordered_map<std::string, Entry> entries_;  // guarded by mutex_
};

/// `bytes` random bytes as hex digits, from the system's generator.
std::string RandomId(size_t bytes);

}  // namespace emptor::services
