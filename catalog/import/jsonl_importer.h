// Reads a feed of JSON lines, compares every record with the store, and hands on what changed.
// docs/formats/catalog_jsonl.md tells what a line may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product_json.h"
#include "catalog/product_store.h"
#include "catalog/validation.h"

namespace emptor::catalog {

enum class LineStatus { kCreated, kUpdated, kUnchanged, kDeleted, kError };

/// Wire names: "created", "updated", "unchanged", "deleted", "error".
std::string_view ToString(LineStatus status);

/// What became of one line of the feed. Blank lines have none.
struct LineResult {
  uint64_t line = 0;  // from 1
  std::string id;     // empty when the line does not tell it
  LineStatus status = LineStatus::kError;
  std::string message;  // of an error; begins with the field
};

/// One line without a line feed: {"line":17,"id":"k1","status":"created"}.
std::string ToJson(const LineResult& result);

/// Changes for one write. `needs_index_entry[i]` tells of `changes.puts[i]` that it is new or that
/// its text for search changed: its index_entry is empty and should be filled in (embedding). The
/// others keep the entry that is stored.
struct ImportBatch {
  StoreBatch changes;
  std::vector<bool> needs_index_entry;
};

struct ImportReport {
  uint64_t lines = 0;  // with a result, blank ones not counted
  uint64_t created = 0;
  uint64_t updated = 0;
  uint64_t unchanged = 0;
  uint64_t deleted = 0;
  uint64_t errors = 0;
  uint64_t bytes = 0;
};

struct ImportOptions {
  size_t batch_lines = 256;  // lines that share one write
  size_t max_line_bytes = kMaxRecordBytes;
  bool dry_run = false;  // compare and report, hand nothing on
};

/// Writes the batch, e.g. embeds and calls ProductStore::Write. An error ends the import.
using BatchSink = std::function<absl::Status(ImportBatch&&)>;
/// Gets each result once, in line order; those of a batch after its sink returned.
using ResultSink = std::function<void(const LineResult&)>;

/// A push parser: feed bytes in chunks of any size, then Finish. A bad line is an error result and
/// nothing more; the lines around it are taken. Line feeds end lines; CR LF, a byte order mark at
/// the front, blank lines and a last line without line feed are accepted. A record that occurs
/// again within a batch begins a new batch, so the last line of an id wins.
/// Thread-safety: one thread at a time. Lifetime: `store` outlives it.
class JsonlImporter {
 public:
  JsonlImporter(const ProductStore& store, const ImportOptions& options, BatchSink batch_sink,
                ResultSink result_sink);
  ~JsonlImporter();
  JsonlImporter(const JsonlImporter&) = delete;
  JsonlImporter& operator=(const JsonlImporter&) = delete;

  /// Errors: of the store (kDataLoss, kUnavailable) or of the batch sink. The lines of the batch
  /// that failed get error results; after an error every call returns it.
  absl::Status Push(std::string_view bytes);
  /// Takes what is left as the last line and hands on the last batch. REQUIRES: called once.
  absl::StatusOr<ImportReport> Finish();
  /// Counts so far.
  const ImportReport& report() const { return report_; }

 private:
  absl::Status TakeLine(std::string_view line);
  void AddToLine(std::string_view bytes);
  absl::Status EndLine();
  absl::Status AddProduct(const Product& product);
  absl::Status AddDocument(const Document& document);
  absl::Status AddDeletion(const RecordDeletion& deletion);
  absl::Status BeginBatchIfTaken(const std::string& name);
  void AddResult(std::string id, LineStatus status, std::string message = {});
  absl::Status Flush();
  void EmitResults(const absl::Status& written);
  void Emit(const LineResult& result);

  const ProductStore& store_;
  const ImportOptions options_;
  const BatchSink batch_sink_;
  const ResultSink result_sink_;

  std::string line_;  // the line that is not complete yet
  bool line_too_long_ = false;
  uint64_t line_number_ = 0;  // of the last complete line
  ImportBatch batch_;
  std::unordered_set<std::string> batch_names_;  // kind and id of the records of the batch
  std::vector<LineResult> results_;              // of the batch, in line order
  ImportReport report_;
  absl::Status status_;
};

/// Pushes a whole stream. Errors: as Push, and kUnavailable when the stream cannot be read.
absl::StatusOr<ImportReport> ImportJsonl(std::istream& stream, JsonlImporter& importer);

}  // namespace emptor::catalog
