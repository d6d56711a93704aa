// What may be changed in a shop: records, metadata, quarantine, synonyms, merchandising rules.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/import/importer.h"
#include "catalog/product_store.h"
#include "services/shop/shop_profile.h"
#include "services/shop/text_counters.h"

namespace emptor::services {

class ShopFaq;
struct ShopParts;

/// A record that shoppers may not see.
struct QuarantinedRecord {
  bool is_document = false;
  std::string id, title, reason;
};
struct QuarantineList {
  size_t total = 0;
  std::vector<QuarantinedRecord> records;  // the first of them, products before documents
};

/// As ImportOptions::on_batch, with the reader that the rows come from.
using BatchHook = std::function<absl::Status(catalog::ImportBatch&, const catalog::FeedReader&)>;

/// Thread-safety: any thread; batches are written one after the other. Lifetime: within the Shop's.
/// Invariant: a write that has returned OK is durable and is found by the next search.
/// Errors of every write: kAborted when another generation of the shop is served;
/// kResourceExhausted while the disk is full (a write that finds room again succeeds), and for new
/// text beyond the shop's budget of memory (prices, stock and deletions are always accepted).
class ShopWriter {
 public:
  explicit ShopWriter(ShopParts& parts) : parts_(parts) {}

  /// The sums that imports need, such as the currency of the shop's prices.
  std::shared_ptr<const ShopProfile> profile() const;

  /// Imports a feed. `on_result` gets one result for each row, in order. Imports may run at the
  /// same time; a change waits for at most one batch of another. options.duplicates is set here.
  /// Reloads synonyms and merchandising rules first. Errors: also of the feed, the store and the
  /// embedder; what was written before the error stays.
  absl::StatusOr<catalog::ImportReport> Import(std::istream& stream,
                                               const catalog::FeedOptions& feed,
                                               const catalog::ImportOptions& options,
                                               const catalog::ResultSink& on_result,
                                               const BatchHook& on_batch = nullptr);
  /// Imports a single row: a new price, a deletion. Errors: as Import; an error of the row is in
  /// the result.
  absl::StatusOr<catalog::LineResult> Change(catalog::FeedRow row, catalog::ImportMode mode);

  /// The FAQ, for changes; they are written with those of no other thread.
  ShopFaq& faq();

  absl::Status WriteMetadata(std::vector<catalog::MetadataEntry> entries);
  absl::Status ScanMetadata(const catalog::ProductStore::MetadataVisitor& visit) const;

  /// Records in quarantine. Reads every record. Errors: of the store.
  absl::StatusOr<QuarantineList> ListQuarantine(size_t limit) const;
  /// Makes a record in quarantine visible; imports do not quarantine this text again. Errors:
  /// kNotFound, kFailedPrecondition (it is not in quarantine), as Import.
  absl::Status Release(bool is_document, std::string_view id);
  /// How text is screened unless an import says otherwise.
  catalog::ScreenPolicy screen_policy() const;
  TextCounters* counters() const;  // may be null

  /// Reads synonyms.txt of the settings directory, for searches from now on. After an error the
  /// synonyms in use stay. Errors: kInvalidArgument names the line; kUnavailable.
  absl::Status ReloadSynonyms();
  /// Reads the merchandising rules, as MerchandisingFile::Reload.
  absl::Status ReloadMerchandising();
  /// Replaces the merchandising rules, as MerchandisingFile::Set.
  absl::Status SetMerchandising(const std::string& json);

  /// The end of a job: a good moment to save the search index.
  void NoteJobEnd();
  /// OK, or why the store takes no more writes.
  absl::Status health() const;

 private:
  ShopParts& parts_;
};

}  // namespace emptor::services
