// The store of products and documents: what is written is read, also after reopening.
#include "catalog/product_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "tests/catalog/random_product.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Product MakeProduct(const std::string& id, int64_t amount = 4999) {
  Product product;
  product.id = id;
  product.title = "Kettle " + id;
  product.price = Money{amount, "USD"};
  return product;
}

Document MakeDocument(const std::string& id) {
  Document document;
  document.id = id;
  document.kind = "faq";
  document.title = "How long?";
  document.text = "3 days.";
  return document;
}

class ProductStoreTest : public ::testing::Test {
 protected:
  void Open(bool create = true) {
    store_.reset();
    auto store = ProductStore::Open("/shop", {.create_if_missing = create, .env = env_.get()});
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  void Put(const Product& product, const std::string& stored_embedding = "") {
    ASSERT_TRUE(store_->Write({.puts = {{product, stored_embedding}}}).ok());
  }
  std::map<std::string, std::string> StoredEmbeddings() {
    std::map<std::string, std::string> entries;
    const auto scanned = store_->ScanProducts([&](const Product& product, std::string_view entry) {
      entries[product.id] = entry;
      return true;
    });
    EXPECT_TRUE(scanned.ok()) << scanned;
    return entries;
  }

  std::unique_ptr<leveldb::Env> env_{leveldb::NewMemEnv(leveldb::Env::Default())};
  std::unique_ptr<ProductStore> store_;
};

TEST_F(ProductStoreTest, RefusesToOpenWhatIsNotThere) {
  const auto store = ProductStore::Open("/nothing", {.env = env_.get()});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ProductStoreTest, ReadsWhatWasWrittenAlsoAfterReopening) {
  Open();
  ASSERT_TRUE(store_
                  ->Write({.puts = {{MakeProduct("k1"), "vector"}, {MakeProduct("k2"), ""}},
                           .documents = {MakeDocument("f1")}})
                  .ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(store_->Find("k1").value(), MakeProduct("k1"));
    EXPECT_EQ(store_->Find("k3").value(), std::nullopt);
    EXPECT_EQ(store_->FindDocument("f1").value(), MakeDocument("f1"));
    EXPECT_EQ(StoredEmbeddings(),
              (std::map<std::string, std::string>{{"k1", "vector"}, {"k2", ""}}));
    EXPECT_EQ(store_->info().products, 2u);
    EXPECT_EQ(store_->info().documents, 1u);
    EXPECT_EQ(store_->info().sequence, 1u);
    Open(false);
  }
}

TEST_F(ProductStoreTest, KeepsStoredEmbeddingWhenOnlyTheRecordIsPut) {
  Open();
  Put(MakeProduct("k1", 100), "vector");
  Put(MakeProduct("k1", 90));
  EXPECT_EQ(store_->Find("k1").value()->price->amount, 90);
  EXPECT_EQ(StoredEmbeddings()["k1"], "vector");
  EXPECT_EQ(store_->info().products, 1u);
}

TEST_F(ProductStoreTest, DeletesRecordAndStoredEmbeddingTogether) {
  Open();
  Put(MakeProduct("k1"), "vector");
  ASSERT_TRUE(store_->Write({.deleted_products = {"k1", "never-there"}}).ok());
  EXPECT_EQ(store_->Find("k1").value(), std::nullopt);
  Put(MakeProduct("k1"));
  EXPECT_EQ(StoredEmbeddings()["k1"], "");
  EXPECT_EQ(store_->info().products, 1u);
}

TEST_F(ProductStoreTest, ScansInIdOrderUntilTheVisitorStops) {
  Open();
  ASSERT_TRUE(store_
                  ->Write({.puts = {{MakeProduct("a.b"), "x"},
                                    {MakeProduct("a"), "y"},
                                    {MakeProduct("a-1"), ""},
                                    {MakeProduct("B"), "z"}}})
                  .ok());
  std::vector<std::string> ids;
  ASSERT_TRUE(store_
                  ->ScanProducts([&](const Product& product, std::string_view) {
                    ids.push_back(product.id);
                    return ids.size() < 3;
                  })
                  .ok());
  EXPECT_THAT(ids, ElementsAre("B", "a", "a-1"));
}

TEST_F(ProductStoreTest, RefusesBadRecordsByNameAndChangesNothing) {
  Open();
  Product bad = MakeProduct("k2");
  bad.price->currency = "usd";
  const auto status = store_->Write({.puts = {{MakeProduct("k1"), ""}, {bad, ""}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("product k2: price.currency"));
  EXPECT_EQ(store_->Find("k1").value(), std::nullopt);
  EXPECT_TRUE(store_->health().ok());
  EXPECT_EQ(store_->info().sequence, 0u);
}

TEST_F(ProductStoreTest, RefusesPutAndDeleteOfOneRecordInOneBatch) {
  Open();
  const auto status =
      store_->Write({.puts = {{MakeProduct("k1"), ""}}, .deleted_products = {"k1"}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ProductStoreTest, InvalidIdsAreNotFoundAndNotDeleted) {
  Open();
  for (const std::string& id : {std::string(), std::string("../x"), std::string("a\0r", 3)}) {
    EXPECT_EQ(store_->Find(id).value(), std::nullopt);
    EXPECT_EQ(store_->FindDocument(id).value(), std::nullopt);
    EXPECT_EQ(store_->Write({.deleted_products = {id}}).code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(ProductStoreTest, ManyRandomBatchesAgreeWithAModel) {
  Open();
  testing::RecordGenerator generator(20261120);
  std::map<std::string, Product> model;
  for (int round = 0; round < 60; ++round) {
    StoreBatch batch;
    std::map<std::string, Product> next = model;
    for (int change = 0; change < 5; ++change) {
      const std::string id = "p" + std::to_string(generator.Below(40));
      const bool is_new_here =
          std::none_of(batch.puts.begin(), batch.puts.end(),
                       [&](const ProductPut& put) { return put.product.id == id; });
      if (generator.OneIn(4) && is_new_here) {
        batch.deleted_products.push_back(id);
        next.erase(id);
        break;
      }
      next[id] = generator.MakeProduct(id);
      batch.puts.push_back({next[id], "entry of " + id});
    }
    ASSERT_TRUE(store_->Write(batch).ok());
    model = next;
    if (round % 10 == 9) Open(false);
    ASSERT_EQ(store_->info().products, model.size());
  }
  size_t visited = 0;
  ASSERT_TRUE(store_
                  ->ScanProducts([&](const Product& product, std::string_view entry) {
                    EXPECT_EQ(product, model.at(product.id));
                    EXPECT_EQ(entry, "entry of " + product.id);
                    ++visited;
                    return true;
                  })
                  .ok());
  EXPECT_EQ(visited, model.size());
}

TEST_F(ProductStoreTest, ReadersSeeWholeBatchesWhileAnotherThreadWrites) {
  Open();
  constexpr int kBatches = 200;
  const auto put_pair = [&](int64_t amount) {
    ASSERT_TRUE(
        store_->Write({.puts = {{MakeProduct("a", amount), ""}, {MakeProduct("b", amount), ""}}})
            .ok());
  };
  put_pair(0);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 1; i <= kBatches; ++i) put_pair(i);
    done = true;
  });
  while (!done) {
    std::vector<int64_t> amounts;
    ASSERT_TRUE(store_
                    ->ScanProducts([&](const Product& product, std::string_view) {
                      amounts.push_back(product.price->amount);
                      return true;
                    })
                    .ok());
    ASSERT_EQ(amounts.size(), 2u);
    ASSERT_EQ(amounts[0], amounts[1]);
  }
}

}  // namespace
}  // namespace emptor::catalog
