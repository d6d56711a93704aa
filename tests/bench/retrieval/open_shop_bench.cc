// Time to open a shop of 90,000 products, generated from icecat, until the first answer: after a
// clean stop and after a kill. Needs EMPTOR_TEST_DATA.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/product_store.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"
#include "tests/support/icecat.h"
#include "tests/support/passage_grower.h"

namespace emptor::services {
namespace {

using emptor::testing::PassageGrower;

constexpr uint64_t kSeed = 5;

absl::Status FillStore(const std::string& directory, PassageGrower& grower, size_t products) {
  std::filesystem::create_directories(directory);
  auto store = catalog::ProductStore::Open(directory + "/catalog", {.create_if_missing = true});
  if (!store.ok()) return store.status();
  for (size_t done = 0; done < products; done += 1000) {
    catalog::StoreBatch batch;
    for (size_t i = done; i < std::min(done + 1000, products); ++i) {
      batch.puts.push_back({grower.Next()});
    }
    if (const absl::Status status = (*store)->Write(batch); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// Seconds from opening to the first answer; a negative number where there was none.
double OpenAndAsk(const std::string& directory, const retrieval::Embedder& embedder,
                  std::string query) {
  ShopOptions options;
  options.directory = directory;
  const auto begin = std::chrono::steady_clock::now();
  const auto shop = Shop::Open(options, embedder);
  if (!shop.ok() || !(*shop)->reader().SearchProducts({.query = std::move(query)}).ok()) return -1;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void BM_OpenShop(benchmark::State& state) {
  auto seeds = emptor::testing::ReadIcecatProducts();
  if (!seeds.ok()) {
    state.SkipWithError(seeds.status().ToString().c_str());
    return;
  }
  const emptor::testing::TemporaryDirectory directory;
  const retrieval::HashingEmbedder embedder(256);
  PassageGrower grower(*std::move(seeds), kSeed);
  const absl::Status filled =
      FillStore(directory.path(), grower, static_cast<size_t>(state.range(0)));
  if (!filled.ok()) {
    state.SkipWithError(filled.ToString().c_str());
    return;
  }
  state.counters["first_open_s"] = OpenAndAsk(directory.path(), embedder, grower.RandomQuery());
  const auto begin = std::chrono::steady_clock::now();
  auto store = catalog::ProductStore::Open(directory.path() + "/catalog", {});
  state.counters["store_alone_s"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (store.ok()) store->reset();
  for (auto _ : state) {
    benchmark::DoNotOptimize(OpenAndAsk(directory.path(), embedder, grower.RandomQuery()));
  }
  // What a kill leaves behind a job: records that the saved index does not have.
  if (!FillStore(directory.path(), grower, 1).ok()) return;
  state.counters["after_kill_s"] = OpenAndAsk(directory.path(), embedder, grower.RandomQuery());
}
BENCHMARK(BM_OpenShop)->Arg(90000)->Iterations(3)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace emptor::services
