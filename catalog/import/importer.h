// Compares the rows of a feed with the store and emits batches of changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/feed/feed_reader.h"
#include "catalog/import/duplicates.h"
#include "catalog/import/import_result.h"
#include "catalog/import/replacement.h"
#include "catalog/import/row_screen.h"
#include "catalog/product_store.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::catalog {

/// Effect of a row on the record that it names.
enum class ImportMode {
  kUpsert,   // creates or replaces it; a ProductPatch changes the stored record
  kCreate,   // creates it; a different record with its id is an error
  kUpdate,   // changes it; a missing record is an error
  kDelete,   // deletes it, whatever else the row holds
  kReplace,  // as kUpsert; products that the feed does not name are removed at its end
};
/// "upsert", "create", "update", "delete", "replace".
std::string_view ToString(ImportMode mode);
std::optional<ImportMode> ParseImportMode(std::string_view name);

/// A record that a row named without an error, changed or not.
struct NamedRecord {
  std::string id;
  bool is_document = false;
  /// The only fields that the row set, none of them screened; empty: the whole record.
  std::vector<std::string> fields = {};
};

/// Handling of a product whose article (duplicates.h) exists under another id.
enum class DedupeMode {
  kOff,     // not checked
  kReport,  // the row is imported with a warning
  kSkip,    // a row that would create a second product is skipped; an existing product is updated
};
/// "off", "report", "skip".
std::string_view ToString(DedupeMode mode);
std::optional<DedupeMode> ParseDedupeMode(std::string_view name);

/// Changes that are written together.
struct ImportBatch {
  StoreBatch changes;
  /// `needs_embedding[i]`: the product of `changes.puts[i]` is new or its searched text changed, so
  /// the sink should fill in its stored_embedding. The others keep the stored one.
  std::vector<bool> needs_embedding;
  std::vector<NamedRecord> named;  // of its rows, in order, and what kReplace removes
  /// Last batch of kReplace: afterwards the store holds exactly the products that the feed names.
  bool ends_replacement = false;
  std::vector<LineResult> results;  // of its rows, in order, assuming that it is written
  uint64_t end_offset = 0;          // bytes of the decompressed feed up to the end of its last row
  ImportReport report;              // sums of the import with this batch
  bool has_changes() const;
};

/// Writes the batch, e.g. embeds and calls ProductStore::Write; called for every batch, also one
/// without a change. An error ends the import.
using BatchSink = std::function<absl::Status(ImportBatch&)>;
/// Gets each result once, in row order, after the batch sink returned.
using ResultSink = std::function<void(const LineResult&)>;

struct ImportOptions {
  ImportMode mode = ImportMode::kUpsert;
  size_t batch_lines = 256;  // rows that share one write
  bool dry_run = false;      // compare and report, write nothing
  /// Refuses a row that needs a repair (repair.h). Otherwise only an unusable id, title or price
  /// refuses a row.
  bool strict = false;
  ScreenPolicy screen = ScreenPolicy::kFlag;  // text with instructions to the assistant
  ScreenSink on_screened = {};                // may be empty
  /// kReplace: largest share of the stored products that may be removed; a feed that leaves out
  /// more removes nothing.
  double shrink_limit = 0.2;
  /// Resumes an interrupted import: rows up to this offset are skipped without a result, and `done`
  /// holds their sums.
  uint64_t resume_offset = 0;
  ImportReport done = {};
  /// Gets the rows of each batch before they are compared, without the lock, for slow work that
  /// needs no comparison. An error fails the batch. May be empty; not called in a dry run.
  std::function<absl::Status(std::span<const FeedRow>)> before_batch = {};
  /// Gets each batch before it is written, also in a dry run, and may add metadata to its changes.
  /// An error ends the import. May be empty.
  BatchSink on_batch = {};
  /// A product is compared with those of the store and of earlier rows; under kReplace only with
  /// those that the feed named, because others may be removed.
  DedupeMode dedupe = DedupeMode::kOff;
  /// Borrowed; holds at least every product of the store. REQUIRES: not null unless kOff.
  DuplicateIndex* duplicates = nullptr;
};

/// Imports rows. Every text is made plain and screened (text_safety/safe_record.h) before it is
/// compared; a text that was released from quarantine (import/release.h) is not quarantined again.
/// A bad row gives an error result and does not affect other rows. A record that repeats within a
/// batch starts a new batch, so the last row of an id wins. Thread-safety: one thread at a time.
/// Lifetime: `store` and `write_mutex` outlive it.
class Importer {
 public:
  /// `write_mutex` is held while a batch is compared and written, and only then: imports and single
  /// changes may run concurrently without losing writes.
  Importer(const ProductStore& store, std::mutex& write_mutex, const ImportOptions& options,
           BatchSink batch_sink, ResultSink result_sink);
  ~Importer();
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;

  /// Errors: of the store (kDataLoss, kUnavailable) or of the batch sink. The rows of the batch
  /// that failed get error results; after an error every call returns it.
  absl::Status Take(FeedRow&& row);
  /// Writes the last batch, then the removals of kReplace. REQUIRES: called once. Errors: as Take;
  /// kFailedPrecondition when a removal is not allowed (shrink_limit, rows without a readable id):
  /// the rows are imported, nothing is removed.
  absl::StatusOr<ImportReport> Finish();
  /// Writes the incomplete batch of a feed that cannot be read further. Errors: as Take.
  absl::Status Flush();
  /// Counts so far.
  const ImportReport& report() const { return report_; }

 private:
  absl::Status WriteBatch();
  absl::Status HandOn(ImportBatch& batch) const;
  absl::Status Compare(FeedRow& row, ImportBatch& batch);
  absl::Status CompareRecord(FeedRow& row, LineResult& result, ImportBatch& batch);
  absl::Status AddProduct(Product product, LineResult& result, ImportBatch& batch);
  absl::Status AddPatch(const ProductPatch& patch, LineResult& result, ImportBatch& batch);
  absl::Status AddDocument(Document document, LineResult& result, ImportBatch& batch);
  absl::Status AddDeletion(const RecordDeletion& deletion, LineResult& result, ImportBatch& batch);
  absl::Status Put(Product product, const std::optional<Product>& stored, LineResult& result,
                   ImportBatch& batch);
  absl::Status NameDuplicate(const Product& product, const ImportBatch& batch, LineResult& result);
  absl::StatusOr<std::optional<Product>> FindNow(const std::string& id,
                                                 const ImportBatch& batch) const;
  void Emit(std::vector<LineResult> results, const absl::Status& written);
  absl::Status RemoveLeftOut();

  const ProductStore& store_;
  std::mutex& write_mutex_;
  const ImportOptions options_;
  const BatchSink batch_sink_;
  const ResultSink result_sink_;
  const RowScreen screen_;

  std::vector<FeedRow> rows_;                    // of the batch that is not full yet
  uint64_t batch_offset_ = 0;                    // where it begins
  std::unordered_set<std::string> batch_names_;  // kind and id of its records
  Replacement replacement_;                      // of kReplace
  std::unordered_set<std::string> held_;         // of batch_names_: by the screen, for their text
  std::unordered_map<std::string, Product>
      dry_;  // dry run: products that would be stored, reduced to their articles
  ImportReport report_;
  absl::Status status_;
};

/// Pushes a whole stream through `reader`, whose sink gives its rows to `importer`. Errors: as
/// Take, those of the reader (earlier rows remain valid), and kUnavailable when the stream cannot
/// be read.
absl::StatusOr<ImportReport> ImportFeed(std::istream& stream, FeedReader& reader,
                                        Importer& importer);

}  // namespace emptor::catalog
