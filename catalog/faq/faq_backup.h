// Backups of a shop's FAQ: entries and the log of changes, in the target that holds its catalog's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/backup/backup.h"
#include "catalog/faq/faq_store.h"

namespace emptor::catalog {

/// RunBackup of the entries, under names of their own ("faq-backups.json"); the identity is filled
/// in. A store that was never written has no backup: its report names no file.
absl::StatusOr<BackupReport> BackupFaq(FaqStore& store, BackupTarget& target,
                                       BackupOptions options);

/// Restore into a directory that FaqStore::Open then takes. Nothing where the target holds no
/// backup of a FAQ, or none as old as `until_ms`. Errors: as Restore.
absl::StatusOr<std::optional<RestoreReport>> RestoreFaq(BackupTarget& target,
                                                        const std::string& directory,
                                                        const std::string& staging_directory,
                                                        std::optional<int64_t> until_ms);

/// VerifyBackups of the FAQ's files; OK where the target holds none.
absl::Status VerifyFaqBackups(BackupTarget& target, const std::string& staging_directory);

}  // namespace emptor::catalog
