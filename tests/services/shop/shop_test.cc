// A shop: store and search in step, and no embedding that is not needed.
#include "services/shop/shop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/saved_state.h"
#include "services/shop/stored_embedding.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/shop/counted_embedder.h"

namespace emptor::services {
namespace {

using testing::kCatalog;

std::unique_ptr<Shop> Open(const std::string& directory, const retrieval::Embedder& embedder) {
  ShopOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  auto shop = Shop::Open(options, embedder);
  EXPECT_TRUE(shop.ok()) << shop.status();
  return shop.ok() ? *std::move(shop) : nullptr;
}

catalog::ImportReport Import(Shop& shop, std::string_view lines) {
  std::istringstream stream{std::string(lines)};
  auto report = shop.writer().Import(stream, {}, {}, [](const catalog::LineResult&) {});
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : catalog::ImportReport();
}

TEST(ShopTest, FindsWhatWasImported) {
  testing::TestShop shop;
  retrieval::SearchRequest request;
  request.query = "glide kettle";
  const auto found = shop.shop().reader().SearchProducts(request);
  ASSERT_TRUE(found.ok());
  ASSERT_FALSE(found->hits.empty());
  EXPECT_EQ(found->hits[0].id, "k20");
  EXPECT_EQ(shop.shop().reader().info().products, 3u);
  EXPECT_EQ(shop.shop().reader().info().documents, 1u);
}

TEST(ShopTest, EmbedsOnlyTextThatChanged) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, kCatalog);
    const int first = embedder.count;
    EXPECT_GE(first, 4);
    EXPECT_EQ(Import(*shop, kCatalog).unchanged, 4u);
    EXPECT_EQ(embedder.count, first);
    std::string repriced(kCatalog.substr(0, kCatalog.find('\n') + 1));
    repriced.replace(repriced.find("4999"), 4, "4599");
    EXPECT_EQ(Import(*shop, repriced).updated, 1u);
    EXPECT_EQ(embedder.count, first);
    EXPECT_EQ((*shop->reader().FindProduct("k20"))->price->amount, 4599);
  }
  const int before = embedder.count;
  const auto reopened = Open(directory.path(), embedder);
  EXPECT_EQ(embedder.count - before, 0) << "vectors are stored";
  EXPECT_EQ((*reopened->reader().FindProduct("k20"))->price->amount, 4599);
}

std::vector<std::string> FindIds(const Shop& shop, const std::string& query) {
  std::vector<std::string> ids;
  const auto found = shop.reader().SearchProducts({.query = query});
  EXPECT_TRUE(found.ok()) << found.status();
  if (!found.ok()) return ids;
  for (const retrieval::Hit& hit : found->hits) ids.push_back(hit.id);
  return ids;
}

TEST(ShopTest, OpensTheIndexThatItSaved) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  std::vector<std::string> want;
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, kCatalog);
    want = FindIds(*shop, "torvane kettle");
  }
  const std::string path = directory.path() + "/index/segments.idx";
  const auto written = std::filesystem::last_write_time(path);
  {
    const auto shop = Open(directory.path(), embedder);
    EXPECT_EQ(FindIds(*shop, "torvane kettle"), want);
    EXPECT_EQ(shop->reader().profile()->brands.size(), 2u);
    EXPECT_EQ(shop->reader().profile()->languages.at("en"), 3u);
    EXPECT_EQ(shop->reader().profile()->currency, "USD");
  }
  EXPECT_EQ(std::filesystem::last_write_time(path), written);  // it was used, and stayed right
  std::string line(kCatalog.substr(0, kCatalog.find('\n') + 1));
  line.replace(line.find("Glide"), 5, "Swift");
  Import(*Open(directory.path(), embedder), line);
  EXPECT_EQ(FindIds(*Open(directory.path(), embedder), "swift kettle").front(), "k20");
}

TEST(ShopTest, ASavedIndexOfOtherRecordsIsNotUsed) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  Import(*Open(directory.path(), embedder), kCatalog);
  const std::string path = directory.path() + "/index/segments.idx";
  const std::string old = path + ".old";
  std::filesystem::copy_file(path, old);
  std::string line(kCatalog.substr(0, kCatalog.find('\n') + 1));
  line.replace(line.find("Glide"), 5, "Swift");
  Import(*Open(directory.path(), embedder), line);
  // As after a kill that came before the index was saved.
  std::filesystem::copy_file(old, path, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(FindIds(*Open(directory.path(), embedder), "swift kettle").front(), "k20");
  // As after damage, and as after the file was lost.
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_EQ(FindIds(*Open(directory.path(), embedder), "swift kettle").front(), "k20");
  std::filesystem::remove(path);
  EXPECT_EQ(FindIds(*Open(directory.path(), embedder), "swift kettle").front(), "k20");
}

