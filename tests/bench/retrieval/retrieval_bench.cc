// Speed of the parts of retrieval/ on generated shops of fixed seed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/lexical/index_builder.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/vector/row_scan.h"
#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kDimension = 256;

/// Words with Zipf's distribution over 40,000 made-up words.
std::string ZipfText(std::mt19937& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const double u = (static_cast<double>(random()) + 1) / 4294967296.0;
    const auto rank = static_cast<uint32_t>(std::exp(u * std::log(40000.0)));
    for (uint32_t v = rank * 2654435761u >> 8, n = 0; n < 4 + rank % 4; ++n, v /= 26) {
      text.push_back(static_cast<char>('a' + v % 26));
    }
    text.push_back(' ');
  }
  return text;
}

const Analyzer& SharedAnalyzer() {
  static const Analyzer analyzer = *Analyzer::Create();
  return analyzer;
}

void BM_AnalyzeEnglish(benchmark::State& state) {
  std::mt19937 random(1);
  const std::string text = ZipfText(random, 150) + "Wi-Fi 27-inch WH-1000XM5 1,7 l iPhone15";
  size_t terms = 0;
  for (auto _ : state) {
    SharedAnalyzer().ForEachTerm(text, TextRole::kRecord, [&](std::string_view) { ++terms; });
  }
  benchmark::DoNotOptimize(terms);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_AnalyzeEnglish);

void BM_AnalyzeChinese(benchmark::State& state) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += "\u82F9\u679C\u624B\u673A\u58F3\u9632\u6454\u534E\u4E3A\u65E0\u7EBF\u8033\u673A ";
  }
  size_t terms = 0;
  for (auto _ : state) {
    SharedAnalyzer().ForEachTerm(text, TextRole::kRecord, [&](std::string_view) { ++terms; });
  }
  benchmark::DoNotOptimize(terms);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_AnalyzeChinese);

const InvertedIndex& ZipfIndex(size_t records) {
  static size_t built_for = 0;
  static InvertedIndex index;
  if (built_for != records) {
    std::mt19937 random(2);
    InvertedIndexBuilder builder{Bm25Options{}};
    for (size_t r = 0; r < records; ++r) {
      const std::string title = ZipfText(random, 8);
      const std::string description = ZipfText(random, 40);
      builder.Add(SharedAnalyzer(), {title, "", "", "", description});
    }
    index = std::move(builder).Seal();
    built_for = records;
  }
  return index;
}

template <auto kSearch>
void BM_Bm25Top10(benchmark::State& state) {
  const InvertedIndex& index = ZipfIndex(static_cast<size_t>(state.range(0)));
  const InvertedIndex* pointer = &index;
  std::mt19937 random(3);
  std::vector<std::string> queries;
  for (int q = 0; q < 64; ++q) queries.push_back(ZipfText(random, 3));
  size_t q = 0;
  for (auto _ : state) {
    const auto terms = CompileQuery(SharedAnalyzer(), queries[q++ % 64], {&pointer, 1});
    benchmark::DoNotOptimize(kSearch(index, terms, 10, nullptr));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}
BENCHMARK(BM_Bm25Top10<SearchExhaustively>)->Arg(19406)->Arg(100000);
BENCHMARK(BM_Bm25Top10<SearchPruned>)->Arg(19406)->Arg(100000);

void SearchVectors(benchmark::State& state, const VectorIndex& index) {
  const std::vector<float> queries = testing::ClusteredVectors(64, kDimension, 200, 5);
  size_t q = 0;
  for (auto _ : state) {
    const auto query = std::span(queries).subspan(q++ % 64 * kDimension, kDimension);
    benchmark::DoNotOptimize(index.Search(query, 10, nullptr));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * index.size() * kDimension));
}

QuantizedRows ClusteredRows(size_t count) {
  const std::vector<float> values = testing::ClusteredVectors(count, kDimension, 200, 4);
  QuantizedRows rows(kDimension);
  rows.Reserve(count);
  for (size_t i = 0; i < count; ++i) {
    rows.Add(std::span(values).subspan(i * kDimension, kDimension));
  }
  return rows;
}

void BM_VectorIndexTop10(benchmark::State& state, const char* factory) {
  const auto index = VectorIndex::Build(ClusteredRows(static_cast<size_t>(state.range(0))),
                                        {.spec = *ParseVectorIndex(factory)});
  SearchVectors(state, **index);
}
BENCHMARK_CAPTURE(BM_VectorIndexTop10, RaBitQ, "RaBitQ1,Refine8")
    ->Arg(1000)
    ->Arg(19406)
    ->Arg(200000);
BENCHMARK_CAPTURE(BM_VectorIndexTop10, Flat, "Flat")->Arg(19406)->Arg(50000);
BENCHMARK_CAPTURE(BM_VectorIndexTop10, SQ8, "SQ8")->Arg(19406)->Arg(50000);
BENCHMARK_CAPTURE(BM_VectorIndexTop10, Lists, "IVF256,SQ8")->Arg(19406)->Arg(50000);
BENCHMARK_CAPTURE(BM_VectorIndexTop10, Graph, "HNSW32,SQ8")->Arg(19406)->Arg(50000);

void BM_ScanExactlyTop10(benchmark::State& state) {
  const QuantizedRows rows = ClusteredRows(static_cast<size_t>(state.range(0)));
  const std::vector<float> queries = testing::ClusteredVectors(64, kDimension, 200, 5);
  size_t q = 0;
  for (auto _ : state) {
    const auto query = std::span(queries).subspan(q++ % 64 * kDimension, kDimension);
    benchmark::DoNotOptimize(ScanExactly(rows, query, 10, nullptr));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}
BENCHMARK(BM_ScanExactlyTop10)->Arg(1000)->Arg(19406)->Arg(200000);

void BM_HybridTop10(benchmark::State& state) {
  const HashingEmbedder embedder(kDimension);
  std::mt19937 random(6);
  std::vector<IndexedProduct> records;
  for (int64_t r = 0; r < state.range(0); ++r) {
    catalog::Product product =
        testing::MakeProduct(testing::Numbered("p", static_cast<size_t>(r)), ZipfText(random, 8));
    product.description = ZipfText(random, 40);
    records.push_back(testing::Indexed(embedder, std::move(product)));
  }
  const auto searcher = HybridSearcher::Build(std::move(records), embedder, {});
  std::vector<std::string> queries;
  for (int q = 0; q < 64; ++q) queries.push_back(ZipfText(random, 3));
  std::vector<double> micros;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize((*searcher)->Search({.query = queries[micros.size() % 64]}));
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    micros.push_back(taken.count());
  }
  std::sort(micros.begin(), micros.end());
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}
BENCHMARK(BM_HybridTop10)->Arg(19406);

}  // namespace
}  // namespace emptor::retrieval
