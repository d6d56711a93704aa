// Keys: 'e' id: an entry. 'q' hash of question and locale: the id of the entry that has it. 'a'
// number, 8 bytes big-endian: a change. 'n': the number of the last change.
#include "catalog/faq/faq_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/faq/faq_json.h"
#include "catalog/faq/faq_rules.h"

namespace emptor::catalog {
namespace {

constexpr uint32_t kContentVersion = 1;
constexpr size_t kBufferBytes = 4u << 20;
constexpr size_t kQuestionKeyBytes = 16;
constexpr size_t kTagDigestBytes = 16;
constexpr size_t kShownBytes = 80;  // of a text in a message
constexpr const char* kLastChangeKey = "n";

std::string EntryKey(std::string_view id) { return std::string("e").append(id); }

std::string QuestionKey(const std::string& question, const std::string& locale) {
  const std::string text = locale + '\n' + FoldQuestion(question);
  const Digest digest = ComputeSha256(text.data(), text.size());
  return std::string("q").append(reinterpret_cast<const char*>(digest.data()), kQuestionKeyBytes);
}

std::string ChangeKey(uint64_t number) {
  std::string key = "a";
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(number >> shift);
  return key;
}

uint64_t ChangeNumber(std::string_view key) {
  uint64_t number = 0;
  for (const char byte : key.substr(1)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

size_t ClassOf(std::string_view key) {
  constexpr std::string_view kClasses = "eqa";
  return std::min(kClasses.find(key.empty() ? ' ' : key[0]), kClasses.size());
}

absl::Status Damaged(std::string_view what, const absl::Status& why) {
  return absl::DataLossError(fmt::format("faq: {}: {}", what, std::string(why.message())));
}

absl::StatusOr<FaqEntry> DecodeEntry(std::string_view bytes) {
  const auto json = ParseJson(bytes);
  if (!json.ok()) return Damaged("entry", json.status());
  auto entry = FaqEntryFromJson(*json);
  if (!entry.ok()) return Damaged("entry", entry.status());
  return entry;
}

std::string EncodeChange(const FaqChange& change) {
  JsonWriter writer;
  return writer.BeginObject()
      .Member("number", change.number)
      .Member("at", change.at)
      .Member("who", change.who)
      .Member("id", change.id)
      .Member("action", ToString(change.action))
      .Member("version", change.version)
      .Member("old", change.old_digest)
      .Member("new", change.new_digest)
      .EndObject()
      .Take();
}

absl::StatusOr<FaqChange> DecodeChange(std::string_view bytes) {
  const auto json = ParseJson(bytes);
  if (!json.ok()) return Damaged("change", json.status());
  const auto text = [&](const char* name) {
    const JsonValue* member = json->Find(name);
    return member != nullptr && member->is_string() ? member->as_string() : std::string();
  };
  const auto number = [&](const char* name) {
    const JsonValue* member = json->Find(name);
    return member != nullptr && member->is_int() ? member->as_int() : int64_t{0};
  };
  FaqChange change;
  change.number = static_cast<uint64_t>(number("number"));
  change.at = number("at");
  change.who = text("who");
  change.id = text("id");
  change.version = static_cast<uint64_t>(number("version"));
  change.old_digest = text("old");
  change.new_digest = text("new");
  for (const auto action : {FaqAction::kCreated, FaqAction::kUpdated, FaqAction::kDeleted}) {
    if (text("action") == ToString(action)) change.action = action;
  }
  return change;
}

std::string Shown(std::string_view text) {
  return text.size() <= kShownBytes ? std::string(text)
                                    : std::string(Utf8Prefix(text, kShownBytes)) + "...";
}

absl::Status CheckMatch(const FaqMatch& match, const std::string& id,
                        const std::optional<FaqEntry>& old) {
  if (match.must_be_new && old) {
    return absl::AlreadyExistsError(fmt::format("id: there is an entry {}", id));
  }
  if (!match.tag) return absl::OkStatus();
  if (!old) return absl::NotFoundError(fmt::format("id: there is no entry {}", id));
  if (*match.tag == "*" || *match.tag == FaqTag(*old)) return absl::OkStatus();
  return absl::AbortedError(
      fmt::format("if-match: the entry is version {} now, changed at {}: read it and change that",
                  FaqTag(*old), FormatRfc3339(old->updated_at)));
}

bool IsSameContent(const FaqEntry& a, const FaqEntry& b) { return FaqDigest(a) == FaqDigest(b); }

}  // namespace

std::string_view ToString(FaqAction action) {
  constexpr std::string_view kNames[] = {"created", "updated", "unchanged", "deleted"};
  return kNames[static_cast<size_t>(action)];
}

std::string FaqTag(const FaqEntry& entry) {
  return fmt::format("{}-{}", entry.version, FaqDigest(entry).substr(0, kTagDigestBytes));
}

RecordStoreOptions FaqRecordOptions() {
  return {.identity = {.application = "faq", .content_version = kContentVersion},
          .class_of = ClassOf,
          .create_if_missing = false,
          .write_buffer_bytes = kBufferBytes,
          .block_cache_bytes = kBufferBytes};
}

/// Changes that are read before they are written.
class FaqStore::Transaction {
 public:
  Transaction(const RecordStore* records, uint64_t last_change, int64_t now, std::string who)
      : records_(records), last_change_(last_change), now_(now), who_(std::move(who)) {}

  /// Drops the changes from number `first` on until `most` are left. Returns the first that is
  /// left.
  uint64_t TrimLog(uint64_t first, uint64_t most) {
    for (; last_change_ - first + 1 > most && first <= last_change_; ++first) {
      changes_[ChangeKey(first)] = std::nullopt;
    }
    return first;
  }

  absl::StatusOr<std::optional<FaqEntry>> Find(std::string_view id) const {
    auto bytes = Get(EntryKey(id));
    if (!bytes.ok()) return bytes.status();
    if (!bytes->has_value()) return std::nullopt;
    auto entry = DecodeEntry(**bytes);
    if (!entry.ok()) return entry.status();
    return std::optional<FaqEntry>(*std::move(entry));
  }

  absl::StatusOr<FaqPutResult> Put(FaqPut put) {
    FaqEntry& entry = put.entry;
    FaqPutResult result;
    result.id = entry.id;
    result.status = ValidateFaqEntry(entry);
    if (!result.status.ok()) return result;
    auto old = Find(entry.id);
    if (!old.ok()) return old.status();
    result.status = CheckMatch(put.match, entry.id, *old);
    if (!result.status.ok()) return result;
    if (*old && IsSameContent(entry, **old)) {
      result.stored = **std::move(old);
      return result;
    }
    bool is_known = false;
    absl::Status status = CompareQuestions(put, result, is_known);
    if (!status.ok()) return status;
    if (is_known || !result.status.ok()) return result;
    result.action = *old ? FaqAction::kUpdated : FaqAction::kCreated;
    entry.version = *old ? (*old)->version + 1 : 1;
    entry.updated_at = now_;
    if (*old) DropQuestions(**old);
    for (const std::string& question : entry.questions) {
      changes_[QuestionKey(question, entry.locale)] = entry.id;
    }
    changes_[EntryKey(entry.id)] = FaqEntryJson(entry);
    Log(entry.id, result.action, entry.version, *old ? FaqDigest(**old) : "", FaqDigest(entry));
    result.stored = std::move(entry);
    return result;
  }

  void Delete(const FaqEntry& old) {
    DropQuestions(old);
    changes_[EntryKey(old.id)] = std::nullopt;
    Log(old.id, FaqAction::kDeleted, old.version, FaqDigest(old), "");
  }

  bool empty() const { return changes_.empty(); }
  uint64_t last_change() const { return last_change_; }
  RecordBatch TakeBatch() {
    RecordBatch batch;
    for (auto& [key, value] : changes_) {
      if (value) {
        batch.Put(key, *std::move(value));
      } else {
        batch.Delete(key);
      }
    }
    batch.Put(kLastChangeKey, std::to_string(last_change_));
    return batch;
  }

 private:
  absl::StatusOr<std::optional<std::string>> Get(const std::string& key) const {
    const auto changed = changes_.find(key);
    if (changed != changes_.end()) return changed->second;
    if (records_ == nullptr) return std::nullopt;
    return records_->Get(key);
  }

  /// Another entry with a question of this one answers it already, or otherwise.
  absl::Status CompareQuestions(const FaqPut& put, FaqPutResult& result, bool& is_known) const {
    for (const std::string& question : put.entry.questions) {
      const auto owner = Get(QuestionKey(question, put.entry.locale));
      if (!owner.ok()) return owner.status();
      if (!owner->has_value() || **owner == put.entry.id) continue;
      const auto other = Find(**owner);
      if (!other.ok()) return other.status();
      if (!*other) continue;
      if ((*other)->answer == put.entry.answer && put.is_id_made) {
        is_known = true;
        result.id = **owner;
        result.note = fmt::format("the same question and answer as {}", **owner);
        result.stored = **other;
        return absl::OkStatus();
      }
      result.other_id = **owner;
      const bool is_same = (*other)->answer == put.entry.answer;
      result.status = absl::AlreadyExistsError(
          is_same
              ? fmt::format("question: {:?} is a question of entry {}, with the same answer: "
                            "delete one of them",
                            Shown(question), **owner)
              : fmt::format("question: entry {} answers {:?} otherwise: {:?}; give the id {} to "
                            "replace it, or ask something else",
                            **owner, Shown(question), Shown((*other)->answer), **owner));
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  void DropQuestions(const FaqEntry& old) {
    for (const std::string& question : old.questions) {
      changes_[QuestionKey(question, old.locale)] = std::nullopt;
    }
  }

  void Log(const std::string& id, FaqAction action, uint64_t version, std::string old_digest,
           std::string new_digest) {
    const uint64_t number = ++last_change_;
    changes_[ChangeKey(number)] = EncodeChange({.number = number,
                                                .at = now_,
                                                .who = who_,
                                                .id = id,
                                                .action = action,
                                                .version = version,
                                                .old_digest = std::move(old_digest),
                                                .new_digest = std::move(new_digest)});
  }

  const RecordStore* const records_;
  uint64_t last_change_;
  const int64_t now_;
  const std::string who_;
  std::map<std::string, std::optional<std::string>> changes_;
};

FaqStore::FaqStore(std::string directory, FaqStoreOptions options)
    : directory_(std::move(directory)), options_(std::move(options)) {}
FaqStore::~FaqStore() = default;

absl::StatusOr<std::unique_ptr<FaqStore>> FaqStore::Open(std::string directory,
                                                         FaqStoreOptions options) {
  if (!options.now_unix) {
    options.now_unix = [] { return static_cast<int64_t>(std::time(nullptr)); };
  }
  std::unique_ptr<FaqStore> store(new FaqStore(std::move(directory), std::move(options)));
  const absl::Status opened = store->OpenRecords(false);
  if (!opened.ok() && !absl::IsNotFound(opened)) return opened;
  return store;
}

absl::Status FaqStore::OpenRecords(bool create) {
  RecordStoreOptions opening = FaqRecordOptions();
  opening.create_if_missing = create;
  opening.env = options_.env;
  auto records = RecordStore::Open(directory_, opening);
  if (!records.ok()) return records.status();
  const auto last = (*records)->Get(kLastChangeKey);
  if (!last.ok()) return last.status();
  uint64_t first = 1;
  absl::Status scanned = (*records)->Scan("a", [&first](std::string_view key, std::string_view) {
    first = ChangeNumber(key);
    return false;
  });
  if (!scanned.ok()) return scanned;
  uint64_t number = 0;
  if (last->has_value()) {
    const std::string& text = **last;
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  first_change_ = first;
  last_change_ = number;
  records_ = *std::move(records);
  published_ = records_.get();
  return absl::OkStatus();
}

absl::StatusOr<std::optional<FaqEntry>> FaqStore::Find(std::string_view id) const {
  return Transaction(records(), 0, 0, "").Find(id);
}

absl::StatusOr<FaqPage> FaqStore::List(std::string_view after, size_t limit) const {
  FaqPage page;
  if (records() == nullptr || limit == 0) return page;
  absl::Status damage;
  const auto visit = [&](std::string_view key, std::string_view value) {
    if (key.substr(1) <= after) return true;
    if (page.entries.size() == limit) {
      page.next = page.entries.back().id;
      return false;
    }
    auto entry = DecodeEntry(value);
    if (!entry.ok()) damage = entry.status();
    if (entry.ok()) page.entries.push_back(*std::move(entry));
    return damage.ok();
  };
  absl::Status scanned = records()->ScanFrom("e", EntryKey(after), visit);
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  return page;
}

absl::Status FaqStore::Visit(const std::function<bool(const FaqEntry&)>& visit) const {
  if (records() == nullptr) return absl::OkStatus();
  absl::Status damage;
  absl::Status scanned = records()->Scan("e", [&](std::string_view, std::string_view value) {
    const auto entry = DecodeEntry(value);
    if (!entry.ok()) damage = entry.status();
    return entry.ok() && visit(*entry);
  });
  return scanned.ok() ? damage : scanned;
}

absl::Status FaqStore::Commit(Transaction& transaction) {
  if (transaction.empty()) return absl::OkStatus();
  if (records() == nullptr) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(directory_).parent_path(), error);
    if (absl::Status status = OpenRecords(true); !status.ok()) return status;
  }
  if (absl::IsResourceExhausted(records()->health())) {
    if (absl::Status status = records()->Resume(); !status.ok()) return status;
  }
  const uint64_t first = transaction.TrimLog(first_change_, options_.max_changes);
  const uint64_t last = transaction.last_change();
  if (absl::Status status = records()->Write(transaction.TakeBatch()); !status.ok()) return status;
  first_change_ = first;
  last_change_ = last;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FaqPutResult>> FaqStore::Apply(std::vector<FaqPut> puts,
                                                          const std::string& who, bool writes) {
  const std::lock_guard lock(write_mutex_);
  Transaction transaction(records(), last_change_, options_.now_unix(), who);
  std::vector<FaqPutResult> results;
  for (FaqPut& put : puts) {
    auto result = transaction.Put(std::move(put));
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  absl::Status status = writes ? Commit(transaction) : absl::OkStatus();
  if (!status.ok()) return status;
  return results;
}

absl::StatusOr<std::vector<FaqPutResult>> FaqStore::Write(std::vector<FaqPut> puts,
                                                          const std::string& who) {
  return Apply(std::move(puts), who, true);
}

absl::StatusOr<std::vector<FaqPutResult>> FaqStore::Check(std::vector<FaqPut> puts) {
  return Apply(std::move(puts), "", false);
}

absl::Status FaqStore::Delete(std::string_view id, const FaqMatch& match, const std::string& who) {
  const std::lock_guard lock(write_mutex_);
  Transaction transaction(records(), last_change_, options_.now_unix(), who);
  const auto old = transaction.Find(id);
  if (!old.ok()) return old.status();
  if (!*old) return absl::NotFoundError(fmt::format("id: there is no entry {}", Shown(id)));
  if (absl::Status status = CheckMatch(match, (*old)->id, *old); !status.ok()) return status;
  transaction.Delete(**old);
  return Commit(transaction);
}

absl::Status FaqStore::VisitChanges(uint64_t after,
                                    const std::function<bool(const FaqChange&)>& visit) const {
  if (records() == nullptr) return absl::OkStatus();
  absl::Status damage;
  absl::Status scanned =
      records()->ScanFrom("a", ChangeKey(after + 1), [&](std::string_view, std::string_view value) {
        const auto change = DecodeChange(value);
        if (!change.ok()) damage = change.status();
        return change.ok() && visit(*change);
      });
  return scanned.ok() ? damage : scanned;
}

uint64_t FaqStore::size() const { return records() == nullptr ? 0 : records()->seal().counts[0]; }

absl::Status FaqStore::health() const {
  return records() == nullptr ? absl::OkStatus() : records()->health();
}

}  // namespace emptor::catalog
