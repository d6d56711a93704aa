// Keys: "c/" + conversation, "t/" + conversation + "/" + answer. The index in memory knows the age
// of each.
#include "services/assistant/dialogue/conversation_archive.h"

#include <fmt/format.h>

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "catalog/storage/record_store.h"
#include "services/assistant/dialogue/conversation_codec.h"
#include "services/proto/conversation.pb.h"

namespace emptor::services {
namespace {

using std::chrono::hours;

constexpr hours kSweepEvery{1};
constexpr size_t kMaxPending = 10000;  // values that wait for a disk that does not answer
constexpr size_t kMaxTraceBytes = 1u << 20;
constexpr size_t kBufferBytes = 1u << 20;

std::string ConversationKey(const std::string& id) { return "c/" + id; }
std::string TracePrefix(const std::string& id) { return "t/" + id + "/"; }

catalog::RecordStoreOptions StoreOptions(leveldb::Env* env) {
  return {.identity = {.application = "talk", .content_version = kConversationVersion},
          .class_of = [](std::string_view key) -> size_t { return key.starts_with("t/") ? 1 : 0; },
          .create_if_missing = true,
          .env = env,
          .write_buffer_bytes = kBufferBytes,
          .block_cache_bytes = kBufferBytes};
}

absl::Status ScanTraces(const catalog::RecordStore& store,
                        const std::function<void(const std::string& trace)>& visit) {
  return store.Scan("t/", [&](std::string_view, std::string_view value) {
    assistant::v1::StoredTrace stored;
    const bool is_read = stored.ParseFromArray(value.data(), static_cast<int>(value.size()));
    if (is_read) visit(stored.trace());
    return true;
  });
}

/// Keys in the order of their last use.
class AgeIndex {
 public:
  struct Item {
    std::string key;
    int64_t unix = 0;
    size_t bytes = 0;
  };
  void Put(const std::string& key, int64_t unix, size_t bytes) {
    Erase(key);
    items_[key] = by_age_.insert({unix, {key, unix, bytes}});
    bytes_ += bytes;
  }
  void Erase(const std::string& key) {
    const auto found = items_.find(key);
    if (found == items_.end()) return;
    bytes_ -= found->second->second.bytes;
    by_age_.erase(found->second);
    items_.erase(found);
  }
  const Item* Find(const std::string& key) const {
    const auto found = items_.find(key);
    return found == items_.end() ? nullptr : &found->second->second;
  }
  const Item* oldest() const { return by_age_.empty() ? nullptr : &by_age_.begin()->second; }
  std::vector<std::string> KeysWith(const std::string& prefix) const {
    std::vector<std::string> keys;
    for (auto it = items_.lower_bound(prefix); it != items_.end(); ++it) {
      if (!it->first.starts_with(prefix)) break;
      keys.push_back(it->first);
    }
    return keys;
  }
  /// The last key with that ending; empty: none has it.
  std::string KeyEndingIn(const std::string& ending) const {
    std::string found;
    for (const auto& [key, place] : items_) {
      if (key.ends_with(ending)) found = key;
    }
    return found;
  }
  size_t size() const { return items_.size(); }
  uint64_t bytes() const { return bytes_; }

 private:
  using ByAge = std::multimap<int64_t, Item>;
  ByAge by_age_;  // by `unix`, then in the order of insertion
  std::map<std::string, ByAge::iterator> items_;
  uint64_t bytes_ = 0;
};

}  // namespace

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
    UpdateCounters(0, 0);
  }

  absl::Status ReadIndex();
  bool ReadEntry(const std::string& key, std::string_view value);
  void Report(const absl::Status& problem) const {
    if (options.on_problem) options.on_problem(problem);
  }
  void UpdateCounters(int64_t stored, int64_t trace_bytes) {
    options.counters->stored += stored - counted_stored;
    options.counters->trace_bytes += trace_bytes - counted_trace_bytes;
    counted_stored = stored;
    counted_trace_bytes = trace_bytes;
  }
  void Count() {
    UpdateCounters(static_cast<int64_t>(conversations.size()),
                   static_cast<int64_t>(traces.bytes()));
  }

  // With mutex held:
  void Put(AgeIndex& index, const std::string& key, std::string value);
  void Drop(AgeIndex& index, const std::string& key);
  void EndOld();
  void EndConversation(const std::string& id);

  std::optional<std::string> Read(const std::string& key) const;
  absl::Status WaitForRounds(std::unique_lock<std::mutex>& lock);
  void Run();
  absl::Status WriteChanges(const Changes& changes);

  const ArchiveOptions options;
  const std::unique_ptr<catalog::RecordStore> store;
  mutable std::mutex mutex;
  std::condition_variable wake, written;
  AgeIndex conversations, traces;  // guarded by mutex
  Changes pending;                 // guarded by mutex
  Changes writing;                 // changed with mutex held and no round under way
  bool must_compact = false;       // guarded by mutex
  bool is_writing = false;         // guarded by mutex
  bool is_stopping = false;        // guarded by mutex
  uint64_t rounds = 0;             // that ended; guarded by mutex
  absl::Status last_status;        // of the last round; guarded by mutex
  int64_t counted_stored = 0, counted_trace_bytes = 0;  // guarded by mutex
  std::thread writer;
};

