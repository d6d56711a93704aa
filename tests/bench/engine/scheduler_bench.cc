// What a step costs before the model computes: finding a prompt's blocks, and planning.
#include <benchmark/benchmark.h>

#include <numeric>

#include "engine/kv/prefix_cache.h"
#include "engine/scheduler/scheduler.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;

std::vector<int32_t> Prompt(int64_t size, int32_t first) {
  std::vector<int32_t> tokens(static_cast<size_t>(size));
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

/// A prompt of state.range(0) tokens among 200 others in the cache.
void BM_FindPrefix(benchmark::State& state) {
  const int blocks = static_cast<int>(state.range(0)) / kBlockTokens;
  BlockPool pool(201 * blocks);
  PrefixCache cache(pool, kBlockTokens);
  for (int p = 0; p <= 200; ++p) {
    const std::vector<int32_t> tokens = Prompt(state.range(0), p);
    auto taken = pool.Allocate(blocks);
    PrefixId chain = PrefixId::kEmpty;
    for (int b = 0; b < blocks; ++b) {
      const auto part = std::span(tokens).subspan(static_cast<size_t>(b) * kBlockTokens);
      chain =
          cache.Insert(chain, "shop", part.first(kBlockTokens), (*taken)[size_t(b)].id()).prefix;
    }
  }
  const std::vector<int32_t> tokens = Prompt(state.range(0), 100);
  for (auto _ : state) {
    std::vector<CachedBlock> match;
    cache.MatchInto("shop", tokens, blocks, match);
    if (std::ssize(match) != blocks) state.SkipWithError("not found");
    benchmark::DoNotOptimize(match.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_FindPrefix)->Arg(1000)->Arg(8000);

/// Steps of state.range(0) decoding sequences while state.range(1) sequences wait.
void BM_ScheduleStep(benchmark::State& state) {
  const int running = static_cast<int>(state.range(0));
  const int waiting = static_cast<int>(state.range(1));
  BlockPool pool(1 << 15);
  PrefixCache cache(pool, kBlockTokens);
  const SchedulerLimits limits{.max_running = running, .max_step_tokens = 1 << 16};
  Scheduler scheduler(limits, pool, &cache);
  for (int i = 0; i < running + waiting; ++i) {
    scheduler.Add({.id = SequenceId{static_cast<uint64_t>(i)},
                   .tokens = Prompt(500, i * 1000),
                   .tenant = std::to_string(i % 10)});
  }
  const auto now = std::chrono::steady_clock::time_point();
  for (auto _ : state) {
    const ScheduledStep step = scheduler.Schedule(now, 1000);
    for (const ScheduledWork& work : step.work) {
      scheduler.Advance(work.id, static_cast<int>(work.tokens.size()));
      scheduler.Append(work.id, 7);
    }
    if (std::ssize(step.work) != running) state.SkipWithError("not all run");
    if (pool.free_count() < running) {
      state.SkipWithError("KV memory is full");
      break;
    }
  }
}
BENCHMARK(BM_ScheduleStep)->Args({16, 16})->Args({64, 256})->Iterations(4000);

}  // namespace
}  // namespace emptor::engine
