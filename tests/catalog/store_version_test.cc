// Stores that older builds wrote. tests/golden/catalog_store_v1 was written by the build of
// 2026-11-22 (content version 1) from its records.jsonl; every other product got an index entry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "catalog/content_hash.h"
#include "catalog/product_json.h"
#include "catalog/product_store.h"
#include "catalog/record_codec.h"
#include "catalog/storage/seal.h"
#include "tests/catalog/random_product.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

using ::testing::HasSubstr;

class StoreVersionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(golden_, directory_, std::filesystem::copy_options::recursive);
  }

  absl::StatusOr<std::unique_ptr<ProductStore>> Open() {
    return ProductStore::Open(directory_.string(), {});
  }
  SealIdentity Identity() const {
    std::ifstream file(directory_ / "SEAL", std::ios::binary);
    std::string header(kSealHeaderBytes, '\0');
    file.read(header.data(), static_cast<std::streamsize>(header.size()));
    return DecodeSealHeader(header).value();
  }
  void WriteIdentity(const SealIdentity& identity) const {
    std::fstream file(directory_ / "SEAL", std::ios::binary | std::ios::in | std::ios::out);
    file << EncodeSealHeader(identity);
  }
  std::vector<Record> SourceRecords() const {
    std::vector<Record> records;
    std::ifstream lines(golden_ / "records.jsonl");
    for (std::string line; std::getline(lines, line);) records.push_back(ParseRecord(line).value());
    return records;
  }

  const std::filesystem::path golden_ =
      std::filesystem::path(EMPTOR_SOURCE_DIR) / "tests/golden/catalog_store_v1";
  const testing::TemporaryDirectory temporary_;
  const std::filesystem::path directory_ = std::filesystem::path(temporary_.path()) / "shop";
};

TEST_F(StoreVersionTest, Version1IsReadWithoutLossAndBecomesVersion2) {
  ASSERT_EQ(Identity().content_version, 1u);
  const std::vector<Record> records = SourceRecords();
  ASSERT_EQ(records.size(), 5u);
  for (int round = 0; round < 2; ++round) {
    const auto store = Open();
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_EQ((*store)->info().products, 3u);
    EXPECT_EQ((*store)->info().documents, 2u);
    for (const Record& record : records) {
      if (const auto* product = std::get_if<Product>(&record)) {
        EXPECT_EQ((*store)->Find(product->id).value(), *product);
      } else {
        const Document& document = std::get<Document>(record);
        EXPECT_EQ((*store)->FindDocument(document.id).value(), document);
      }
    }
    std::map<std::string, std::string> entries;
    ASSERT_TRUE((*store)
                    ->ScanProducts([&](const Product& product, std::string_view entry) {
                      entries[product.id] = entry;
                      return true;
                    })
                    .ok());
    EXPECT_EQ(entries, (std::map<std::string, std::string>{
                           {"bare", "entry of bare"}, {"k20", ""}, {"k21", "entry of k21"}}));
    EXPECT_EQ(Identity().content_version, kCatalogContentVersion);
  }
}

TEST_F(StoreVersionTest, ReviewsOfVersion1AreUntrusted) {
  const auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ((*store)->FindDocument("r1").value()->trust, Trust::kUntrusted);
  EXPECT_EQ((*store)->FindDocument("returns").value()->trust, Trust::kShop);
}

TEST_F(StoreVersionTest, AnUpgradedStoreAcceptsTheNewFieldsNextToOldRecords) {
  Product kettle;
  {
    const auto store = Open();
    ASSERT_TRUE(store.ok()) << store.status();
    kettle = *(*store)->Find("k20").value();
    kettle.options = {{"color", "red"}};
    kettle.popularity = 7;
    ASSERT_TRUE((*store)->Write({.puts = {{kettle, ""}}}).ok());
  }
  const auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ((*store)->Find("k20").value(), kettle);
  EXPECT_EQ((*store)->Find("bare").value()->title, "Bare minimum");
}

TEST_F(StoreVersionTest, RefusesANewerVersionAndLeavesItAsItIs) {
  WriteIdentity({.application = "catalog", .content_version = kCatalogContentVersion + 1});
  const auto store = Open();
  EXPECT_EQ(store.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("this build reads up to 2"));
  EXPECT_EQ(Identity().content_version, kCatalogContentVersion + 1);
}

TEST(RecordVersionTest, FieldsOfVersion2InARecordOfVersion1AreDamage) {
  Product product;
  product.id = "k";
  product.title = "T";
  std::string bytes = EncodeProduct(product);
  ASSERT_EQ(bytes[0], 2);
  bytes[0] = 1;
  EXPECT_EQ(DecodeProduct(bytes).value(), product);
  product.popularity = 1;
  bytes = EncodeProduct(product);
  EXPECT_EQ(DecodeProduct(bytes).value(), product);
  bytes[0] = 1;
  EXPECT_EQ(DecodeProduct(bytes).status().code(), absl::StatusCode::kDataLoss);
  bytes[0] = 3;
  EXPECT_EQ(DecodeProduct(bytes).status().code(), absl::StatusCode::kDataLoss);
}

TEST(RecordVersionTest, CutOrChangedBytesAreDamageOrAnotherWholeRecord) {
  testing::RecordGenerator generator(20261122);
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = EncodeProduct(generator.MakeProduct("k"));
    const std::string cut = bytes.substr(0, generator.Below(bytes.size()));
    const auto decoded = DecodeProduct(cut);
    if (decoded.ok()) {
      EXPECT_EQ(EncodeProduct(*decoded), cut);
    }
    EXPECT_EQ(EncodeProduct(DecodeProduct(bytes).value()), bytes);
  }
}

TEST(ContentHashTest, OnlyWhatSearchReadsChangesTheHashOfItsText) {
  Product product;
  product.id = "k";
  product.title = "T";
  const auto text_changes = [&](const std::function<void(Product&)>& change) {
    Product changed = product;
    change(changed);
    EXPECT_NE(ContentHash(changed), ContentHash(product));
    return IndexTextHash(changed) != IndexTextHash(product);
  };
  EXPECT_TRUE(text_changes([](Product& p) { p.options = {{"color", "red"}}; }));
  EXPECT_TRUE(text_changes([](Product& p) { p.attributes = {{"color", "red"}}; }));
  EXPECT_FALSE(text_changes([](Product& p) { p.price = Money{1, "USD"}; }));
  EXPECT_FALSE(text_changes([](Product& p) { p.regional_prices.emplace_back(); }));
  EXPECT_FALSE(text_changes([](Product& p) { p.shipping.emplace_back(); }));
  EXPECT_FALSE(text_changes([](Product& p) { p.stock.emplace_back(); }));
  EXPECT_FALSE(text_changes([](Product& p) { p.popularity = 3; }));
  EXPECT_FALSE(text_changes([](Product& p) { p.quarantine = "held"; }));
  EXPECT_FALSE(text_changes([](Product& p) { p.trust = Trust::kUntrusted; }));
}

}  // namespace
}  // namespace emptor::catalog
