// A list of conversations by recency of use; the archive is read on a miss.
#include "services/assistant/dialogue/conversation_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

namespace emptor::services {
namespace {

constexpr std::string_view kPrefix = "c_";
constexpr size_t kRandomBytes = 16;

/// Of the form that Open gives.
bool IsOurs(std::string_view id) {
  return id.size() == kPrefix.size() + 2 * kRandomBytes && id.starts_with(kPrefix);
}

bool IsAllowed(const ConversationHead& head, const std::string& owner) {
  return head.owner.empty() || head.owner == owner;
}

std::string NewId() { return std::string(kPrefix) + RandomId(kRandomBytes); }

}  // namespace

std::string RandomId(size_t bytes) {
  thread_local std::random_device device;
  std::string id;
  while (id.size() < bytes * 2) id += fmt::format("{:08x}", device());
  id.resize(bytes * 2);
  return id;
}

ConversationStore::ConversationStore(ConversationLimits limits, Clock clock,
                                     std::shared_ptr<ConversationArchive> archive,
                                     std::shared_ptr<ConversationCounters> counters)
    : limits_(limits),
      clock_(std::move(clock)),
      archive_(std::move(archive)),
      counters_(std::move(counters)),
      unanswered_(limits.unanswered_age) {}

ConversationStore::~ConversationStore() {
  if (counters_ != nullptr) counters_->in_memory -= counted_;
}

void ConversationStore::Touch(Entry& entry) {
  entry.used = clock_();
  order_.splice(order_.end(), order_, entry.place);
}

void ConversationStore::Count() {
  const auto now = static_cast<int64_t>(entries_.size());
  if (counters_ != nullptr) counters_->in_memory += now - std::exchange(counted_, now);
}

/// Removes what is idle, and the oldest but `kept` while there is no room for one more.
void ConversationStore::RemoveOld(const std::string& kept) {
  const auto now = clock_();
  while (!order_.empty()) {
    const auto oldest = entries_.find(order_.front());
    const bool is_idle = now - oldest->second.used > limits_.idle;
    if (!is_idle && entries_.size() < limits_.conversations) break;
    if (!is_idle && oldest->first == kept) break;
    entries_.erase(oldest);
    order_.pop_front();
  }
}

ConversationStore::Conversation ConversationStore::Insert(const std::string& id,
                                                          ConversationHead head,
                                                          std::vector<ConversationTurn> turns) {
  order_.push_back(id);
  const Entry& entry = entries_
                           .emplace(id, Entry{std::move(turns),
                                              std::move(head),
                                              {},
                                              clock_(),
                                              std::prev(order_.end()),
                                              erasures_})
                           .first->second;
  Count();
  return {id, entry.turns, entry.erasures};
}

ConversationStore::Conversation ConversationStore::Open(const std::string& id,
                                                        const std::string& owner) {
  std::optional<StoredConversation> stored;
  ConversationHead begun;
  begun.owner = owner;
  {
    std::lock_guard lock(mutex_);
    RemoveOld(id);
    if (const auto found = entries_.find(id); found != entries_.end()) {
      if (!IsAllowed(found->second.head, owner)) return Insert(NewId(), begun, {});
      Touch(found->second);
      return {id, found->second.turns, found->second.erasures};
    }
  }
  if (archive_ != nullptr && !id.empty()) stored = archive_->FindConversation(id);
  if (stored) ++archive_->counters().loaded;
  std::lock_guard lock(mutex_);
  // Another request of the same conversation may have been faster.
  if (const auto found = entries_.find(id); found != entries_.end()) {
    if (!IsAllowed(found->second.head, owner)) return Insert(NewId(), begun, {});
    return {id, found->second.turns, found->second.erasures};
  }
  // It may have been erased since it was read.
  if (stored && archive_->Contains(id)) {
    if (!IsAllowed(stored->head, owner)) return Insert(NewId(), begun, {});
    return Insert(id, std::move(stored->head), std::move(stored->turns));
  }
  const bool is_new = id.empty() || IsOurs(id);
  return Insert(is_new ? NewId() : id, begun, {});
}

/// Null when it is gone from memory, even if another one has its id by now.
ConversationStore::Entry* ConversationStore::FindOpened(const Conversation& conversation) {
  const auto found = entries_.find(conversation.id);
  const bool is_it = found != entries_.end() && found->second.erasures == conversation.erasures;
  return is_it ? &found->second : nullptr;
}

bool ConversationStore::Append(const Conversation& conversation, ConversationTurn turn,
                               std::optional<ConversationAnswer> answer) {
  std::lock_guard lock(mutex_);
  Entry* const opened = FindOpened(conversation);
  if (opened == nullptr) return false;
  Entry& entry = *opened;
  const uint32_t number = entry.head.answers;
  if (answer) {
    ++entry.head.answers;
    if (entry.head.created_unix == 0) entry.head.created_unix = answer->asked_unix;
    if (entry.head.title.empty()) entry.head.title = TitleOf(answer->question);
    entry.head.used_unix = answer->answered_unix;
  }
  std::vector<ConversationTurn>& turns = entry.turns;
  turns.push_back(std::move(turn));
  if (turns.size() > limits_.turns) turns.erase(turns.begin());
  Touch(entry);
  // Under the lock, so that the turns of two answers are queued in their order.
  if (archive_ != nullptr) {
    archive_->Save(conversation.id, turns, entry.head);
    if (answer) archive_->SaveAnswer(conversation.id, number, *answer);
  } else if (answer) {
    entry.answers.push_back(*std::move(answer));
    if (entry.answers.size() > limits_.turns) entry.answers.erase(entry.answers.begin());
  }
  return true;
}

void ConversationStore::NoteUnanswered(const Conversation& conversation,
                                       UnansweredQuestion question) {
  if (counters_ != nullptr) ++counters_->unanswered[static_cast<size_t>(question.kind)];
  question.conversation_id = conversation.id;
  MaskedQuestion masked(std::move(question));
  std::lock_guard lock(mutex_);  // no erasure in between
  if (!conversation.id.empty() && FindOpened(conversation) == nullptr) return;
  unanswered_.Note(std::move(masked));
}

void ConversationStore::Forget(const std::string& id) {
  ++erasures_;
  activity_.Forget(id);
  unanswered_.Forget(id);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  order_.erase(found->second.place);
  entries_.erase(found);
  Count();
}

absl::Status ConversationStore::Erase(const std::string& id) {
  {
    std::lock_guard lock(mutex_);
    Forget(id);
    // Under the lock, so that no answer reads it back in between.
    if (archive_ != nullptr) archive_->Forget(id);
  }
  return archive_ == nullptr ? absl::OkStatus() : archive_->Flush();
}

void ConversationStore::Erase(const std::string& id,
                              std::function<void(const absl::Status&)> on_written) {
  {
    std::lock_guard lock(mutex_);
    Forget(id);
    if (archive_ != nullptr) return archive_->Forget(id, std::move(on_written));
  }
  on_written(absl::OkStatus());
}

/// Null for one that is not in memory, idle for too long, or has no turn yet.
const ConversationStore::Entry* ConversationStore::FindEntry(const std::string& id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.head.answers == 0) return nullptr;
  return clock_() - found->second.used > limits_.idle ? nullptr : &found->second;
}

