// FAQ look-up among 100,000 entries: exact hits a second, and latencies of other questions.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "retrieval/cache/faq_index.h"
#include "services/embedding/engine_embedder.h"

namespace emptor {
namespace {

using retrieval::FaqIndex;
using retrieval::FaqPhrasings;

constexpr size_t kEntries = 100'000;

/// Questions of a frame and invented product names, so that many entries are alike.
std::string MakeQuestion(std::mt19937_64& random, size_t frame) {
  static const std::vector<std::string> kFrames = {"How long does delivery of the {} to {} take?",
                                                   "Can I return my {} within {} days?",
                                                   "Does the {} work with a {} charger?",
                                                   "What does the warranty of the {} {} cover?",
                                                   "Is the {} available in {}?",
                                                   "Which {} fits a {}?"};
  const auto word = [&random] {
    std::string text;
    for (int i = 0; i < 3; ++i) {
      text += "bcdfgklmnprstv"[random() % 14];
      text += "aeiou"[random() % 5];
    }
    return text;
  };
  return fmt::format(fmt::runtime(kFrames[frame % kFrames.size()]), word() + " " + word(), word());
}

struct Shop {
  std::unique_ptr<services::EngineEmbedder> embedder;
  std::unique_ptr<FaqIndex> index;
  std::vector<std::string> questions;  // of the entries
};

/// Made once: it takes half a minute.
const Shop& SharedShop() {
  static const Shop shop = [] {
    Shop made;
    made.embedder = *services::EngineEmbedder::Load(std::string(EMPTOR_SOURCE_DIR) +
                                                    "/retrieval/models/emptor-embed.gguf");
    made.index = *FaqIndex::Create(*made.embedder);
    std::mt19937_64 random(15);
    std::vector<FaqPhrasings> entries;
    for (size_t i = 0; i < kEntries; ++i) {
      made.questions.push_back(MakeQuestion(random, i));
      entries.push_back({fmt::format("q{}", i), "", {made.questions.back()}});
    }
    if (!made.index->Update(entries, {}).ok()) std::abort();
    return made;
  }();
  return shop;
}

void BM_FaqExactHit(benchmark::State& state) {
  const Shop& shop = SharedShop();
  size_t i = 0, hits = 0;
  for (auto _ : state) {
    i = (i + 7919) % shop.questions.size();
    const auto answer = shop.index->Lookup(shop.questions[i], "");
    hits += answer.exact ? 1 : 0;
  }
  // A look-up that is not exact is another path: its time would be reported under this name.
  if (hits != static_cast<size_t>(state.iterations()))
    state.SkipWithError("not every look-up was exact");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FaqExactHit);

/// Time that this thread has computed: a busy machine adds its own to the wall clock.
double ThreadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double Percentile(std::vector<double> values, size_t percent) {
  std::sort(values.begin(), values.end());
  return values[values.size() * percent / 100];
}

void BM_FaqLookup(benchmark::State& state) {
  const Shop& shop = SharedShop();
  std::mt19937_64 random(16);
  std::vector<double> milliseconds, computed;
  size_t i = 0;
  for (auto _ : state) {
    i = (i + 7919) % shop.questions.size();
    std::string question = "please, " + shop.questions[i];
    if (random() % 2 == 0) question = MakeQuestion(random, random());
    const double computed_before = ThreadMilliseconds();
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(shop.index->Lookup(question, ""));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(took.count());
    computed.push_back(ThreadMilliseconds() - computed_before);
  }
  state.counters["p50_ms"] = Percentile(milliseconds, 50);
  state.counters["p99_ms"] = Percentile(milliseconds, 99);
  state.counters["p99_cpu_ms"] = Percentile(computed, 99);
  state.counters["bytes"] = static_cast<double>(shop.index->memory_bytes());
}
BENCHMARK(BM_FaqLookup)->Iterations(5000);

/// A FAQ of `entries`, three phrasings each.
std::unique_ptr<FaqIndex> MakeSmallFaq(size_t entries, std::vector<std::string>& questions) {
  std::mt19937_64 random(17);
  std::vector<FaqPhrasings> all;
  for (size_t i = 0; i < entries; ++i) {
    FaqPhrasings entry{fmt::format("q{}", i), "", {}};
    for (size_t frame = 0; frame < 3; ++frame) {
      entry.phrasings.push_back(MakeQuestion(random, i + frame));
    }
    questions.push_back(entry.phrasings.front());
    all.push_back(std::move(entry));
  }
  auto index = *FaqIndex::Create(*SharedShop().embedder);
  if (!index->Update(all, {}).ok()) std::abort();
  return index;
}

void BM_FaqLearn(benchmark::State& state) {
  std::vector<std::string> questions;
  const auto index = MakeSmallFaq(static_cast<size_t>(state.range(0)), questions);
  for (auto _ : state) index->Learn();
}
BENCHMARK(BM_FaqLearn)->Arg(30)->Arg(100)->Arg(300)->Arg(700)->Unit(benchmark::kMillisecond);

void BM_FaqLearnedLookup(benchmark::State& state) {
  std::vector<std::string> questions;
  const auto index = MakeSmallFaq(static_cast<size_t>(state.range(0)), questions);
  index->Learn();
  std::vector<double> computed;
  size_t i = 0;
  for (auto _ : state) {
    i = (i + 7919) % questions.size();
    const double before = ThreadMilliseconds();
    benchmark::DoNotOptimize(index->Lookup("please, " + questions[i], ""));
    computed.push_back(ThreadMilliseconds() - before);
  }
  state.counters["p99_cpu_ms"] = Percentile(computed, 99);
}
BENCHMARK(BM_FaqLearnedLookup)->Arg(100)->Arg(700)->Iterations(3000);

}  // namespace
}  // namespace emptor
