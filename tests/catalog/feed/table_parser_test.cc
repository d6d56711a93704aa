// Tabular text: cells, line numbers, and what hostile quoting costs.
#include "catalog/feed/table_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;

// "2-3@17 [a][b]"; a fault instead of cells.
std::vector<std::string> Read(std::string_view text, size_t piece = 1u << 20, char delimiter = 0) {
  std::vector<std::string> records;
  TableParser parser(delimiter, [&](const TableRecord& record) {
    std::string line = std::to_string(record.line) + "-" + std::to_string(record.end_line) + "@" +
                       std::to_string(record.end_offset) + " ";
    for (auto cell : record.cells) line += "[" + std::string(cell) + "]";
    if (!record.fault.empty()) line += "!" + std::string(record.raw.substr(0, 20));
    records.push_back(line);
    return absl::OkStatus();
  });
  while (!text.empty()) {
    EXPECT_TRUE(parser.Push(text.substr(0, piece)).ok());
    text.remove_prefix(std::min(piece, text.size()));
  }
  EXPECT_TRUE(parser.Finish().ok());
  return records;
}

TEST(TableParserTest, ReadsQuotedCellsWithLineEndsInThem) {
  const std::string text = "a,b\r\n\"1\",\"x\"\"y\r\nz, w\"\n\n,\r\n2,3";
  const auto want = ElementsAre("1-1@5 [a][b]", "2-3@22 [1][x\"y\r\nz, w]", "6-6@29 [2][3]");
  EXPECT_THAT(Read(text), want);
  for (size_t piece : {1, 2, 3, 5}) EXPECT_THAT(Read(text, piece), want) << piece;
}

TEST(TableParserTest, DetectsTheDelimiterFromTheFirstLine) {
  EXPECT_THAT(Read("a;b,c;d\n1;2;3\n"), ElementsAre("1-1@8 [a][b,c][d]", "2-2@14 [1][2][3]"));
  EXPECT_THAT(Read("a\tb,c\n"), ElementsAre("1-1@6 [a][b,c]"));
  EXPECT_THAT(Read("\"a,b\"|c\n"), ElementsAre("1-1@8 [a,b][c]"));
  EXPECT_THAT(Read("alone\n"), ElementsAre("1-1@6 [alone]"));
}

TEST(TableParserTest, TakesMixedLineEndsAndAByteOrderMark) {
  EXPECT_THAT(Read("\xEF\xBB\xBF"
                   "a,b\r1,2\n3,4\r\n5,6"),
              ElementsAre("1-1@7 [a][b]", "2-2@11 [1][2]", "3-3@16 [3][4]", "4-4@19 [5][6]"));
}

TEST(TableParserTest, AQuoteThatIsNotClosedSpoilsItsLineAlone) {
  EXPECT_THAT(Read("a,b\n1,\"x\n2,y\n3,z\n"),
              ElementsAre("1-1@4 [a][b]", "2-2@9 !1,\"x", "3-3@13 [2][y]", "4-4@17 [3][z]"));
  // The same when the end is far away.
  std::string text = "a,b\n1,\"x\n";
  while (text.size() < 3 * TableParser::kMaxRecordBytes)
    text += "2,yyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n";
  const auto records = Read(text, 4096);
  EXPECT_EQ(records[1], "2-2@9 !1,\"x");
  EXPECT_EQ(records[2], "3-3@41 [2][yyyyyyyyyyyyyyyyyyyyyyyyyyyyy]");
  EXPECT_EQ(records.size(), 2 + (text.size() - 9) / 32);
}

TEST(TableParserTest, ALineThatIsTooLongIsOneFaultyRecord) {
  const std::string text =
      "a,b\n" + std::string(5u << 20, 'x') + "\n1,2\n" + std::string(2u << 20, 'y');
  const auto records = Read(text, 100000);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[1], "2-2@5242884 !" + std::string(20, 'x'));
  EXPECT_EQ(records[2], "3-3@5242889 [1][2]");
  EXPECT_EQ(records[3], "4-4@7340041 !" + std::string(20, 'y'));
}

TEST(TableParserTest, TextBehindAClosingQuoteIsAFaultInCsvAndTextInTsv) {
  EXPECT_THAT(Read("\"a\"b,c\n"), ElementsAre("1-1@7 [\"a\"b][c]!\"a\"b,c"));
  EXPECT_THAT(Read("\"a\" b\tc\"d\n"), ElementsAre("1-1@10 [\"a\" b][c\"d]"));
}

TEST(TableParserTest, EndsOnTheErrorOfTheSink) {
  int calls = 0;
  TableParser parser(',', [&](const TableRecord&) {
    return ++calls == 2 ? absl::CancelledError("enough") : absl::OkStatus();
  });
  EXPECT_EQ(parser.Push("a\nb\nc\n").code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(parser.Push("d\n").code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(parser.Finish().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace emptor::catalog