TEST(ShopTest, DamagedStateIsRefused) {
  SavedState kept;
  kept.profile.brands["acme"] = "Acme";
  kept.profile.languages["en"] = 3;
  kept.currency_counts["EUR"] = 7;
  kept.store = "catalog 17";
  kept.fingerprints = {{"k1", 7}, {"k2"}};
  kept.words = retrieval::WordState{
      .records = {}, .words = {{"kettle", ""}}, .brands = {"Acme"}, .categories = {}};
  const std::string bytes = EncodeSavedState(kept);
  const auto state = DecodeSavedState(bytes);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->profile.brands, kept.profile.brands);
  EXPECT_EQ(state->currency_counts.at("EUR"), 7u);
  EXPECT_EQ(state->store, kept.store);
  ASSERT_EQ(state->fingerprints.size(), 2u);
  EXPECT_EQ(state->fingerprints[0].id, "k1");
  EXPECT_EQ(state->fingerprints[0].hash, 7u);
  EXPECT_EQ(state->fingerprints[1].hash, RecordFingerprint::kUnsure);
  ASSERT_TRUE(state->words.has_value());
  EXPECT_EQ(state->words->brands, kept.words->brands);
  const size_t of_earlier_build = bytes.size() - 4;  // without the number of image hosts
  for (size_t length = 0; length < bytes.size(); ++length) {
    if (length == of_earlier_build) continue;
    EXPECT_FALSE(DecodeSavedState(bytes.substr(0, length)).has_value()) << length;
  }
  const auto earlier = DecodeSavedState(std::string_view(bytes).substr(0, of_earlier_build));
  ASSERT_TRUE(earlier.has_value());
  EXPECT_FALSE(earlier->knows_image_hosts) << "so they are read from the records";
  EXPECT_FALSE(DecodeSavedState(bytes + "x").has_value());
}

TEST(ShopTest, SearchFollowsANewPriceAtOnce) {
  testing::TestShop shop;
  retrieval::SearchRequest request;
  request.query = "kettle";
  request.filter.max_price = 4700;
  request.filter.currency = "USD";
  EXPECT_EQ(shop.shop().reader().SearchProducts(request)->hits.size(), 1u);
  shop.SetPriceOfK20(4599);
  EXPECT_EQ(shop.shop().reader().SearchProducts(request)->hits.size(), 2u);
}

TEST(ShopTest, ReadsTheShopsOwnSynonymsWithEachImport) {
  const emptor::testing::TemporaryDirectory directory;
  const retrieval::HashingEmbedder embedder(64);
  const auto shop = Open(directory.path(), embedder);
  const auto found = [&] {
    const auto result =
        shop->reader().SearchProducts({.query = "brewer", .mode = retrieval::SearchMode::kLexical});
    EXPECT_TRUE(result.ok()) << result.status();
    return result->hits.size();
  };
  Import(*shop, kCatalog);
  shop->lifecycle().WaitForWords();
  EXPECT_EQ(found(), 0u);
  std::ofstream(directory.path() + "/synonyms.txt") << "brewer => kettle\n";
  Import(*shop, "");
  EXPECT_EQ(found(), 2u);
  std::ofstream(directory.path() + "/synonyms.txt") << "brewer\n";  // says nothing: refused
  EXPECT_NE(std::string(shop->writer().ReloadSynonyms().message()).find("synonyms.txt:1: "),
            std::string::npos);
  EXPECT_EQ(found(), 2u);
}

TEST(ShopTest, KnowsItsWordsWhenItIsOpenedAgain) {
  const emptor::testing::TemporaryDirectory directory;
  const retrieval::HashingEmbedder embedder(64);
  Import(*Open(directory.path(), embedder), kCatalog);
  const auto shop = Open(directory.path(), embedder);
  shop->lifecycle().WaitForWords();
  const auto completions = shop->reader().Complete("torv", 5);
  ASSERT_FALSE(completions.empty());
  EXPECT_EQ(completions[0].text, "Torvane");
  const auto result = shop->reader().SearchProducts({.query = "kettel"});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->corrected_query, "kettle");
}

TEST(ShopTest, CompletionsAreOfWhatShoppersTypeNotOfWhatCodeAsks) {
  const emptor::testing::TemporaryDirectory directory;
  const retrieval::HashingEmbedder embedder(64);
  Import(*Open(directory.path(), embedder), kCatalog);
  const auto shop = Open(directory.path(), embedder);
  shop->lifecycle().WaitForWords();
  const auto completes = [&](bool rewrite) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(
          shop->reader().SearchProducts({.query = "kettle glide", .rewrite = rewrite}).ok());
    }
    // Words are learned again with the catalog.
    Import(*shop, fmt::format(R"({{"id":"lamp-{}","title":"Lamp"}})"
                              "\n",
                              rewrite));
    shop->lifecycle().WaitForWords();
    const auto completions = shop->reader().Complete("kettle g", 5);
    return std::any_of(completions.begin(), completions.end(), [](const auto& each) {
      return each.kind == retrieval::CompletionKind::kQuery;
    });
  };
  EXPECT_FALSE(completes(false));
  EXPECT_TRUE(completes(true));
}

