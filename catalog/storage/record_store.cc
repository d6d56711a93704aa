// LevelDB under a seal. Writing order: batch with its seal record (synced), then the seal file
// (synced), then OK. So the database is never behind the seal file, and at most one batch ahead.
#include "catalog/storage/record_store.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "catalog/storage/record_store_impl.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

bool EndsWithAny(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string DescribeCounts(const Seal& seal) {
  return fmt::format("{} records ({}/{}/{}/{})", seal.records(), seal.counts[0], seal.counts[1],
                     seal.counts[2], seal.counts[3]);
}

}  // namespace

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

// Distinguishes a store, an empty directory, an interrupted creation and a store that lost files.
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

absl::StatusOr<Seal> RecordStore::Impl::ReadSealRecord(const Database& database) const {
  const absl::StatusOr<std::optional<std::string>> bytes = database.Get(kSealKey);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return Seal();  // no batch yet: sequence 0
  const std::string_view view = **bytes;
  const auto identity = DecodeSealHeader(view.substr(0, kSealHeaderBytes));
  if (!identity.ok()) return identity.status();
  const absl::Status ours = CheckIdentity(*identity);
  if (!ours.ok()) return ours;
  return DecodeSealEntry(view.substr(kSealHeaderBytes));
}

absl::Status RecordStore::Impl::CompareWithSealFile(const Seal& found) const {
  const Seal& last = acknowledged.last;
  if (found.sequence < last.sequence) {
    return absl::DataLossError(fmt::format(
        "{}: the database ends at batch {}, but batch {} was acknowledged: {} batches are lost",
        db_path(), found.sequence, last.sequence, last.sequence - found.sequence));
  }
  if (found.sequence > last.sequence + 1) {
    return absl::DataLossError(
        fmt::format("{}/SEAL: ends at batch {}, but the database holds batch {}: the seal was cut "
                    "or replaced",
                    directory, last.sequence, found.sequence));
  }
  if (found.sequence == last.sequence && !(found == last)) {
    return absl::DataLossError(
        fmt::format("{}: batch {} differs from its seal: found {}, sealed {}", db_path(),
                    found.sequence, DescribeCounts(found), DescribeCounts(last)));
  }
  return absl::OkStatus();
}

// A reopened store must not be older: the files could have been replaced.
absl::Status RecordStore::Impl::CompareWithMemory(const Seal& found) const {
  std::lock_guard lock(state_mutex);
  if (found.sequence >= sealed.sequence) return absl::OkStatus();
  return absl::DataLossError(fmt::format(
      "{}: the database ends at batch {}, but batch {} was acknowledged: the files were replaced",
      db_path(), found.sequence, sealed.sequence));
}

absl::Status RecordStore::Impl::VerifyContent(const Database& database,
                                              const Seal& expected) const {
  Seal found;
  found.sequence = expected.sequence;
  const absl::Status scanned = database.Scan("", [&](std::string_view key, std::string_view value) {
    if (IsOwnKey(key)) return true;
    ++found.counts[ClassOf(key)];
    found.digest.Add(key, value);
    return true;
  });
  if (!scanned.ok()) return scanned;
  if (found == expected) return absl::OkStatus();
  if (found.counts == expected.counts) {
    return absl::DataLossError(
        fmt::format("{}: batch {}: the content differs from its sealed digest ({})", db_path(),
                    expected.sequence, DescribeCounts(expected)));
  }
  return absl::DataLossError(fmt::format("{}: batch {}: found {}, sealed {}", db_path(),
                                         expected.sequence, DescribeCounts(found),
                                         DescribeCounts(expected)));
}

// Opens, verifies against the seal file, and only then takes the database into use.
absl::Status RecordStore::Impl::OpenDatabase() {
  if (absl::Status status = CheckFilesBeforeOpen(); !status.ok()) return status;
  const auto opened =
      Database::Open(base_env, db_path(), {options.write_buffer_bytes, options.block_cache_bytes});
  if (!opened.ok()) return opened.status();
  Database& database = **opened;
  const absl::StatusOr<Seal> found = ReadSealRecord(database);
  if (!found.ok()) return found.status();
  absl::Status status = CompareWithSealFile(*found);
  if (status.ok()) status = CompareWithMemory(*found);
  if (status.ok()) status = VerifyContent(database, *found);
  if (status.ok()) status = seal_file.Rewrite(*found);
  if (!status.ok()) return status;
  absl::StatusOr<ChangeLog> log = ChangeLog::Read(database);
  if (!log.ok()) return log.status();
  change_log = *log;
  database.ReleaseDeletes();
  std::lock_guard lock(state_mutex);
  sealed = *found;
  db = *opened;
  return absl::OkStatus();
}

absl::Status RecordStore::Impl::Open() {
  if (!options.create_if_missing && !AnythingThere()) {
    return absl::NotFoundError(fmt::format("{}: no store there", directory));
  }
  absl::Status status = CreateDirectory();
  if (status.ok()) status = Lock();
  if (status.ok()) status = OpenDatabase();
  return status;
}

