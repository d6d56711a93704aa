// Tab-separated files with a heading.
#include "tests/support/homedepot.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "catalog/validation.h"
#include "tests/support/dataset_text.h"
#include "tests/support/test_data.h"

namespace emptor::testing {
namespace {

using Row = std::vector<std::string_view>;

/// The rows behind the heading; the text outlives them.
absl::StatusOr<std::vector<Row>> ReadRows(std::string_view text, size_t columns) {
  std::vector<Row> rows;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    Row row;
    for (size_t tab; (tab = line.find('\t')) != std::string_view::npos;) {
      row.push_back(line.substr(0, tab));
      line.remove_prefix(tab + 1);
    }
    row.push_back(line);
    if (row.size() != columns) return absl::DataLossError("homedepot: a row of other columns");
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

std::string Md5(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr);
  return {digest.begin(), digest.begin() + size};
}

std::set<std::string_view> SampleOf(const std::vector<Row>& rows, size_t sample) {
  std::map<std::string, std::string_view> queries;
  for (const Row& row : rows) queries.emplace(Md5(row[1]), row[1]);
  std::set<std::string_view> kept;
  for (const auto& [digest, query] : queries) {
    if (sample > 0 && kept.size() == sample) break;
    kept.insert(query);
  }
  return kept;
}

}  // namespace

absl::StatusOr<std::vector<catalog::Product>> ReadHomedepotProducts() {
  const auto text = ReadTestData("homedepot/products.tsv.zst");
  if (!text.ok()) return text.status();
  const auto rows = ReadRows(*text, 2);
  if (!rows.ok()) return rows.status();
  std::vector<catalog::Product> products;
  for (const Row& row : *rows) {
    catalog::Product product;
    product.id = row[0];
    product.title = CleanText(std::string(row[1]), catalog::RecordLimits::kTitle);
    product.locale = "en";
    products.push_back(std::move(product));
  }
  return products;
}

absl::StatusOr<std::string> ReadHomedepotJudgments(size_t sample) {
  const auto text = ReadTestData("homedepot/judgments.tsv.zst");
  if (!text.ok()) return text.status();
  const auto rows = ReadRows(*text, 4);
  if (!rows.ok()) return rows.status();
  const std::set<std::string_view> kept = SampleOf(*rows, sample);
  std::string lines;
  for (const Row& row : *rows) {
    if (kept.count(row[1]) == 0) continue;
    lines.append(row[1]).append("\t").append(row[2]).append("\t").append(row[3]).append("\n");
  }
  return lines;
}

}  // namespace emptor::testing
