// Records are compared with the served store's and written in batches.
#include "services/shop/delta_replay.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/content_hash.h"
#include "catalog/feed/product_patch.h"
#include "catalog/validation.h"
#include "services/shop/batch_writer.h"

namespace emptor::services {
namespace {

constexpr size_t kRecordsPerWrite = 256;

size_t SizeOf(const catalog::StoreBatch& batch) {
  return batch.puts.size() + batch.deleted_products.size() + batch.documents.size() +
         batch.deleted_documents.size() + batch.metadata.size();
}

/// `mine` with those fields of `theirs`; nothing when the result is not valid.
std::optional<catalog::Product> WithFields(const catalog::Product& mine,
                                           const catalog::Product& theirs,
                                           const std::set<std::string>& fields) {
  catalog::Product merged = mine;
  catalog::ProductPatch patch;
  patch.values = theirs;
  patch.fields.assign(fields.begin(), fields.end());
  if (!catalog::ApplyPatch(patch, merged).ok()) return std::nullopt;
  if (!catalog::ValidateProduct(merged).ok()) return std::nullopt;
  return merged;
}

class DeltaReplay {
 public:
  DeltaReplay(ShopParts& parts, const WrittenRecords& delta, const catalog::ProductStore& served)
      : parts_(parts), delta_(delta), served_(served) {}

  absl::Status Run() {
    absl::Status status;
    if (delta_.is_replacement()) status = AddReplaced();
    if (status.ok()) status = WriteWhenFull();
    if (!status.ok()) return status;
    for (const auto& [id, fields] : delta_.products()) {
      status = AddProduct(id, fields);
      if (status.ok()) status = WriteWhenFull();
      if (!status.ok()) return status;
    }
    for (const std::string& id : delta_.documents()) {
      status = AddDocument(id);
      if (status.ok()) status = WriteWhenFull();
      if (!status.ok()) return status;
    }
    status = AddMetadata();
    return status.ok() ? Write() : status;
  }

 private:
  /// Adds what must change for the product to be as it is served, if anything must.
  absl::Status AddProduct(const std::string& id, const std::set<std::string>& fields) {
    const auto theirs = served_.Find(id);
    if (!theirs.ok()) return theirs.status();
    const auto mine = parts_.store->Find(id);
    if (!mine.ok()) return mine.status();
    if (!theirs->has_value()) {
      if (mine->has_value()) batch_.changes.deleted_products.push_back(id);
      return absl::OkStatus();
    }
    std::optional<catalog::Product> wanted;
    if (mine->has_value() && !fields.empty()) wanted = WithFields(**mine, **theirs, fields);
    if (!wanted) wanted = **theirs;
    if (*mine == wanted) return absl::OkStatus();
    batch_.needs_embedding.push_back(!mine->has_value() || catalog::IndexTextHash(**mine) !=
                                                               catalog::IndexTextHash(*wanted));
    batch_.changes.puts.push_back({.product = *std::move(wanted)});
    return absl::OkStatus();
  }

  /// As AddProduct.
  absl::Status AddDocument(const std::string& id) {
    auto theirs = served_.FindDocument(id);
    if (!theirs.ok()) return theirs.status();
    const auto mine = parts_.store->FindDocument(id);
    if (!mine.ok()) return mine.status();
    if (!theirs->has_value()) {
      if (mine->has_value()) batch_.changes.deleted_documents.push_back(id);
    } else if (*mine != *theirs) {
      batch_.changes.documents.push_back(**std::move(theirs));
    }
    return absl::OkStatus();
  }

  /// Adds the products that are not served any more because an import has replaced all products.
  absl::Status AddReplaced() {
    absl::Status failed;
    const absl::Status scanned =
        parts_.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
          const auto theirs = served_.Find(product.id);
          if (!theirs.ok()) failed = theirs.status();
          if (theirs.ok() && !theirs->has_value()) {
            batch_.changes.deleted_products.push_back(product.id);
          }
          return failed.ok();
        });
    return scanned.ok() ? failed : scanned;
  }

  absl::Status AddMetadata() {
    std::set<std::string> gone = delta_.metadata();
    std::vector<catalog::MetadataEntry>& metadata = batch_.changes.metadata;
    const absl::Status scanned =
        served_.ScanMetadata([&](std::string_view name, std::string_view value) {
          if (gone.erase(std::string(name)) > 0) {
            metadata.push_back({std::string(name), std::string(value)});
          }
          return true;
        });
    for (const std::string& name : gone) metadata.push_back({name, std::nullopt});
    return scanned;
  }

  absl::Status WriteWhenFull() {
    return SizeOf(batch_.changes) < kRecordsPerWrite ? absl::OkStatus() : Write();
  }

  absl::Status Write() {
    catalog::ImportBatch full = std::exchange(batch_, {});
    return WriteBatch(parts_, full, {.other = &served_});
  }

  ShopParts& parts_;
  const WrittenRecords& delta_;
  const catalog::ProductStore& served_;
  catalog::ImportBatch batch_;
};

}  // namespace

absl::Status ReplayDelta(ShopParts& parts, const WrittenRecords& delta,
                         const catalog::ProductStore& served) {
  parts.writes.followed_bytes = delta.bytes();  // the caller keeps them until this returns
  absl::Status status = DeltaReplay(parts, delta, served).Run();
  parts.writes.followed_bytes = 0;
  return status;
}

}  // namespace emptor::services
