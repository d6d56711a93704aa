// Which products are the same article, and what an import does about it.
#include "catalog/import/duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "catalog/import/importer.h"
#include "catalog/product_json.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kGtin = "4006381333931";

Product Article(const std::string& id, const std::string& gtin, const std::string& brand = "",
                const std::string& mpn = "") {
  Product product;
  product.id = id;
  product.title = "Pen " + id;
  product.gtin = gtin;
  product.brand = brand;
  product.mpn = mpn;
  return product;
}

TEST(GtinTest, IsFourteenDigitsWithARightCheckDigit) {
  const struct {
    const char* text;
    const char* gtin;  // null: none
  } cases[] = {
      {"4006381333931", "04006381333931"},   // GTIN-13
      {"036000291452", "00036000291452"},    // GTIN-12
      {"0036000291452", "00036000291452"},   // the same as a GTIN-13
      {"96385074", "00000096385074"},        // GTIN-8
      {"14006381333938", "14006381333938"},  // a carton of them: another article
      {"4006381333930", nullptr},            // a wrong check digit
      {"36000291452", nullptr},              // 11 digits: one was lost
      {"400638133393X", nullptr},
      {"", nullptr},
      {"00000000", nullptr},
      {"0000000000000", nullptr},
      {"2012345678903", nullptr},  // weighed in a store
      {"212345678909", nullptr},   // the same, of 12 digits
      {"9812345678902", nullptr},  // a coupon
      {"00123457", nullptr},       // 8 digits for use within a store
  };
  for (const auto& each : cases) {
    const auto gtin = NormalizeGtin(each.text);
    EXPECT_EQ(gtin.value_or("none"), each.gtin == nullptr ? "none" : each.gtin) << each.text;
  }
}

TEST(ArticleTest, IsTheSameByGtinElseByPartNumberAndBrand) {
  const Product pen = Article("a", kGtin, "Stabilo", "BL 77/40");
  EXPECT_EQ(FindSameness(pen, Article("b", "04006381333931")), "gtin");
  EXPECT_EQ(FindSameness(pen, Article("b", "", "STABILO", "bl77-40")), "mpn");
  EXPECT_EQ(FindSameness(pen, Article("b", "036000291452", "Stabilo", "BL 77/40")), "");
  EXPECT_EQ(FindSameness(pen, Article("b", "", "Staedtler", "BL 77/40")), "");
  EXPECT_EQ(FindSameness(pen, Article("b", "", "", "BL 77/40")), "");
  EXPECT_EQ(
      FindSameness(Article("a", "", "Unbranded", "n/a"), Article("b", "", "unbranded", "N/A")), "");
  EXPECT_EQ(FindSameness(Article("a", "", "Acme", "000"), Article("b", "", "Acme", "0-0-0")), "");
}

TEST(ArticleTest, AUsedOneATranslationAndAVariantAreOthers) {
  const Product pen = Article("a", kGtin, "Stabilo", "BL 77/40");
  Product other = Article("b", kGtin, "Stabilo", "BL 77/40");
  other.condition = Condition::kUsed;
  EXPECT_EQ(FindSameness(pen, other), "");
  other = Article("b", kGtin, "Stabilo", "BL 77/40");
  other.locale = "de-DE";
  EXPECT_EQ(FindSameness(pen, other), "");
  Product red = Article("r", "", "Stabilo", "BL 77/40"), blue = red;
  blue.id = "b";
  red.item_group_id = blue.item_group_id = "pens";
  EXPECT_EQ(FindSameness(red, blue), "");
  blue.item_group_id = "others";
  EXPECT_EQ(FindSameness(red, blue), "mpn");
}

class DedupeTest : public ::testing::Test {
 protected:
  DedupeTest() {
    store_ = *ProductStore::Open("/shop", {.create_if_missing = true, .env = env_.get()});
  }
  ImportReport Import(const std::vector<Product>& products, ImportOptions options) {
    std::string feed;
    for (const Product& product : products) feed += ToJson(product) + "\n";
    results_.clear();
    options.duplicates = &index_;
    Importer importer(
        *store_, mutex_, options,
        [this](ImportBatch& batch) { return store_->Write(batch.changes); },
        [this](const LineResult& result) { results_.push_back(ToJson(result)); });
    const auto reader = MakeFeedReader({.format = FeedFormat::kJsonl}, [&](FeedRow&& row) {
      return importer.Take(std::move(row));
    });
    std::istringstream stream(feed);
    const auto report = ImportFeed(stream, *reader, importer);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : ImportReport();
  }
  bool Has(const std::string& id) const { return store_->Find(id)->has_value(); }

