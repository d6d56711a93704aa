// The FAQ of a shop on disk: entries, and a log of who changed what. Byte layout:
// docs/formats/faq.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_entry.h"
#include "catalog/storage/record_store.h"

namespace emptor::catalog {

enum class FaqAction { kCreated, kUpdated, kUnchanged, kDeleted };
/// "created", "updated", "unchanged", "deleted".
std::string_view ToString(FaqAction action);

/// One change, as it was stored together with it.
struct FaqChange {
  uint64_t number = 0;  // from 1, without gaps; the oldest are dropped (max_changes)
  int64_t at = 0;       // Unix seconds
  std::string who;      // id of the key, or "command line"
  std::string id;
  FaqAction action = FaqAction::kCreated;  // never kUnchanged
  uint64_t version = 0;                    // of the entry after the change; of a deleted one before
  std::string old_digest, new_digest;      // FaqDigest; empty: there was, or is, no entry
};

/// What the stored entry must be for a change to happen. The tag is that of FaqTag.
struct FaqMatch {
  std::optional<std::string> tag = {};  // "*": any entry, but one
  bool must_be_new = false;
};

struct FaqPut {
  FaqEntry entry;
  FaqMatch match = {};
  /// The entry names no id: the id was made from its question. When another entry has the question
  /// and the answer already, nothing is stored.
  bool is_id_made = false;
};

struct FaqPutResult {
  /// OK; kInvalidArgument (the entry), kAlreadyExists (an entry with the same question, or a match
  /// that wants none), kAborted (FaqMatch: the entry is another version), kNotFound (it wants one).
  absl::Status status;
  FaqAction action = FaqAction::kUnchanged;
  std::string id;    // of the entry that is stored
  std::string note;  // what else there is to say: "the same question and answer as ..."
  /// An entry that has the question already; of a refusal of that reason.
  std::string other_id = {};
  std::optional<FaqEntry> stored = {};
};

/// Entries in the order of their ids.
struct FaqPage {
  std::vector<FaqEntry> entries;
  std::string next;  // id after which the next page begins; empty: this is the last
};

/// Version and content of an entry, for If-Match: "3-9f86d081884c7d65".
std::string FaqTag(const FaqEntry& entry);

struct FaqStoreOptions {
  std::function<int64_t()> now_unix;  // empty: the system's clock
  leveldb::Env* env = nullptr;        // borrowed; null: the file system
  uint64_t max_changes = 100'000;     // that are kept in the log: some 25 MB; the oldest go first
};

/// How the record store of a FAQ is opened, besides its environment.
RecordStoreOptions FaqRecordOptions();

/// Thread-safety: any thread; writes are serialised inside. The promises of record_store.h hold: an
/// acknowledged write survives kill -9, and a batch is there whole, with its log, or not at all.
class FaqStore {
 public:
  /// A shop without entries has no files: `directory` is made by the first write. Errors: of
  /// RecordStore::Open.
  static absl::StatusOr<std::unique_ptr<FaqStore>> Open(std::string directory,
                                                        FaqStoreOptions options = {});
  ~FaqStore();
  FaqStore(const FaqStore&) = delete;
  FaqStore& operator=(const FaqStore&) = delete;

  /// Nothing when there is no such entry. Errors: of the store.
  absl::StatusOr<std::optional<FaqEntry>> Find(std::string_view id) const;
  /// At most `limit` entries behind that id; empty: from the first. Errors: of the store.
  absl::StatusOr<FaqPage> List(std::string_view after, size_t limit) const;
  /// Every entry, in the order of ids, over one snapshot, until `visit` returns false.
  absl::Status Visit(const std::function<bool(const FaqEntry&)>& visit) const;

  /// Stores entries that MakeFaqSafe has made plain, in order, as one batch: each sees those before
  /// it. One result for each. An entry that is refused does not keep others from being stored.
  /// Errors: of the store; then none of them is stored.
  absl::StatusOr<std::vector<FaqPutResult>> Write(std::vector<FaqPut> puts, const std::string& who);
  /// What Write would do; stores nothing.
  absl::StatusOr<std::vector<FaqPutResult>> Check(std::vector<FaqPut> puts);
  /// Errors: kNotFound, kAborted (another version), of the store.
  absl::Status Delete(std::string_view id, const FaqMatch& match, const std::string& who);

  /// Changes after that number, oldest first, until `visit` returns false.
  absl::Status VisitChanges(uint64_t after,
                            const std::function<bool(const FaqChange&)>& visit) const;
  /// The number of the oldest change that is kept.
  uint64_t first_change() const { return first_change_; }
  /// The number of the last change; 0: there was none.
  uint64_t last_change() const { return last_change_; }
  uint64_t size() const;
  /// OK, or why no more is written.
  absl::Status health() const;

  /// For backups (faq_backup.h). Null before the first write.
  RecordStore* records() const { return published_; }

 private:
  class Transaction;
  FaqStore(std::string directory, FaqStoreOptions options);
  absl::Status OpenRecords(bool create);
  absl::StatusOr<std::vector<FaqPutResult>> Apply(std::vector<FaqPut> puts, const std::string& who,
                                                  bool writes);
  absl::Status Commit(Transaction& transaction);

  const std::string directory_;
  const FaqStoreOptions options_;
  std::mutex write_mutex_;                // held while entries are compared and written
  std::unique_ptr<RecordStore> records_;  // set once
  std::atomic<RecordStore*> published_{nullptr};
  std::atomic<uint64_t> first_change_{1}, last_change_{0};
};

}  // namespace emptor::catalog
