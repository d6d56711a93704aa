// Rows wait until a batch is full; then each is compared with the store, and the changes are
// written.
#include "catalog/import/importer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/content_hash.h"
#include "catalog/feed/product_patch.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kReadBytes = 1u << 16;
// Feed bytes that may wait for a batch, however few rows they are.
constexpr uint64_t kMaxBatchBytes = 4u << 20;

constexpr std::array<std::string_view, 5> kModes = {"upsert", "create", "update", "delete",
                                                    "replace"};

constexpr std::array<std::string_view, 3> kDedupeModes = {"off", "report", "skip"};

std::string NotStored(const absl::Status& status) {
  return fmt::format("not stored: {}", std::string(status.message()));
}

/// Kind and id of the record that a row names; empty if it names none.
std::string NameOf(const FeedRow& row) {
  struct Namer {
    std::string operator()(const std::monostate&) const { return ""; }
    std::string operator()(const Product& product) const { return "p" + product.id; }
    std::string operator()(const ProductPatch& patch) const { return "p" + patch.values.id; }
    std::string operator()(const Document& document) const { return "d" + document.id; }
    std::string operator()(const RecordDeletion& deletion) const {
      return (deletion.is_document ? "d" : "p") + deletion.id;
    }
  };
  return std::visit(Namer(), row.record);
}

void Refuse(std::string_view message, LineResult& result) {
  result.status = LineStatus::kError;
  result.message = std::string(message);
}

std::string MessageOf(const std::vector<FeedProblem>& problems) {
  if (problems.empty()) return "the row cannot be read";
  const FeedProblem& first = problems.front();
  return first.field.empty() ? first.reason : first.field + ": " + first.reason;
}

bool ChangesText(const ProductPatch& patch) {
  return std::any_of(patch.fields.begin(), patch.fields.end(),
                     [](const std::string& field) { return IsScreenedField(field); });
}

/// REQUIRES: the row holds a record. A patch of screened text counts as the whole record.
NamedRecord NamedBy(const FeedRow& row, ImportMode mode) {
  const std::string name = NameOf(row);
  NamedRecord named{.id = name.substr(1), .is_document = name[0] == 'd'};
  const auto* patch = std::get_if<ProductPatch>(&row.record);
  if (patch == nullptr || mode == ImportMode::kDelete || ChangesText(*patch)) return named;
  named.fields = patch->fields;
  return named;
}

/// Catches the repairs of readers that do not know options.strict.
void RefuseRepaired(FeedRow& row) {
  const bool is_deletion = std::holds_alternative<RecordDeletion>(row.record);
  if (!is_deletion && !row.problems.empty()) row.record = std::monostate();
}

bool IsChange(LineStatus status) {
  return status != LineStatus::kError && status != LineStatus::kUnchanged &&
         status != LineStatus::kDuplicate;
}

}  // namespace

std::string_view ToString(ImportMode mode) { return kModes.at(static_cast<size_t>(mode)); }

std::optional<ImportMode> ParseImportMode(std::string_view name) {
  const auto* found = std::find(kModes.begin(), kModes.end(), name);
  if (found == kModes.end()) return std::nullopt;
  return static_cast<ImportMode>(found - kModes.begin());
}

std::string_view ToString(DedupeMode mode) { return kDedupeModes.at(static_cast<size_t>(mode)); }

std::optional<DedupeMode> ParseDedupeMode(std::string_view name) {
  const auto* found = std::find(kDedupeModes.begin(), kDedupeModes.end(), name);
  if (found == kDedupeModes.end()) return std::nullopt;
  return static_cast<DedupeMode>(found - kDedupeModes.begin());
}

bool ImportBatch::has_changes() const {
  return !changes.puts.empty() || !changes.documents.empty() || !changes.deleted_products.empty() ||
         !changes.deleted_documents.empty();
}

Importer::Importer(const ProductStore& store, std::mutex& write_mutex, const ImportOptions& options,
                   BatchSink batch_sink, ResultSink result_sink)
    : store_(store),
      write_mutex_(write_mutex),
      options_(options),
      batch_sink_(std::move(batch_sink)),
      result_sink_(std::move(result_sink)),
      screen_(store, options.screen, options.on_screened),
      report_(options.done) {}

Importer::~Importer() = default;

