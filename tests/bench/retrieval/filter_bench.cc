// Time of a compiled filter over 100,000 and 1,000,000 records, condition by condition.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "retrieval/filter/filter_columns.h"

namespace emptor::retrieval {
namespace {

/// Rows of an electronics shop: 200 brands, 60 categories, 8 attributes, prices up to 2000.
const FilterColumns& Columns(size_t records) {
  static std::map<size_t, std::unique_ptr<FilterColumns>> built;
  auto& columns = built[records];
  if (columns != nullptr) return *columns;
  columns = std::make_unique<FilterColumns>();
  std::mt19937 random(3);
  const auto named = [&](const char* name, size_t count) {
    return name + std::to_string(random() % count);
  };
  for (size_t i = 0; i < records; ++i) {
    FilterRow row;
    row.texts[static_cast<size_t>(FilterField::kBrand)] = {named("brand", 200)};
    row.texts[static_cast<size_t>(FilterField::kCategory)] = {named("category", 60)};
    row.texts[static_cast<size_t>(FilterField::kColor)] = {named("color", 12)};
    for (int a = 0; a < 8; ++a) {
      row.texts[static_cast<size_t>(FilterField::kAttribute)].push_back(
          AttributeKey("name" + std::to_string(a), named("value", 20)));
    }
    row.rating = static_cast<float>(random() % 50) / 10;
    row.prices = {{INT64_MIN, "", "USD", static_cast<int64_t>(random() % 200000)}};
    row.numbers = {{"weight", "g", static_cast<float>(random() % 5000)},
                   {"width", "mm", static_cast<float>(random() % 2000)}};
    for (int t = 0; t < 20; ++t) row.terms.push_back(named("term", 2000));
    std::sort(row.terms.begin(), row.terms.end());
    row.terms.erase(std::unique(row.terms.begin(), row.terms.end()), row.terms.end());
    columns->Add(row);
  }
  return *columns;
}

void Run(benchmark::State& state, const Filter& filter) {
  const FilterColumns& columns = Columns(static_cast<size_t>(state.range(0)));
  const CompiledFilter compiled(filter);
  size_t kept = 0;
  for (auto _ : state) {
    const RecordSet set = columns.Select(compiled, 0);
    benchmark::DoNotOptimize(kept = set.count());
  }
  state.counters["kept"] = static_cast<double>(kept);
}

void BM_Brand(benchmark::State& state) { Run(state, {.brands = {"brand7"}}); }
void BM_Price(benchmark::State& state) { Run(state, {.max_price = 100000, .currency = "USD"}); }
void BM_ExcludedBrand(benchmark::State& state) { Run(state, {.excluded_brands = {"brand7"}}); }
void BM_ExcludedTerm(benchmark::State& state) { Run(state, {.excluded_terms = {"term7"}}); }
void BM_Range(benchmark::State& state) {
  Filter filter;
  filter.ranges.push_back({.attribute = "weight", .unit = "kg", .max = 2.0});
  Run(state, filter);
}
void BM_Everything(benchmark::State& state) {
  Filter filter{.max_price = 100000, .currency = "USD", .excluded_brands = {"brand7"}};
  filter.colors = {"color1", "color2"};
  filter.min_rating = 3;
  filter.excluded_terms = {"term7"};
  filter.attributes = {{"name1", {"value1", "value2"}}};
  Run(state, filter);
}

BENCHMARK(BM_Brand)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Price)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_ExcludedBrand)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_ExcludedTerm)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Range)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Everything)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace emptor::retrieval
