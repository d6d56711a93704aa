// Facets, browsing and sorted searches over 90,000 generated products of an electronics shop.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kProducts = 90000;

catalog::Product MadeProduct(size_t i, std::mt19937& random) {
  const auto named = [&](const char* name, size_t count) {
    return testing::Numbered(name, random() % count);
  };
  const std::string category = named("category", 60);
  auto product = testing::MakeProduct(
      testing::Numbered("p", i), named("series", 400) + " wireless " + named("thing", 30),
      named("brand", 200), "Shop > " + category, static_cast<int64_t>(random() % 200000));
  for (int a = 0; a < 8; ++a) {
    product.attributes.push_back(
        {testing::Numbered("name", static_cast<size_t>(a)), named("value", 20)});
  }
  product.options = {{"color", random() % 2 == 0 ? "red" : "black"}, {"size", named("", 12)}};
  product.availability = static_cast<catalog::Availability>(random() % 3);
  product.popularity = static_cast<int64_t>(random() % 1000);
  product.rating = catalog::Rating{static_cast<double>(random() % 51) / 10,
                                   static_cast<int64_t>(random() % 300)};
  return product;
}

const HybridSearcher& Shop() {
  static const HashingEmbedder embedder(32);
  static const std::unique_ptr<HybridSearcher> shop = [] {
    std::mt19937 random(3);
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < kProducts; ++i) {
      records.push_back(testing::Indexed(embedder, MadeProduct(i, random)));
    }
    HybridOptions options;
    return *HybridSearcher::Build(std::move(records), embedder, options);
  }();
  return *shop;
}

void Facets(benchmark::State& state, const SearchRequest& request) {
  const HybridSearcher& shop = Shop();
  for (auto _ : state) benchmark::DoNotOptimize(shop.CountFacets(request, "USD"));
}

void Search(benchmark::State& state, const SearchRequest& request) {
  const HybridSearcher& shop = Shop();
  for (auto _ : state) benchmark::DoNotOptimize(shop.Search(request));
}

SearchRequest Chosen() {
  SearchRequest request{.query = "wireless", .filter = {.max_price = 100000, .currency = "USD"}};
  request.filter.brands = {"brand1", "brand2", "brand3"};
  request.filter.attributes = {{"name1", {"value1", "value2"}}};
  request.filter.min_rating = 3;
  return request;
}

void BM_FacetsOfEverything(benchmark::State& state) {
  Facets(state, {.query = "", .browse = true});
}
void BM_FacetsOfACommonWord(benchmark::State& state) { Facets(state, {.query = "wireless"}); }
void BM_FacetsOfARareWord(benchmark::State& state) { Facets(state, {.query = "series7"}); }
void BM_FacetsWithFourChosen(benchmark::State& state) { Facets(state, Chosen()); }
void BM_BrowseEverything(benchmark::State& state) { Search(state, {.query = "", .browse = true}); }
void BM_BrowseByPrice(benchmark::State& state) {
  Search(state, {.query = "", .browse = true, .sort = SortOrder::kPriceAscending});
}
void BM_SortACommonWordByPrice(benchmark::State& state) {
  Search(state, {.query = "wireless thing7", .sort = SortOrder::kPriceAscending});
}
void BM_SearchByRelevance(benchmark::State& state) { Search(state, {.query = "wireless thing7"}); }

BENCHMARK(BM_FacetsOfEverything)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FacetsOfACommonWord)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FacetsOfARareWord)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FacetsWithFourChosen)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BrowseEverything)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BrowseByPrice)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SortACommonWordByPrice)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SearchByRelevance)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emptor::retrieval
