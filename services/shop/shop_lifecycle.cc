// Pauses, followed writes, copies of other stores.
#include "services/shop/shop_lifecycle.h"

#include <optional>
#include <string>
#include <utility>

#include "services/shop/batch_writer.h"
#include "services/shop/delta_replay.h"
#include "services/shop/embedder_entry.h"
#include "services/shop/shop_parts.h"

namespace emptor::services {
namespace {

constexpr size_t kRecordsPerWrite = 256;
constexpr size_t kDocumentsPerWrite = 64;

/// REQUIRES: writes.mutex is held.
void SetFollowed(WriteState& writes, std::optional<WrittenRecords> followed) {
  writes.followed = std::move(followed);
  writes.followed_bytes = writes.followed ? writes.followed->bytes() : 0;
}

/// Gathers records and writes them in batches.
class Copier {
 public:
  explicit Copier(ShopParts& parts) : parts_(parts) {}

  catalog::ImportBatch& batch() { return batch_; }
  /// False after an error, which status() holds.
  bool WriteFrom(size_t enough) {
    const catalog::StoreBatch& changes = batch_.changes;
    const size_t count = changes.puts.size() + changes.documents.size() + changes.metadata.size();
    if (!status_.ok() || count < enough) return status_.ok();
    const std::lock_guard lock(parts_.writes.mutex);
    status_ = WriteBatch(parts_, batch_);
    batch_ = {};
    return status_.ok();
  }
  /// Writes what is left, unless the scan failed.
  absl::Status Finish(absl::Status scanned) {
    if (!scanned.ok()) return scanned;
    WriteFrom(1);
    return status_;
  }
  const absl::Status& status() const { return status_; }

 private:
  ShopParts& parts_;
  catalog::ImportBatch batch_;
  absl::Status status_;
};

}  // namespace

ShopLifecycle::WritePause ShopLifecycle::PauseWrites() { return WritePause(parts_.writes.mutex); }

absl::Status ShopLifecycle::FollowWrites(const WritePause&) {
  WrittenRecords followed;
  absl::Status scanned = parts_.store->ScanMetadata([&](std::string_view name, std::string_view) {
    followed.AddMetadata(std::string(name));
    return true;
  });
  if (scanned.ok()) SetFollowed(parts_.writes, std::move(followed));
  return scanned;
}

void ShopLifecycle::StopFollowing(const WritePause&) { SetFollowed(parts_.writes, std::nullopt); }

WrittenRecords ShopLifecycle::TakeWritten(const WritePause&) {
  WrittenRecords taken = *std::move(parts_.writes.followed);
  SetFollowed(parts_.writes, WrittenRecords());
  return taken;
}

absl::Status ShopLifecycle::ReplayDelta(const WrittenRecords& delta,
                                        const catalog::ProductStore& served) {
  const std::lock_guard lock(parts_.writes.mutex);
  return services::ReplayDelta(parts_, delta, served);
}

void ShopLifecycle::Retire(const WritePause&, bool is_retired) {
  parts_.writes.is_retired = is_retired;
}

absl::Status ShopLifecycle::CopyRecords(const catalog::ProductStore& from) {
  Copier copier(parts_);
  absl::Status scanned = from.ScanProducts([&](const catalog::Product& product, std::string_view) {
    copier.batch().changes.puts.push_back({.product = product});
    copier.batch().needs_embedding.push_back(true);
    return copier.WriteFrom(kRecordsPerWrite);
  });
  if (scanned.ok() && copier.status().ok()) {
    scanned = from.ScanDocuments([&](const catalog::Document& document, std::string_view) {
      copier.batch().changes.documents.push_back(document);
      return copier.WriteFrom(kRecordsPerWrite);
    });
  }
  if (scanned.ok() && copier.status().ok()) {
    scanned = from.ScanMetadata([&](std::string_view name, std::string_view value) {
      if (name == kEmbedderEntry) return true;
      copier.batch().changes.metadata.push_back({std::string(name), std::string(value)});
      return copier.WriteFrom(kRecordsPerWrite);
    });
  }
  return copier.Finish(std::move(scanned));
}

absl::StatusOr<uint64_t> ShopLifecycle::CopyDocuments(const catalog::ProductStore& from,
                                                      const std::set<std::string>& except) {
  uint64_t count = 0;
  Copier copier(parts_);
  absl::Status scanned =
      from.ScanDocuments([&](const catalog::Document& document, std::string_view) {
        if (except.contains(document.id)) return true;
        copier.batch().changes.documents.push_back(document);
        ++count;
        return copier.WriteFrom(kDocumentsPerWrite);
      });
  absl::Status status = copier.Finish(std::move(scanned));
  if (!status.ok()) return status;
  return count;
}

catalog::ProductStore& ShopLifecycle::store() { return *parts_.store; }

catalog::FaqStore& ShopLifecycle::faq() { return parts_.faq->store(); }

void ShopLifecycle::WaitForSaves() { parts_.saver.WaitUntilIdle(); }

ShopLifecycle::IndexCounts ShopLifecycle::index_counts() const {
  return {parts_.counters.builds, parts_.counters.replayed, parts_.counters.saves};
}

bool ShopLifecycle::WaitForWords(std::chrono::milliseconds patience) {
  return parts_.words->WaitUntilCurrent(patience);
}

}  // namespace emptor::services
