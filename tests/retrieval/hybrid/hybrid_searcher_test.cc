// The searcher of one shop, end to end: ranking, filters, changes, bounds.
#include "retrieval/hybrid/hybrid_searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::Ids;
using testing::Indexed;
using ::testing::IsEmpty;
using testing::MakeProduct;
using ::testing::Not;
using ::testing::StartsWith;

const HashingEmbedder& SharedEmbedder() {
  static const HashingEmbedder embedder(64);
  return embedder;
}

std::unique_ptr<HybridSearcher> BuildShop(const std::vector<catalog::Product>& products) {
  std::vector<IndexedProduct> records;
  for (const catalog::Product& product : products) {
    records.push_back(Indexed(SharedEmbedder(), product));
  }
  auto searcher = HybridSearcher::Build(std::move(records), SharedEmbedder(), {});
  EXPECT_TRUE(searcher.ok()) << searcher.status();
  return *std::move(searcher);
}

std::vector<std::string> Find(const HybridSearcher& searcher, const SearchRequest& request) {
  const auto result = searcher.Search(request);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? Ids(*result) : std::vector<std::string>();
}

catalog::Product RandomProduct(std::mt19937& random, size_t i) {
  static const std::vector<std::string> kWords = {"red",     "blue",     "kettle", "toaster",
                                                  "monitor", "wireless", "mouse",  "lamp",
                                                  "garden",  "chair"};
  std::string title;
  for (int w = 0; w < 4; ++w) title += kWords[random() % kWords.size()] + " ";
  return MakeProduct(testing::Numbered("p", i), title, testing::Numbered("brand", random() % 5),
                     testing::Numbered("cat", random() % 100),
                     100 + static_cast<int64_t>(random() % 9000));
}

TEST(HybridSearcherTest, RanksTitleMatchFirstAndExplainsItself) {
  const auto shop = BuildShop({MakeProduct("k1", "Torvane Glide Kettle", "Torvane"),
                               MakeProduct("t1", "Nordhem Toaster", "Nordhem"),
                               MakeProduct("k2", "Kettle descaler", "Brixo")});
  const auto result = shop->Search({.query = "torvane kettles"});
  ASSERT_TRUE(result.ok());
  ASSERT_FALSE(result->hits.empty());
  EXPECT_EQ(result->hits[0].id, "k1");
  EXPECT_GT(result->hits[0].lexical_score, 0);
  EXPECT_GT(result->hits[0].vector_score, 0);
  EXPECT_LE(result->hits[0].score, 1);
  EXPECT_GE(result->matched, 2u);
}

TEST(HybridSearcherTest, FindsChineseJapaneseGermanAndFrench) {
  auto french = MakeProduct("fr", "Cafeti\u00E8re \u00E9lectrique pour l\u2019eau");
  const auto shop =
      BuildShop({MakeProduct("zh", "\u534E\u4E3A\u624B\u673A\u58F3\u9632\u6454"),
                 MakeProduct("ja", "\u30EF\u30A4\u30E4\u30EC\u30B9\u30A4\u30E4\u30DB\u30F3"),
                 MakeProduct("de", "Gro\u00DFer K\u00FChlschrank 1,7 Liter"), french,
                 MakeProduct("en", "Plain lamp")});
  const std::map<std::string, std::string> cases = {{"\u534E\u4E3A", "zh"},
                                                    {"\u624B\u673A\u58F3", "zh"},
                                                    {"\u30A4\u30E4\u30DB\u30F3", "ja"},
                                                    {"grosser", "de"},
                                                    {"KUHLSCHRANK", "de"},
                                                    {"1.7l", "de"},
                                                    {"cafetiere", "fr"},
                                                    {"eau", "fr"},
                                                    {"\u00C9LECTRIQUE", "fr"}};
  for (const auto& [query, id] : cases) {
    const auto ids = Find(*shop, {.query = query, .mode = SearchMode::kLexical});
    ASSERT_FALSE(ids.empty()) << query;
    EXPECT_EQ(ids[0], id) << query;
  }
}

