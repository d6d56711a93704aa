// LevelDB under a seal. Writing order: batch with its seal record (synced), then the seal file
// (synced), then OK. So the database is never behind the seal file, and at most one batch ahead.
#include "catalog/storage/record_store.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "catalog/storage/leveldb_support.h"
#include "fmt/format.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace emptor::catalog {
namespace {

// The store's own record: header and entry of the seal, part of every batch. Sorts first.
constexpr std::string_view kSealKey("\0seal", 5);

bool IsOwnKey(std::string_view key) { return !key.empty() && key[0] == '\0'; }

leveldb::ReadOptions PointRead() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  return options;
}

leveldb::ReadOptions ScanRead() {
  leveldb::ReadOptions options = PointRead();
  options.fill_cache = false;
  return options;
}

bool EndsWithAny(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string DescribeCounts(const Seal& seal) {
  return fmt::format("{} records ({}/{}/{}/{})", seal.records(), seal.counts[0], seal.counts[1],
                     seal.counts[2], seal.counts[3]);
}

}  // namespace

void RecordBatch::Put(std::string key, std::string value) {
  assert(!key.empty() && !IsOwnKey(key));
  changes_.push_back({std::move(key), std::move(value)});
}

void RecordBatch::Delete(std::string key) {
  assert(!key.empty() && !IsOwnKey(key));
  changes_.push_back({std::move(key), std::nullopt});
}

struct RecordStore::Impl {
  Impl(std::string directory_in, const RecordStoreOptions& options_in)
      : directory(std::move(directory_in)),
        options(options_in),
        base_env(options.env != nullptr ? options.env : leveldb::Env::Default()),
        env(base_env),
        seal_file(*base_env, directory, options.identity, options.env == nullptr) {}
  ~Impl();

  std::string db_path() const { return directory + "/db"; }
  absl::Status CreateDirectory() const;
  absl::Status Lock();
  bool AnythingThere() const;
  absl::Status CheckFilesBeforeOpen();
  absl::Status CheckIdentity(const SealIdentity& found) const;
  absl::Status OpenDatabase();
  absl::Status ReadSealRecord();
  absl::Status CompareWithSealFile() const;
  absl::Status VerifyContent() const;
  absl::Status Open();

  size_t ClassOf(std::string_view key) const {
    const size_t record_class = options.class_of != nullptr ? options.class_of(key) : 0;
    assert(record_class < kRecordClasses);
    return record_class;
  }
  absl::Status ScanRange(std::string_view prefix, const Visitor& visit) const;
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const;
  absl::Status ApplyToSeal(std::string_view key, const std::optional<std::string>& value,
                           Seal& next) const;
  absl::Status WriteLocked(const RecordBatch& batch);
  std::string SealRecord(const Seal& value) const {
    return EncodeSealHeader(options.identity) + EncodeSealEntry(value);
  }

  absl::Status health() const {
    std::lock_guard lock(state_mutex);
    return first_error;
  }
  // Keeps the first error and gives `error` back.
  absl::Status Break(absl::Status error) const {
    std::lock_guard lock(state_mutex);
    if (first_error.ok()) first_error = error;
    return error;
  }

  const std::string directory;
  const RecordStoreOptions options;
  leveldb::Env* const base_env;
  GuardedEnv env;
  SealFile seal_file;    // guarded by write_mutex after Open
  SealLog acknowledged;  // what SEAL said when the store was opened
  leveldb::FileLock* lock_file = nullptr;
  std::unique_ptr<leveldb::Cache> cache;
  std::unique_ptr<const leveldb::FilterPolicy> filter;
  std::unique_ptr<leveldb::DB> db;  // destroyed before cache, filter and env

  std::mutex write_mutex;            // held for a whole Write
  mutable std::mutex state_mutex;    // never held while calling out
  Seal sealed;                       // guarded by state_mutex
  mutable absl::Status first_error;  // guarded by state_mutex
};