/// False for a value that cannot be used.
bool ConversationArchive::Impl::ReadEntry(const std::string& key, std::string_view value) {
  if (key.starts_with("t/")) {
    assistant::v1::StoredTrace trace;
    const bool is_good = trace.ParseFromArray(value.data(), static_cast<int>(value.size())) &&
                         trace.version() == kConversationVersion && trace.shop() == options.shop;
    if (is_good) traces.Put(key, trace.made_unix(), value.size());
    return is_good;
  }
  const auto conversation = DecodeConversation(value);
  if (!key.starts_with("c/") || !conversation.ok() || conversation->shop != options.shop) {
    return false;
  }
  conversations.Put(key, conversation->used_unix, value.size());
  return true;
}

absl::Status ConversationArchive::Impl::ReadIndex() {
  uint64_t dropped = 0;
  const absl::Status status = store->Scan("", [&](std::string_view key, std::string_view value) {
    const std::string copy(key);
    if (!ReadEntry(copy, value)) {
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
  while (conversations.size() > options.max_conversations)
    Drop(conversations, conversations.oldest()->key);
  while (traces.bytes() > options.max_trace_bytes) Drop(traces, traces.oldest()->key);
  must_compact = !pending.empty();
  Count();
  return absl::OkStatus();
}

void ConversationArchive::Impl::Put(AgeIndex& index, const std::string& key, std::string value) {
  if (pending.size() >= kMaxPending && !pending.contains(key)) {
    ++options.counters->failed_writes;
    return;
  }
  index.Put(key, options.now_unix(), value.size());
  pending[key] = std::move(value);
}

void ConversationArchive::Impl::Drop(AgeIndex& index, const std::string& key) {
  pending[key] = std::nullopt;
  index.Erase(std::string(key));  // a copy: `key` may be the index's own
}

void ConversationArchive::Impl::EndConversation(const std::string& id) {
  for (const std::string& key : traces.KeysWith(TracePrefix(id))) Drop(traces, key);
  Drop(conversations, ConversationKey(id));
}

void ConversationArchive::Impl::EndOld() {
  const int64_t oldest_allowed = options.now_unix() - options.idle.count();
  while (conversations.oldest() != nullptr && conversations.oldest()->unix < oldest_allowed) {
    EndConversation(conversations.oldest()->key.substr(2));
    ++options.counters->expired;
    must_compact = true;
  }
  while (traces.oldest() != nullptr && traces.oldest()->unix < oldest_allowed) {
    Drop(traces, traces.oldest()->key);
    must_compact = true;
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
    wake.wait_until(lock, next_sweep,
                    [this] { return is_stopping || must_compact || !pending.empty(); });
    if (std::chrono::steady_clock::now() >= next_sweep) {
      next_sweep += kSweepEvery;
      EndOld();
      Count();
    }
    if (pending.empty() && !must_compact) {
      if (is_stopping) return;
      continue;
    }
    writing.swap(pending);
    const bool compacts = std::exchange(must_compact, false);
    is_writing = true;
    lock.unlock();
    absl::Status status = WriteChanges(writing);
    if (status.ok() && compacts) status = store->Compact();
    lock.lock();
    writing.clear();
    is_writing = false;
    const bool is_first_failure = !status.ok() && last_status.ok();
    last_status = status;
    ++rounds;
    written.notify_all();
    if (status.ok()) continue;
    ++options.counters->failed_writes;
    if (!is_first_failure) continue;
    lock.unlock();
    Report(status);
    lock.lock();
  }
}

/// Waits for the round under way, and one more where changes are queued.
absl::Status ConversationArchive::Impl::WaitForRounds(std::unique_lock<std::mutex>& lock) {
  const uint64_t until = rounds + (is_writing ? 1 : 0) + (!pending.empty() || must_compact ? 1 : 0);
  if (until == rounds) return last_status;
  wake.notify_all();
  written.wait(lock, [&] { return rounds >= until; });
  return last_status;
}

ConversationArchive::ConversationArchive(ArchiveOptions options, std::unique_ptr<Impl> impl)
    : options_(std::move(options)), impl_(std::move(impl)) {}
ConversationArchive::~ConversationArchive() = default;

absl::StatusOr<std::unique_ptr<ConversationArchive>> ConversationArchive::Open(
    const ArchiveOptions& options) {
  auto store = catalog::RecordStore::Open(options.directory, StoreOptions(options.env));
  if (absl::IsDataLoss(store.status()) && options.env == nullptr) {
    if (options.on_problem) options.on_problem(store.status());
    std::error_code error;
    std::filesystem::remove_all(options.directory, error);
    store = catalog::RecordStore::Open(options.directory, StoreOptions(options.env));
  }
  if (!store.ok()) return store.status();
  auto impl = std::make_unique<Impl>(options, *std::move(store));
  if (absl::Status status = impl->ReadIndex(); !status.ok()) return status;
  impl->writer = std::thread([self = impl.get()] { self->Run(); });
  return std::unique_ptr<ConversationArchive>(new ConversationArchive(options, std::move(impl)));
}

std::optional<std::vector<ConversationTurn>> ConversationArchive::Find(
    const std::string& id) const {
  const std::string key = ConversationKey(id);
  {
    const std::lock_guard lock(impl_->mutex);
    const AgeIndex::Item* item = impl_->conversations.Find(key);
    if (item == nullptr || item->unix < options_.now_unix() - options_.idle.count()) {
      return std::nullopt;
    }
  }
  const std::optional<std::string> value = impl_->Read(key);
  if (!value) return std::nullopt;
  auto conversation = DecodeConversation(*value);
  if (!conversation.ok()) {
    impl_->Report(conversation.status());
    return std::nullopt;
  }
  ++options_.counters->loaded;
  return std::move(conversation->turns);
}

void ConversationArchive::Save(const std::string& id, const std::vector<ConversationTurn>& turns) {
  std::string value = EncodeConversation({options_.shop, options_.now_unix(), turns});
  if (value.size() > kMaxStoredConversationBytes) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->Put(impl_->conversations, ConversationKey(id), std::move(value));
    while (impl_->conversations.size() > options_.max_conversations) {
      impl_->EndConversation(impl_->conversations.oldest()->key.substr(2));
      ++options_.counters->expired;
    }
    impl_->Count();
  }
  impl_->wake.notify_one();
}

void ConversationArchive::SaveTrace(const std::string& conversation_id,
                                    const std::string& answer_id, const std::string& trace) {
  if (!keeps_traces() || trace.size() > kMaxTraceBytes) return;
  assistant::v1::StoredTrace stored;
  stored.set_version(kConversationVersion);
  stored.set_shop(options_.shop);
  stored.set_made_unix(options_.now_unix());
  stored.set_trace(trace);
  {
    const std::lock_guard lock(impl_->mutex);
    const bool is_erased = !conversation_id.empty() &&
                           impl_->conversations.Find(ConversationKey(conversation_id)) == nullptr;
    if (is_erased) return;
    impl_->Put(impl_->traces, TracePrefix(conversation_id) + answer_id, stored.SerializeAsString());
    while (impl_->traces.bytes() > options_.max_trace_bytes) {
      impl_->Drop(impl_->traces, impl_->traces.oldest()->key);
    }
    impl_->Count();
  }
  impl_->wake.notify_one();
}

std::optional<std::string> ConversationArchive::FindTrace(const std::string& answer_id) const {
  std::string key;
  {
    const std::lock_guard lock(impl_->mutex);
    key = impl_->traces.KeyEndingIn("/" + answer_id);
  }
  const std::optional<std::string> value = key.empty() ? std::nullopt : impl_->Read(key);
  assistant::v1::StoredTrace stored;
  if (!value || !stored.ParseFromString(*value)) return std::nullopt;
  return std::move(*stored.mutable_trace());
}

absl::StatusOr<std::string> ConversationArchive::ReadTrace(const std::string& directory,
                                                           const std::string& answer_id) {
  catalog::RecordStoreOptions options = StoreOptions(nullptr);
  options.create_if_missing = false;
  const auto store = catalog::RecordStore::Open(directory, options);
  if (!store.ok()) return store.status();
  assistant::v1::StoredTrace found;
  const absl::Status status =
      (*store)->Scan("t/", [&](std::string_view key, std::string_view value) {
        if (!key.ends_with("/" + answer_id)) return true;
        found.ParseFromArray(value.data(), static_cast<int>(value.size()));
        return false;
      });
  if (!status.ok()) return status;
  if (!found.trace().empty()) return found.trace();
  return absl::NotFoundError(fmt::format("{}: holds no trace of answer {}", directory, answer_id));
}

absl::Status ConversationArchive::VisitTraces(
    const std::function<void(const std::string& trace)>& visit) const {
  return ScanTraces(*impl_->store, visit);
}

absl::Status ConversationArchive::VisitTracesOf(
    const std::string& directory, const std::function<void(const std::string& trace)>& visit) {
  catalog::RecordStoreOptions options = StoreOptions(nullptr);
  options.create_if_missing = false;
  const auto store = catalog::RecordStore::Open(directory, options);
  return store.ok() ? ScanTraces(**store, visit) : store.status();
}

bool ConversationArchive::Contains(const std::string& id) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->conversations.Find(ConversationKey(id)) != nullptr;
}

void ConversationArchive::Forget(const std::string& id) {
  const std::lock_guard lock(impl_->mutex);
  const bool is_known = impl_->conversations.Find(ConversationKey(id)) != nullptr ||
                        !impl_->traces.KeysWith(TracePrefix(id)).empty();
  if (id.empty() || !is_known) return;
  impl_->EndConversation(id);
  ++options_.counters->erased;
  impl_->must_compact = true;
  impl_->Count();
  impl_->wake.notify_one();
}

absl::Status ConversationArchive::Flush() {
  std::unique_lock lock(impl_->mutex);
  return impl_->WaitForRounds(lock);
}

void ConversationArchive::Sweep() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->EndOld();
    impl_->Count();
  }
  impl_->wake.notify_one();
}

}  // namespace emptor::services