TEST(HybridSearcherTest, ModelNumberIsFoundInEverySpelling) {
  const auto shop = BuildShop({MakeProduct("s1", "Sony WH-1000XM5 headphones", "Sony"),
                               MakeProduct("s2", "Sony WF-1000XM4 earbuds", "Sony")});
  for (const char* query : {"WH-1000XM5", "wh1000xm5", "wh 1000xm5", "sony wh-1000xm5"}) {
    EXPECT_EQ(Find(*shop, {.query = query, .mode = SearchMode::kLexical})[0], "s1") << query;
  }
}

TEST(HybridSearcherTest, SizesAndVolumesAreFoundInEverySpelling) {
  auto pot = MakeProduct("pot", "Stock pot");
  pot.attributes.push_back({"Volume", "2,5 l"});
  const auto shop = BuildShop({MakeProduct("m27", "Monitor 27-inch"),
                               MakeProduct("m24", "Monitor 24\""), pot, MakeProduct("x", "Lamp")});
  for (const char* query : {"27 inch", "27\" monitor", "27-inch", "monitor 27in"}) {
    EXPECT_EQ(Find(*shop, {.query = query, .mode = SearchMode::kLexical}).front(), "m27") << query;
  }
  for (const char* query : {"2,5 l", "2.5 liter", "2.5l pot"}) {
    EXPECT_EQ(Find(*shop, {.query = query, .mode = SearchMode::kLexical}).front(), "pot") << query;
  }
}

TEST(HybridSearcherTest, QuotedWordsMustBeInOrder) {
  const auto shop = BuildShop({MakeProduct("a", "Noise cancelling headphones"),
                               MakeProduct("b", "Headphones cancelling all noise"),
                               MakeProduct("c", "Headphones", "Noise")});
  EXPECT_EQ(Find(*shop, {.query = "noise cancelling headphones"}).size(), 3u);
  EXPECT_THAT(Find(*shop, {.query = "\"noise cancelling\" headphones"}), ElementsAre("a"));
  EXPECT_THAT(Find(*shop, {.query = "\"cancelling noise\""}), IsEmpty());
  EXPECT_EQ(Find(*shop, {.query = "\"cancelling noise\"", .quotes = false}).size(), 3u);
  const auto fresh = Indexed(SharedEmbedder(), MakeProduct("d", "A noise-cancelling hood"));
  ASSERT_TRUE(shop->Upsert({fresh}).ok());
  EXPECT_THAT(Find(*shop, {.query = "\"noise cancelling\""}),
              ::testing::UnorderedElementsAre("a", "d"));
}

TEST(HybridSearcherTest, IdGtinAndPartNumberAsTheWholeQueryLead) {
  auto named = MakeProduct("sku-9", "Unrelated words");
  named.gtin = "4006381333931";
  named.mpn = "ABC-123";
  const auto shop = BuildShop({named, MakeProduct("x", "ABC 123 4006381333931 sku 9 sku-9")});
  for (const char* query : {"SKU-9", "4006381333931", "abc123"}) {
    const auto result = shop->Search({.query = query});
    ASSERT_FALSE(result->hits.empty());
    EXPECT_EQ(result->hits[0].id, "sku-9") << query;
    EXPECT_EQ(result->hits[0].score, 1.0f);
  }
  EXPECT_THAT(Find(*shop, {.query = "SKU-9", .filter = {.brands = {"none"}}}), IsEmpty());
}

TEST(HybridSearcherTest, QueryWithoutWordMatchStillGetsVectorHits) {
  class OneDirection final : public Embedder {
   public:
    int dimension() const override { return 4; }
    const std::string& model_id() const override { return id_; }
    absl::Status EmbedInto(std::span<const std::string> texts,
                           std::span<float> out) const override {
      for (size_t i = 0; i < out.size(); ++i)
        out[i] = i % 4 == 0 && !texts[0].empty() ? 1.0f : 0.0f;
      return absl::OkStatus();
    }
    std::string id_ = "one";
  } embedder;
  auto searcher = HybridSearcher::Build(
      {{MakeProduct("a", "kettle"), {1, 0, 0, 0}}, {MakeProduct("b", "toaster"), {0, 1, 0, 0}}},
      embedder, {});
  ASSERT_TRUE(searcher.ok());
  const auto result = (*searcher)->Search({.query = "bouilloire"});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(Ids(*result), ElementsAre("a"));  // "b" is unrelated: no match
  EXPECT_EQ(result->matched, 1u);
  EXPECT_EQ(result->hits[0].lexical_score, 0);
}

