// Takes the rows of a feed, compares every record with the store, and hands on what changed.
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

/// What a row does to the record that it names.
enum class ImportMode {
  kUpsert,   // makes or replaces it; a ProductPatch changes what is stored
  kCreate,   // makes it; one that is there otherwise is an error
  kUpdate,   // changes it; one that is not there is an error
  kDelete,   // takes it away, whatever else the row says
  kReplace,  // as kUpsert; products that the whole feed leaves out are removed at its end
};
/// "upsert", "create", "update", "delete", "replace".
std::string_view ToString(ImportMode mode);
std::optional<ImportMode> ParseImportMode(std::string_view name);

/// A record that a row spoke of without an error, changed by it or not.
struct NamedRecord {
  std::string id;
  bool is_document = false;
  /// The row set only these, none of them screened text; empty: it stands for the whole record.
  std::vector<std::string> fields = {};
};

/// What becomes of a product whose article (duplicates.h) is there under another id.
enum class DedupeMode {
  kOff,     // it is not looked for
  kReport,  // the row is taken, with a warning
  kSkip,    // the row makes no second product: it is left out; a product that is there is updated
};
/// "off", "report", "skip".
std::string_view ToString(DedupeMode mode);
std::optional<DedupeMode> ParseDedupeMode(std::string_view name);

/// What is written in one go.
struct ImportBatch {
  StoreBatch changes;
  /// `needs_embedding[i]` tells of `changes.puts[i]` that it is new or that its text for search
  /// changed: its stored_embedding is empty and should be filled in (embedding). The others keep
  /// the entry that is stored.
  std::vector<bool> needs_embedding;
  std::vector<NamedRecord> named;  // of its rows, in order, and what kReplace removes
  /// Of kReplace, the last batch: the store holds what the feed names and no other product.
  bool ends_replacement = false;
  std::vector<LineResult> results;  // of its rows, in order, as they are once it is written
  uint64_t end_offset = 0;          // bytes of the unpacked feed up to the end of its last row
  ImportReport report;              // sums of the import with this batch
  bool has_changes() const;
};

/// Writes the batch, e.g. embeds and calls ProductStore::Write; called for every batch, also one
/// without a change. An error ends the import.
using BatchSink = std::function<absl::Status(ImportBatch&)>;
/// Gets each result once, in row order; those of a batch after its sink returned.
using ResultSink = std::function<void(const LineResult&)>;

struct ImportOptions {
  ImportMode mode = ImportMode::kUpsert;
  size_t batch_lines = 256;  // rows that share one write
  bool dry_run = false;      // compare and report, hand nothing on
  /// Refuses a row of which a part was or would be repaired or left out. Otherwise only an unusable
  /// id, title or price refuses a row.
  bool strict = false;
  ScreenPolicy screen = ScreenPolicy::kFlag;  // text that speaks to the assistant
  ScreenSink on_screened = {};                // may be empty
  /// kReplace: of the products that were stored before, at most this share may be removed; a feed
  /// that leaves out more removes nothing.
  double shrink_limit = 0.2;
  /// Goes on with an import that was broken off: rows up to this offset are passed over without a
  /// result, and `done` holds their sums.
  uint64_t resume_offset = 0;
  ImportReport done = {};
  /// Gets the rows of each batch before they are compared, without the lock: what takes long and
  /// needs no comparison is done here. An error fails the batch. May be empty; not called in a dry
  /// run.
  std::function<absl::Status(std::span<const FeedRow>)> before_batch = {};
  /// Gets each batch before it is handed on, also in a dry run, and may add notes to its changes.
  /// An error ends the import. May be empty.
  BatchSink on_batch = {};
  /// A product is compared with those that the store holds and the rows before it; kReplace: with
  /// products that the feed has named alone, for others may be about to go.
  DedupeMode dedupe = DedupeMode::kOff;
  /// Borrowed; holds at least every product of the store. REQUIRES: not null unless kOff.
  DuplicateIndex* duplicates = nullptr;
};

/// The end of a feed. Every text becomes plain and is screened (text_safety/safe_record.h) before
/// it is compared; a text that somebody let out of quarantine (import/release.h) is not held again.
/// A bad row is an error result and nothing more; the rows around it are taken. A record that
/// occurs again within a batch begins a new batch, so the last row of an id wins. Thread-safety:
/// one thread at a time. Lifetime: `store` and `write_mutex` outlive it.
class Importer {
 public:
  /// `write_mutex` is held while a batch is compared and written, and only then: imports and single
  /// changes may run side by side and none loses what another wrote.
  Importer(const ProductStore& store, std::mutex& write_mutex, const ImportOptions& options,
           BatchSink batch_sink, ResultSink result_sink);
  ~Importer();
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;

  /// Errors: of the store (kDataLoss, kUnavailable) or of the batch sink. The rows of the batch
  /// that failed get error results; after an error every call returns it.
  absl::Status Take(FeedRow&& row);
  /// Hands on the last batch, then what kReplace removes. REQUIRES: called once. Errors: as Take;
  /// kFailedPrecondition when products were to be removed and must not be (shrink_limit, rows
  /// without a readable id): every row stands, nothing is removed.
  absl::StatusOr<ImportReport> Finish();
  /// Hands on the rows that wait for a full batch, of a feed that cannot be read on. Errors: as
  /// Take.
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

  std::vector<FeedRow> rows_;                     // of the batch that is not full yet
  uint64_t batch_offset_ = 0;                     // where it begins
  std::unordered_set<std::string> batch_names_;   // kind and id of its records
  Replacement replacement_;                       // of kReplace
  std::unordered_set<std::string> held_;          // of batch_names_: by the screen, for their text
  std::unordered_map<std::string, Product> dry_;  // dry run: what would be stored, as articles
  ImportReport report_;
  absl::Status status_;
};

/// Pushes a whole stream through `reader`, whose sink gives its rows to `importer`. Errors: as
/// Take, those of the reader (the rows before stand), and kUnavailable when the stream cannot be
/// read.
absl::StatusOr<ImportReport> ImportFeed(std::istream& stream, FeedReader& reader,
                                        Importer& importer);

}  // namespace emptor::catalog
