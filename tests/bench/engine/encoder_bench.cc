// Texts a second of a real encoder: EMPTOR_MINILM_DIR names its directory.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "engine/encoder/text_encoder.h"

namespace emptor::engine {
namespace {

void EncodeProducts(benchmark::State& state, std::optional<DType> type) {
  const char* folder = std::getenv("EMPTOR_MINILM_DIR");
  if (folder == nullptr) return state.SkipWithError("EMPTOR_MINILM_DIR is not set");
  TextEncoderOptions options;
  options.weight_type = type;
  options.threads = static_cast<int>(state.range(0));
  const auto encoder = TextEncoder::Load(folder, options);
  if (!encoder.ok()) return state.SkipWithError(encoder.status().ToString().c_str());
  const std::vector<std::string> texts(
      32,
      "Rechargeable wireless headphones with a charging case, noise cancelling and a battery "
      "of 30 hours, black, for phones and laptops");
  std::vector<float> out(texts.size() * static_cast<size_t>((*encoder)->dimension()));
  for (auto _ : state) {
    if (!(*encoder)->EncodeTextsInto(texts, TextKind::kPassage, out).ok()) std::abort();
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(texts.size()));
}
BENCHMARK_CAPTURE(EncodeProducts, as_stored, std::nullopt)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(EncodeProducts, bf16, DType::kBF16)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(EncodeProducts, q8, DType::kQ8_0)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace emptor::engine