/// By the price that a filter asks for: in place, out of quarantine, after a deletion, reopened.
TEST(ShopTest, NewPricesStayWhereTheRecordLies) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  const auto costing = [](const Shop& shop, int64_t cents) {
    retrieval::SearchRequest request{.query = "zyx"};
    request.filter.min_price = request.filter.max_price = cents;
    return shop.reader().SearchProducts(request)->hits.size();
  };
  const auto lamp = [](int64_t cents, const std::string& more) {
    return R"({"id":"l1","title":"Zyx Lamp","price":{"amount":)" + std::to_string(cents) +
           R"(,"currency":"USD"})" + more + "}\n";
  };
  const std::string held = R"(,"quarantine":"instructs the assistant")";
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, std::string(kCatalog) + lamp(100, ""));
    const auto before = shop->reader().search_stats();
    EXPECT_EQ(Import(*shop, lamp(200, "")).updated, 1u);
    EXPECT_EQ(costing(*shop, 100), 0u);
    EXPECT_EQ(costing(*shop, 200), 1u);
    EXPECT_EQ(shop->reader().search_stats().tombstones, before.tombstones);
    EXPECT_EQ(shop->reader().search_stats().fresh_vectors, before.fresh_vectors);
    Import(*shop, lamp(300, held));
    EXPECT_EQ(costing(*shop, 200) + costing(*shop, 300), 0u);
    Import(*shop, lamp(400, ""));
    EXPECT_EQ(costing(*shop, 400), 1u);
    Import(*shop, R"({"id":"l1","deleted":true})");
    EXPECT_EQ(costing(*shop, 400), 0u);
    Import(*shop, lamp(500, ""));
    Import(*shop, lamp(600, ""));
    EXPECT_EQ(costing(*shop, 500), 0u);
    EXPECT_EQ(costing(*shop, 600), 1u);
  }
  const auto shop = Open(directory.path(), embedder);
  EXPECT_EQ(costing(*shop, 600), 1u);
  Import(*shop, lamp(700, ""));
  EXPECT_EQ(costing(*shop, 600), 0u);
  EXPECT_EQ(costing(*shop, 700), 1u);
}

TEST(ShopTest, NobodyIsShownARecordInQuarantine) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  const auto hits = [](const Shop& shop) {
    retrieval::SearchRequest request;
    request.query = "zyx";
    size_t count = 0;
    const auto products = shop.reader().SearchProducts(request);
    const auto documents = shop.reader().SearchDocuments(request);
    for (const retrieval::Hit& hit : products->hits) count += hit.id == "l1";
    for (const DocumentHit& each : *documents) count += each.hit.id == "g1";
    return count;
  };
  const std::string lamp = R"({"id":"l1","title":"Zyx Lamp","brand":"Zyxbrand")";
  const std::string guide = R"({"id":"g1","kind":"guide","title":"Zyx guide","text":"Zyx.")";
  const std::string held = R"(,"quarantine":"instructs the assistant"})";
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, kCatalog);
    Import(*shop, lamp + "}\n" + guide + "}\n");
    EXPECT_EQ(hits(*shop), 2u);
    Import(*shop, lamp + held + "\n" + guide + held + "\n");
    EXPECT_EQ(hits(*shop), 0u);
    EXPECT_FALSE(shop->reader().FindProduct("l1")->has_value());
    EXPECT_FALSE(shop->reader().FindDocument("g1")->has_value());
    EXPECT_EQ(shop->reader().info().products, 4u);
  }
  const auto shop = Open(directory.path(), embedder);
  EXPECT_EQ(hits(*shop), 0u);
  EXPECT_FALSE(shop->reader().FindProduct("l1")->has_value());
  EXPECT_EQ(shop->reader().profile()->brands.count("zyxbrand"), 0u);
  EXPECT_EQ(Import(*shop, lamp + held + "\n").unchanged, 1u);
  Import(*shop, lamp + "}\n" + guide + "}\n");
  EXPECT_EQ(hits(*shop), 2u);
  EXPECT_TRUE(shop->reader().FindProduct("l1")->has_value());
}

/// A guide of `sections` sections of 120 words; each is about a word of its own.
std::string Guide(const std::string& id, const std::vector<std::string>& sections) {
  std::string text;
  for (const std::string& word : sections) {
    text += "## The " + word + "\\n\\n";
    for (int i = 0; i < 20; ++i) text += "You can " + (i == 10 ? word : "do") + " it this way. ";
    text += "\\n\\n";
  }
  return R"({"id":")" + id + R"(","kind":"manual","title":"Manual )" + id + R"(","text":")" + text +
         "\"}\n";
}

