// Encoding speed of byte-level BPE with the shipped vocabulary, on the project's own prose.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>

#include "engine/vocabulary_reader.h"

namespace emptor::engine {
namespace {

void BM_EncodeBpe(benchmark::State& state) {
  const auto file = GgufFile::Load(EMPTOR_SOURCE_DIR "/engine/models/emptor-lm.gguf");
  std::ifstream prose(EMPTOR_SOURCE_DIR "/docs/formats/prompt.md");
  const std::string text((std::istreambuf_iterator<char>(prose)), std::istreambuf_iterator<char>());
  if (!file.ok() || text.empty()) return state.SkipWithError("no shipped model or no text");
  const auto tokenizer = ReadTokenizer(**file);
  if (!tokenizer.ok()) return state.SkipWithError(tokenizer.status().ToString().c_str());
  std::vector<TokenId> tokens;
  for (auto _ : state) {
    tokens.clear();
    (*tokenizer)->EncodeInto(text, tokens);
    benchmark::DoNotOptimize(tokens.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_EncodeBpe);

}  // namespace
}  // namespace emptor::engine
