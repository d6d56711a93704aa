// The public side of the archive: values to and from bytes, what is forgotten.
#include "services/assistant/dialogue/conversation_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "services/assistant/dialogue/conversation_archive_impl.h"
#include "services/proto/conversation.pb.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxTraceBytes = 1u << 20;
constexpr size_t kBufferBytes = 1u << 20;

catalog::RecordStoreOptions StoreOptions(leveldb::Env* env) {
  return {.identity = {.application = "talk", .content_version = kConversationVersion},
          .class_of = [](std::string_view key) -> size_t { return key.starts_with("t/") ? 1 : 0; },
          .create_if_missing = true,
          .env = env,
          .write_buffer_bytes = kBufferBytes,
          .block_cache_bytes = kBufferBytes};
}

}  // namespace

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

std::optional<StoredConversation> ConversationArchive::FindConversation(
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
  if (conversation.ok()) return *std::move(conversation);
  impl_->Report(conversation.status());
  return std::nullopt;
}

std::optional<std::vector<ConversationTurn>> ConversationArchive::Find(
    const std::string& id) const {
  auto conversation = FindConversation(id);
  if (!conversation) return std::nullopt;
  ++options_.counters->loaded;
  return std::move(conversation->turns);
}

void ConversationArchive::Save(const std::string& id, const std::vector<ConversationTurn>& turns,
                               ConversationHead head) {
  if (head.used_unix == 0) head.used_unix = options_.now_unix();
  std::string value = EncodeConversation({options_.shop, head, turns});
  if (value.size() > kMaxStoredConversationBytes) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->Put(impl_->conversations, ConversationKey(id), std::move(value), head.used_unix);
    impl_->Own(id, head.owner);
    while (impl_->conversations.size() > options_.max_conversations) {
      impl_->EndConversation(impl_->conversations.oldest()->key.substr(2));
      ++options_.counters->expired;
    }
    impl_->Count();
  }
  impl_->wake.notify_one();
}

void ConversationArchive::SaveAnswer(const std::string& conversation_id, uint32_t number,
                                     const ConversationAnswer& answer) {
  std::string value = EncodeAnswer(options_.shop, answer);
  if (value.size() > kMaxStoredAnswerBytes) return;
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->conversations.Find(ConversationKey(conversation_id)) == nullptr) return;
    const std::string prefix = AnswerPrefix(conversation_id);
    impl_->Put(impl_->answers, prefix + fmt::format("{:08x}", number), std::move(value),
               answer.answered_unix);
    if (number >= options_.max_answers) {
      impl_->Drop(impl_->answers, prefix + fmt::format("{:08x}", number - options_.max_answers));
    }
    impl_->KeepBounds();
    impl_->Count();
  }
  impl_->wake.notify_one();
}

std::vector<ConversationAnswer> ConversationArchive::FindAnswers(
    const std::string& conversation_id) const {
  std::vector<std::string> keys;
  {
    const std::lock_guard lock(impl_->mutex);
    keys = impl_->answers.KeysWith(AnswerPrefix(conversation_id));
  }
  std::vector<ConversationAnswer> answers;
  for (const std::string& key : keys) {
    const auto value = impl_->Read(key);
    if (!value) continue;  // erased meanwhile
    auto answer = DecodeAnswer(*value);
    if (answer.ok()) answers.push_back(std::move(answer->value));
  }
  return answers;
}

std::vector<std::string> ConversationArchive::ListOwned(const std::string& owner) const {
  std::vector<std::pair<int64_t, std::string>> found;
  {
    const std::lock_guard lock(impl_->mutex);
    const auto ids = impl_->ids_of.find(owner);
    if (owner.empty() || ids == impl_->ids_of.end()) return {};
    for (const std::string& id : ids->second) {
      const AgeIndex::Item* item = impl_->conversations.Find(ConversationKey(id));
      if (item != nullptr) found.emplace_back(-item->unix, id);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> ids;
  for (auto& [age, id] : found) ids.push_back(std::move(id));
  return ids;
}

void ConversationArchive::SaveFeedback(const AnswerFeedback& feedback) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->Put(impl_->feedback, FeedbackPrefix(feedback.conversation_id) + feedback.answer_id,
               EncodeFeedback(options_.shop, feedback), feedback.made_unix);
    impl_->KeepBounds();
    impl_->Count();
  }
  impl_->wake.notify_one();
}

std::optional<AnswerFeedback> ConversationArchive::FindFeedback(
    const std::string& conversation_id, const std::string& answer_id) const {
  const std::string key = FeedbackPrefix(conversation_id) + answer_id;
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->feedback.Find(key) == nullptr) return std::nullopt;
  }
  const auto value = impl_->Read(key);
  auto read = value ? DecodeFeedback(*value) : absl::NotFoundError(key);
  return read.ok() ? std::optional(std::move(read->value)) : std::nullopt;
}

std::vector<AnswerFeedback> ConversationArchive::ListFeedback(size_t limit) const {
  std::vector<std::string> keys;
  {
    const std::lock_guard lock(impl_->mutex);
    keys = impl_->feedback.Youngest(limit);
  }
  std::vector<AnswerFeedback> list;
  for (const std::string& key : keys) {
    const auto value = impl_->Read(key);
    auto read = value ? DecodeFeedback(*value) : absl::NotFoundError(key);
    if (read.ok()) list.push_back(std::move(read->value));
  }
  return list;
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
    impl_->Put(impl_->traces, TracePrefix(conversation_id) + answer_id, stored.SerializeAsString(),
               stored.made_unix());
    impl_->KeepBounds();
    impl_->Count();
  }
  impl_->wake.notify_one();
}

bool ConversationArchive::HasTrace(const std::string& conversation_id,
                                   const std::string& answer_id) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->traces.Find(TracePrefix(conversation_id) + answer_id) != nullptr;
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

bool ConversationArchive::Contains(const std::string& id) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->conversations.Find(ConversationKey(id)) != nullptr;
}

void ConversationArchive::Forget(const std::string& id,
                                 std::function<void(const absl::Status&)> on_written) {
  bool is_known = false;
  {
    const std::lock_guard lock(impl_->mutex);
    is_known = !id.empty() && (impl_->conversations.Find(ConversationKey(id)) != nullptr ||
                               !impl_->traces.KeysWith(TracePrefix(id)).empty() ||
                               !impl_->feedback.KeysWith(FeedbackPrefix(id)).empty());
    if (is_known) {
      impl_->EndConversation(id);
      impl_->DropAll(impl_->feedback, FeedbackPrefix(id));
      ++options_.counters->erased;
      impl_->MustCompact();
      impl_->Count();
      if (on_written) impl_->on_written.push_back(std::move(on_written));
    }
  }
  if (is_known) {
    impl_->wake.notify_one();
  } else if (on_written) {
    on_written(absl::OkStatus());
  }
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
