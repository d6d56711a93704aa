// The conformance table: every feed of the test data through the reader that finds its own format.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/feed_report.h"
#include "tests/support/test_data.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;

struct ManifestLine {
  std::string file;
  std::string verdict;  // of expat: "well-formed:rss", "malformed:...", "csv"
  uint64_t items = 0;
};

std::vector<ManifestLine> ReadManifest(const std::string& text) {
  std::vector<ManifestLine> lines;
  std::istringstream stream(text);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    ManifestLine entry;
    std::string bytes, items;
    std::getline(cells, entry.file, '\t');
    std::getline(cells, bytes, '\t');
    std::getline(cells, entry.verdict, '\t');
    std::getline(cells, items, '\t');
    if (!items.empty()) entry.items = std::stoull(items);
    lines.push_back(entry);
  }
  return lines;
}

// Start tags of items and products.
uint64_t CountItems(const std::string& xml) {
  uint64_t count = 0;
  for (const std::string tag : {"<item>", "<product>"}) {
    for (size_t at = xml.find(tag); at != std::string::npos; at = xml.find(tag, at + 1)) ++count;
  }
  return count;
}

// Rejected text that is no item: between two, or at the end.
uint64_t CountStrayText(const FeedReport& report) {
  uint64_t count = 0;
  for (const catalog::FeedRow& row : report.rows) {
    const bool is_rejected = std::holds_alternative<std::monostate>(row.record);
    count += is_rejected && !row.raw.starts_with("<item>") && !row.raw.starts_with("<product>");
  }
  return count;
}

// What the shop of a folder would set.
FeedOptions OptionsFor(const std::string& file) {
  FeedOptions options;
  options.currency = file.starts_with("velofant") ? "SEK" : "USD";
  return options;
}

TEST(FeedDataTest, ReadsEveryFeedOfTheDataSet) {
  const auto manifest = ReadTestData("feeds/MANIFEST.tsv");
  if (absl::IsNotFound(manifest.status())) GTEST_SKIP() << manifest.status().ToString();
  ASSERT_TRUE(manifest.ok()) << manifest.status().ToString();
  std::cout << TableHead();
  size_t malformed = 0;
  uint64_t kept = 0;  // products of malformed files
  for (const ManifestLine& entry : ReadManifest(*manifest)) {
    SCOPED_TRACE(entry.file);
    const auto bytes = ReadTestData("feeds/" + entry.file);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    const FeedReport report = ReadFeed(*bytes, OptionsFor(entry.file));
    std::cout << TableLine(entry.file, report);
    EXPECT_EQ(FindBrokenPromise(report), "");
    if (entry.verdict == "csv") {
      EXPECT_EQ(report.format, FeedFormat::kShopifyCsv);
      EXPECT_TRUE(report.status.ok()) << report.status.ToString();
    } else if (entry.verdict.starts_with("well-formed")) {
      EXPECT_EQ(report.format, FeedFormat::kGoogleXml);
      EXPECT_TRUE(report.status.ok()) << report.status.ToString();
      EXPECT_EQ(report.rows.size(), entry.items);
    } else {
      // Read all the same: what is broken is rejected, item by item, and every item has its row.
      ++malformed;
      kept += report.products;
      EXPECT_TRUE(report.status.ok()) << report.status.ToString();
      EXPECT_EQ(report.rows.size() - CountStrayText(report), CountItems(*bytes));
      EXPECT_EQ(report.products + report.rejected, report.rows.size());
      // An unbound prefix or a bare ampersand costs no row; a note says so.
      EXPECT_TRUE(!report.notes.empty() || report.rejected > 0);
    }
  }
  EXPECT_EQ(malformed, 14u);
  // 161 of them precede the first fault of their file; a bare ampersand costs no row.
  EXPECT_EQ(kept, 232u);
}

TEST(FeedDataTest, GivesTheSameRowsWhateverThePieces) {
  const auto manifest = ReadTestData("feeds/MANIFEST.tsv");
  if (absl::IsNotFound(manifest.status())) GTEST_SKIP() << manifest.status().ToString();
  ASSERT_TRUE(manifest.ok()) << manifest.status().ToString();
  for (const ManifestLine& entry : ReadManifest(*manifest)) {
    SCOPED_TRACE(entry.file);
    const auto bytes = ReadTestData("feeds/" + entry.file);
    ASSERT_TRUE(bytes.ok());
    const std::string whole = TableLine("", ReadFeed(*bytes, OptionsFor(entry.file), 1u << 20));
    EXPECT_EQ(TableLine("", ReadFeed(*bytes, OptionsFor(entry.file), 1)), whole);
    EXPECT_EQ(TableLine("", ReadFeed(*bytes, OptionsFor(entry.file), 977)), whole);
  }
}

TEST(FeedDataTest, AccountsForEveryRowOfAmazonIn) {
  const auto csv = ReadTestData("amazon_in/products.csv.zst");
  if (absl::IsNotFound(csv.status())) GTEST_SKIP() << csv.status().ToString();
  ASSERT_TRUE(csv.ok()) << csv.status().ToString();
  FeedOptions options;
  options.columns = AmazonColumns();
  options.currency = "INR";
  const FeedReport report = ReadFeed(*csv, options);
  std::cout << TableHead() << TableLine("amazon_in/products.csv", report);
  EXPECT_TRUE(report.status.ok()) << report.status.ToString();
  EXPECT_EQ(report.rows.size(), 90755u);
  EXPECT_EQ(report.rejected, 0u);
  EXPECT_EQ(FindBrokenPromise(report), "");
  uint64_t ratings = 0, junk = 0, unpriced = 0;
  for (const auto& row : report.rows) {
    const auto& product = std::get<catalog::Product>(row.record);
    ratings += product.rating.has_value() ? 1 : 0;
    unpriced += product.price.has_value() ? 0 : 1;
    for (const auto& problem : row.problems) junk += problem.field == "ratings" ? 1 : 0;
  }
  // The data's README: 27,459 rows without a rating, 2,542 with junk; 3,335 without any price.
  EXPECT_EQ(junk, 2542u);
  EXPECT_EQ(ratings, 90755u - 27459u - 2542u);
  EXPECT_EQ(unpriced, 3335u);
}

}  // namespace
}  // namespace emptor::testing
