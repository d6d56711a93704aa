// Passages a second of a real encoder: EMPTOR_ENCODER names its file or directory,
// EMPTOR_ENCODER_TEXTS a file with a passage a line.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "engine/encoder/text_encoder.h"

namespace emptor::engine {
namespace {

std::vector<std::string> Passages() {
  std::vector<std::string> texts;
  if (const char* path = std::getenv("EMPTOR_ENCODER_TEXTS")) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) texts.push_back(line);
  }
  if (!texts.empty()) return texts;
  return std::vector<std::string>(
      32,
      "Rechargeable wireless headphones with a charging case, noise cancelling and a battery "
      "of 30 hours, black, for phones and laptops");
}

void EncodeProducts(benchmark::State& state, std::optional<DType> type) {
  const char* path = std::getenv("EMPTOR_ENCODER");
  if (path == nullptr) return state.SkipWithError("EMPTOR_ENCODER is not set");
  TextEncoderOptions options;
  options.weight_type = type;
  options.threads = static_cast<int>(state.range(0));
  const auto encoder = TextEncoder::Load(path, options);
  if (!encoder.ok()) return state.SkipWithError(encoder.status().ToString().c_str());
  const std::vector<std::string> texts = Passages();
  std::vector<float> out(texts.size() * static_cast<size_t>((*encoder)->dimension()));
  for (auto _ : state) {
    if (!(*encoder)->EncodeTextsInto(texts, TextKind::kPassage, out).ok()) std::abort();
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(texts.size()));
}
BENCHMARK_CAPTURE(EncodeProducts, default_type, std::nullopt)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(EncodeProducts, f32, DType::kF32)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(EncodeProducts, bf16, DType::kBF16)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(EncodeProducts, q8, DType::kQ8_0)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace emptor::engine
