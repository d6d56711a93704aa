// Conversations that the client keeps: it sends all earlier messages with each question, and the
// state that they lead to is looked up, or made again.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services {

/// A turn as the client tells it. Only the question is ever read; the answer tells histories apart.
struct HistoryTurn {
  std::string question, answer;
};

/// The latest turns of a history that are made again; what only earlier ones said is forgotten.
inline constexpr size_t kMaxReplayedTurns = 8;

/// Identifies each beginning of a history: element n stands for its first n turns, so there is one
/// more than turns. 128 bits of SHA-256: no client can find another history of the same hash.
/// `salt`: what else the state depends on. Blanks at the end of an answer do not count. Pure.
std::vector<std::string> HashHistory(std::string_view salt, std::span<const HistoryTurn> history);

/// Hash of a history that is one turn longer than that of `before`.
std::string ExtendHash(std::string_view before, const HistoryTurn& turn);

/// The states after answers that were given, by the hash of the history. A state is found only with
/// the exact text of every question and answer, and is copied, never shared: two clients with equal
/// histories cannot see each other's next turns. In memory alone.
/// Thread-safety: any thread.
class HistoryStates {
 public:
  struct Limits {
    size_t states = 2000;  // the least recently stored one is dropped
    std::chrono::seconds idle{1800};
  };
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  explicit HistoryStates(
      Limits limits, Now now = [] { return std::chrono::steady_clock::now(); });
  HistoryStates() : HistoryStates(Limits()) {}

  struct Found {
    size_t turns = 0;  // of the history that `state` covers; 0: none is known
    std::vector<ConversationTurn> state;
  };
  /// The longest known beginning. `hashes`: of HashHistory.
  Found FindLongest(std::span<const std::string> hashes) const;
  void Put(const std::string& hash, std::vector<ConversationTurn> state);

 private:
  struct Entry {
    std::vector<ConversationTurn> state;
    std::chrono::steady_clock::time_point stored;
    std::list<std::string>::iterator place;
  };

  const Limits limits_;
  const Now now_;
  mutable std::mutex mutex_;
  std::list<std::string> order_;                    // oldest first; guarded by mutex_
  std::unordered_map<std::string, Entry> entries_;  // guarded by mutex_
};

}  // namespace emptor::services