RecordStore::Impl::~Impl() {
  db.reset();
  if (lock_file != nullptr) base_env->UnlockFile(lock_file);
}

absl::Status RecordStore::Impl::CreateDirectory() const {
  if (options.env != nullptr) {
    base_env->CreateDir(directory);  // an existing one is fine; a failure shows at the lock
    return absl::OkStatus();
  }
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: {}", directory, error.message()));
}

absl::Status RecordStore::Impl::Lock() {
  const leveldb::Status status = base_env->LockFile(directory + "/LOCK", &lock_file);
  if (status.ok()) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("{}: cannot lock the store, another process or handle may hold it: {}", directory,
                  status.ToString()));
}

bool RecordStore::Impl::AnythingThere() const {
  std::vector<std::string> names;
  base_env->GetChildren(db_path(), &names);
  const bool has_data = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "CURRENT" || EndsWithAny(name, {".ldb", ".sst", ".log"});
  });
  return has_data || seal_file.Exists();
}

// Tells a store from an empty place, an interrupted creation, and a store that lost files.
absl::Status RecordStore::Impl::CheckFilesBeforeOpen() {
  std::vector<std::string> names;
  base_env->GetChildren(db_path(), &names);
  const bool has_current = std::find(names.begin(), names.end(), "CURRENT") != names.end();
  const bool has_data = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return EndsWithAny(name, {".ldb", ".sst", ".log"});
  });
  if (!seal_file.Exists()) {
    if (has_current || has_data) {
      return absl::DataLossError(fmt::format("{}: the file SEAL is missing", directory));
    }
    return seal_file.Rewrite(Seal());
  }
  absl::StatusOr<SealLog> log = seal_file.Read();
  if (!log.ok()) return log.status();
  acknowledged = *std::move(log);
  if (!has_current && (has_data || acknowledged.last.sequence > 0)) {
    return absl::DataLossError(fmt::format("{}: the file CURRENT is missing, {} were sealed",
                                           db_path(), DescribeCounts(acknowledged.last)));
  }
  return CheckIdentity(acknowledged.identity);
}

absl::Status RecordStore::Impl::CheckIdentity(const SealIdentity& found) const {
  if (found.application != options.identity.application) {
    return absl::FailedPreconditionError(fmt::format("{}: holds records of \"{}\", expected \"{}\"",
                                                     directory, found.application,
                                                     options.identity.application));
  }
  if (found.content_version > options.identity.content_version) {
    return absl::FailedPreconditionError(
        fmt::format("{}: written in format {}, this build reads up to {}", directory,
                    found.content_version, options.identity.content_version));
  }
  return absl::OkStatus();
}

absl::Status RecordStore::Impl::OpenDatabase() {
  constexpr int kFilterBitsPerKey = 10;
  constexpr size_t kMaxFileBytes = 16u << 20;
  cache.reset(leveldb::NewLRUCache(options.block_cache_bytes));
  filter.reset(leveldb::NewBloomFilterPolicy(kFilterBitsPerKey));
  leveldb::Options db_options;
  db_options.env = &env;
  db_options.create_if_missing = true;  // CheckFilesBeforeOpen refused what must not be created
  db_options.paranoid_checks = true;
  db_options.write_buffer_size = options.write_buffer_bytes;
  db_options.max_file_size = kMaxFileBytes;
  db_options.block_cache = cache.get();
  db_options.filter_policy = filter.get();
  leveldb::DB* raw = nullptr;
  const leveldb::Status status = leveldb::DB::Open(db_options, db_path(), &raw);
  db.reset(raw);
  return FromLevelDb(db_path(), status);
}

