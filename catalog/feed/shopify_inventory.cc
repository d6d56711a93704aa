// Collects rows until the variant changes.
#include "catalog/feed/shopify_inventory.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "catalog/encoding/hash64.h"
#include "catalog/feed/product_builder.h"
#include "catalog/feed/shopify_feed.h"
#include "catalog/feed/table_parser.h"
#include "catalog/feed/table_row.h"
#include "catalog/feed/vocabulary.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxVariants = 4u << 20;
constexpr size_t kNone = static_cast<size_t>(-1);

// Columns of no location, in both forms.
constexpr std::array<View, 13> kOther = {
    "title",        "option1 name",  "option1 value", "option2 name", "option2 value",
    "option3 name", "option3 value", "sku",           "barcode",      "hs code",
    "coo",          "bin name",      "handle"};
// The quantity columns in order of precedence.
constexpr std::array<View, 5> kQuantities = {"available (not editable)", "available",
                                             "on hand (new)", "on hand (current)", "on hand"};

struct Columns {
  size_t handle = kNone, location = kNone;
  std::array<size_t, 3> options = {kNone, kNone, kNone};
  std::vector<size_t> quantities;  // of the form with a location in each row
  std::vector<size_t> locations;   // of the other form
};

Columns FindColumns(const std::vector<View>& names) {
  Columns columns;
  std::vector<std::string> lower;
  for (View name : names) lower.push_back(LowerName(name));
  const auto find = [&](View name) {
    const auto at = std::find(lower.begin(), lower.end(), name);
    return at == lower.end() ? kNone : static_cast<size_t>(at - lower.begin());
  };
  columns.handle = find("handle");
  columns.location = find("location");
  for (size_t i = 0; i < 3; ++i) columns.options[i] = find(fmt::format("option{} value", i + 1));
  for (View name : kQuantities) {
    if (find(name) != kNone) columns.quantities.push_back(find(name));
  }
  if (columns.location != kNone || find("hs code") == kNone) return columns;
  const size_t origin = find("coo");
  for (size_t i = origin == kNone ? lower.size() : origin + 1; i < lower.size(); ++i) {
    const bool is_other = std::find(kOther.begin(), kOther.end(), lower[i]) != kOther.end();
    if (!is_other && !lower[i].empty()) columns.locations.push_back(i);
  }
  return columns;
}

class InventoryReader final : public FeedReader {
 public:
  InventoryReader(const FeedOptions& options, RowSink sink)
      : options_(options),
        sink_(std::move(sink)),
        builder_(options_),
        parser_('\0', [this](const TableRecord& record) { return TakeRecord(record); }) {}

  absl::Status Push(View bytes) override { return parser_.Push(bytes); }
  absl::Status Finish() override {
    if (absl::Status status = parser_.Finish(); !status.ok()) return status;
    return Flush();
  }
  FeedFormat format() const override { return FeedFormat::kShopifyCsv; }
  View preamble() const override { return preamble_; }

 private:
  // The rows of one variant, or of several around a fault.
  struct Group {
    std::string id;  // of the current variant; empty after a fault
    std::string text;
    uint64_t line = 0, end_line = 0, end_offset = 0;
    int64_t sum = 0;
    bool is_stated = false;  // some quantity, or "not stocked"
    std::string fault;
  };

  absl::Status TakeRecord(const TableRecord& record) {
    if (names_.empty()) return TakeHeader(record);
    auto fault = FindFault(record, names_.size());
    const View handle = fault ? View() : Cell(record, columns_.handle);
    if (!fault && handle.empty()) fault = "no handle";
    if (fault) {
      Extend(record);
      if (group_.fault.empty()) group_.fault = fmt::format("line {}: {}", record.line, *fault);
      group_.id.clear();
      return absl::OkStatus();
    }
    const std::string id =
        ShopifyId(handle, {Cell(record, columns_.options[0]), Cell(record, columns_.options[1]),
                           Cell(record, columns_.options[2])});
    const bool is_behind_fault = !group_.fault.empty() && group_.id.empty();
    if (id != group_.id && !is_behind_fault) {
      if (absl::Status status = Flush(); !status.ok()) return status;
    }
    if (id != group_.id && !seen_.insert(Hash64(id)).second && id != last_id_) {
      return absl::InvalidArgumentError(fmt::format(
          "line {}: {} appears again, apart from its other rows: sort the table by handle "
          "and options",
          record.line, Quoted(id)));
    }
    if (seen_.size() > kMaxVariants) {
      return absl::InvalidArgumentError(
          fmt::format("line {}: more than {} variants", record.line, kMaxVariants));
    }
    group_.id = last_id_ = id;
    Extend(record);
    AddQuantities(record);
    return absl::OkStatus();
  }

