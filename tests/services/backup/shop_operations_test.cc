// What operators do with whole shops: a new generation out of a feed, lists, backups, restores.
#include "services/backup/shop_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "catalog/backup/backup.h"
#include "catalog/faq/faq_backup.h"
#include "catalog/faq/faq_store.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_faq.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using testing::FillShop;
using ::testing::HasSubstr;
using testing::ImportLines;
using ::testing::Not;
using testing::ProductLine;

std::string PolicyLine(const std::string& id, const std::string& text) {
  return fmt::format(R"({{"id":"{}","kind":"policy","title":"{}","text":"{}"}})", id, id, text) +
         "\n";
}

class ShopOperationsTest : public ::testing::Test {
 protected:
  ShopOperationsTest() : shops_(Open(embedder_)) {}
  std::unique_ptr<ShopDirectory> Open(const retrieval::Embedder& embedder) const {
    ShopDirectoryOptions options;
    options.data_directory = folder_.path();
    options.shop.create_if_missing = true;
    return std::make_unique<ShopDirectory>(options, embedder);
  }
  std::shared_ptr<Shop> Served() { return *shops_->Find(kDefaultShop); }
  std::string Rebuild(const std::string& feed, const RebuildSpec& spec = {}) {
    std::istringstream stream(feed);
    const auto reply = RebuildShop(*shops_, kDefaultShop, spec, stream);
    return reply.ok() ? *reply : std::string(reply.status().message());
  }
  std::string TextOf(const std::string& id) {
    const auto document = Served()->lifecycle().store().FindDocument(id);
    return document.ok() && document->has_value() ? (*document)->text : "nothing";
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
  const retrieval::HashingEmbedder other_{48};
  std::unique_ptr<ShopDirectory> shops_;
};

TEST_F(ShopOperationsTest, DocumentsThatTheFeedDoesNotNameStay) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  ASSERT_TRUE(ImportLines(*Served(), PolicyLine("returns", "Thirty days.") +
                                         PolicyLine("shipping", "By ship.") +
                                         PolicyLine("gifts", "Wrapped."))
                  .ok());
  const std::string feed = ProductLine("p1", "Pan") + ProductLine("p2", "Pot") +
                           PolicyLine("shipping", "By rail.") +
                           R"({"id":"gifts","kind":"policy","deleted":true})" + "\n";
  EXPECT_THAT(Rebuild(feed), HasSubstr(R"("documents_kept":1)"));
  EXPECT_EQ(TextOf("returns"), "Thirty days.");
  EXPECT_EQ(TextOf("shipping"), "By rail.");
  EXPECT_EQ(TextOf("gifts"), "nothing") << "the feed takes it away";
  EXPECT_EQ(Served()->reader().info().products, 2u);
  EXPECT_EQ(Served()->reader().SearchDocuments({.query = "thirty days"})->at(0).hit.id, "returns");
}

TEST_F(ShopOperationsTest, DocumentsStayThoughTheirVectorsAreOfAnotherEmbedder) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  ASSERT_TRUE(ImportLines(*Served(), PolicyLine("returns", "Thirty days.")).ok());
  shops_.reset();
  shops_ = Open(other_);
  EXPECT_THAT(Rebuild(ProductLine("p1", "Pan") + ProductLine("p2", "Pot")),
              HasSubstr(R"("documents_kept":1)"));
  EXPECT_EQ(TextOf("returns"), "Thirty days.");
}

TEST_F(ShopOperationsTest, ReportsRefusedRows) {
  const std::string reply = Rebuild(ProductLine("p1", "Pan") + "nonsense\n" + "{\"id\":\"p3\"}\n");
  EXPECT_THAT(reply, HasSubstr(R"("errors":2)"));
  EXPECT_THAT(reply, HasSubstr(R"("refused":[{"line":2,)"));
  EXPECT_THAT(reply, HasSubstr(R"("line":3,"id":"p3")"));
  EXPECT_THAT(Rebuild(ProductLine("p1", "Pan")), Not(HasSubstr("refused")));
}

TEST_F(ShopOperationsTest, TakesAMappingOfColumns) {
  RebuildSpec spec;
  ASSERT_TRUE(SetRebuildOption("columns", "Nr=id,Name=title", spec).ok());
  EXPECT_THAT(Rebuild("Nr;Name\n7;Pfanne\n", spec), HasSubstr(R"("created":1)"));
  EXPECT_EQ((*Served()->reader().FindProduct("7"))->title, "Pfanne");
  EXPECT_EQ(SetRebuildOption("columns", "Nr=number", spec).message(),
            "columns: Nr: unknown field \"number\"");
  spec.feed.currency = "eur";
  EXPECT_EQ(Rebuild("Nr;Name\n7;Pfanne\n", spec),
            "currency: expected a currency of ISO 4217, found \"eur\"");
}

