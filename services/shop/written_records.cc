// Sets of names, and the files of jobs.
#include "services/shop/written_records.h"

#include <filesystem>
#include <utility>

#include "catalog/storage/durable_file.h"
#include "retrieval/byte_count.h"

namespace emptor::services {

namespace fs = std::filesystem;

namespace {

constexpr size_t kTreeNodeBytes = 4 * sizeof(void*);  // colour, parent, children

size_t BytesOf(const std::string& name) {
  return kTreeNodeBytes + sizeof name + retrieval::ByteCount(name);
}

size_t BytesOf(const std::set<std::string>& names) {
  size_t bytes = sizeof names;
  for (const std::string& name : names) bytes += BytesOf(name);
  return bytes;
}

}  // namespace

void WrittenRecords::AddName(std::string name, std::set<std::string>& names) {
  const auto [added, is_new] = names.insert(std::move(name));
  if (is_new) bytes_ += BytesOf(*added);
}

void WrittenRecords::AddProduct(const std::string& id, const std::set<std::string>& fields) {
  const auto [found, is_new] = products_.try_emplace(id, fields);
  if (is_new) bytes_ += BytesOf(found->first) + BytesOf(found->second);
  if (is_new || found->second.empty()) return;  // the whole record includes the fields
  bytes_ -= BytesOf(found->second);
  if (fields.empty()) {
    found->second.clear();
  } else {
    found->second.insert(fields.begin(), fields.end());
  }
  bytes_ += BytesOf(found->second);
}

void WrittenRecords::Add(const catalog::ImportBatch& batch) {
  for (const catalog::NamedRecord& named : batch.named) {
    if (named.is_document) {
      AddName(named.id, documents_);
    } else {
      AddProduct(named.id, {named.fields.begin(), named.fields.end()});
    }
  }
  for (const catalog::MetadataEntry& note : batch.changes.metadata) AddMetadata(note.name);
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
      if (!copied.ok() && !absl::IsNotFound(copied))
        return copied;  // a feed is removed with its job
    }
  }
  return any ? catalog::SyncDirectory(to) : absl::OkStatus();
}

}  // namespace emptor::services