  absl::Status TakeHeader(const TableRecord& record) {
    preamble_ = MakePreamble(record);
    for (View cell : record.cells) names_.emplace_back(Trimmed(cell));
    columns_ = FindColumns(record.cells);
    if (record.fault.empty() && IsShopifyInventoryHeader(record.cells)) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format(
        "line {}: expected the columns of a Shopify inventory export, Handle and Location among "
        "them",
        record.line));
  }

  static View Cell(const TableRecord& record, size_t column) {
    return column < record.cells.size() ? Trimmed(record.cells[column]) : View();
  }

  void Extend(const TableRecord& record) {
    if (group_.line == 0) group_.line = record.line;
    group_.end_line = record.end_line;
    group_.end_offset = record.end_offset;
    const size_t room = FeedRow::kMaxRawBytes - group_.text.size();
    group_.text += fmt::format("{}{}", group_.text.empty() ? "" : "\n", record.raw).substr(0, room);
  }

  void AddQuantities(const TableRecord& record) {
    for (size_t column : columns_.locations) {
      AddQuantity(names_[column], names_[column], Cell(record, column));
    }
    for (size_t column : columns_.quantities) {
      if (columns_.location == kNone || Cell(record, column).empty()) continue;
      return AddQuantity(names_[column], Cell(record, columns_.location), Cell(record, column));
    }
  }

  void AddQuantity(const std::string& feed_name, View location, View value) {
    builder_.AddLocationStock(feed_name, location, value);
    const int64_t count = ParseCount(value).value_or(0);
    group_.sum = std::min<int64_t>(group_.sum + count, int64_t{1} << 40);
    group_.is_stated = group_.is_stated || count > 0 || IsNotStocked(value) ||
                       value.starts_with('-') || ParseCount(value).has_value();
  }

  absl::Status Flush() {
    const Group group = std::exchange(group_, {});
    if (group.line == 0) return absl::OkStatus();
    builder_.Add({Field::kId, {}}, names_[columns_.handle], last_id_);
    if (group.is_stated) {
      builder_.Add({Field::kQuantity, {}}, "quantity", fmt::format("{}", group.sum));
    }
    FeedRow row = builder_.Finish(true);
    if (!group.fault.empty()) {
      row = FeedRow();
      row.problems.push_back(
          {"row", fmt::format("{}; refused with the variants around it", group.fault)});
    }
    row.line = group.line;
    row.end_line = group.end_line;
    row.end_offset = group.end_offset;
    row.raw = group.text;
    return sink_(std::move(row));
  }

  const FeedOptions options_;
  const RowSink sink_;
  ProductBuilder builder_;
  TableParser parser_;
  std::string preamble_;
  std::vector<std::string> names_;
  Columns columns_;
  Group group_;
  std::string last_id_;
  std::unordered_set<uint64_t> seen_;  // hashes of ids
};

}  // namespace

bool IsShopifyInventoryHeader(const std::vector<View>& names) {
  const Columns columns = FindColumns(names);
  const bool has_rows = columns.location != kNone && !columns.quantities.empty();
  return columns.handle != kNone && columns.options[0] != kNone &&
         (has_rows || !columns.locations.empty());
}

std::unique_ptr<FeedReader> MakeShopifyInventoryReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<InventoryReader>(options, std::move(sink));
}

}  // namespace emptor::catalog
