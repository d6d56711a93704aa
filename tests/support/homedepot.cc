// Tab-separated rows of homedepot; texts as the importer takes them.
#include "tests/support/homedepot.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "catalog/validation.h"
#include "tests/support/dataset_text.h"
#include "tests/support/test_data.h"

namespace emptor::testing {
namespace {

using Row = std::vector<std::string_view>;

/// The rows behind the header line. Errors: kDataLoss for one without `columns` cells.
absl::StatusOr<std::vector<Row>> ParseRows(std::string_view name, std::string_view text,
                                           size_t columns) {
  std::vector<Row> rows;
  text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    Row row;
    for (size_t tab; (tab = line.find('\t')) != std::string_view::npos;) {
      row.push_back(line.substr(0, tab));
      line.remove_prefix(tab + 1);
    }
    row.push_back(line);
    if (row.size() != columns) {
      return absl::DataLossError(std::string(name) + ": row " + std::to_string(rows.size() + 2));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

absl::StatusOr<std::vector<catalog::Product>> ReadHomedepotProducts() {
  const auto text = ReadTestData("homedepot/products.tsv.zst");
  if (!text.ok()) return text.status();
  const auto rows = ParseRows("homedepot/products.tsv.zst", *text, 2);
  if (!rows.ok()) return rows.status();
  std::vector<catalog::Product> products;
  for (const Row& row : *rows) {
    catalog::Product product;
    product.id = row[0];
    product.title = CleanText(std::string(row[1]), catalog::RecordLimits::kTitle);
    product.locale = "en-US";
    products.push_back(std::move(product));
  }
  return products;
}

absl::StatusOr<RatingsByQuery> ReadHomedepotRatings() {
  const auto text = ReadTestData("homedepot/judgments.tsv.zst");
  if (!text.ok()) return text.status();
  const auto rows = ParseRows("homedepot/judgments.tsv.zst", *text, 4);
  if (!rows.ok()) return rows.status();
  RatingsByQuery ratings;
  for (const Row& row : *rows) {
    double rating = 0;
    const auto read = std::from_chars(row[3].data(), row[3].data() + row[3].size(), rating);
    if (read.ec != std::errc()) return absl::DataLossError("homedepot: rating: expected a number");
    ratings[std::string(row[1])][std::string(row[2])] = rating;
  }
  return ratings;
}

}  // namespace emptor::testing
