// Each record goes through the product builder, cell by cell.
#include "catalog/feed/table_feed.h"

#include <algorithm>
#include <optional>
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

// "1,7" or "12 000": a number without unit or currency.
bool IsBareNumber(std::string_view value) {
  value = Trimmed(value);
  return value.find_first_of("0123456789") != std::string_view::npos &&
         value.find_first_not_of("0123456789.,'+- ") == std::string_view::npos;
}

class TableReader final : public FeedReader {
 public:
  TableReader(const FeedOptions& options, FeedFormat format, RowSink sink)
      : options_(options),
        format_(format),
        sink_(std::move(sink)),
        builder_(options_),
        parser_(options_.delimiter != 0            ? options_.delimiter
                : format == FeedFormat::kGoogleTsv ? '\t'
                                                   : '\0',
                [this](const TableRecord& record) { return TakeRecord(record); }) {}

  absl::Status Push(std::string_view bytes) override { return parser_.Push(bytes); }
  absl::Status Finish() override { return parser_.Finish(); }
  FeedFormat format() const override { return format_; }
  std::string_view preamble() const override { return preamble_; }

 private:
  struct Target {
    FieldName field;
    std::string unit, separator;
  };
  struct Column {
    std::string name;
    std::vector<Target> targets;  // empty: passed over
  };
  struct Constant {
    FieldName field;
    std::string name, value;
    std::vector<size_t> columns;  // that set the same field and take precedence
  };

  absl::Status TakeRecord(const TableRecord& record) {
    if (columns_.empty()) return TakeHeader(record);
    if (auto fault = FindFault(record, columns_.size())) {
      return sink_(MakeUnusableRow(record, *std::move(fault)));
    }
    const size_t cells = std::min(record.cells.size(), columns_.size());
    for (size_t i = 0; i < cells; ++i) {
      for (const Target& target : columns_[i].targets) {
        AddCell(target, columns_[i].name, record.cells[i]);
      }
    }
    for (const Constant& constant : constants_) {
      const bool is_stated =
          std::any_of(constant.columns.begin(), constant.columns.end(),
                      [&](size_t i) { return i < cells && !Trimmed(record.cells[i]).empty(); });
      if (!is_stated) builder_.Add(constant.field, constant.name, constant.value);
    }
    FeedRow row = builder_.Finish(is_patch_);
    SetPlace(record, row);
    return sink_(std::move(row));
  }

  void AddCell(const Target& target, const std::string& name, std::string_view cell) {
    if (target.separator.empty()) return AddValue(target, name, cell);
    while (true) {
      const size_t end = cell.find(target.separator);
      AddValue(target, name, cell.substr(0, end));
      if (end == std::string_view::npos) return;
      cell.remove_prefix(end + target.separator.size());
    }
  }
  void AddValue(const Target& target, const std::string& name, std::string_view value) {
    if (target.unit.empty() || !IsBareNumber(value)) {
      return builder_.Add(target.field, name, value);
    }
    builder_.Add(target.field, name, fmt::format("{} {}", Trimmed(value), target.unit));
  }

  absl::Status TakeHeader(const TableRecord& record) {
    preamble_ = MakePreamble(record);
    if (!record.fault.empty()) return HeaderError(record, record.fault);
    if (record.cells.size() > kMaxColumns) {
      return HeaderError(record, fmt::format("more than {} columns", kMaxColumns));
    }
    for (std::string_view cell : record.cells) {
      Column column{std::string(Trimmed(cell)), {}};
      if (options_.columns.empty()) column.targets.push_back({FieldOf(column.name), {}, {}});
      columns_.push_back(std::move(column));
    }
    if (auto missing = MapColumns()) return HeaderError(record, *missing);
    const auto has = [&](Field field) {
      return std::any_of(columns_.begin(), columns_.end(), [&](const Column& column) {
        return std::any_of(column.targets.begin(), column.targets.end(),
                           [&](const Target& target) { return target.field.field == field; });
      });
    };
    if (!has(Field::kId)) return HeaderError(record, "no column gives the id");
    is_patch_ = !has(Field::kTitle);
    return absl::OkStatus();
  }

  // What the mapping asks for and the table does not have.
  std::optional<std::string> MapColumns() {
    for (const ColumnMapping& mapping : options_.columns) {
      const auto field = FieldOfMapping(mapping.field);
      if (!field) return fmt::format("unknown field {}", Quoted(mapping.field));
      const auto column = std::find_if(columns_.begin(), columns_.end(),
                                       [&](const Column& c) { return c.name == mapping.column; });
      if (column == columns_.end()) return fmt::format("no column {}", Quoted(mapping.column));
      column->targets.push_back({*field, mapping.unit, mapping.separator});
    }
    for (const ConstantField& each : options_.constants) {
      const auto field = FieldOfMapping(each.field);
      if (!field) return fmt::format("unknown field {}", Quoted(each.field));
      Constant constant{*field, "values." + each.field, each.value, {}};
      for (size_t i = 0; i < columns_.size(); ++i) {
        for (const Target& target : columns_[i].targets) {
          if (target.field == *field) constant.columns.push_back(i);
        }
      }
      constants_.push_back(std::move(constant));
    }
    return std::nullopt;
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
  std::vector<Constant> constants_;
  bool is_patch_ = false;
};

}  // namespace

std::unique_ptr<FeedReader> MakeTableReader(const FeedOptions& options, FeedFormat format,
                                            RowSink sink) {
  return std::make_unique<TableReader>(options, format, std::move(sink));
}

}  // namespace emptor::catalog