// Opening moves the logs into tables and begins a MANIFEST: that must fit before the open handle is
// closed, so that reads continue if opening fails.
absl::Status RecordStore::Impl::TryRoomToReopen() const {
  constexpr uint64_t kForManifestAndSeal = 1u << 20;
  uint64_t needed = kForManifestAndSeal;
  std::vector<std::string> names;
  base_env->GetChildren(db_path(), &names);
  for (const std::string& name : names) {
    uint64_t size = 0;
    if (name.ends_with(".log") || name.starts_with("MANIFEST")) {
      base_env->GetFileSize(db_path() + "/" + name, &size);
    }
    needed += size;
  }
  return seal_file.TryRoom(needed);
}

// LevelDB allows one open handle, so the old one is closed first. Readers wait meanwhile.
absl::Status RecordStore::Impl::Reopen() {
  constexpr int kPatienceWithReaders = 20;
  std::shared_ptr<Database> old;
  {
    std::unique_lock lock(state_mutex);
    reopening = true;
    // Reads end soon. A scan may not, and may be what calls this function.
    for (int i = 0; i < kPatienceWithReaders && db.use_count() > 1; ++i) {
      reopened.wait_for(lock, std::chrono::milliseconds(10));
    }
    if (db.use_count() > 1) {
      reopening = false;
      reopened.notify_all();
      return absl::UnavailableError(fmt::format("{}: being scanned, try again", directory));
    }
    old.swap(db);
  }
  old.reset();
  absl::Status status = OpenDatabase();
  {
    std::lock_guard lock(state_mutex);
    reopening = false;
    // Only a lack of disk space can pass; any other error is final.
    if (status.ok() || !absl::IsResourceExhausted(status)) first_error = status;
  }
  reopened.notify_all();
  return status;
}

// The handle in use. Holding it keeps Resume from closing it.
absl::StatusOr<std::shared_ptr<Database>> RecordStore::Impl::TakeDatabase() const {
  std::unique_lock lock(state_mutex);
  reopened.wait(lock, [this] { return !reopening; });
  if (db != nullptr) return db;
  return absl::UnavailableError(fmt::format("{}: closed: {}", directory, first_error.ToString()));
}

// Replaces the record of `key` in `next` by the new one.
absl::Status RecordStore::Impl::ApplyToSeal(const Database& database, std::string_view key,
                                            const std::optional<std::string>& value,
                                            Seal& next) const {
  const absl::StatusOr<std::optional<std::string>> old = database.Get(key);
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

BatchChanges RecordStore::Impl::Listed(uint64_t sequence, const LastChanges& changes) {
  using std::chrono::milliseconds, std::chrono::system_clock;
  BatchChanges listed;
  listed.sequence = sequence;
  listed.time_unix_ms =
      std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  for (const auto& [key, value] : changes) listed.changes.push_back({std::string(key), *value});
  return listed;
}

absl::Status RecordStore::Impl::WriteLocked(const RecordBatch& batch) {
  const absl::StatusOr<std::shared_ptr<Database>> database = TakeDatabase();
  if (!database.ok()) return database.status();
  LastChanges last_changes;
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
    const absl::Status applied = ApplyToSeal(**database, key, *value, next);
    if (!applied.ok()) return applied;
    if (value->has_value()) {
      changes.Put(ToSlice(key), ToSlice(**value));
    } else {
      changes.Delete(ToSlice(key));
    }
  }
  ++next.sequence;
  changes.Put(ToSlice(kSealKey), ToSlice(SealRecord(next)));
  if (change_log.after()) {
    const absl::Status kept = change_log.Append(**database, Listed(next.sequence, last_changes),
                                                options.max_change_log_bytes, changes);
    if (!kept.ok()) return kept;
  }

  const absl::Status written = (*database)->WriteSynced(changes);
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
  const absl::StatusOr<std::shared_ptr<Database>> database = impl_->TakeDatabase();
  if (!database.ok()) return database.status();
  absl::StatusOr<std::optional<std::string>> value = (*database)->Get(key);
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

absl::Status RecordStore::Resume() {
  std::lock_guard lock(impl_->write_mutex);
  const absl::Status earlier = impl_->health();
  if (earlier.ok()) return earlier;
  if (!absl::IsResourceExhausted(earlier)) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: read-only until it is reopened, since: {}", impl_->directory, earlier.ToString()));
  }
  if (absl::Status room = impl_->TryRoomToReopen(); !room.ok()) return room;
  return impl_->Reopen();
}

absl::Status RecordStore::Scan(std::string_view prefix, const Visitor& visit) const {
  return ScanFrom(prefix, prefix, visit);
}

absl::Status RecordStore::ScanFrom(std::string_view prefix, std::string_view first,
                                   const Visitor& visit) const {
  const absl::StatusOr<std::shared_ptr<Database>> database = impl_->TakeDatabase();
  if (!database.ok()) return database.status();
  absl::Status status =
      (*database)->ScanFrom(prefix, first, [&](std::string_view key, std::string_view value) {
        return IsOwnKey(key) || visit(key, value);
      });
  if (!status.ok()) return impl_->Break(std::move(status));
  return status;
}

absl::Status RecordStore::Compact() {
  if (absl::Status earlier = impl_->health(); !earlier.ok()) return earlier;
  const absl::StatusOr<std::shared_ptr<Database>> database = impl_->TakeDatabase();
  if (!database.ok()) return database.status();
  absl::Status status = (*database)->Compact();
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
