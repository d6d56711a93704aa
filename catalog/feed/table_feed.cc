// Each record goes through the product builder, cell by cell.
#include "catalog/feed/table_feed.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catalog/feed/fields.h"
#include "catalog/feed/product_builder.h"
#include "catalog/feed/table_parser.h"
#include "catalog/feed/table_row.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxColumns = 4096;

class TableReader final : public FeedReader {
 public:
  TableReader(const FeedOptions& options, FeedFormat format, RowSink sink)
      : options_(options),
        format_(format),
        sink_(std::move(sink)),
        builder_(options_),
        parser_(format == FeedFormat::kGoogleTsv ? '\t' : '\0',
                [this](const TableRecord& record) { return TakeRecord(record); }) {}

  absl::Status Push(std::string_view bytes) override { return parser_.Push(bytes); }
  absl::Status Finish() override { return parser_.Finish(); }
  FeedFormat format() const override { return format_; }
  std::string_view preamble() const override { return preamble_; }

 private:
  struct Column {
    std::string name;
    FieldName field;
  };

  absl::Status TakeRecord(const TableRecord& record) {
    if (columns_.empty()) return TakeHeader(record);
    if (auto fault = FindFault(record, columns_.size())) {
      return sink_(MakeUnusableRow(record, *std::move(fault)));
    }
    const size_t cells = std::min(record.cells.size(), columns_.size());
    for (size_t i = 0; i < cells; ++i) {
      builder_.Add(columns_[i].field, columns_[i].name, record.cells[i]);
    }
    FeedRow row = builder_.Finish(is_patch_);
    SetPlace(record, row);
    return sink_(std::move(row));
  }

  absl::Status TakeHeader(const TableRecord& record) {
    preamble_ = MakePreamble(record);
    if (!record.fault.empty()) return HeaderError(record, record.fault);
    if (record.cells.size() > kMaxColumns) {
      return HeaderError(record, fmt::format("more than {} columns", kMaxColumns));
    }
    for (std::string_view cell : record.cells) {
      const std::string name(Trimmed(cell));
      columns_.push_back({name, options_.columns.empty() ? FieldOf(name) : FieldName()});
    }
    for (const ColumnMapping& mapping : options_.columns) {
      const auto field = FieldOfMapping(mapping.field);
      if (!field)
        return HeaderError(record, fmt::format("unknown field {}", Quoted(mapping.field)));
      const auto column = std::find_if(columns_.begin(), columns_.end(),
                                       [&](const Column& c) { return c.name == mapping.column; });
      if (column == columns_.end()) {
        return HeaderError(record, fmt::format("no column {}", Quoted(mapping.column)));
      }
      column->field = *field;
    }
    const auto has = [&](Field field) {
      return std::any_of(columns_.begin(), columns_.end(),
                         [&](const Column& c) { return c.field.field == field; });
    };
    if (!has(Field::kId)) return HeaderError(record, "no column gives the id");
    is_patch_ = !has(Field::kTitle);
    return absl::OkStatus();
  }

  absl::Status HeaderError(const TableRecord& record, std::string_view what) const {
    std::string names;
    for (std::string_view cell : record.cells) {
      if (names.size() > 200) break;
      names += (names.empty() ? "" : ", ") + Quoted(cell);
    }
    return absl::InvalidArgumentError(
        fmt::format("line {}: {}; its columns: {}", record.line, what, names));
  }

  const FeedOptions options_;
  const FeedFormat format_;
  const RowSink sink_;
  ProductBuilder builder_;
  TableParser parser_;
  std::string preamble_;
  std::vector<Column> columns_;
  bool is_patch_ = false;
};

}  // namespace

std::unique_ptr<FeedReader> MakeTableReader(const FeedOptions& options, FeedFormat format,
                                            RowSink sink) {
  return std::make_unique<TableReader>(options, format, std::move(sink));
}

}  // namespace emptor::catalog
