// The last turns of each conversation, to resolve "it" and "the second one": in memory, in front of
// an archive on disk where the service has one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "services/assistant/dialogue/conversation_archive.h"
#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

struct ConversationLimits {
  size_t conversations = 10000;  // the least recently used one is dropped
  size_t turns = 8;              // of one conversation
  std::chrono::seconds idle{1800};
};

/// Thread-safety: any thread. With an archive, what the limits remove from memory is read from
/// there again; without one it is gone, and nothing is stored beyond the process.
class ConversationStore {
 public:
  ConversationStore(ConversationLimits limits, Clock clock,
                    std::shared_ptr<ConversationArchive> archive = nullptr,
                    std::shared_ptr<ConversationCounters> counters = nullptr);
  ~ConversationStore();
  ConversationStore(const ConversationStore&) = delete;
  ConversationStore& operator=(const ConversationStore&) = delete;

  struct Conversation {
    std::string id;
    std::vector<ConversationTurn> turns;  // oldest first
    uint64_t erasures = 0;                // of the store before it was opened
  };
  /// The conversation of that id. An id of the client's own that is unknown begins one under that
  /// id; an id of ours that is unknown, expired or erased, and the empty id, begin one under a new
  /// id of 128 random bits.
  Conversation Open(const std::string& id);

  /// Adds a turn to what Open returned; the archive writes it later. False, and nothing is done,
  /// when that conversation is gone from memory: it was erased meanwhile, even if another one has
  /// its id by now, or pushed out.
  bool Append(const Conversation& conversation, ConversationTurn turn);

  /// Forgets a conversation and its traces, in memory and on disk. Blocks for the disk. Errors: of
  /// ConversationArchive::Flush.
  absl::Status Erase(const std::string& id);

  /// Null: nothing is stored.
  const std::shared_ptr<ConversationArchive>& archive() const { return archive_; }

  size_t size() const;

 private:
  struct Entry {
    std::vector<ConversationTurn> turns;
    std::chrono::steady_clock::time_point used;
    std::list<std::string>::iterator place;
    uint64_t erasures = 0;
  };
  // With mutex_ held:
  void Touch(Entry& entry);
  void RemoveOld(const std::string& kept);
  Conversation Insert(const std::string& id, std::vector<ConversationTurn> turns);
  void Count();

  const ConversationLimits limits_;
  const Clock clock_;
  const std::shared_ptr<ConversationArchive> archive_;
  const std::shared_ptr<ConversationCounters> counters_;
  mutable std::mutex mutex_;
  int64_t counted_ = 0;                             // guarded by mutex_
  uint64_t erasures_ = 0;                           // guarded by mutex_
  std::list<std::string> order_;                    // least recently used first; guarded by mutex_
  std::unordered_map<std::string, Entry> entries_;  // guarded by mutex_
};

/// `bytes` random bytes as hex digits, from the system's generator.
std::string RandomId(size_t bytes);

}  // namespace emptor::services