TEST_F(ShopOperationsTest, BackupsAtOnceAreAllInTheList) {
  ASSERT_TRUE(FillShop(*Served(), 200, "one").ok());
  const emptor::testing::TemporaryDirectory target;
  constexpr size_t kBackups = 6;
  std::vector<std::thread> threads;
  std::atomic<size_t> written{0};
  for (size_t i = 0; i < kBackups; ++i) {
    threads.emplace_back([&] {
      const auto reply = BackupShop(*shops_, kDefaultShop, {.to = target.path(), .full = true});
      if (reply.ok()) ++written;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(written, kBackups);
  std::ostringstream list;
  list << std::ifstream(target.path() + "/backups.json").rdbuf();
  size_t listed = 0;
  for (const auto& file : std::filesystem::directory_iterator(target.path())) {
    const std::string name = file.path().filename().string();
    if (name.ends_with(".ebk")) listed += list.str().find(name) != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(listed, kBackups);
}

TEST_F(ShopOperationsTest, ARestoreBringsTheFaqBack) {
  const emptor::testing::TemporaryDirectory target, fresh;
  ASSERT_TRUE(FillShop(*Served(), 3, "one").ok());
  const auto put = [this](const std::string& id, const std::string& answer) {
    catalog::FaqEntry entry;
    entry.id = id;
    entry.questions = {"About " + id + "?"};
    entry.answer = answer;
    std::vector<catalog::FaqPut> puts;
    puts.push_back({.entry = std::move(entry)});
    return Served()->writer().faq().Write(std::move(puts), "ann").ok();
  };
  const auto answer_in = [](const std::string& path, const std::string& id) -> std::string {
    const auto store = catalog::FaqStore::Open(path + "/faq");
    if (!store.ok()) return store.status().ToString();
    const auto entry = (*store)->Find(id);
    return entry.ok() && *entry ? (*entry)->answer : "nothing";
  };
  ASSERT_TRUE(put("returns", "30 days."));
  const auto base = BackupShop(*shops_, kDefaultShop, {.to = target.path()});
  ASSERT_TRUE(base.ok()) << base.status();
  EXPECT_THAT(*base, HasSubstr(R"("faq":{"name":"faq-base-)"));
  ASSERT_TRUE(put("returns", "45 days."));
  ASSERT_TRUE(put("gifts", "Wrapped."));
  const auto more = BackupShop(*shops_, kDefaultShop, {.to = target.path()});
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_THAT(*more, HasSubstr(R"("faq":{"name":"faq-changes-)"));
  const auto same = BackupShop(*shops_, kDefaultShop, {.to = target.path()});
  EXPECT_THAT(*same, HasSubstr(R"("faq":null)"));

  const auto report = RestoreShop(fresh.path(), "tea", target.path(), std::nullopt);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(*report, HasSubstr(R"("faq_entries":2)"));
  EXPECT_EQ(answer_in(fresh.path() + "/shops/tea", "returns"), "45 days.");
  EXPECT_EQ(answer_in(fresh.path() + "/shops/tea", "gifts"), "Wrapped.");

  // In place: what was there is kept, and a damaged backup changes nothing.
  ASSERT_TRUE(put("returns", "7 days."));
  shops_.reset();
  ASSERT_TRUE(RestoreShop(folder_.path(), kDefaultShop, target.path(), std::nullopt).ok());
  EXPECT_EQ(answer_in(folder_.path(), "returns"), "45 days.");
  std::filesystem::rename(folder_.path() + "/faq-previous", fresh.path() + "/faq");
  EXPECT_EQ(answer_in(fresh.path(), "returns"), "7 days.");
  for (const auto& file : std::filesystem::directory_iterator(target.path())) {
    if (file.path().filename().string().starts_with("faq-changes")) {
      std::filesystem::resize_file(file.path(), 100);
    }
  }
  catalog::DirectoryTarget files(target.path());
  EXPECT_TRUE(catalog::VerifyBackups(files, fresh.path() + "/staging").ok());
  EXPECT_EQ(catalog::VerifyFaqBackups(files, fresh.path() + "/staging").code(),
            absl::StatusCode::kDataLoss);
  const auto damaged = RestoreShop(folder_.path(), kDefaultShop, target.path(), std::nullopt);
  EXPECT_EQ(damaged.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(answer_in(folder_.path(), "returns"), "45 days.");
}

TEST_F(ShopOperationsTest, ARestoreThatFailsMakesNoShop) {
  const emptor::testing::TemporaryDirectory target;
  ASSERT_TRUE(FillShop(*Served(), 3, "one").ok());
  ASSERT_TRUE(BackupShop(*shops_, kDefaultShop, {.to = target.path()}).ok());
  const emptor::testing::TemporaryDirectory fresh;
  for (const char* name : {"tea", kDefaultShop}) {
    const auto old = RestoreShop(fresh.path(), name, target.path(), 0);
    EXPECT_THAT(std::string(old.status().message()), HasSubstr("no backup is that old"));
  }
  EXPECT_FALSE(std::filesystem::exists(fresh.path() + "/shops/tea"));
  EXPECT_FALSE(std::filesystem::exists(fresh.path() + "/CURRENT"));
  const auto report = RestoreShop(fresh.path(), "tea", target.path(), std::nullopt);
  EXPECT_TRUE(report.ok()) << report.status();
}

TEST_F(ShopOperationsTest, AListCountsOnlyWhatIsOpen) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  EXPECT_THAT(ListShops(*shops_), HasSubstr(R"("products":2)"));
  shops_.reset();
  shops_ = Open(embedder_);
  EXPECT_EQ(ListShops(*shops_),
            R"({"shops":[{"name":"default","open":false,"generation":"gen-000001"}]})");
}

}  // namespace
}  // namespace emptor::services
