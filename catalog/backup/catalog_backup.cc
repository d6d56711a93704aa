// Backups of a shop's products and documents.
#include "catalog/backup/catalog_backup.h"

#include <utility>

namespace emptor::catalog {

absl::StatusOr<BackupReport> BackupCatalog(ProductStore& store, BackupTarget& target,
                                           BackupOptions options) {
  options.identity = CatalogRecordOptions({}).identity;
  return RunBackup(store.records(), target, options);
}

absl::StatusOr<RestoreReport> RestoreCatalog(BackupTarget& target, const std::string& directory,
                                             const std::string& staging_directory,
                                             std::optional<int64_t> until_ms) {
  RestoreOptions options;
  options.directory = directory;
  options.staging_directory = staging_directory;
  options.store = CatalogRecordOptions({});
  options.until_ms = until_ms;
  return Restore(target, options);
}

}  // namespace emptor::catalog