absl::Status RecordStore::Impl::ReadSealRecord() {
  std::string bytes;
  const leveldb::Status status = db->Get(PointRead(), ToSlice(kSealKey), &bytes);
  if (status.IsNotFound()) return absl::OkStatus();  // no batch yet: sequence 0
  if (!status.ok()) return FromLevelDb(db_path(), status);
  const std::string_view view = bytes;
  const auto identity = DecodeSealHeader(view.substr(0, kSealHeaderBytes));
  if (!identity.ok()) return identity.status();
  const absl::Status ours = CheckIdentity(*identity);
  if (!ours.ok()) return ours;
  const absl::StatusOr<Seal> entry = DecodeSealEntry(view.substr(kSealHeaderBytes));
  if (!entry.ok()) return entry.status();
  sealed = *entry;
  return absl::OkStatus();
}

absl::Status RecordStore::Impl::CompareWithSealFile() const {
  const Seal& last = acknowledged.last;
  if (sealed.sequence < last.sequence) {
    return absl::DataLossError(fmt::format(
        "{}: the database ends at batch {}, but batch {} was acknowledged: {} batches are lost",
        db_path(), sealed.sequence, last.sequence, last.sequence - sealed.sequence));
  }
  if (sealed.sequence > last.sequence + 1) {
    return absl::DataLossError(
        fmt::format("{}/SEAL: ends at batch {}, but the database holds batch {}: the seal was cut "
                    "or replaced",
                    directory, last.sequence, sealed.sequence));
  }
  if (sealed.sequence == last.sequence && !(sealed == last)) {
    return absl::DataLossError(
        fmt::format("{}: batch {} differs from its seal: found {}, sealed {}", db_path(),
                    sealed.sequence, DescribeCounts(sealed), DescribeCounts(last)));
  }
  return absl::OkStatus();
}

absl::Status RecordStore::Impl::VerifyContent() const {
  Seal found;
  found.sequence = sealed.sequence;
  const absl::Status scanned = ScanRange("", [&](std::string_view key, std::string_view value) {
    ++found.counts[ClassOf(key)];
    found.digest.Add(key, value);
    return true;
  });
  if (!scanned.ok()) return scanned;
  if (found == sealed) return absl::OkStatus();
  if (found.counts == sealed.counts) {
    return absl::DataLossError(
        fmt::format("{}: batch {}: the content differs from its sealed digest ({})", db_path(),
                    sealed.sequence, DescribeCounts(sealed)));
  }
  return absl::DataLossError(fmt::format("{}: batch {}: found {}, sealed {}", db_path(),
                                         sealed.sequence, DescribeCounts(found),
                                         DescribeCounts(sealed)));
}

absl::Status RecordStore::Impl::Open() {
  if (!options.create_if_missing && !AnythingThere()) {
    return absl::NotFoundError(fmt::format("{}: no store there", directory));
  }
  absl::Status status = CreateDirectory();
  if (status.ok()) status = Lock();
  if (status.ok()) status = CheckFilesBeforeOpen();
  if (status.ok()) status = OpenDatabase();
  if (status.ok()) status = ReadSealRecord();
  if (status.ok()) status = CompareWithSealFile();
  if (status.ok()) status = VerifyContent();
  if (status.ok()) status = seal_file.Rewrite(sealed);
  if (status.ok()) env.ReleaseDeletes();
  return status;
}

absl::StatusOr<std::optional<std::string>> RecordStore::Impl::Get(std::string_view key) const {
  std::string value;
  const leveldb::Status status = db->Get(PointRead(), ToSlice(key), &value);
  if (status.ok()) return std::optional<std::string>(std::move(value));
  if (status.IsNotFound()) return std::optional<std::string>();
  return FromLevelDb(db_path(), status);
}

absl::Status RecordStore::Impl::ScanRange(std::string_view prefix, const Visitor& visit) const {
  const std::unique_ptr<leveldb::Iterator> cursor(db->NewIterator(ScanRead()));
  // LevelDB's iterator steps over a damaged block and stays valid: the status tells, at each step.
  for (cursor->Seek(ToSlice(prefix)); cursor->Valid() && cursor->status().ok(); cursor->Next()) {
    const std::string_view key = ToView(cursor->key());
    if (IsOwnKey(key)) continue;
    if (!key.starts_with(prefix)) break;
    if (!visit(key, ToView(cursor->value()))) break;
  }
  return FromLevelDb(db_path(), cursor->status());
}

