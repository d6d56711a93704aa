// Vectors of documents: stored beside them, taken again, made anew only where the text is new.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "catalog/documents/passages.h"
#include "catalog/product_json.h"
#include "services/shop/shop.h"
#include "services/shop/stored_embedding.h"
#include "tests/services/shop/counted_embedder.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

std::string Paragraph(const std::string& word) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += word + std::to_string(i) + " ";
  text.back() = '.';
  return text;
}

catalog::Document Manual(const std::vector<std::string>& words) {
  catalog::Document document;
  document.id = "manual";
  document.kind = "manual";
  document.title = "Manual";
  for (const std::string& word : words) {
    document.text += (document.text.empty() ? "## " : "\n\n## ") + word + "\n\n" + Paragraph(word);
  }
  return document;
}

class DocumentVectorsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Shop> Open(const retrieval::Embedder& embedder) const {
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    auto shop = Shop::Open(options, embedder);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return shop.ok() ? *std::move(shop) : nullptr;
  }
  static void Import(Shop& shop, const catalog::Document& document,
                     catalog::ImportMode mode = catalog::ImportMode::kUpsert) {
    std::istringstream stream(catalog::ToJson(document) + "\n");
    const auto report =
        shop.writer().Import(stream, {}, {.mode = mode}, [](const catalog::LineResult&) {});
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_EQ(report->errors, 0u);
  }
  /// Without counting the vector of the query.
  static std::string BestPassage(const Shop& shop, const std::string& query,
                                 const CountedEmbedder& embedder) {
    const int before = embedder.count;
    retrieval::SearchRequest request;
    request.query = query;
    const auto found = shop.reader().SearchDocuments(request);
    embedder.count = before;
    return found.ok() && !found->empty() ? found->front().passage_id : "";
  }

  const emptor::testing::TemporaryDirectory directory_;
};

TEST_F(DocumentVectorsTest, NothingIsEmbeddedWhenTheShopOpensAgain) {
  const CountedEmbedder embedder;
  {
    const auto shop = Open(embedder);
    Import(*shop, Manual({"kettle", "toaster", "lamp"}));
    EXPECT_EQ(embedder.count, 3);
    EXPECT_EQ(shop->reader().document_stats().passages, 3u);
    EXPECT_GT(shop->reader().document_stats().bytes, 2000u);
  }
  for (int round = 0; round < 2; ++round) {
    const auto shop = Open(embedder);
    EXPECT_EQ(embedder.count, 3);
    EXPECT_EQ(BestPassage(*shop, "toaster7", embedder), "manual.p2");
  }
}

TEST_F(DocumentVectorsTest, OnlyPassagesThatChangedAreEmbedded) {
  const CountedEmbedder embedder;
  {
    const auto shop = Open(embedder);
    Import(*shop, Manual({"kettle", "toaster", "lamp"}));
    embedder.count = 0;
    Import(*shop, Manual({"kettle", "fridge", "lamp"}));
    EXPECT_EQ(embedder.count, 1);
    EXPECT_EQ(BestPassage(*shop, "fridge3", embedder), "manual.p2");
    Import(*shop, Manual({"lamp", "kettle"}));
    EXPECT_EQ(embedder.count, 1);
    EXPECT_EQ(shop->reader().document_stats().passages, 2u);
    catalog::Document renewed = Manual({"lamp", "kettle"});
    renewed.version = 2;
    Import(*shop, renewed);
    EXPECT_EQ(embedder.count, 1);
  }
  const auto shop = Open(embedder);
  EXPECT_EQ(embedder.count, 1);
  EXPECT_EQ(BestPassage(*shop, "kettle9", embedder), "manual.p2");
}

TEST_F(DocumentVectorsTest, AnotherEmbedderRecomputesThemOnce) {
  const CountedEmbedder embedder, other("two");
  { Import(*Open(embedder), Manual({"kettle", "toaster"})); }
  { Open(other); }
  EXPECT_EQ(other.count, 2);
  { Open(other); }
  EXPECT_EQ(other.count, 2);
}

TEST_F(DocumentVectorsTest, AVectorGoesWithItsDocument) {
  const CountedEmbedder embedder;
  {
    const auto shop = Open(embedder);
    Import(*shop, Manual({"kettle"}));
    EXPECT_FALSE(shop->lifecycle().store().FindDocumentEmbedding("manual")->empty());
    Import(*shop, Manual({"kettle"}), catalog::ImportMode::kDelete);
    EXPECT_TRUE(shop->lifecycle().store().FindDocumentEmbedding("manual")->empty());
    EXPECT_EQ(shop->reader().document_stats().passages, 0u);
  }
  EXPECT_EQ(Open(embedder)->reader().info().documents, 0u);
}

TEST_F(DocumentVectorsTest, AStoreWithoutVectorsOfDocumentsGetsThem) {
  const CountedEmbedder embedder;
  {
    auto store =
        catalog::ProductStore::Open(directory_.path() + "/catalog", {.create_if_missing = true});
    ASSERT_TRUE(store.ok());
    ASSERT_TRUE((*store)->Write({.documents = {Manual({"kettle", "lamp"})}}).ok());
  }
  { Open(embedder); }
  EXPECT_EQ(embedder.count, 2);
  EXPECT_EQ(BestPassage(*Open(embedder), "lamp5", embedder), "manual.p2");
  EXPECT_EQ(embedder.count, 2);
}

TEST(DocumentEmbeddingTest, ForeignOrDamagedBytesGiveNothing) {
  const std::vector<std::string> texts = {"a", "b"};
  const std::vector<std::vector<float>> vectors = {{1, 2}, {3, 4}};
  const std::string entry = EncodeStoredEmbeddings("m", texts, vectors);
  const std::vector<std::string> asked = {"b", "c", "a"};
  const auto found = FindStoredEmbeddings(entry, "m", asked, 2);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], vectors[1]);
  EXPECT_FALSE(found[1].has_value());
  EXPECT_EQ(found[2], vectors[0]);
  const auto count = [&](std::string_view bytes, std::string_view model, int dimension) {
    int known = 0;
    for (const auto& vector : FindStoredEmbeddings(bytes, model, asked, dimension)) {
      known += vector.has_value();
    }
    return known;
  };
  EXPECT_EQ(count(entry, "m", 2), 2);
  EXPECT_EQ(count(entry, "n", 2), 0);
  EXPECT_EQ(count(entry, "m", 3), 0);
  EXPECT_EQ(count("", "m", 2), 0);
  for (size_t size = 1; size < entry.size(); ++size) {
    EXPECT_LE(count(std::string_view(entry).substr(0, size), "m", 2), 1) << size;
  }
}

}  // namespace
}  // namespace emptor::services
