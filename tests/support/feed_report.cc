// Counting, and the promises of feed_row.h held against what came.
#include "tests/support/feed_report.h"

#include <algorithm>
#include <utility>

#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::testing {
namespace {

using catalog::FeedRow;

// "price: expected an amount, found "Get"" is one reason with any value.
std::string WithoutValue(const std::string& reason) {
  std::string general;
  bool quoted = false;
  for (char c : reason) {
    if (c == '"') quoted = !quoted;
    if (!quoted) general += c;
  }
  std::replace(general.begin(), general.end(), '"', '*');
  std::replace(general.begin(), general.end(), '|', '/');
  return general;
}

void Count(const FeedRow& row, FeedReport& report) {
  report.products += std::holds_alternative<catalog::Product>(row.record) ? 1 : 0;
  report.patches += std::holds_alternative<catalog::ProductPatch>(row.record) ? 1 : 0;
  report.deletions += std::holds_alternative<catalog::RecordDeletion>(row.record) ? 1 : 0;
  const bool unusable = std::holds_alternative<std::monostate>(row.record);
  report.rejected += unusable ? 1 : 0;
  report.with_problems += !unusable && !row.problems.empty() ? 1 : 0;
  for (const auto& [field, reason] : row.problems) {
    ++report.reasons[fmt::format("{}: {}", field, WithoutValue(reason))];
  }
}

std::string CheckRow(const FeedRow& row) {
  const bool unusable = std::holds_alternative<std::monostate>(row.record);
  if (row.line == 0 || row.end_line < row.line) return "lines out of order";
  if (unusable && row.problems.empty()) return "unusable without a reason";
  if (unusable && row.raw.empty()) return "no raw text of an unusable row";
  if (row.raw.size() > FeedRow::kMaxRawBytes) return "raw text not cut";
  if (!std::holds_alternative<catalog::Product>(row.record)) return "";
  catalog::Product product = std::get<catalog::Product>(row.record);
  if (product.id != row.id) return "the row's id is not the product's";
  product.description.clear();
  return std::string(catalog::ValidateProduct(product).message());
}

}  // namespace

FeedReport ReadFeed(std::string_view bytes, const catalog::FeedOptions& options, size_t piece,
                    bool keep_rows) {
  FeedReport report;
  const auto reader = catalog::MakeFeedReader(options, [&](FeedRow&& row) {
    Count(row, report);
    if (keep_rows) report.rows.push_back(std::move(row));
    return absl::OkStatus();
  });
  while (report.status.ok() && !bytes.empty()) {
    report.status = reader->Push(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  if (report.status.ok()) report.status = reader->Finish();
  report.format = reader->format();
  report.notes = reader->notes();
  return report;
}

std::string FindBrokenPromise(const FeedReport& report) {
  const FeedRow* before = nullptr;
  for (const FeedRow& row : report.rows) {
    std::string fault = CheckRow(row);
    if (before != nullptr && before->more) {
      if (row.line != before->line) fault = "a row of other lines behind `more`";
    } else if (before != nullptr &&
               (row.end_offset <= before->end_offset || row.line < before->end_line)) {
      fault = "rows overlap";
    }
    if (!fault.empty()) return fmt::format("line {}: {}", row.line, fault);
    before = &row;
  }
  return before != nullptr && before->more ? "`more` at the end" : "";
}

std::string TableHead() {
  return "| feed | format | rows in | products | deletions | rejected | with a part left out | "
         "reasons (count) | end |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
}

std::string TableLine(std::string_view name, const FeedReport& report) {
  std::vector<std::pair<uint64_t, std::string>> reasons;
  for (const auto& [reason, count] : report.reasons) reasons.emplace_back(count, reason);
  std::sort(reasons.rbegin(), reasons.rend());
  std::string text;
  for (const auto& [count, reason] : reasons) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", reason, count);
  }
  const uint64_t rows = report.products + report.patches + report.deletions + report.rejected;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name,
                     catalog::ToString(report.format), rows, report.products, report.deletions,
                     report.rejected, report.with_problems, text,
                     report.status.ok() ? "whole" : std::string(report.status.message()));
}

std::vector<catalog::ColumnMapping> AmazonColumns() {
  return {{"asin", "id"},
          {"name", "title"},
          {"main_category", "categories"},
          {"sub_category", "categories"},
          {"image", "image_link"},
          {"link", "link"},
          {"ratings", "rating.value"},
          {"no_of_ratings", "rating.count"},
          {"discount_price", "sale_price"},
          {"actual_price", "price"}};
}

}  // namespace emptor::testing
