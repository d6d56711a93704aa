// RecordStore for backups: a snapshot of everything, or the batches since one.
#include <algorithm>

#include "catalog/storage/record_store_impl.h"
#include "fmt/format.h"

namespace emptor::catalog {

absl::StatusOr<Seal> RecordStore::Export(const Visitor& visit) const {
  const absl::StatusOr<std::shared_ptr<Database>> database = impl_->TakeDatabase();
  if (!database.ok()) return database.status();
  Seal expected, found;
  absl::Status damage, stopped;
  // The seal is a record of the same snapshot.
  absl::Status status = (*database)->Scan("", [&](std::string_view key, std::string_view value) {
    if (key == kSealKey) {
      auto seal = DecodeSealEntry(value.substr(std::min(kSealHeaderBytes, value.size())));
      damage = seal.status();
      if (seal.ok()) expected = *seal;
      return damage.ok();
    }
    if (IsOwnKey(key)) return true;
    ++found.counts[impl_->ClassOf(key)];
    found.digest.Add(key, value);
    if (!visit(key, value)) stopped = absl::CancelledError("the export was stopped");
    return stopped.ok();
  });
  if (!stopped.ok()) return stopped;
  if (status.ok()) status = damage;
  found.sequence = expected.sequence;
  if (status.ok() && !(found == expected)) {
    status = absl::DataLossError(fmt::format("{}: batch {}: the content differs from its seal",
                                             impl_->db_path(), expected.sequence));
  }
  if (!status.ok()) return impl_->Break(std::move(status));
  return expected;
}

absl::Status RecordStore::Impl::ChangeLogLocked(
    const std::function<absl::Status(const Database&, leveldb::WriteBatch&)>& change) {
  const absl::Status earlier = health();
  if (!earlier.ok()) return earlier;
  const absl::StatusOr<std::shared_ptr<Database>> database = TakeDatabase();
  if (!database.ok()) return database.status();
  leveldb::WriteBatch changes;
  absl::Status status = change(**database, changes);
  if (status.ok()) status = (*database)->WriteSynced(changes);
  if (!status.ok()) return Break(std::move(status));
  return status;
}

absl::StatusOr<uint64_t> RecordStore::KeepChanges() {
  std::lock_guard lock(impl_->write_mutex);
  if (impl_->change_log.after()) return impl_->change_log.lineage();
  const uint64_t sequence = seal().sequence;
  const absl::Status begun =
      impl_->ChangeLogLocked([&](const Database&, leveldb::WriteBatch& changes) {
        impl_->change_log.Begin(sequence, changes);
        return absl::OkStatus();
      });
  if (!begun.ok()) return begun;
  return impl_->change_log.lineage();
}

absl::Status RecordStore::ScanChanges(uint64_t after,
                                      const std::function<bool(const BatchChanges&)>& visit) const {
  std::shared_ptr<Database> database;
  {
    std::lock_guard lock(impl_->write_mutex);
    const auto& kept_after = impl_->change_log.after();
    if (!kept_after || *kept_after > after || after > seal().sequence) {
      return absl::NotFoundError(
          fmt::format("{}: the batches after {} are not kept", impl_->directory, after));
    }
    auto taken = impl_->TakeDatabase();
    if (!taken.ok()) return taken.status();
    database = *std::move(taken);
  }
  absl::Status status = ScanChangeLog(*database, after, visit);
  if (status.ok() || absl::IsNotFound(status)) return status;
  return impl_->Break(std::move(status));
}

absl::Status RecordStore::TrimChanges(uint64_t sequence) {
  std::lock_guard lock(impl_->write_mutex);
  return impl_->ChangeLogLocked([&](const Database& database, leveldb::WriteBatch& changes) {
    return impl_->change_log.Trim(database, sequence, changes);
  });
}

}  // namespace emptor::catalog