absl::Status Importer::Take(FeedRow&& row) {
  if (!status_.ok()) return status_;
  const std::string name = NameOf(row);
  if (options_.mode == ImportMode::kReplace) {
    if (name.starts_with('p')) replacement_.Name(name.substr(1));
    if (name.empty() && !row.id.empty()) replacement_.Name(row.id);
    if (name.empty() && row.id.empty()) replacement_.CountUnnamed();
  }
  if (row.end_offset <= options_.resume_offset) {
    batch_offset_ = row.end_offset;
    return status_;
  }
  if (!name.empty() && !batch_names_.insert(name).second) {
    status_ = WriteBatch();
    batch_names_.insert(name);
  }
  const uint64_t end_offset = row.end_offset;
  if (options_.strict && options_.mode != ImportMode::kDelete) RefuseRepaired(row);
  if (options_.mode != ImportMode::kDelete && screen_.MakeSafe(row)) held_.insert(name);
  rows_.push_back(std::move(row));
  const bool is_full =
      rows_.size() >= options_.batch_lines || end_offset - batch_offset_ >= kMaxBatchBytes;
  if (status_.ok() && is_full) status_ = WriteBatch();
  return status_;
}

absl::StatusOr<ImportReport> Importer::Finish() {
  if (status_.ok()) status_ = WriteBatch();
  if (status_.ok() && options_.mode == ImportMode::kReplace) status_ = RemoveLeftOut();
  if (!status_.ok()) return status_;
  return report_;
}

absl::Status Importer::Flush() {
  if (status_.ok()) status_ = WriteBatch();
  return status_;
}

absl::Status Importer::WriteBatch() {
  batch_names_.clear();
  const std::unordered_set<std::string> held = std::exchange(held_, {});
  if (rows_.empty()) return absl::OkStatus();
  std::vector<FeedRow> rows = std::exchange(rows_, {});
  ImportBatch batch;
  batch.report = report_;
  // The checkpoint follows the last row whose lines are complete, so that resuming loses no row.
  const auto whole =
      std::find_if(rows.rbegin(), rows.rend(), [](const FeedRow& row) { return !row.more; });
  if (whole != rows.rend()) batch_offset_ = whole->end_offset;
  batch.end_offset = batch.report.bytes = batch_offset_;
  const bool prepares = options_.before_batch && !options_.dry_run;
  absl::Status status = prepares ? options_.before_batch(rows) : absl::OkStatus();
  {
    const std::lock_guard lock(write_mutex_);
    for (FeedRow& row : rows) {
      LineResult& result = batch.results.emplace_back();
      result.line = row.line;
      result.end_line = row.end_line;
      result.id = row.id;
      if (status.ok() && held.contains(NameOf(row))) status = screen_.LetOut(row);
      if (status.ok()) status = Compare(row, batch);
      if (!status.ok()) Refuse(NotStored(status), result);
      if (result.status == LineStatus::kError) result.raw = std::move(row.raw);
      CountResult(result, batch.report);
    }
    if (status.ok()) status = HandOn(batch);
  }
  if (status.ok()) {
    report_.removed = batch.report.removed;
    report_.embeddings_skipped = batch.report.embeddings_skipped;
  }
  report_.bytes = batch.end_offset;
  Emit(std::move(batch.results), status);
  return status;
}

absl::Status Importer::HandOn(ImportBatch& batch) const {
  const absl::Status status = options_.on_batch ? options_.on_batch(batch) : absl::OkStatus();
  return status.ok() && !options_.dry_run ? batch_sink_(batch) : status;
}

/// Sets the last result of the batch. Errors: of the store.
absl::Status Importer::Compare(FeedRow& row, ImportBatch& batch) {
  LineResult& result = batch.results.back();
  result.problems = std::move(row.problems);
  if (std::holds_alternative<std::monostate>(row.record)) {
    Refuse(MessageOf(result.problems), result);
    return absl::OkStatus();
  }
  NamedRecord named = NamedBy(row, options_.mode);
  absl::Status status = CompareRecord(row, result, batch);
  const bool is_taken =
      result.status != LineStatus::kError && result.status != LineStatus::kDuplicate;
  if (status.ok() && is_taken) batch.named.push_back(std::move(named));
  return status;
}

