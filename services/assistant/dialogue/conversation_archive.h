// The conversations of one shop on disk, with their answers, traces and feedback: they survive a
// restart, end by age or number, and are erased on request. Format: docs/formats/conversation.md.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/assistant/dialogue/conversation_codec.h"
#include "services/assistant/dialogue/conversation_record.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/unanswered_questions.h"

namespace leveldb {
class Env;
}

namespace emptor::services {

/// Over all shops of a process, for metrics.
struct ConversationCounters {
  std::atomic<int64_t> in_memory{0}, stored{0}, trace_bytes{0}, answer_bytes{0}, feedback{0};
  std::atomic<uint64_t> loaded{0};         // read from disk, after a restart or a long pause
  std::atomic<uint64_t> expired{0};        // by age or number
  std::atomic<uint64_t> erased{0};         // on request
  std::atomic<uint64_t> dropped{0};        // damaged values, and those of another shop
  std::atomic<uint64_t> failed_writes{0};  // batches
  std::array<std::atomic<uint64_t>, kUnansweredKinds> unanswered{};  // questions, by kind
};

struct ArchiveOptions {
  std::string directory;  // of its own
  std::string shop;       // values of another shop are dropped
  /// A conversation ends when it was not used for this long; a trace when it is this old.
  std::chrono::seconds idle = std::chrono::hours(24);
  size_t max_conversations = 20000;        // the least recently used one is dropped
  uint64_t max_trace_bytes = 0;            // the oldest trace is dropped; 0: no trace is kept
  uint64_t max_answer_bytes = 256u << 20;  // the oldest answer is dropped
  size_t max_answers = 200;                // of one conversation; the oldest is dropped
  size_t max_feedback = 10000;             // the oldest one is dropped
  std::chrono::seconds feedback_age = std::chrono::hours(24 * 90);
  /// Erased values leave the files by rewriting the store, at most this often.
  std::chrono::seconds compaction_gap{20};
  std::function<int64_t()> now_unix;
  std::shared_ptr<ConversationCounters> counters = std::make_shared<ConversationCounters>();
  /// Reports damaged values and failed writes, from any thread. No text of a shopper. May be empty.
  std::function<void(const absl::Status&)> on_problem = {};
  leveldb::Env* env = nullptr;  // borrowed, outlives it; null: the file system
};

/// Writes are queued and synced by one thread of its own, many at once: Save and SaveTrace cost
/// microseconds. kill -9 loses what was queued in the last milliseconds, never more.
/// Thread-safety: any thread. The destructor writes what is queued.
class ConversationArchive {
 public:
  /// Damaged values are dropped and reported. A damaged database is deleted, reported and begun
  /// again: a conversation is worth less than a shop that starts. Errors: kUnavailable (in use by
  /// another process, I/O), kFailedPrecondition (a newer version), kResourceExhausted (disk full).
  /// Cost: two scans; 20,000 conversations of 8 turns take 0.7 s.
  static absl::StatusOr<std::unique_ptr<ConversationArchive>> Open(const ArchiveOptions& options);
  ~ConversationArchive();
  ConversationArchive(const ConversationArchive&) = delete;
  ConversationArchive& operator=(const ConversationArchive&) = delete;

  /// The turns, oldest first. Nothing for an id that is unknown, expired or erased.
  std::optional<std::vector<ConversationTurn>> Find(const std::string& id) const;
  std::optional<StoredConversation> FindConversation(const std::string& id) const;
  bool Contains(const std::string& id) const;
  /// Also when only traces or feedback are left of it.
  bool HoldsAnything(const std::string& id) const;
  /// `head.used_unix` 0: now.
  void Save(const std::string& id, const std::vector<ConversationTurn>& turns,
            ConversationHead head = {});
  /// Answer number `number` of a conversation that is stored; larger than kMaxStoredAnswerBytes:
  /// not kept.
  void SaveAnswer(const std::string& conversation_id, uint32_t number,
                  const ConversationAnswer& answer);
  /// Those that are kept, oldest first.
  std::vector<ConversationAnswer> FindAnswers(const std::string& conversation_id) const;
  /// Ids of the owner's conversations, the latest used first.
  std::vector<std::string> ListOwned(const std::string& owner) const;

  /// Replaces an earlier one of the same answer.
  void SaveFeedback(const AnswerFeedback& feedback);
  std::optional<AnswerFeedback> FindFeedback(const std::string& conversation_id,
                                             const std::string& answer_id) const;
  /// The latest first.
  std::vector<AnswerFeedback> ListFeedback(size_t limit) const;

  ConversationCounters& counters() const { return *options_.counters; }
  bool keeps_traces() const { return options_.max_trace_bytes > 0; }
  /// `trace`: the bytes of an AnswerTrace (answer_trace.h). Not kept where the conversation was
  /// erased, or is not stored; `conversation_id` is empty where the client keeps the conversation.
  void SaveTrace(const std::string& conversation_id, const std::string& answer_id,
                 const std::string& trace);
  bool HasTrace(const std::string& conversation_id, const std::string& answer_id) const;
  std::optional<std::string> FindTrace(const std::string& answer_id) const;
  /// The trace of an archive that no process holds, and that stays as it is. Errors: kNotFound,
  /// and those of RecordStore::Open.
  static absl::StatusOr<std::string> ReadTrace(const std::string& directory,
                                               const std::string& answer_id);

  /// Every kept trace that is written, in no order of time. Errors: of the store.
  absl::Status VisitTraces(const std::function<void(const std::string& trace)>& visit) const;
  /// The same of an archive that no process holds. Errors: kNotFound, and those of
  /// RecordStore::Open.
  static absl::Status VisitTracesOf(const std::string& directory,
                                    const std::function<void(const std::string& trace)>& visit);

  /// Removes a conversation with its answers, traces and feedback: gone for Find at once, from the
  /// database when `on_written` is called with OK, from the content of its files within
  /// options.compaction_gap and the time that rewriting takes, also after kill -9, or when Flush
  /// returns OK. Does nothing for an unknown id. `on_written`: once, on the writing thread or this
  /// one; must not block; may be empty.
  void Forget(const std::string& id, std::function<void(const absl::Status&)> on_written = nullptr);
  /// Blocks until everything queued is written. Errors: of RecordStore::Write and Compact; what was
  /// forgotten may then be there after a restart.
  absl::Status Flush();
  /// Ends what is too old. Happens at the opening and every hour, too.
  void Sweep();

 private:
  struct Impl;
  ConversationArchive(ArchiveOptions options, std::unique_ptr<Impl> impl);

  const ArchiveOptions options_;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
