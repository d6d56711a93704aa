// The cost of query understanding: constraints read from real queries, and the relevant products
// that they exclude. Reports them, and checks that the loss is below a bound.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "retrieval/query/constraints.h"
#include "retrieval/query/relaxation.h"
#include "tests/retrieval/query/catalog_columns.h"
#include "tests/retrieval/query/describe_filter.h"
#include "tests/support/icecat.h"
#include "tests/support/test_data.h"

namespace emptor::retrieval {
namespace {

struct Report {
  std::map<std::string, size_t> queries_by_part;
  size_t queries = 0, constrained = 0, relevant = 0, lost = 0;
  std::vector<std::string> lines;  // one for each constrained query
};

class Measure {
 public:
  explicit Measure(const FilterColumns& columns)
      : columns_(columns), vocabulary_(testing::VocabularyOf(columns)) {}

  void Add(const std::string& query, const std::vector<uint32_t>& relevant) {
    const QueryConstraints read = ReadConstraints(query, vocabulary_);
    ++report_.queries;
    report_.relevant += relevant.size();
    if (read.filter.empty()) return;
    ++report_.constrained;
    for (int i = 0; i < kFilterPartCount; ++i) {
      const auto part = static_cast<FilterPart>(i);
      if (HasPart(part, read.filter)) ++report_.queries_by_part[std::string(ToString(part))];
    }
    const RecordSet allowed = columns_.Select(CompiledFilter(read.filter), 0);
    size_t lost = 0;
    for (const uint32_t record : relevant) lost += !allowed.contains(record);
    report_.lost += lost;
    report_.lines.push_back(fmt::format("{} | {} | rest: {} | {} of {} relevant shut out", query,
                                        testing::DescribeFilter(read.filter), read.search_text,
                                        lost, relevant.size()));
  }

  /// Prints the counts and, where EMPTOR_SHOW_QUERIES is set, that many constrained queries, spread
  /// evenly over all.
  const Report& Print(const char* name) const {
    fmt::print("{}: {} of {} queries constrained; {} of {} relevant products shut out\n", name,
               report_.constrained, report_.queries, report_.lost, report_.relevant);
    for (const auto& [part, count] : report_.queries_by_part)
      fmt::print("  {:>6} {}\n", count, part);
    const char* show = std::getenv("EMPTOR_SHOW_QUERIES");
    const size_t wanted = show == nullptr ? 0 : static_cast<size_t>(std::atoi(show));
    const size_t count = std::min(wanted, report_.lines.size());
    for (size_t i = 0; i < count; ++i) {
      fmt::print("  {}\n", report_.lines[i * report_.lines.size() / count]);
    }
    return report_;
  }

 private:
  const FilterColumns& columns_;
  const QueryVocabulary vocabulary_;
  Report report_;
};

std::vector<std::vector<std::string>> Rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    rows.emplace_back();
    while (true) {
      const size_t tab = line.find('\t');
      rows.back().emplace_back(line.substr(0, tab));
      if (tab == std::string_view::npos) break;
      line.remove_prefix(tab + 1);
    }
  }
  return rows;
}

TEST(UnderstandingEvalTest, HomedepotQueriesKeepTheirRelevantProducts) {
  const auto products = emptor::testing::ReadTestData("homedepot/products.tsv.zst");
  const auto judgments = emptor::testing::ReadTestData("homedepot/judgments.tsv.zst");
  for (const absl::Status& status : {products.status(), judgments.status()}) {
    if (absl::IsNotFound(status)) GTEST_SKIP() << status;
    ASSERT_TRUE(status.ok()) << status;
  }
  FilterColumns columns;
  std::unordered_map<std::string, uint32_t> records;
  for (const auto& row : Rows(*products)) {
    if (row.size() < 2 || row[0] == "product_uid") continue;
    catalog::Product product;
    product.id = row[0];
    product.title = row[1];
    records.emplace(row[0], static_cast<uint32_t>(columns.record_count()));
    columns.Add(MakeFilterRow(product));
  }
  std::map<std::string, std::vector<uint32_t>> relevant;
  for (const auto& row : Rows(*judgments)) {
    if (row.size() < 4 || row[0] == "id") continue;
    std::vector<uint32_t>& list = relevant[row[1]];
    const auto found = records.find(row[2]);
    if (found != records.end() && std::atof(row[3].c_str()) >= 2.33) list.push_back(found->second);
  }
  Measure measure(columns);
  for (const auto& [query, list] : relevant) measure.Add(query, list);
  const Report& report = measure.Print("homedepot");
  EXPECT_LE(static_cast<double>(report.lost), 0.01 * static_cast<double>(report.relevant));
}

TEST(UnderstandingEvalTest, IcecatQueriesKeepTheirRelevantProducts) {
  const auto products = emptor::testing::ReadIcecatProducts();
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  for (const absl::Status& status : {products.status(), judgments.status()}) {
    if (absl::IsNotFound(status)) GTEST_SKIP() << status;
    ASSERT_TRUE(status.ok()) << status;
  }
  FilterColumns columns;
  std::unordered_map<std::string, uint32_t> records;
  for (const catalog::Product& product : *products) {
    records.emplace(product.id, static_cast<uint32_t>(columns.record_count()));
    columns.Add(MakeFilterRow(product));
  }
  std::map<std::string, std::vector<uint32_t>> relevant;
  for (const emptor::testing::Judgment& judgment : *judgments) {
    std::vector<uint32_t>& list = relevant[judgment.query];
    const auto found = records.find(judgment.product_id);
    if (found != records.end() && judgment.rating >= 2) list.push_back(found->second);
  }
  Measure measure(columns);
  for (const auto& [query, list] : relevant) measure.Add(query, list);
  const Report& report = measure.Print("icecat");
  EXPECT_LE(static_cast<double>(report.lost), 0.02 * static_cast<double>(report.relevant));
}

}  // namespace
}  // namespace emptor::retrieval
