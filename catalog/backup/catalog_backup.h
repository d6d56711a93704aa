// Backups of a shop's products and documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "catalog/backup/backup.h"
#include "catalog/product_store.h"

namespace emptor::catalog {

/// RunBackup of `store`; the identity is filled in.
absl::StatusOr<BackupReport> BackupCatalog(ProductStore& store, BackupTarget& target,
                                           BackupOptions options);

/// Restore into a directory that ProductStore::Open then takes.
absl::StatusOr<RestoreReport> RestoreCatalog(BackupTarget& target, const std::string& directory,
                                             const std::string& staging_directory,
                                             std::optional<int64_t> until_ms);

}  // namespace emptor::catalog
