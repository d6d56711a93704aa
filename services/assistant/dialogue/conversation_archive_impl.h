// The state of a ConversationArchive. Included by its two files alone.
// Keys: "c/" + conversation; "m/" + conversation + "/" + number of the answer; "t/" and "f/" +
// conversation + "/" + answer; "e/": values were erased that the files still hold. The indexes in
// memory know the age of each.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "catalog/storage/record_store.h"
#include "services/assistant/dialogue/age_index.h"
#include "services/assistant/dialogue/conversation_archive.h"

namespace emptor::services {

inline std::string ConversationKey(const std::string& id) { return "c/" + id; }
inline std::string TracePrefix(const std::string& id) { return "t/" + id + "/"; }
inline std::string AnswerPrefix(const std::string& id) { return "m/" + id + "/"; }
inline std::string FeedbackPrefix(const std::string& id) { return "f/" + id + "/"; }

struct ConversationArchive::Impl {
  using Changes = std::map<std::string, std::optional<std::string>>;  // nothing: delete

  Impl(const ArchiveOptions& options_in, std::unique_ptr<catalog::RecordStore> store_in)
      : options(options_in), store(std::move(store_in)) {}
  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      is_stopping = true;
    }
    wake.notify_all();
    if (writer.joinable()) writer.join();
    UpdateCounters({});
  }

  absl::Status ReadIndex();
  bool ReadEntry(const std::string& key, std::string_view value);
  void Report(const absl::Status& problem) const {
    if (options.on_problem) options.on_problem(problem);
  }
  struct Counted {
    int64_t stored = 0, trace_bytes = 0, answer_bytes = 0, feedback = 0;
  };
  void UpdateCounters(const Counted& now) {
    options.counters->stored += now.stored - counted.stored;
    options.counters->trace_bytes += now.trace_bytes - counted.trace_bytes;
    options.counters->answer_bytes += now.answer_bytes - counted.answer_bytes;
    options.counters->feedback += now.feedback - counted.feedback;
    counted = now;
  }
  void Count() {
    UpdateCounters({static_cast<int64_t>(conversations.size()),
                    static_cast<int64_t>(traces.bytes()), static_cast<int64_t>(answers.bytes()),
                    static_cast<int64_t>(feedback.size())});
  }

  // With mutex held:
  void Put(AgeIndex& index, const std::string& key, std::string value, int64_t unix);
  void Drop(AgeIndex& index, const std::string& key);
  void DropAll(AgeIndex& index, const std::string& prefix);
  void EndOld();
  void EndConversation(const std::string& id);
  void Own(const std::string& id, const std::string& owner);
  void KeepBounds();
  void MustCompact();
  bool MayCompact() const;

  std::optional<std::string> Read(const std::string& key) const;
  absl::Status WaitForRounds(std::unique_lock<std::mutex>& lock);
  void Run();
  void RunRound(std::unique_lock<std::mutex>& lock, bool compacts);
  absl::Status CompactStore();
  absl::Status WriteChanges(const Changes& changes);

  const ArchiveOptions options;
  const std::unique_ptr<catalog::RecordStore> store;
  mutable std::mutex mutex;
  std::condition_variable wake, written;
  AgeIndex conversations, answers, traces, feedback;    // guarded by mutex
  std::map<std::string, std::set<std::string>> ids_of;  // by owner; guarded by mutex
  std::map<std::string, std::string> owner_of;          // by id; guarded by mutex
  Changes pending;                                      // guarded by mutex
  Changes writing;            // changed with mutex held and no round under way
  bool must_compact = false;  // guarded by mutex
  bool is_writing = false;    // guarded by mutex
  bool is_stopping = false;   // guarded by mutex
  int waiting_flushes = 0;    // guarded by mutex
  std::vector<std::function<void(const absl::Status&)>> on_written;  // guarded by mutex
  std::chrono::steady_clock::time_point next_compaction{};           // guarded by mutex
  uint64_t rounds = 0;                                               // that ended; guarded by mutex
  absl::Status last_status;  // of the last round; guarded by mutex
  Counted counted;           // guarded by mutex
  std::thread writer;
};

}  // namespace emptor::services
