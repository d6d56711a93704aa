// Bounds, ages, and the thread that writes.
#include "services/assistant/dialogue/conversation_archive_impl.h"

#include <fmt/format.h>

#include <algorithm>

#include "services/proto/conversation.pb.h"

namespace emptor::services {
namespace {

using std::chrono::hours;

constexpr hours kSweepEvery{1};
constexpr size_t kMaxPending = 10000;  // values that wait for a disk that does not answer
constexpr const char* kErasedKey = "e/";

/// "c_1" of "m/c_1/00000001".
std::string ConversationOfKey(std::string_view key) {
  return std::string(key.substr(2, key.rfind('/') - 2));
}

}  // namespace

/// False for a value that cannot be used.
bool ConversationArchive::Impl::ReadEntry(const std::string& key, std::string_view value) {
  if (key.starts_with("t/")) {
    assistant::v1::StoredTrace trace;
    const bool is_good = trace.ParseFromArray(value.data(), static_cast<int>(value.size())) &&
                         trace.version() == kConversationVersion && trace.shop() == options.shop;
    if (is_good) traces.Put(key, trace.made_unix(), value.size());
    return is_good;
  }
  if (key.starts_with("m/")) {  // keys ascend: the conversations are known
    const auto answer = DecodeAnswer(value);
    const bool is_good = answer.ok() && answer->shop == options.shop &&
                         conversations.Find(ConversationKey(ConversationOfKey(key))) != nullptr;
    if (is_good) answers.Put(key, answer->value.answered_unix, value.size());
    return is_good;
  }
  if (key.starts_with("f/")) {
    const auto read = DecodeFeedback(value);
    const bool is_good = read.ok() && read->shop == options.shop;
    if (is_good) feedback.Put(key, read->value.made_unix, value.size());
    return is_good;
  }
  const auto conversation = DecodeConversation(value);
  if (!key.starts_with("c/") || !conversation.ok() || conversation->shop != options.shop) {
    return false;
  }
  conversations.Put(key, conversation->head.used_unix, value.size());
  Own(key.substr(2), conversation->head.owner);
  return true;
}

void ConversationArchive::Impl::Own(const std::string& id, const std::string& owner) {
  if (const auto before = owner_of.find(id); before != owner_of.end()) {
    const auto ids = ids_of.find(before->second);
    ids->second.erase(id);
    if (ids->second.empty()) ids_of.erase(ids);
    owner_of.erase(before);
  }
  if (owner.empty()) return;
  owner_of[id] = owner;
  ids_of[owner].insert(id);
}

void ConversationArchive::Impl::MustCompact() {
  must_compact = true;
  pending[kErasedKey] = "1";  // so that a restart finishes it
}

bool ConversationArchive::Impl::MayCompact() const {
  return must_compact && (is_stopping || waiting_flushes > 0 ||
                          std::chrono::steady_clock::now() >= next_compaction);
}

absl::Status ConversationArchive::Impl::ReadIndex() {
  uint64_t dropped = 0;
  const absl::Status status = store->Scan("", [&](std::string_view key, std::string_view value) {
    const std::string copy(key);
    if (copy == kErasedKey) {
      must_compact = true;
    } else if (!ReadEntry(copy, value)) {
      pending[copy] = std::nullopt;
      ++dropped;
    }
    return true;
  });
  if (!status.ok()) return status;
  if (dropped > 0) {
    options.counters->dropped += dropped;
    Report(absl::DataLossError(
        fmt::format("{}: dropped {} values that are damaged or not those of shop \"{}\"",
                    options.directory, dropped, options.shop)));
  }
  EndOld();
  while (conversations.size() > options.max_conversations) {
    EndConversation(conversations.oldest()->key.substr(2));
  }
  KeepBounds();
  if (!pending.empty()) MustCompact();
  Count();
  return absl::OkStatus();
}

void ConversationArchive::Impl::KeepBounds() {
  while (traces.bytes() > options.max_trace_bytes) Drop(traces, traces.oldest()->key);
  while (answers.bytes() > options.max_answer_bytes) Drop(answers, answers.oldest()->key);
  while (feedback.size() > options.max_feedback) Drop(feedback, feedback.oldest()->key);
}

void ConversationArchive::Impl::Put(AgeIndex& index, const std::string& key, std::string value,
                                    int64_t unix) {
  if (pending.size() >= kMaxPending && !pending.contains(key)) {
    ++options.counters->failed_writes;
    return;
  }
  index.Put(key, unix, value.size());
  pending[key] = std::move(value);
}

void ConversationArchive::Impl::Drop(AgeIndex& index, const std::string& key) {
  pending[key] = std::nullopt;
  index.Erase(std::string(key));  // a copy: `key` may be the index's own
}

void ConversationArchive::Impl::DropAll(AgeIndex& index, const std::string& prefix) {
  for (const std::string& key : index.KeysWith(prefix)) Drop(index, key);
}

/// Feedback stays: it has an age of its own.
void ConversationArchive::Impl::EndConversation(const std::string& id) {
  DropAll(traces, TracePrefix(id));
  DropAll(answers, AnswerPrefix(id));
  Drop(conversations, ConversationKey(id));
  Own(id, "");
}

void ConversationArchive::Impl::EndOld() {
  const int64_t oldest_allowed = options.now_unix() - options.idle.count();
  while (conversations.oldest() != nullptr && conversations.oldest()->unix < oldest_allowed) {
    EndConversation(conversations.oldest()->key.substr(2));
    ++options.counters->expired;
    MustCompact();
  }
  while (traces.oldest() != nullptr && traces.oldest()->unix < oldest_allowed) {
    Drop(traces, traces.oldest()->key);
    MustCompact();
  }
  const int64_t oldest_feedback = options.now_unix() - options.feedback_age.count();
  while (feedback.oldest() != nullptr && feedback.oldest()->unix < oldest_feedback) {
    Drop(feedback, feedback.oldest()->key);
    MustCompact();
  }
}

std::optional<std::string> ConversationArchive::Impl::Read(const std::string& key) const {
  {
    const std::lock_guard lock(mutex);
    for (const Changes* changes : {&pending, &writing}) {
      if (const auto found = changes->find(key); found != changes->end()) return found->second;
    }
  }
  auto value = store->Get(key);
  if (value.ok()) return *std::move(value);
  Report(value.status());
  return std::nullopt;
}

absl::Status ConversationArchive::Impl::WriteChanges(const Changes& changes) {
  // A full disk passes; other errors stay until the store is opened again.
  if (absl::IsResourceExhausted(store->health())) {
    if (absl::Status status = store->Resume(); !status.ok()) return status;
  }
  catalog::RecordBatch batch;
  for (const auto& [key, value] : changes) {
    if (value) {
      batch.Put(key, *value);
    } else {
      batch.Delete(key);
    }
  }
  return store->Write(batch);
}

/// The thread that writes. Ends when nothing is left to write after the stop.
void ConversationArchive::Impl::Run() {
  std::unique_lock lock(mutex);
  auto next_sweep = std::chrono::steady_clock::now() + kSweepEvery;
  while (true) {
    wake.wait_until(lock, must_compact ? std::min(next_sweep, next_compaction) : next_sweep,
                    [this] { return is_stopping || !pending.empty() || MayCompact(); });
    if (std::chrono::steady_clock::now() >= next_sweep) {
      next_sweep += kSweepEvery;
      EndOld();
      Count();
    }
    const bool compacts = MayCompact();
    if (pending.empty() && !compacts) {
      if (is_stopping) return;
      continue;
    }
    RunRound(lock, compacts);
  }
}

/// Writes what is queued, then rewrites the store where that is due.
void ConversationArchive::Impl::RunRound(std::unique_lock<std::mutex>& lock, bool compacts) {
  writing.swap(pending);
  const auto waiting = std::exchange(on_written, {});
  if (compacts) must_compact = false;
  is_writing = true;
  lock.unlock();
  absl::Status status = WriteChanges(writing);
  for (const auto& call : waiting) call(status);
  if (status.ok() && compacts) status = CompactStore();
  lock.lock();
  if (compacts) next_compaction = std::chrono::steady_clock::now() + options.compaction_gap;
  if (compacts && !status.ok() && !is_stopping) must_compact = true;
  writing.clear();
  is_writing = false;
  const bool is_first_failure = !status.ok() && last_status.ok();
  last_status = status;
  ++rounds;
  written.notify_all();
  if (status.ok()) return;
  ++options.counters->failed_writes;
  if (!is_first_failure) return;
  lock.unlock();
  Report(status);
  lock.lock();
}

absl::Status ConversationArchive::Impl::CompactStore() {
  if (absl::Status status = store->Compact(); !status.ok()) return status;
  catalog::RecordBatch batch;
  batch.Delete(kErasedKey);
  return store->Write(batch);
}

/// Waits for the round under way, and one more where changes are queued.
absl::Status ConversationArchive::Impl::WaitForRounds(std::unique_lock<std::mutex>& lock) {
  const uint64_t until = rounds + (is_writing ? 1 : 0) + (!pending.empty() || must_compact ? 1 : 0);
  if (until == rounds) return last_status;
  ++waiting_flushes;
  wake.notify_all();
  written.wait(lock, [&] { return rounds >= until; });
  --waiting_flushes;
  return last_status;
}

}  // namespace emptor::services