std::vector<std::string> FindPassages(const Shop& shop, const std::string& query, int limit) {
  std::vector<std::string> passages;
  const auto found = shop.reader().SearchDocuments({.query = query, .limit = limit});
  EXPECT_TRUE(found.ok()) << found.status();
  for (const DocumentHit& each : *found) passages.push_back(each.passage_id);
  return passages;
}

TEST(ShopTest, FindsThePassageOfALongDocument) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, kCatalog);
    Import(*shop, Guide("m1", {"descale", "clean", "repair", "store"}));
    const auto found = shop->reader().SearchDocuments({.query = "repair", .limit = 1});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ(found->front().hit.id, "m1");
    EXPECT_EQ(found->front().passage_id, "m1.p3");
  }
  const auto shop = Open(directory.path(), embedder);
  EXPECT_EQ(FindPassages(*shop, "repair", 1), std::vector<std::string>{"m1.p3"});
  EXPECT_EQ(FindPassages(*shop, "descale", 1), std::vector<std::string>{"m1.p1"});
}

TEST(ShopTest, ALongDocumentLeavesRoomForOthers) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  const auto shop = Open(directory.path(), embedder);
  Import(*shop, Guide("m1", std::vector<std::string>(30, "repair")) + Guide("m2", {"repair"}) +
                    Guide("m3", {"repair", "clean"}));
  std::set<std::string> documents;
  const auto found = shop->reader().SearchDocuments({.query = "repair", .limit = 3});
  for (const DocumentHit& each : *found) documents.insert(each.hit.id);
  EXPECT_EQ(documents, (std::set<std::string>{"m1", "m2", "m3"}));
  EXPECT_EQ(found->size(), 3u);
}

TEST(ShopTest, PassagesThatADocumentHasNoMoreAreNotFound) {
  emptor::testing::TemporaryDirectory directory;
  const CountedEmbedder embedder("model-1");
  const auto shop = Open(directory.path(), embedder);
  Import(*shop, Guide("m1", {"descale", "clean", "repair"}) + Guide("m2", {"repair", "store"}));
  EXPECT_EQ(FindPassages(*shop, "repair", 5).size(), 2u);
  Import(*shop, Guide("m1", {"descale", "clean"}));
  const auto found = shop->reader().SearchDocuments({.query = "repair", .limit = 5});
  for (const DocumentHit& each : *found) {
    if (each.hit.id == "m1") {
      EXPECT_EQ(each.hit.lexical_score, 0) << each.passage_id;
    }
  }
  Import(*shop, R"({"id":"m2","kind":"manual","deleted":true})"
                "\n");
  for (const std::string& passage : FindPassages(*shop, "repair", 5)) {
    EXPECT_EQ(passage.rfind("m1.", 0), 0u) << passage;
  }
}

TEST(ShopTest, ForgetsWhatWasDeleted) {
  testing::TestShop shop;
  shop.Import("{\"id\":\"k20\",\"deleted\":true}\n");
  EXPECT_FALSE(shop.shop().reader().FindProduct("k20")->has_value());
  retrieval::SearchRequest request;
  request.query = "glide kettle";
  const auto found = shop.shop().reader().SearchProducts(request);
  for (const retrieval::Hit& hit : found->hits) EXPECT_NE(hit.id, "k20");
}

TEST(ShopTest, KnowsBrandsCurrencyAndLanguages) {
  testing::TestShop shop;
  const auto profile = shop.shop().reader().profile();
  EXPECT_EQ(profile->currency, "USD");
  EXPECT_EQ(profile->brands.at("torvane"), "Torvane");
  EXPECT_EQ(profile->languages.at("en"), 3u);
}

TEST(StoredEmbeddingTest, GivesBackWhatFits) {
  const std::vector<float> vector = {1, 2.5f, -3};
  const std::string entry = EncodeStoredEmbedding("model", "text", vector);
  EXPECT_EQ(DecodeStoredEmbedding(entry, "model", "text", 3), vector);
  EXPECT_EQ(DecodeStoredEmbedding(entry, "other", "text", 3), std::nullopt);
  EXPECT_EQ(DecodeStoredEmbedding(entry, "model", "other", 3), std::nullopt);
  EXPECT_EQ(DecodeStoredEmbedding(entry, "model", "text", 4), std::nullopt);
  EXPECT_EQ(DecodeStoredEmbedding("", "model", "text", 3), std::nullopt);
  EXPECT_EQ(DecodeStoredEmbedding(entry.substr(1), "model", "text", 3), std::nullopt);
}

}  // namespace
}  // namespace emptor::services
