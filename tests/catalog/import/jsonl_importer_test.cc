// The importer: one result per line, in order, whatever the line holds and however bytes arrive.
#include "catalog/import/jsonl_importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Line(const std::string& id, int amount, const std::string& title = "T") {
  return R"({"id":")" + id + R"(","title":")" + title + R"(","price":{"amount":)" +
         std::to_string(amount) + R"(,"currency":"USD"}})";
}

class JsonlImporterTest : public ::testing::Test {
 protected:
  JsonlImporterTest() {
    auto store = ProductStore::Open("/shop", {.create_if_missing = true, .env = env_.get()});
    EXPECT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }

  absl::Status Sink(ImportBatch&& batch) {
    ++batches_;
    if (!sink_error_.ok()) return sink_error_;
    for (size_t i = 0; i < batch.changes.puts.size(); ++i) {
      EXPECT_TRUE(batch.changes.puts[i].index_entry.empty());
      if (!batch.needs_index_entry[i]) continue;
      embedded_.push_back(batch.changes.puts[i].product.id);
      batch.changes.puts[i].index_entry = "vector";
    }
    return store_->Write(batch.changes);
  }

  // Pushes `feed` in pieces of `chunk` bytes.
  absl::StatusOr<ImportReport> Import(std::string_view feed, ImportOptions options = {},
                                      size_t chunk = 1u << 20) {
    results_.clear();
    embedded_.clear();
    batches_ = 0;
    JsonlImporter importer(
        *store_, options, [this](ImportBatch&& batch) { return Sink(std::move(batch)); },
        [this](const LineResult& result) { results_.push_back(ToJson(result)); });
    for (; !feed.empty(); feed.remove_prefix(std::min(chunk, feed.size()))) {
      const absl::Status pushed = importer.Push(feed.substr(0, chunk));
      if (!pushed.ok()) return pushed;
    }
    return importer.Finish();
  }

  std::unique_ptr<leveldb::Env> env_{leveldb::NewMemEnv(leveldb::Env::Default())};
  std::unique_ptr<ProductStore> store_;
  std::vector<std::string> results_;
  std::vector<std::string> embedded_;
  int batches_ = 0;
  absl::Status sink_error_;
};

