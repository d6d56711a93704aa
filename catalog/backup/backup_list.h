// Private to catalog/backup: the list of a target's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/backup/backup.h"

namespace emptor::catalog {

inline constexpr const char* kBackupListName = "backups.json";

std::string EncodeBackupList(const std::vector<BackupEntry>& entries);
/// Errors: kDataLoss, naming the field; kFailedPrecondition (a newer format).
absl::StatusOr<std::vector<BackupEntry>> DecodeBackupList(std::string_view json);

/// The form of a lineage in the list, hexadecimal.
std::string LineageName(uint64_t lineage);
BackupEntry MakeBackupEntry(const BackupSeal& seal);
/// Whether `seal`, read from a file, matches its entry.
bool Agrees(const BackupEntry& entry, const BackupSeal& seal);

/// Start of the last chain that reaches `until_ms` (the last one when absent): a base, then files
/// of changes, each starting where the one before ends. entries.size(): none.
size_t FindBase(const std::vector<BackupEntry>& entries, const std::optional<int64_t>& until_ms);

}  // namespace emptor::catalog
