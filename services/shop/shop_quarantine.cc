// Records in quarantine: listed, and made visible.
#include <fmt/format.h>

#include <mutex>
#include <type_traits>
#include <utility>

#include "catalog/import/release.h"
#include "services/shop/batch_writer.h"
#include "services/shop/shop_parts.h"
#include "services/shop/shop_writer.h"

namespace emptor::services {
namespace {

/// Adds the record as it is without quarantine, and the metadata entry that keeps imports from
/// quarantining it again.
template <typename Record>
absl::Status AddReleased(absl::StatusOr<std::optional<Record>> stored, std::string_view id,
                         catalog::ImportBatch& batch) {
  if (!stored.ok()) return stored.status();
  if (!stored->has_value()) return absl::NotFoundError("id: no such record");
  Record& record = **stored;
  if (record.quarantine.empty()) {
    return absl::FailedPreconditionError(fmt::format("id: {} is not in quarantine", id));
  }
  record.quarantine.clear();
  batch.named.push_back({record.id, std::is_same_v<Record, catalog::Document>});
  batch.changes.metadata.push_back(catalog::ReleaseMark(record));
  if constexpr (std::is_same_v<Record, catalog::Product>) {
    batch.changes.puts.push_back({.product = std::move(record)});
    batch.needs_embedding.push_back(true);
  } else {
    batch.changes.documents.push_back(std::move(record));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<QuarantineList> ShopWriter::ListQuarantine(size_t limit) const {
  QuarantineList list;
  const auto take = [&](bool is_document, const auto& record) {
    if (record.quarantine.empty()) return;
    ++list.total;
    if (list.records.size() == limit) return;
    list.records.push_back({is_document, record.id, record.title, record.quarantine});
  };
  absl::Status scanned =
      parts_.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
        take(false, product);
        return true;
      });
  if (scanned.ok()) {
    scanned = parts_.store->ScanDocuments([&](const catalog::Document& document, std::string_view) {
      take(true, document);
      return true;
    });
  }
  if (!scanned.ok()) return scanned;
  return list;
}

absl::Status ShopWriter::Release(bool is_document, std::string_view id) {
  const std::lock_guard lock(parts_.writes.mutex);
  if (absl::Status status = ResumeWrites(parts_); !status.ok()) return status;
  catalog::ImportBatch batch;
  const absl::Status status = is_document ? AddReleased(parts_.store->FindDocument(id), id, batch)
                                          : AddReleased(parts_.store->Find(id), id, batch);
  return status.ok() ? WriteBatch(parts_, batch) : status;
}

}  // namespace emptor::services