TEST_F(JsonlImporterTest, TellsCreatedUpdatedUnchangedDeletedAndError) {
  ASSERT_TRUE(Import(Line("a", 1) + "\n" + Line("b", 1) + "\n" + Line("c", 1)).ok());
  const auto report =
      Import(Line("a", 1) + "\n" + Line("b", 2) + "\n\n" + R"({"id":"c","deleted":true})" + "\n" +
             R"({"id":"d","title":"T","price":"5"})" + "\n" + Line("e", 1) + "\n{oops\n");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(results_,
              ElementsAre(R"({"line":1,"id":"a","status":"unchanged"})",
                          R"({"line":2,"id":"b","status":"updated"})",
                          R"({"line":4,"id":"c","status":"deleted"})",
                          R"({"line":5,"id":"d","status":"error","message":)"
                          R"("price: expected an object {amount, currency}, found a string"})",
                          R"({"line":6,"id":"e","status":"created"})",
                          HasSubstr(R"({"line":7,"status":"error","message":"byte 1: )")));
  EXPECT_EQ(report->lines, 6u);
  EXPECT_EQ(report->created, 1u);
  EXPECT_EQ(report->errors, 2u);
  EXPECT_EQ(store_->info().products, 3u);
}

TEST_F(JsonlImporterTest, OnlyChangedTextAsksForAnIndexEntry) {
  ASSERT_TRUE(Import(Line("a", 1) + "\n" + Line("b", 1)).ok());
  EXPECT_THAT(embedded_, ElementsAre("a", "b"));
  ASSERT_TRUE(Import(Line("a", 2) + "\n" + Line("b", 1, "New")).ok());
  EXPECT_THAT(embedded_, ElementsAre("b"));
  int entries = 0;
  ASSERT_TRUE(store_
                  ->ScanProducts([&](const Product&, std::string_view entry) {
                    entries += entry == "vector" ? 1 : 0;
                    return true;
                  })
                  .ok());
  EXPECT_EQ(entries, 2);
}

TEST_F(JsonlImporterTest, ChunksOfAnySizeGiveTheSameResults) {
  const std::string feed = "\xEF\xBB\xBF" + Line("a", 1, "é電") + "\r\n\r\n  \n" +
                           R"({"kind":"faq","id":"a","title":"Q","text":"A"})" + "\r\n" +
                           Line("b", 2) + "\n" + Line("a", 3) + "\nbad\r\n" + Line("c", 1);
  ASSERT_TRUE(Import(feed, {.dry_run = true}).ok());
  const std::vector<std::string> whole = results_;
  EXPECT_EQ(whole.size(), 6u);
  EXPECT_EQ(batches_, 0);
  for (size_t chunk : {1u, 2u, 3u, 7u, 64u}) {
    ASSERT_TRUE(Import(feed, {.dry_run = true}, chunk).ok());
    EXPECT_EQ(results_, whole) << chunk;
  }
  EXPECT_EQ(store_->info().products, 0u);
}

TEST_F(JsonlImporterTest, LastLineOfAnIdWins) {
  ASSERT_TRUE(Import(Line("a", 1) + "\n" + Line("a", 2) + "\n" + Line("a", 2) + "\n" +
                     R"({"id":"a","deleted":true})" + "\n" + Line("a", 3))
                  .ok());
  EXPECT_THAT(results_,
              ElementsAre(HasSubstr("created"), HasSubstr("updated"), HasSubstr("unchanged"),
                          HasSubstr("deleted"), HasSubstr("created")));
  EXPECT_EQ(store_->Find("a").value()->price->amount, 3);
}

TEST_F(JsonlImporterTest, LongLinesAreRefusedWithoutKeepingThem) {
  const std::string feed = Line("a", 1) + "\n" + std::string(5000, 'x') + "\n" + Line("b", 1);
  ASSERT_TRUE(Import(feed, {.max_line_bytes = 200}, 64).ok());
  EXPECT_THAT(results_, ElementsAre(HasSubstr("created"), HasSubstr("line: longer than 200 bytes"),
                                    HasSubstr("created")));
  const std::string exact = Line("c", 1);
  ASSERT_TRUE(Import(exact + "\r\n", {.max_line_bytes = exact.size()}, 1).ok());
  EXPECT_THAT(results_, ElementsAre(HasSubstr("created")));
  ASSERT_TRUE(Import(exact + "\r\n", {.max_line_bytes = exact.size() - 1}, 1).ok());
  EXPECT_THAT(results_, ElementsAre(HasSubstr("longer")));
}

TEST_F(JsonlImporterTest, BatchesHaveTheAskedSize) {
  std::string feed;
  for (int i = 0; i < 25; ++i) feed += Line("p" + std::to_string(i), 1) + "\n";
  ASSERT_TRUE(Import(feed, {.batch_lines = 10}).ok());
  EXPECT_EQ(batches_, 3);
  EXPECT_EQ(store_->info().sequence, 3u);
}

TEST_F(JsonlImporterTest, ASinkErrorEndsTheImportAndIsToldPerLine) {
  sink_error_ = absl::ResourceExhaustedError("disk full");
  const auto report = Import(Line("a", 1) + "\nbad\n" + Line("b", 1) + "\n", {.batch_lines = 3});
  EXPECT_EQ(report.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(results_, ElementsAre(HasSubstr("not stored: disk full"), HasSubstr("byte "),
                                    HasSubstr("not stored: disk full")));
}

TEST_F(JsonlImporterTest, DocumentsAndProductsHaveIdsOfTheirOwn) {
  const std::string faq = R"({"kind":"faq","id":"a","title":"Q","text":"A"})";
  ASSERT_TRUE(Import(Line("a", 1) + "\n" + faq).ok());
  EXPECT_EQ(store_->info().products, 1u);
  EXPECT_EQ(store_->info().documents, 1u);
  ASSERT_TRUE(Import(faq + "\n" + R"({"kind":"faq","id":"a","deleted":true})").ok());
  EXPECT_THAT(results_, ElementsAre(HasSubstr("unchanged"), HasSubstr("deleted")));
  EXPECT_TRUE(store_->Find("a").value().has_value());
  EXPECT_FALSE(store_->FindDocument("a").value().has_value());
}

TEST_F(JsonlImporterTest, DeletionsAreStrictToo) {
  ASSERT_TRUE(Import("{\"id\":\"a\",\"deleted\":false}\n{\"deleted\":true}\n"
                     "{\"id\":\"never\",\"deleted\":true}\n"
                     "{\"id\":\"a\",\"deleted\":true,\"title\":\"x\"}")
                  .ok());
  EXPECT_THAT(results_, ElementsAre(HasSubstr("deleted: expected true"), HasSubstr("id: missing"),
                                    HasSubstr("unchanged"), HasSubstr("title: unknown field")));
  EXPECT_EQ(batches_, 0);
}

TEST_F(JsonlImporterTest, ReadsAStreamToItsEnd) {
  std::istringstream stream(Line("a", 1) + "\n" + Line("b", 1));
  JsonlImporter importer(
      *store_, {}, [this](ImportBatch&& batch) { return Sink(std::move(batch)); }, nullptr);
  const auto report = ImportJsonl(stream, importer);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->created, 2u);
  EXPECT_EQ(report->bytes, stream.str().size());
  EXPECT_THAT(results_, IsEmpty());
}

}  // namespace
}  // namespace emptor::catalog
