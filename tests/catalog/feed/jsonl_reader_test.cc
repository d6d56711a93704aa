// The JSONL reader: one row per line that is not blank, however the bytes arrive.
#include "catalog/feed/jsonl_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/validation.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;

// One word per row: where it lies, what it is, and the first problem.
std::string Describe(const FeedRow& row) {
  constexpr const char* kKinds[] = {"unusable", "product", "patch", "document", "deletion"};
  std::string text = std::to_string(row.line) + "@" + std::to_string(row.end_offset) + " " +
                     row.id + " " + kKinds[row.record.index()];
  for (const FeedProblem& problem : row.problems) text += " " + problem.field + "|";
  return text;
}

std::vector<std::string> Read(std::string_view feed, size_t chunk = 1u << 20,
                              const FeedOptions& options = {}) {
  std::vector<std::string> rows;
  const auto reader = MakeJsonlReader(options, [&](FeedRow&& row) {
    rows.push_back(Describe(row));
    return absl::OkStatus();
  });
  for (; !feed.empty(); feed.remove_prefix(std::min(chunk, feed.size()))) {
    EXPECT_TRUE(reader->Push(feed.substr(0, chunk)).ok());
  }
  EXPECT_TRUE(reader->Finish().ok());
  return rows;
}

TEST(JsonlReaderTest, GivesOneRowPerLineThatIsNotBlank) {
  EXPECT_THAT(Read("{\"id\":\"a\",\"title\":\"T\"}\n\n"
                   "{\"kind\":\"faq\",\"id\":\"q\",\"title\":\"Q\",\"text\":\"A\"}\n"
                   "{\"id\":\"a\",\"deleted\":true}\n"
                   "{\"id\":\"b\",\"title\":\"T\",\"price\":1}\n"
                   "{oops"),
              ElementsAre("1@23 a product", "3@71 q document", "4@97 a deletion",
                          "5@130 b unusable price|", "6@135  unusable |"));
}

TEST(JsonlReaderTest, OneBadFieldCostsThatFieldAlone) {
  struct Line {
    const char* members;
    const char* lenient;  // record and problems
    const char* strict;
  };
  const std::vector<Line> lines = {
      {R"("color":"red")", "product color|", "unusable color|"},
      {R"("brand":7)", "product brand|", "unusable brand|"},
      {R"("brand":null)", "product", "unusable brand|"},
      {R"("rating":{"value":9})", "product rating|", "unusable rating.value|"},
      {R"("attributes":{"a":1.5,"b":[1],"c":"x\u0001"})",
       "product attributes.a| attributes.b| attributes.c|", "unusable attributes.a|"},
      {R"("categories":["A",1])", "product categories|", "unusable categories|"},
      {R"("stock":[{"location":"x"},{"place":"y"}])", "product stock.place|",
       "unusable stock.place|"},
      {R"("title":7)", "unusable title|", "unusable title|"},
      {R"("price":7)", "unusable price|", "unusable price|"},
      {R"("price":{"amount":-1,"currency":"USD"})", "unusable price.amount|",
       "unusable price.amount|"},
  };
  for (const auto& [members, lenient, strict] : lines) {
    const std::string title = std::string(members).starts_with("\"title") ? "" : R"("title":"T",)";
    const std::string line = R"({"id":"a",)" + title + members + "}";
    const std::string place = "1@" + std::to_string(line.size()) + " a ";
    EXPECT_THAT(Read(line), ElementsAre(place + lenient)) << line;
    EXPECT_THAT(Read(line, 100, {.strict = true}), ElementsAre(place + strict)) << line;
  }
}