TEST(HybridSearcherTest, ZeroQueryVectorMeansWordsOnly) {
  class Mute final : public Embedder {
   public:
    int dimension() const override { return 4; }
    const std::string& model_id() const override { return id_; }
    absl::Status EmbedInto(std::span<const std::string>, std::span<float> out) const override {
      std::fill(out.begin(), out.end(), 0.0f);
      return absl::OkStatus();
    }
    std::string id_ = "mute";
  } embedder;
  auto searcher = HybridSearcher::Build({{MakeProduct("a", "kettle"), {1, 0, 0, 0}}}, embedder, {});
  ASSERT_TRUE(searcher.ok());
  EXPECT_THAT(Find(**searcher, {.query = "kettle"}), ElementsAre("a"));
  EXPECT_EQ((*searcher)->Search({.query = "kettle"})->hits[0].score, 1.0f);
  EXPECT_THAT(Find(**searcher, {.query = "toaster"}), IsEmpty());
  EXPECT_THAT(Find(**searcher, {.query = "kettle", .mode = SearchMode::kVector}), IsEmpty());
}

TEST(HybridSearcherTest, FilterGivesTheExactAnswerAtOnePerCent) {
  std::mt19937 random(5);
  std::vector<catalog::Product> products;
  for (size_t i = 0; i < 900; ++i) products.push_back(RandomProduct(random, i));
  const auto shop = BuildShop(products);
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kVector, SearchMode::kHybrid}) {
    const auto all = Find(*shop, {.query = "red kettle", .limit = 1000, .mode = mode});
    for (const char* category : {"cat3", "cat42", "cat77"}) {
      std::vector<std::string> want;
      for (const std::string& id : all) {
        const auto& product = products[static_cast<size_t>(std::stoi(id.substr(1)))];
        if (product.categories[0] == category) want.push_back(id);
      }
      auto got = Find(*shop, {.query = "red kettle",
                              .filter = {.categories = {category}},
                              .limit = 1000,
                              .mode = mode});
      const auto result = shop->Search({.query = "red kettle",
                                        .filter = {.categories = {category}},
                                        .limit = 1000,
                                        .mode = mode});
      EXPECT_EQ(result->matched, want.size());
      std::sort(got.begin(), got.end());
      std::sort(want.begin(), want.end());
      EXPECT_EQ(got, want) << category;
    }
  }
}

