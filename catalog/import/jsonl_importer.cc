// Lines are cut here, read by product_json, and compared with the store one by one.
#include "catalog/import/jsonl_importer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/content_hash.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// What a line may hold beyond its limit: the byte order mark and the CR.
constexpr size_t kLineSlack = 4;
constexpr size_t kReadBytes = 1u << 16;

// The id of a line that was refused, as far as it can be told.
std::string IdOf(const JsonValue& value) {
  const JsonValue* id = value.Find("id");
  const bool usable = id != nullptr && id->is_string() && IsValidId(id->as_string());
  return usable ? id->as_string() : std::string();
}

std::string NotStored(const absl::Status& status) {
  return fmt::format("not stored: {}", std::string(status.message()));
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::string_view ToString(LineStatus status) {
  constexpr std::array<std::string_view, 5> kNames = {"created", "updated", "unchanged", "deleted",
                                                      "error"};
  return kNames.at(static_cast<size_t>(status));
}

std::string ToJson(const LineResult& result) {
  JsonWriter writer;
  writer.BeginObject().Member("line", result.line);
  if (!result.id.empty()) writer.Member("id", result.id);
  writer.Member("status", ToString(result.status));
  if (!result.message.empty()) writer.Member("message", result.message);
  return writer.EndObject().Take();
}

JsonlImporter::JsonlImporter(const ProductStore& store, const ImportOptions& options,
                             BatchSink batch_sink, ResultSink result_sink)
    : store_(store),
      options_(options),
      batch_sink_(std::move(batch_sink)),
      result_sink_(std::move(result_sink)) {}

JsonlImporter::~JsonlImporter() = default;

absl::Status JsonlImporter::Push(std::string_view bytes) {
  if (!status_.ok()) return status_;
  report_.bytes += bytes.size();
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    AddToLine(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
    status_ = EndLine();
    if (!status_.ok()) return status_;
  }
  return status_;
}

absl::StatusOr<ImportReport> JsonlImporter::Finish() {
  if (status_.ok() && (!line_.empty() || line_too_long_)) status_ = EndLine();
  if (status_.ok()) status_ = Flush();
  if (!status_.ok()) return status_;
  return report_;
}

void JsonlImporter::AddToLine(std::string_view bytes) {
  const size_t most = options_.max_line_bytes + kLineSlack;
  const size_t room = most - std::min(line_.size(), most);
  line_too_long_ = line_too_long_ || bytes.size() > room;
  line_ += bytes.substr(0, room);
}

absl::Status JsonlImporter::EndLine() {
  ++line_number_;
  std::string_view line = line_;
  if (line_number_ == 1 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  absl::Status status;
  if (line_too_long_ || line.size() > options_.max_line_bytes) {
    AddResult("", LineStatus::kError,
              fmt::format("line: longer than {} bytes", options_.max_line_bytes));
  } else if (!IsBlank(line)) {
    status = TakeLine(line);
  }
  line_.clear();
  line_too_long_ = false;
  if (!status.ok()) {
    AddResult("", LineStatus::kError, NotStored(status));
    EmitResults(status);
  } else if (results_.size() >= options_.batch_lines) {
    status = Flush();
  }
  return status;
}

absl::Status JsonlImporter::TakeLine(std::string_view line) {
  const absl::StatusOr<JsonValue> value = ParseRecordJson(line);
  if (!value.ok()) {
    AddResult("", LineStatus::kError, std::string(value.status().message()));
    return absl::OkStatus();
  }
  if (value->Find("deleted") != nullptr) {
    const absl::StatusOr<RecordDeletion> deletion = DeletionFromJson(*value);
    if (deletion.ok()) return AddDeletion(*deletion);
    AddResult(IdOf(*value), LineStatus::kError, std::string(deletion.status().message()));
    return absl::OkStatus();
  }
  const absl::StatusOr<Record> record = RecordFromJson(*value);
  if (!record.ok()) {
    AddResult(IdOf(*value), LineStatus::kError, std::string(record.status().message()));
    return absl::OkStatus();
  }
  if (const Product* product = std::get_if<Product>(&*record)) return AddProduct(*product);
  return AddDocument(std::get<Document>(*record));
}

// Ends the batch when it holds that record already: the store must be asked for the newer one.
absl::Status JsonlImporter::BeginBatchIfTaken(const std::string& name) {
  if (batch_names_.contains(name)) {
    const absl::Status flushed = Flush();
    if (!flushed.ok()) return flushed;
  }
  batch_names_.insert(name);
  return absl::OkStatus();
}

absl::Status JsonlImporter::AddProduct(const Product& product) {
  const absl::Status begun = BeginBatchIfTaken("p" + product.id);
  if (!begun.ok()) return begun;
  const absl::StatusOr<std::optional<Product>> stored = store_.Find(product.id);
  if (!stored.ok()) return stored.status();
  if (stored->has_value() && **stored == product) {
    AddResult(product.id, LineStatus::kUnchanged);
    return absl::OkStatus();
  }
  const bool is_new = !stored->has_value();
  batch_.changes.puts.push_back({.product = product});
  batch_.needs_index_entry.push_back(is_new || IndexTextHash(**stored) != IndexTextHash(product));
  AddResult(product.id, is_new ? LineStatus::kCreated : LineStatus::kUpdated);
  return absl::OkStatus();
}

absl::Status JsonlImporter::AddDocument(const Document& document) {
  const absl::Status begun = BeginBatchIfTaken("d" + document.id);
  if (!begun.ok()) return begun;
  const absl::StatusOr<std::optional<Document>> stored = store_.FindDocument(document.id);
  if (!stored.ok()) return stored.status();
  if (stored->has_value() && **stored == document) {
    AddResult(document.id, LineStatus::kUnchanged);
    return absl::OkStatus();
  }
  batch_.changes.documents.push_back(document);
  AddResult(document.id, stored->has_value() ? LineStatus::kUpdated : LineStatus::kCreated);
  return absl::OkStatus();
}

absl::Status JsonlImporter::AddDeletion(const RecordDeletion& deletion) {
  const absl::Status begun = BeginBatchIfTaken((deletion.is_document ? "d" : "p") + deletion.id);
  if (!begun.ok()) return begun;
  bool exists = false;
  if (deletion.is_document) {
    const auto stored = store_.FindDocument(deletion.id);
    if (!stored.ok()) return stored.status();
    exists = stored->has_value();
    if (exists) batch_.changes.deleted_documents.push_back(deletion.id);
  } else {
    const auto stored = store_.Find(deletion.id);
    if (!stored.ok()) return stored.status();
    exists = stored->has_value();
    if (exists) batch_.changes.deleted_products.push_back(deletion.id);
  }
  AddResult(deletion.id, exists ? LineStatus::kDeleted : LineStatus::kUnchanged);
  return absl::OkStatus();
}

void JsonlImporter::AddResult(std::string id, LineStatus status, std::string message) {
  results_.push_back({line_number_, std::move(id), status, std::move(message)});
}

absl::Status JsonlImporter::Flush() {
  ImportBatch batch = std::exchange(batch_, {});
  batch_names_.clear();
  const StoreBatch& changes = batch.changes;
  const bool any_change = !changes.puts.empty() || !changes.documents.empty() ||
                          !changes.deleted_products.empty() || !changes.deleted_documents.empty();
  absl::Status written;
  if (any_change && !options_.dry_run) written = batch_sink_(std::move(batch));
  EmitResults(written);
  return written;
}

// Tells the results of the batch; with an error, its changes were not stored.
void JsonlImporter::EmitResults(const absl::Status& written) {
  for (LineResult& result : std::exchange(results_, {})) {
    const bool is_change =
        result.status != LineStatus::kError && result.status != LineStatus::kUnchanged;
    if (is_change && !written.ok()) {
      result.status = LineStatus::kError;
      result.message = NotStored(written);
    }
    Emit(result);
  }
}

void JsonlImporter::Emit(const LineResult& result) {
  ++report_.lines;
  switch (result.status) {
    case LineStatus::kCreated:
      ++report_.created;
      break;
    case LineStatus::kUpdated:
      ++report_.updated;
      break;
    case LineStatus::kUnchanged:
      ++report_.unchanged;
      break;
    case LineStatus::kDeleted:
      ++report_.deleted;
      break;
    case LineStatus::kError:
      ++report_.errors;
      break;
  }
  if (result_sink_) result_sink_(result);
}

absl::StatusOr<ImportReport> ImportJsonl(std::istream& stream, JsonlImporter& importer) {
  std::string chunk(kReadBytes, '\0');
  while (stream) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const auto count = static_cast<size_t>(stream.gcount());
    const absl::Status pushed = importer.Push(std::string_view(chunk).substr(0, count));
    if (!pushed.ok()) return pushed;
  }
  if (stream.bad()) return absl::UnavailableError("feed: the stream cannot be read");
  return importer.Finish();
}

}  // namespace emptor::catalog