TEST(JsonlReaderTest, WhatCannotBeReadBecomesNoOfferAndNoTrust) {
  Product product;
  const auto reader = MakeJsonlReader({}, [&](FeedRow&& row) {
    product = std::get<Product>(row.record);
    return absl::OkStatus();
  });
  const std::string line =
      R"({"id":"a","title":"T","availability":"maybe","trust":1,"quarantine":true,)"
      R"("attributes":{"n":1.5,"i":3,"b":true}})";
  EXPECT_TRUE(reader->Push(line).ok());
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(product.availability, Availability::kOutOfStock);
  EXPECT_EQ(product.trust, Trust::kUntrusted);
  EXPECT_NE(product.quarantine, "");
  EXPECT_THAT(product.attributes,
              ElementsAre(Attribute{"n", "1.5"}, Attribute{"i", "3"}, Attribute{"b", "yes"}));
}

TEST(JsonlReaderTest, ABadFieldOfAPatchLeavesWhatIsStored) {
  std::vector<std::string> fields;
  const auto reader = MakeJsonlReader({.patches = true}, [&](FeedRow&& row) {
    fields = std::get<ProductPatch>(row.record).fields;
    return absl::OkStatus();
  });
  const std::string line = R"({"id":"a","mpn":")" + std::string(200, 'x') +
                           R"(","brand":7,"link":null,"color":1,"popularity":5})";
  EXPECT_TRUE(reader->Push(line).ok());
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_THAT(fields, ElementsAre("link", "popularity"));
}

TEST(JsonlReaderTest, ChunksOfAnySizeGiveTheSameRows) {
  const std::string feed =
      "\xEF\xBB\xBF{\"id\":\"a\",\"title\":\"\xC3\xA9\"}\r\n\r\n  \n{\"id\":\"b\",\"title\":\"T\"}"
      "\nbad\r\n{\"id\":\"c\",\"title\":\"T\"}";
  const auto whole = Read(feed);
  ASSERT_EQ(whole.size(), 4u);
  EXPECT_EQ(whole.back(), "6@" + std::to_string(feed.size()) + " c product");
  for (size_t chunk : {1u, 2u, 3u, 7u, 64u}) EXPECT_EQ(Read(feed, chunk), whole) << chunk;
}

TEST(JsonlReaderTest, LongLinesAreRefusedWithoutKeepingThem) {
  std::string raw;
  const auto reader = MakeJsonlReader({}, [&](FeedRow&& row) {
    if (std::holds_alternative<std::monostate>(row.record)) raw += row.raw;
    raw += "|";
    return absl::OkStatus();
  });
  const std::string open = "{\"id\":\"a\",\"title\":\"T\"";
  const std::string longest = open + std::string(kMaxRecordBytes - open.size() - 1, ' ') + "}";
  EXPECT_TRUE(reader->Push(longest + "\r\n").ok());
  EXPECT_EQ(raw, "|");
  EXPECT_TRUE(reader->Push(" " + longest + "\n").ok());
  EXPECT_EQ(raw.size(), 2 + FeedRow::kMaxRawBytes);
  EXPECT_TRUE(reader->Push(std::string(3 * kMaxRecordBytes, 'x')).ok());
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(raw.size(), 3 + 2 * FeedRow::kMaxRawBytes);
}

TEST(JsonlReaderTest, TheSinksErrorEndsTheReading) {
  int rows = 0;
  const auto reader = MakeJsonlReader({}, [&](FeedRow&&) {
    ++rows;
    return absl::CancelledError("enough");
  });
  EXPECT_TRUE(absl::IsCancelled(reader->Push("x\ny\nz\n")));
  EXPECT_TRUE(absl::IsCancelled(reader->Push("x\n")));
  EXPECT_TRUE(absl::IsCancelled(reader->Finish()));
  EXPECT_EQ(rows, 1);
}

TEST(JsonlReaderTest, APatchNamesOnlyWhatChanges) {
  EXPECT_THAT(
      Read("{\"id\":\"a\",\"availability\":\"in_stock\"}\n{\"id\":\"a\"}\n"
           "{\"kind\":\"faq\",\"id\":\"q\",\"title\":\"Q\",\"text\":\"A\"}\n{\"title\":\"T\"}",
           100, {.patches = true}),
      ElementsAre("1@37 a patch", "2@48 a patch", "3@95 q document", "4@108  unusable id|"));
}

}  // namespace
}  // namespace emptor::catalog
