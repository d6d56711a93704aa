// The conversations of a shop: the last turns of each, to resolve "it" and "the second one", and
// what its shopper may see again. In memory, in front of an archive on disk where the service has
// one.
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
#include "services/assistant/dialogue/answer_activity.h"
#include "services/assistant/dialogue/conversation_archive.h"
#include "services/assistant/dialogue/conversation_record.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/unanswered_questions.h"

namespace emptor::services {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

struct ConversationLimits {
  size_t conversations = 10000;  // the least recently used one is dropped
  size_t turns = 8;              // of one conversation; without an archive also of its answers
  std::chrono::seconds idle{1800};
  std::chrono::seconds unanswered_age{24 * 3600};  // how long an unanswered question is kept
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
  /// id; an id of ours that is unknown, expired or erased, the empty id, and the id of another
  /// shopper's conversation begin one under a new id of 128 random bits. `owner`: the hash of the
  /// shopper's token; empty: it sends none. A conversation that begins belongs to the owner.
  Conversation Open(const std::string& id, const std::string& owner = "");

  /// Adds a turn to what Open returned, and the answer that the shopper saw; the archive writes it
  /// later. False, and nothing is done, when that conversation is gone from memory: it was erased
  /// meanwhile, even if another one has its id by now, or pushed out.
  bool Append(const Conversation& conversation, ConversationTurn turn,
              std::optional<ConversationAnswer> answer = std::nullopt);

  /// Forgets a conversation, its answers, traces and feedback, in memory and on disk. Blocks for
  /// the disk. Errors: of ConversationArchive::Flush.
  absl::Status Erase(const std::string& id);
  /// The same without blocking; `on_written` as in ConversationArchive::Forget.
  void Erase(const std::string& id, std::function<void(const absl::Status&)> on_written);

  // What a shopper may see: `owner` as in Open; another one's conversation is not there.

  struct Record {
    ConversationHead head;
    std::vector<ConversationAnswer> answers;  // oldest first; the oldest may be missing
  };
  std::optional<ConversationHead> FindHead(const std::string& id, const std::string& owner) const;
  std::optional<Record> Find(const std::string& id, const std::string& owner) const;
  bool HasAnswer(const std::string& id, const std::string& owner,
                 const std::string& answer_id) const;
  /// True when there is something of it that the owner may erase: the conversation, also before its
  /// first answer, or what is left of one that ended or was pushed out.
  bool HoldsAnything(const std::string& id, const std::string& owner) const;
  /// Changes the title, and nothing of its age. Nothing: there is no such conversation.
  std::optional<ConversationHead> Rename(const std::string& id, const std::string& owner,
                                         const std::string& title);
  struct Listed {
    std::string id;
    ConversationHead head;
  };
  /// At most `limit` of the owner's conversations, the latest used first, after the one of the id
  /// `after` (empty: from the beginning; unknown: nothing). An empty owner has none.
  std::vector<Listed> List(const std::string& owner, const std::string& after, size_t limit) const;

  /// Null: nothing is stored.
  const std::shared_ptr<ConversationArchive>& archive() const { return archive_; }

  /// What shoppers did after answers of this shop, since it was opened.
  AnswerActivity& activity() { return activity_; }

  /// What this shop had no answer to, since it was opened.
  UnansweredQuestions& unanswered() { return unanswered_; }
  /// Of what Open returned, or of no conversation where its id is empty. Masks the text. The
  /// question is only counted, not kept, when Append would do nothing.
  void NoteUnanswered(const Conversation& conversation, UnansweredQuestion question);

  size_t size() const;

 private:
  struct Entry {
    std::vector<ConversationTurn> turns;
    ConversationHead head;
    std::vector<ConversationAnswer> answers;  // where there is no archive
    std::chrono::steady_clock::time_point used;
    std::list<std::string>::iterator place;
    uint64_t erasures = 0;
  };
  // With mutex_ held:
  void Touch(Entry& entry);
  void RemoveOld(const std::string& kept);
  Conversation Insert(const std::string& id, ConversationHead head,
                      std::vector<ConversationTurn> turns);
  void Forget(const std::string& id);
  Entry* FindOpened(const Conversation& conversation);
  const Entry* FindEntry(const std::string& id) const;
  std::optional<ConversationHead> ReadHead(const std::string& id) const;  // without mutex_
  void Count();

  const ConversationLimits limits_;
  const Clock clock_;
  const std::shared_ptr<ConversationArchive> archive_;
  const std::shared_ptr<ConversationCounters> counters_;
  AnswerActivity activity_;
  UnansweredQuestions unanswered_;
  mutable std::mutex mutex_;
  int64_t counted_ = 0;                             // guarded by mutex_
  uint64_t erasures_ = 0;                           // guarded by mutex_
  std::list<std::string> order_;                    // least recently used first; guarded by mutex_
  std::unordered_map<std::string, Entry> entries_;  // guarded by mutex_
};

/// `bytes` random bytes as hex digits, from the system's generator.
std::string RandomId(size_t bytes);

}  // namespace emptor::services
