// Rates of the catalog: JSON, stored bytes, writes, reads, scan and open of 20,000 products.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catalog/import/importer.h"
#include "catalog/product_json.h"
#include "catalog/product_store.h"
#include "catalog/record_codec.h"

namespace emptor::catalog {
namespace {

constexpr size_t kProducts = 20000;
constexpr size_t kBatch = 256;
constexpr size_t kStoredEmbeddingBytes = 1024;  // an embedding of 256 floats

// As large as the products of a real electronics catalog: 1.2 KB of JSON, 19 attributes.
Product MakeProduct(size_t number) {
  Product product;
  product.id = "p" + std::to_string(number);
  product.title = "Torvane Glide 27 inch monitor " + std::to_string(number);
  product.description = std::string(200, 'd');
  product.brand = "Torvane";
  product.gtin = std::to_string(10'000'000 + number);
  product.price = Money{static_cast<int64_t>(1000 + number), "USD"};
  product.image_link = "https://images.example/monitors/" + product.id + ".jpg";
  for (int i = 0; i < 19; ++i) {
    product.attributes.push_back({"attribute number " + std::to_string(i), "value of it"});
  }
  return product;
}

StoreBatch MakeBatch(size_t first) {
  StoreBatch batch;
  for (size_t i = 0; i < kBatch; ++i) {
    batch.puts.push_back(
        {MakeProduct((first + i) % kProducts), std::string(kStoredEmbeddingBytes, 'x')});
  }
  return batch;
}

// A filled store on the file system, made once.
class FilledStore {
 public:
  FilledStore()
      : directory_(std::filesystem::temp_directory_path() /
                   ("emptor-catalog-bench-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(directory_);
    Open();
    for (size_t first = 0; first < kProducts; first += kBatch) {
      if (!store_->Write(MakeBatch(first)).ok()) std::abort();
    }
  }
  ~FilledStore() {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Open() {
    store_.reset();
    auto store = ProductStore::Open(directory_.string(), {.create_if_missing = true});
    if (!store.ok()) std::abort();
    store_ = *std::move(store);
  }
  ProductStore& store() { return *store_; }

 private:
  std::filesystem::path directory_;
  std::unique_ptr<ProductStore> store_;
};

FilledStore& SharedStore() {
  static FilledStore store;
  return store;
}

void BM_ParseProduct(benchmark::State& state) {
  const std::string json = ToJson(MakeProduct(7));
  for (auto _ : state) benchmark::DoNotOptimize(ParseProduct(json));
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(json.size()));
}
BENCHMARK(BM_ParseProduct);

void BM_WriteProductJson(benchmark::State& state) {
  const Product product = MakeProduct(7);
  for (auto _ : state) benchmark::DoNotOptimize(ToJson(product));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_WriteProductJson);

void BM_EncodeRecord(benchmark::State& state) {
  const Product product = MakeProduct(7);
  for (auto _ : state) benchmark::DoNotOptimize(EncodeProduct(product));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_EncodeRecord);

void BM_DecodeRecord(benchmark::State& state) {
  const std::string bytes = EncodeProduct(MakeProduct(7));
  for (auto _ : state) benchmark::DoNotOptimize(DecodeProduct(bytes));
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(BM_DecodeRecord);

void BM_StoreWrite(benchmark::State& state) {
  ProductStore& store = SharedStore().store();
  size_t first = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const StoreBatch batch = MakeBatch(first += kBatch);
    state.ResumeTiming();
    if (!store.Write(batch).ok()) state.SkipWithError("write failed");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
}
BENCHMARK(BM_StoreWrite)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_StoreFind(benchmark::State& state) {
  ProductStore& store = SharedStore().store();
  std::mt19937 random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(store.Find("p" + std::to_string(random() % kProducts)));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_StoreFind);

void BM_StoreScan(benchmark::State& state) {
  ProductStore& store = SharedStore().store();
  size_t products = 0;
  for (auto _ : state) {
    const auto scanned = store.ScanProducts([&](const Product&, std::string_view) {
      ++products;
      return true;
    });
    if (!scanned.ok()) state.SkipWithError("scan failed");
  }
  state.SetItemsProcessed(static_cast<int64_t>(products));
}
BENCHMARK(BM_StoreScan)->Unit(benchmark::kMillisecond);

// Locks, replays the log, verifies every record against the seal.
void BM_StoreOpen(benchmark::State& state) {
  FilledStore& store = SharedStore();
  for (auto _ : state) store.Open();
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kProducts));
}
BENCHMARK(BM_StoreOpen)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_ImportUnchanged(benchmark::State& state) {
  ProductStore& store = SharedStore().store();
  std::string feed;
  for (size_t i = 0; i < 2000; ++i) feed += ToJson(MakeProduct(i)) + "\n";
  for (auto _ : state) {
    std::mutex mutex;
    Importer importer(
        store, mutex, {}, [&](ImportBatch& batch) { return store.Write(batch.changes); }, nullptr);
    const auto reader = MakeFeedReader({.format = FeedFormat::kJsonl}, [&](FeedRow&& row) {
      return importer.Take(std::move(row));
    });
    absl::Status pushed = reader->Push(feed);
    if (pushed.ok()) pushed = reader->Finish();
    const auto report = importer.Finish();
    if (!pushed.ok() || !report.ok()) state.SkipWithError("import failed");
  }
  state.SetItemsProcessed(state.iterations() * 2000);
}
BENCHMARK(BM_ImportUnchanged)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emptor::catalog
