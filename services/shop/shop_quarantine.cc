// What the screen finds, and records in quarantine: listed, and let out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <mutex>
#include <type_traits>
#include <utility>

#include "catalog/import/release.h"
#include "services/shop/shop.h"

namespace emptor::services {

std::function<void(std::span<const catalog::TextWarning>)> Shop::ScreenCounter(
    catalog::ScreenPolicy policy) const {
  if (options_.counters == nullptr) return nullptr;
  return [counters = options_.counters, policy](std::span<const catalog::TextWarning> found) {
    counters->CountScreened(policy, found);
  };
}

absl::StatusOr<QuarantineList> Shop::ListQuarantine(size_t limit) const {
  QuarantineList list;
  const auto take = [&](bool is_document, const auto& record) {
    if (record.quarantine.empty()) return;
    ++list.total;
    if (list.records.size() == limit) return;
    list.records.push_back({is_document, record.id, record.title, record.quarantine});
  };
  absl::Status scanned =
      store_->ScanProducts([&](const catalog::Product& product, std::string_view) {
        take(false, product);
        return true;
      });
  if (scanned.ok()) {
    scanned = store_->ScanDocuments([&](const catalog::Document& document, std::string_view) {
      take(true, document);
      return true;
    });
  }
  if (!scanned.ok()) return scanned;
  return list;
}

/// Adds the record as it is without quarantine, and the note that remembers it.
template <typename Record>
absl::Status Shop::AddReleased(absl::StatusOr<std::optional<Record>> stored, std::string_view id,
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

absl::Status Shop::Release(bool is_document, std::string_view id) {
  const std::lock_guard lock(import_mutex_);
  if (absl::Status status = ResumeWrites(); !status.ok()) return status;
  catalog::ImportBatch batch;
  const absl::Status status = is_document ? AddReleased(store_->FindDocument(id), id, batch)
                                          : AddReleased(store_->Find(id), id, batch);
  return status.ok() ? Apply(batch) : status;
}

}  // namespace emptor::services
