// Cost of understanding a need: making the index when a service starts, and each message.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "services/assistant/types/need_index.h"
#include "services/embedding/engine_embedder.h"

namespace emptor::services {
namespace {

std::shared_ptr<const NeedIndex> MakeIndex() {
  auto embedder =
      EngineEmbedder::Load(EMPTOR_SOURCE_DIR "/retrieval/models/emptor-embed-multilingual.gguf");
  if (!embedder.ok()) return nullptr;
  auto index = NeedIndex::Make(TheNeedExamples(), *std::move(embedder));
  return index.ok() ? *std::move(index) : nullptr;
}

void BM_MakeNeedIndex(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(MakeIndex());
}
BENCHMARK(BM_MakeNeedIndex)->Unit(benchmark::kMillisecond);

void BM_RankNeeds(benchmark::State& state) {
  constexpr std::array<std::string_view, 3> kMessages = {
      "we moved into a long thin house and the wifi is dead in the bedrooms",
      "pup is chewing my shoes", "坐办公室一天腰酸背痛"};
  const auto index = MakeIndex();
  if (index == nullptr) return state.SkipWithError("the multilingual embedder does not load");
  size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index->Rank(kMessages[i++ % kMessages.size()]));
}
BENCHMARK(BM_RankNeeds)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace emptor::services

BENCHMARK_MAIN();
