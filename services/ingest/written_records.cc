// Sets of names, and files beside them.
#include "services/ingest/written_records.h"

#include <filesystem>
#include <utility>

#include "catalog/storage/durable_file.h"

namespace emptor::services {

namespace fs = std::filesystem;

void WrittenRecords::AddProduct(const std::string& id, const std::set<std::string>& fields) {
  const auto [found, is_new] = products_.try_emplace(id, fields);
  if (is_new || found->second.empty()) return;  // a whole record has its fields
  if (fields.empty()) {
    found->second.clear();
  } else {
    found->second.insert(fields.begin(), fields.end());
  }
}

void WrittenRecords::Add(const catalog::ImportBatch& batch) {
  for (const catalog::NamedRecord& named : batch.named) {
    if (named.is_document) {
      documents_.insert(named.id);
    } else {
      AddProduct(named.id, {named.fields.begin(), named.fields.end()});
    }
  }
  for (const catalog::StoreNote& note : batch.changes.notes) notes_.insert(note.name);
  is_replacement_ |= batch.ends_replacement;
}

absl::Status CopyJobFiles(const std::string& from, const std::string& to,
                          const std::set<std::string>& names) {
  std::error_code error;
  bool any = false;
  for (const std::string& name : names) {
    if (!fs::is_directory(from + "/" + name, error)) continue;
    any = true;
    fs::remove_all(to + "/" + name, error);
    fs::create_directories(to + "/" + name, error);
    for (const auto& file : fs::directory_iterator(from + "/" + name, error)) {
      const std::string path = to + "/" + name + "/" + file.path().filename().string();
      const absl::Status copied = catalog::CopyFileDurably(file.path().string(), path);
      if (!copied.ok() && !absl::IsNotFound(copied)) return copied;  // a feed goes with its job
    }
  }
  return any ? catalog::SyncDirectory(to) : absl::OkStatus();
}

}  // namespace emptor::services