/// REQUIRES: the row holds a record.
absl::Status Importer::CompareRecord(FeedRow& row, LineResult& result, ImportBatch& batch) {
  if (options_.mode == ImportMode::kDelete) {
    const std::string name = NameOf(row);
    return AddDeletion({.id = name.substr(1), .is_document = name[0] == 'd'}, result, batch);
  }
  if (auto* product = std::get_if<Product>(&row.record)) {
    return AddProduct(std::move(*product), result, batch);
  }
  if (const auto* patch = std::get_if<ProductPatch>(&row.record)) {
    return AddPatch(*patch, result, batch);
  }
  if (auto* document = std::get_if<Document>(&row.record)) {
    return AddDocument(std::move(*document), result, batch);
  }
  if (options_.mode == ImportMode::kCreate) {
    Refuse("deleted: a feed that creates takes nothing away", result);
    return absl::OkStatus();
  }
  return AddDeletion(std::get<RecordDeletion>(row.record), result, batch);
}

absl::Status Importer::AddProduct(Product product, LineResult& result, ImportBatch& batch) {
  const absl::Status valid =
      options_.strict ? ValidateProduct(product) : RepairProduct(product, result.problems);
  if (!valid.ok()) {
    Refuse(std::string(valid.message()), result);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::optional<Product>> stored = store_.Find(product.id);
  if (!stored.ok()) return stored.status();
  if (!stored->has_value() && options_.mode == ImportMode::kUpdate) {
    Refuse("id: no such product", result);
  } else {
    return Put(std::move(product), *stored, result, batch);
  }
  return absl::OkStatus();
}

absl::Status Importer::AddPatch(const ProductPatch& patch, LineResult& result, ImportBatch& batch) {
  const absl::StatusOr<std::optional<Product>> stored = store_.Find(patch.values.id);
  if (!stored.ok()) return stored.status();
  if (!stored->has_value()) {
    Refuse(options_.mode == ImportMode::kUpdate
               ? "id: no such product"
               : "id: no such product, and the row has no title to make one",
           result);
    return absl::OkStatus();
  }
  Product patched = **stored;
  absl::Status valid = ApplyPatch(patch, patched);
  if (valid.ok() && ChangesText(patch)) {
    absl::Status status = screen_.ScreenPatched(patched, result.problems);
    if (!status.ok()) return status;
  }
  if (valid.ok()) {
    valid = ValidateProduct(patched);
    if (!valid.ok() && !options_.strict) {
      RepairProductFields(patched, result.problems);
      valid = ValidateProduct(patched);
    }
  }
  if (valid.ok()) return Put(std::move(patched), *stored, result, batch);
  Refuse(std::string(valid.message()), result);
  return absl::OkStatus();
}

/// Adds `product` as the new state of `stored`.
absl::Status Importer::Put(Product product, const std::optional<Product>& stored,
                           LineResult& result, ImportBatch& batch) {
  if (options_.dedupe != DedupeMode::kOff) {
    absl::Status status = NameDuplicate(product, batch, result);
    if (!status.ok()) return status;
    if (options_.dedupe == DedupeMode::kSkip && !stored && !result.duplicate_of.empty()) {
      result.status = LineStatus::kDuplicate;
      return absl::OkStatus();
    }
  }
  if (stored && *stored == product) {
    result.status = LineStatus::kUnchanged;
    ++batch.report.embeddings_skipped;
    return absl::OkStatus();
  }
  if (stored && options_.mode == ImportMode::kCreate) {
    Refuse("id: there is such a product already", result);
    return absl::OkStatus();
  }
  if (options_.dedupe != DedupeMode::kOff) {
    options_.duplicates->Add(product);
    if (options_.dry_run) dry_[product.id] = ArticleOf(product);
  }
  const bool needs_entry = !stored || IndexTextHash(*stored) != IndexTextHash(product);
  batch.report.embeddings_skipped += !needs_entry;
  batch.changes.puts.push_back({.product = std::move(product)});
  batch.needs_embedding.push_back(needs_entry);
  result.status = stored ? LineStatus::kUpdated : LineStatus::kCreated;
  return absl::OkStatus();
}

/// A product after the rows so far; nothing if it does not count.
absl::StatusOr<std::optional<Product>> Importer::FindNow(const std::string& id,
                                                         const ImportBatch& batch) const {
  if (options_.mode == ImportMode::kReplace && !replacement_.names(id)) return std::nullopt;
  for (const ProductPut& put : batch.changes.puts) {
    if (put.product.id == id) return put.product;
  }
  const auto& deleted = batch.changes.deleted_products;
  if (std::find(deleted.begin(), deleted.end(), id) != deleted.end()) return std::nullopt;
  if (const auto found = dry_.find(id); found != dry_.end()) return found->second;
  return store_.Find(id);
}

/// Errors: of the store.
absl::Status Importer::NameDuplicate(const Product& product, const ImportBatch& batch,
                                     LineResult& result) {
  const auto match =
      options_.duplicates->Find(product, [&](const std::string& id) { return FindNow(id, batch); });
  if (!match.ok()) return match.status();
  if (!match->has_value()) return absl::OkStatus();
  result.duplicate_of = (*match)->id;
  result.problems.push_back(
      {(*match)->field, fmt::format("the same article as \"{}\"", (*match)->id)});
  return absl::OkStatus();
}

absl::Status Importer::AddDocument(Document document, LineResult& result, ImportBatch& batch) {
  const absl::Status valid =
      options_.strict ? ValidateDocument(document) : RepairDocument(document, result.problems);
  if (!valid.ok()) {
    Refuse(std::string(valid.message()), result);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::optional<Document>> stored = store_.FindDocument(document.id);
  if (!stored.ok()) return stored.status();
  if (stored->has_value() && **stored == document) {
    result.status = LineStatus::kUnchanged;
  } else if (stored->has_value() && options_.mode == ImportMode::kCreate) {
    Refuse("id: there is such a document already", result);
  } else if (!stored->has_value() && options_.mode == ImportMode::kUpdate) {
    Refuse("id: no such document", result);
  } else {
    result.status = stored->has_value() ? LineStatus::kUpdated : LineStatus::kCreated;
    batch.changes.documents.push_back(std::move(document));
  }
  return absl::OkStatus();
}

absl::Status Importer::AddDeletion(const RecordDeletion& deletion, LineResult& result,
                                   ImportBatch& batch) {
  bool exists = false;
  if (deletion.is_document) {
    const auto stored = store_.FindDocument(deletion.id);
    if (!stored.ok()) return stored.status();
    exists = stored->has_value();
    if (exists) batch.changes.deleted_documents.push_back(deletion.id);
  } else {
    const auto stored = store_.Find(deletion.id);
    if (!stored.ok()) return stored.status();
    exists = stored->has_value();
    if (exists) batch.changes.deleted_products.push_back(deletion.id);
  }
  result.status = exists ? LineStatus::kDeleted : LineStatus::kUnchanged;
  return absl::OkStatus();
}

/// Emits the results of a batch; after an error its changes were not stored.
void Importer::Emit(std::vector<LineResult> results, const absl::Status& written) {
  for (LineResult& result : results) {
    if (IsChange(result.status) && !written.ok()) Refuse(NotStored(written), result);
    CountResult(result, report_);
    if (result_sink_) result_sink_(result);
  }
}

absl::Status Importer::RemoveLeftOut() {
  const auto left_out = replacement_.FindLeftOut(store_);
  if (!left_out.ok()) return left_out.status();
  if (!left_out->empty()) {
    const uint64_t products = store_.info().products;
    const uint64_t created = options_.dry_run ? 0 : report_.created;
    absl::Status status = replacement_.CheckRemoval(
        left_out->size(), products - std::min(created, products), options_.shrink_limit);
    if (!status.ok()) return status;
  }
  size_t begin = 0;
  do {
    const size_t end = std::min(left_out->size(), begin + options_.batch_lines);
    ImportBatch batch;
    batch.end_offset = batch_offset_;
    batch.report = report_;
    batch.report.removed += end - begin;
    batch.ends_replacement = end == left_out->size() && replacement_.is_whole();
    batch.changes.deleted_products.assign(left_out->begin() + static_cast<std::ptrdiff_t>(begin),
                                          left_out->begin() + static_cast<std::ptrdiff_t>(end));
    for (const std::string& id : batch.changes.deleted_products) batch.named.push_back({.id = id});
    const std::lock_guard lock(write_mutex_);
    if (absl::Status status = HandOn(batch); !status.ok()) return status;
    report_.removed = batch.report.removed;
    begin = end;
  } while (begin < left_out->size());
  return absl::OkStatus();
}

absl::StatusOr<ImportReport> ImportFeed(std::istream& stream, FeedReader& reader,
                                        Importer& importer) {
  std::string chunk(kReadBytes, '\0');
  absl::Status status;
  while (stream && status.ok()) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const auto count = static_cast<size_t>(stream.gcount());
    status = reader.Push(std::string_view(chunk).substr(0, count));
  }
  if (status.ok() && stream.bad()) {
    status = absl::UnavailableError("feed: the stream cannot be read");
  }
  if (status.ok()) status = reader.Finish();
  if (status.ok()) return importer.Finish();
  const absl::Status flushed = importer.Flush();
  return flushed.ok() ? status : flushed;
}

}  // namespace emptor::catalog