/// Nothing for one without an answer: of an earlier build, or whose first answer failed.
std::optional<ConversationHead> ConversationStore::ReadHead(const std::string& id) const {
  std::optional<ConversationHead> head;
  {
    std::lock_guard lock(mutex_);
    if (const Entry* entry = FindEntry(id)) head = entry->head;
  }
  if (!head && archive_ != nullptr) {
    auto stored = archive_->FindConversation(id);
    if (stored && stored->head.answers > 0) head = std::move(stored->head);
  }
  return head;
}

std::optional<ConversationHead> ConversationStore::FindHead(const std::string& id,
                                                            const std::string& owner) const {
  auto head = ReadHead(id);
  return head && IsAllowed(*head, owner) ? head : std::nullopt;
}

bool ConversationStore::HoldsAnything(const std::string& id, const std::string& owner) const {
  {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found != entries_.end()) return IsAllowed(found->second.head, owner);
  }
  if (const auto head = ReadHead(id)) return IsAllowed(*head, owner);
  return unanswered_.HasOf(id) || (archive_ != nullptr && archive_->HoldsAnything(id));
}

bool ConversationStore::HasAnswer(const std::string& id, const std::string& owner,
                                  const std::string& answer_id) const {
  const auto record = Find(id, owner);
  return record && std::any_of(record->answers.begin(), record->answers.end(),
                               [&](const auto& each) { return each.id == answer_id; });
}

std::optional<ConversationStore::Record> ConversationStore::Find(const std::string& id,
                                                                 const std::string& owner) const {
  auto head = FindHead(id, owner);
  if (!head) return std::nullopt;
  Record record{*std::move(head), {}};
  if (archive_ != nullptr) {
    record.answers = archive_->FindAnswers(id);
    return record;
  }
  std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(id);
  if (entry == nullptr) return std::nullopt;  // erased meanwhile
  record.answers = entry->answers;
  return record;
}

std::optional<ConversationHead> ConversationStore::Rename(const std::string& id,
                                                          const std::string& owner,
                                                          const std::string& title) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  Entry* entry = found == entries_.end() || FindEntry(id) == nullptr ? nullptr : &found->second;
  if (entry != nullptr) {
    if (!IsAllowed(entry->head, owner)) return std::nullopt;
    entry->head.title = title;
    if (archive_ != nullptr) archive_->Save(id, entry->turns, entry->head);
    return entry->head;
  }
  // Under the lock, so that no answer writes it in between.
  auto stored = archive_ == nullptr ? std::nullopt : archive_->FindConversation(id);
  const bool is_there = stored && stored->head.answers > 0 && IsAllowed(stored->head, owner);
  if (!is_there) return std::nullopt;
  stored->head.title = title;
  archive_->Save(id, stored->turns, stored->head);
  return stored->head;
}

std::vector<ConversationStore::Listed> ConversationStore::List(const std::string& owner,
                                                               const std::string& after,
                                                               size_t limit) const {
  std::vector<std::string> ids;
  if (archive_ != nullptr) {
    ids = archive_->ListOwned(owner);
  } else if (!owner.empty()) {
    std::lock_guard lock(mutex_);
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
      const Entry* entry = FindEntry(*id);
      if (entry != nullptr && entry->head.owner == owner) ids.push_back(*id);
    }
  }
  auto next = ids.begin();
  if (!after.empty()) {
    next = std::find(ids.begin(), ids.end(), after);
    if (next == ids.end()) return {};
    ++next;
  }
  std::vector<Listed> listed;
  for (; next != ids.end() && listed.size() < limit; ++next) {
    if (auto head = FindHead(*next, owner)) listed.push_back({*next, *std::move(head)});
  }
  return listed;
}

size_t ConversationStore::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace emptor::services