// Takes the record that `key` has out of `next` and puts the new one in.
absl::Status RecordStore::Impl::ApplyToSeal(std::string_view key,
                                            const std::optional<std::string>& value,
                                            Seal& next) const {
  const absl::StatusOr<std::optional<std::string>> old = Get(key);
  if (!old.ok()) return old.status();
  uint64_t& count = next.counts[ClassOf(key)];
  if (old->has_value()) {
    next.digest.Remove(key, **old);
    --count;
  }
  if (value) {
    next.digest.Add(key, *value);
    ++count;
  }
  return absl::OkStatus();
}

absl::Status RecordStore::Impl::WriteLocked(const RecordBatch& batch) {
  std::map<std::string_view, const std::optional<std::string>*> last_changes;
  for (const RecordBatch::Change& change : batch.changes()) {
    last_changes[change.key] = &change.value;
  }
  Seal next;
  {
    std::lock_guard lock(state_mutex);
    next = sealed;
  }
  leveldb::WriteBatch changes;
  for (const auto& [key, value] : last_changes) {
    const absl::Status applied = ApplyToSeal(key, *value, next);
    if (!applied.ok()) return applied;
    if (value->has_value()) {
      changes.Put(ToSlice(key), ToSlice(**value));
    } else {
      changes.Delete(ToSlice(key));
    }
  }
  ++next.sequence;
  changes.Put(ToSlice(kSealKey), ToSlice(SealRecord(next)));

  leveldb::WriteOptions synced;
  synced.sync = true;
  const absl::Status written = FromLevelDb(db_path(), db->Write(synced, &changes));
  if (!written.ok()) return written;
  const absl::Status acknowledged_status = seal_file.Append(next);
  if (!acknowledged_status.ok()) return acknowledged_status;
  std::lock_guard lock(state_mutex);
  sealed = next;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RecordStore>> RecordStore::Open(const std::string& directory,
                                                               const RecordStoreOptions& options) {
  auto impl = std::make_unique<Impl>(directory, options);
  const absl::Status status = impl->Open();
  if (!status.ok()) return status;
  return std::unique_ptr<RecordStore>(new RecordStore(std::move(impl)));
}

RecordStore::RecordStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordStore::~RecordStore() = default;

absl::StatusOr<std::optional<std::string>> RecordStore::Get(std::string_view key) const {
  absl::StatusOr<std::optional<std::string>> value = impl_->Get(key);
  if (!value.ok()) return impl_->Break(value.status());
  return value;
}

absl::Status RecordStore::Write(const RecordBatch& batch) {
  if (batch.empty()) return absl::OkStatus();
  std::lock_guard lock(impl_->write_mutex);
  const absl::Status earlier = impl_->health();
  if (!earlier.ok()) {
    return absl::FailedPreconditionError(fmt::format("{}: read-only since an earlier error: {}",
                                                     impl_->directory, earlier.ToString()));
  }
  absl::Status status = impl_->WriteLocked(batch);
  if (!status.ok()) return impl_->Break(std::move(status));
  return status;
}

absl::Status RecordStore::Scan(std::string_view prefix, const Visitor& visit) const {
  absl::Status status = impl_->ScanRange(prefix, visit);
  if (!status.ok()) return impl_->Break(std::move(status));
  return status;
}

Seal RecordStore::seal() const {
  std::lock_guard lock(impl_->state_mutex);
  return impl_->sealed;
}

absl::Status RecordStore::health() const { return impl_->health(); }

void RecordStore::ReportDamage(const absl::Status& damage) const {
  static_cast<void>(impl_->Break(damage));
}

}  // namespace emptor::catalog