  std::unique_ptr<leveldb::Env> env_{leveldb::NewMemEnv(leveldb::Env::Default())};
  std::unique_ptr<ProductStore> store_;
  std::mutex mutex_;
  DuplicateIndex index_;
  std::vector<std::string> results_;
};

TEST_F(DedupeTest, ReportTakesTheRowAndNamesTheOther) {
  for (const bool dry_run : {true, false}) {
    for (const size_t batch_lines : {1u, 256u}) {
      const ImportReport report =
          Import({Article("a", kGtin), Article("b", "04006381333931"), Article("c", "")},
                 {.batch_lines = batch_lines, .dry_run = dry_run, .dedupe = DedupeMode::kReport});
      EXPECT_EQ(report.lines, 3u);
      EXPECT_EQ(report.duplicates, dry_run || batch_lines == 1u ? 1u : 2u);
      EXPECT_THAT(results_[1], HasSubstr(R"("duplicate_of":"a","warnings":[{"field":"gtin",)"
                                         R"("reason":"the same article as \"a\""}])"));
    }
  }
  EXPECT_TRUE(Has("b"));
}

TEST_F(DedupeTest, SkipKeepsTheFirstId) {
  const ImportOptions skip{.dedupe = DedupeMode::kSkip};
  const ImportReport report = Import({Article("a", kGtin, "Stabilo", "BL77"), Article("b", kGtin),
                                      Article("c", "", "stabilo", "BL-77")},
                                     skip);
  EXPECT_EQ(report.created, 1u);
  EXPECT_EQ(report.duplicates, 2u);
  EXPECT_THAT(results_,
              ElementsAre(HasSubstr("created"),
                          HasSubstr(R"("id":"b","status":"duplicate","duplicate_of":"a")"),
                          HasSubstr(R"("field":"mpn")")));
  EXPECT_FALSE(Has("b") || Has("c"));
  // What is stored is compared with as well.
  EXPECT_EQ(Import({Article("d", kGtin)}, skip).duplicates, 1u);
  EXPECT_FALSE(Has("d"));
}

TEST_F(DedupeTest, AProductThatIsThereIsUpdatedAlways) {
  Import({Article("a", kGtin), Article("b", kGtin)}, {});
  for (const char* id : {"a", "b"}) index_.Add(Article(id, kGtin));
  Product b = Article("b", kGtin);
  b.price = Money{100, "EUR"};
  const ImportReport report = Import({b}, {.dedupe = DedupeMode::kSkip});
  EXPECT_EQ(report.updated, 1u);
  EXPECT_EQ(report.duplicates, 1u);
  EXPECT_EQ((*store_->Find("b"))->price->amount, 100);
}

TEST_F(DedupeTest, FollowsUpdatesAndDeletions) {
  const ImportOptions skip{.dedupe = DedupeMode::kSkip};
  Import({Article("a", kGtin)}, skip);
  Import({Article("a", "036000291452")}, skip);
  EXPECT_EQ(Import({Article("b", kGtin)}, skip).created, 1u);
  ASSERT_TRUE(store_->Write({.deleted_products = {"a"}}).ok());
  EXPECT_EQ(Import({Article("c", "036000291452")}, skip).created, 1u);
  EXPECT_EQ(Import({Article("d", "036000291452")}, skip).duplicates, 1u);
}

TEST_F(DedupeTest, AReplacingFeedIsComparedWithItselfAlone) {
  Import({Article("old", kGtin)}, {});
  ASSERT_TRUE(index_.AddAll(*store_).ok());
  const ImportReport report =
      Import({Article("new", kGtin), Article("twin", kGtin)},
             {.mode = ImportMode::kReplace, .shrink_limit = 1, .dedupe = DedupeMode::kSkip});
  EXPECT_EQ(report.created, 1u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_THAT(results_[1], HasSubstr(R"("duplicate_of":"new")"));
  EXPECT_TRUE(Has("new"));
  EXPECT_FALSE(Has("old") || Has("twin"));
}

TEST_F(DedupeTest, TheIndexHoldsEveryIdOnce) {
  const Product pen = Article("a", kGtin, "Stabilo", "BL77");
  for (int i = 0; i < 10; ++i) index_.Add(pen);
  EXPECT_EQ(index_.size(), 2u);
  for (int i = 0; i < 100; ++i) index_.Add(Article("x" + std::to_string(i), kGtin));
  EXPECT_EQ(index_.size(), 65u);  // 64 of one key are enough
}

}  // namespace
}  // namespace emptor::catalog
