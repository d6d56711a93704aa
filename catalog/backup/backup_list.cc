// backups.json.
#include "catalog/backup/backup_list.h"

#include <algorithm>
#include <cctype>

#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr int64_t kFormat = 1;

std::string Hexadecimal(const Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

absl::StatusOr<int64_t> Number(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  if (value != nullptr && value->is_int() && value->as_int() >= 0) return value->as_int();
  return absl::DataLossError(fmt::format("{}: {}: expected a number", kBackupListName, name));
}

absl::StatusOr<std::string> Text(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  if (value != nullptr && value->is_string()) return value->as_string();
  return absl::DataLossError(fmt::format("{}: {}: expected a string", kBackupListName, name));
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() < 128 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.'; });
}

absl::StatusOr<BackupEntry> DecodeEntry(const JsonValue& object) {
  BackupEntry entry;
  const auto name = Text(object, "name"), kind = Text(object, "kind"),
             lineage = Text(object, "lineage"), sha256 = Text(object, "sha256");
  for (const auto* text : {&name, &kind, &lineage, &sha256}) {
    if (!text->ok()) return text->status();
  }
  entry.name = *name;
  entry.lineage = *lineage;
  entry.sha256 = *sha256;
  entry.kind = *kind == "base" ? BackupKind::kBase : BackupKind::kChanges;
  if (!IsPlainName(entry.name) || (*kind != "base" && *kind != "changes")) {
    return absl::DataLossError(
        fmt::format("{}: name or kind: found {:?}, {:?}", kBackupListName, entry.name, *kind));
  }
  const auto take = [&](const char* field, auto& out) {
    const auto number = Number(object, field);
    if (number.ok()) out = static_cast<std::decay_t<decltype(out)>>(*number);
    return number.status();
  };
  for (const absl::Status& status :
       {take("after", entry.after), take("to", entry.to), take("first_ms", entry.first_ms),
        take("last_ms", entry.last_ms), take("entries", entry.entries),
        take("bytes", entry.bytes)}) {
    if (!status.ok()) return status;
  }
  return entry;
}

}  // namespace

std::string EncodeBackupList(const std::vector<BackupEntry>& entries) {
  JsonWriter writer;
  writer.BeginObject().Member("format", kFormat).Key("files").BeginArray();
  for (const BackupEntry& entry : entries) {
    writer.BeginObject()
        .Member("name", entry.name)
        .Member("kind", entry.kind == BackupKind::kBase ? "base" : "changes")
        .Member("lineage", entry.lineage)
        .Member("after", entry.after)
        .Member("to", entry.to)
        .Member("first_ms", entry.first_ms)
        .Member("last_ms", entry.last_ms)
        .Member("entries", entry.entries)
        .Member("bytes", entry.bytes)
        .Member("sha256", entry.sha256)
        .EndObject();
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

absl::StatusOr<std::vector<BackupEntry>> DecodeBackupList(std::string_view json) {
  constexpr JsonLimits kLimits = {.max_bytes = 64u << 20, .max_depth = 4, .max_nodes = 5'000'000};
  const absl::StatusOr<JsonValue> value = ParseJson(json, kLimits);
  if (!value.ok()) {
    return absl::DataLossError(
        fmt::format("{}: {}", kBackupListName, std::string(value.status().message())));
  }
  const auto format = Number(*value, "format");
  if (!format.ok()) return format.status();
  if (*format != kFormat) {
    return absl::FailedPreconditionError(
        fmt::format("{}: format: expected {}, found {}", kBackupListName, kFormat, *format));
  }
  const JsonValue* files = value->Find("files");
  if (files == nullptr || !files->is_array()) {
    return absl::DataLossError(fmt::format("{}: files: expected an array", kBackupListName));
  }
  std::vector<BackupEntry> entries;
  for (const JsonValue& file : files->as_array()) {
    absl::StatusOr<BackupEntry> entry = DecodeEntry(file);
    if (!entry.ok()) return entry.status();
    entries.push_back(*std::move(entry));
  }
  return entries;
}

std::string LineageName(uint64_t lineage) { return fmt::format("{:016x}", lineage); }

BackupEntry MakeBackupEntry(const BackupSeal& seal) {
  BackupEntry entry;
  entry.kind = seal.kind;
  entry.lineage = LineageName(seal.lineage);
  entry.after = seal.after;
  entry.to = seal.store.sequence;
  entry.first_ms = seal.first_ms;
  entry.last_ms = seal.last_ms;
  entry.entries = seal.entries;
  entry.bytes = seal.bytes;
  entry.sha256 = Hexadecimal(seal.digest);
  return entry;
}

bool Agrees(const BackupEntry& entry, const BackupSeal& seal) {
  return entry.kind == seal.kind && entry.after == seal.after &&
         entry.lineage == LineageName(seal.lineage) && entry.to == seal.store.sequence &&
         entry.first_ms == seal.first_ms && entry.last_ms == seal.last_ms &&
         entry.entries == seal.entries && entry.bytes == seal.bytes &&
         entry.sha256 == Hexadecimal(seal.digest);
}

size_t FindBase(const std::vector<BackupEntry>& entries, const std::optional<int64_t>& until_ms) {
  for (size_t i = entries.size(); i-- > 0;) {
    if (entries[i].kind != BackupKind::kBase) continue;
    if (!until_ms || entries[i].last_ms <= *until_ms) return i;
  }
  return entries.size();
}

}  // namespace emptor::catalog