TEST(HybridSearcherTest, IdsAreOfAllThatMatchWhateverTheLimit) {
  std::vector<catalog::Product> products;
  for (int i = 0; i < 40; ++i) {
    products.push_back(MakeProduct("k" + std::to_string(i), "red kettle"));
    products.push_back(MakeProduct("t" + std::to_string(i), "red toaster"));
  }
  const auto shop = BuildShop(products);
  const auto kettles = shop->FindIds({.query = "red kettles", .limit = 1, .rewrite = false});
  ASSERT_TRUE(kettles.ok()) << kettles.status();
  EXPECT_EQ(kettles->size(), 40u) << "those that have every word";
  EXPECT_THAT(*kettles, Each(StartsWith("k")));
  const auto all = shop->FindIds({.query = "", .limit = 1, .browse = true});
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->size(), 80u);
  shop->Remove(std::vector<std::string>{"k0"});
  EXPECT_THAT(*shop->FindIds({.query = "kettle"}), Not(Contains("k0")));
  EXPECT_EQ(shop->FindIds({.query = "kettle", .limit = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(HybridSearcherTest, ChangesAreVisibleWhenTheCallReturns) {
  const auto shop = BuildShop({MakeProduct("a", "red kettle")});
  EXPECT_THAT(Find(*shop, {.query = "toaster"}), Not(Contains("b")));
  ASSERT_TRUE(shop->Upsert({Indexed(SharedEmbedder(), MakeProduct("b", "blue toaster"))}).ok());
  EXPECT_EQ(Find(*shop, {.query = "toaster"})[0], "b");
  ASSERT_TRUE(shop->Upsert({Indexed(SharedEmbedder(), MakeProduct("b", "green lamp"))}).ok());
  EXPECT_THAT(Find(*shop, {.query = "toaster", .mode = SearchMode::kLexical}), IsEmpty());
  EXPECT_EQ(Find(*shop, {.query = "lamp"})[0], "b");
  EXPECT_EQ(shop->size(), 2u);
  const std::vector<std::string> gone = {"b", "unknown"};
  shop->Remove(gone);
  EXPECT_THAT(Find(*shop, {.query = "lamp"}), Not(Contains("b")));
  EXPECT_EQ(shop->size(), 1u);
  EXPECT_THAT(Find(*shop, {.query = "b"}), Not(Contains("b")));  // its id finds it no more
}

TEST(HybridSearcherTest, RecordWithoutVectorKeepsTheOneItHas) {
  const auto shop = BuildShop({MakeProduct("a", "red kettle", "", "", 5000)});
  const auto score = [&] {
    return shop->Search({.query = "red kettle", .mode = SearchMode::kVector})->hits.at(0).score;
  };
  const float before = score();
  for (int64_t cents = 4000; cents > 0; cents -= 1000) {  // from one segment to the next
    ASSERT_TRUE(shop->Upsert({{MakeProduct("a", "red kettle", "", "", cents), {}}}).ok());
    EXPECT_EQ(score(), before);
  }
  const SearchRequest cheap{.query = "kettle", .filter = {.max_price = 1000, .currency = "USD"}};
  EXPECT_THAT(Find(*shop, cheap), ElementsAre("a"));
  EXPECT_TRUE(shop->Contains("a"));
  EXPECT_FALSE(shop->Contains("b"));
  const absl::Status refused = shop->Upsert({{MakeProduct("b", "lamp"), {}}});
  EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("b: vector"));
  shop->Remove(std::vector<std::string>{"a"});
  EXPECT_FALSE(shop->Contains("a"));
  EXPECT_TRUE(absl::IsInvalidArgument(shop->Upsert({{MakeProduct("a", "red kettle"), {}}})));
}

TEST(HybridSearcherTest, AnyOrderOfChangesAnswersLikeAFreshBuild) {
  std::mt19937 random(9);
  std::map<std::string, catalog::Product> truth;
  const auto shop = BuildShop({});
  for (int step = 0; step < 300; ++step) {
    if (random() % 4 != 0 || truth.empty()) {
      std::vector<IndexedProduct> batch;
      for (size_t n = 1 + random() % 5; n > 0; --n) {
        const catalog::Product product = RandomProduct(random, random() % 400);
        batch.push_back(Indexed(SharedEmbedder(), product));
        truth[product.id] = product;
      }
      ASSERT_TRUE(shop->Upsert(std::move(batch)).ok());
    } else {
      const std::string id = testing::Numbered("p", random() % 400);
      truth.erase(id);
      shop->Remove({&id, 1});
    }
  }
  std::vector<catalog::Product> products;
  for (const auto& [id, product] : truth) products.push_back(product);
  const auto fresh = BuildShop(products);
  ASSERT_EQ(shop->size(), fresh->size());
  for (const char* query : {"red kettle", "wireless mouse", "garden chair lamp"}) {
    for (const Filter& filter : {Filter{}, Filter{.brands = {"brand1"}}}) {
      auto got = shop->Search({.query = query, .filter = filter, .limit = 1000});
      auto want = fresh->Search({.query = query, .filter = filter, .limit = 1000});
      EXPECT_EQ(got->matched, want->matched) << query;
      auto got_ids = Ids(*got);
      auto want_ids = Ids(*want);
      std::sort(got_ids.begin(), got_ids.end());
      std::sort(want_ids.begin(), want_ids.end());
      EXPECT_EQ(got_ids, want_ids) << query;
    }
  }
}

TEST(HybridSearcherTest, PricesHoldByTheClock) {
  auto product = MakeProduct("a", "kettle", "", "", 5000);
  product.sale_price = catalog::Money{3000, "USD"};
  product.sale_price_effective = catalog::TimeRange{.start = 100, .end = 200};
  std::atomic<int64_t> now = 50;
  HybridOptions options;
  options.now_unix = [&now] { return now.load(); };
  auto searcher =
      HybridSearcher::Build({Indexed(SharedEmbedder(), product)}, SharedEmbedder(), options);
  ASSERT_TRUE(searcher.ok());
  const SearchRequest under_40{.query = "kettle", .filter = {.max_price = 4000, .currency = "USD"}};
  EXPECT_THAT(Find(**searcher, under_40), IsEmpty());
  now = 150;
  EXPECT_THAT(Find(**searcher, under_40), ElementsAre("a"));
}

TEST(HybridSearcherTest, RefusesBadRequestsAndRecords) {
  const auto shop = BuildShop({MakeProduct("a", "kettle")});
  for (const int limit : {0, -1, 4001}) {
    EXPECT_TRUE(absl::IsInvalidArgument(shop->Search({.query = "x", .limit = limit}).status()));
  }
  EXPECT_TRUE(absl::IsInvalidArgument(shop->Search({.query = std::string(4097, 'x')}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(shop->Search({.query = "\xff"}).status()));
  EXPECT_TRUE(shop->Search({.query = std::string(4096, 'x')}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(shop->Upsert({{MakeProduct("b", "x"), {1.0f}}})));
  std::vector<float> bad(64, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(absl::IsInvalidArgument(shop->Upsert({{MakeProduct("b", "x"), bad}})));
  EXPECT_TRUE(absl::IsInvalidArgument(
      HybridSearcher::Build({{MakeProduct("", "x"), std::vector<float>(64)}}, SharedEmbedder(), {})
          .status()));
  EXPECT_EQ(shop->size(), 1u);
}

TEST(HybridSearcherTest, EmptyShopAndEmptyQueryFindNothing) {
  const auto empty = BuildShop({});
  EXPECT_THAT(Find(*empty, {.query = "kettle"}), IsEmpty());
  const auto shop = BuildShop({MakeProduct("a", "kettle")});
  EXPECT_THAT(Find(*shop, {.query = ""}), IsEmpty());
  EXPECT_THAT(Find(*shop, {.query = "?!"}), IsEmpty());
}

TEST(HybridSearcherTest, OfEqualIdsInOneBatchTheLastStays) {
  const auto shop = BuildShop({MakeProduct("a", "kettle"), MakeProduct("a", "toaster")});
  EXPECT_EQ(shop->size(), 1u);
  EXPECT_THAT(Find(*shop, {.query = "kettle", .mode = SearchMode::kLexical}), IsEmpty());
  EXPECT_THAT(Find(*shop, {.query = "toaster", .mode = SearchMode::kLexical}), ElementsAre("a"));
  const auto score = [&] {
    return shop->Search({.query = "lamp", .mode = SearchMode::kVector})->hits.at(0).score;
  };
  // New text, then a new price in the same batch: the vector is the new text's.
  ASSERT_TRUE(shop->Upsert({Indexed(SharedEmbedder(), MakeProduct("a", "lamp")),
                            {MakeProduct("a", "lamp", "", "", 500), {}}})
                  .ok());
  EXPECT_NEAR(score(), 1, 1e-5);
}

TEST(HybridSearcherTest, SearchesDuringWritesSeeWholeBatches) {
  const auto shop = BuildShop({MakeProduct("base", "steady lamp")});
  std::atomic<bool> stop = false;
  std::vector<std::jthread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!stop) {
        const auto result = shop->Search({.query = "steady lamp", .limit = 100});
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->hits.at(0).id, "base");
        const auto pair = Ids(*shop->Search({.query = "twin", .mode = SearchMode::kLexical}));
        EXPECT_TRUE(pair.size() == 0 || pair.size() == 2) << pair.size();
      }
    });
  }
  const std::vector<std::string> twins = {"t1", "t2"};
  for (int i = 0; i < 150; ++i) {
    EXPECT_TRUE(shop->Upsert({Indexed(SharedEmbedder(), MakeProduct("t1", "twin one")),
                              Indexed(SharedEmbedder(), MakeProduct("t2", "twin two"))})
                    .ok());
    if (i % 3 == 0) shop->Remove(twins);
  }
  stop = true;
}

}  // namespace
}  // namespace emptor::retrieval
