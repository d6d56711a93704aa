// Encoding speed of the shipped vocabulary and of small SentencePiece ones, on the project's own
// prose.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>

#include "engine/vocabulary_reader.h"

namespace emptor::engine {
namespace {

void EncodeProse(benchmark::State& state, const char* vocabulary) {
  const auto file = GgufFile::Load(std::string(EMPTOR_SOURCE_DIR) + vocabulary);
  std::ifstream prose(EMPTOR_SOURCE_DIR "/docs/formats/prompt.md");
  const std::string text((std::istreambuf_iterator<char>(prose)), std::istreambuf_iterator<char>());
  if (!file.ok() || text.empty()) return state.SkipWithError("no vocabulary or no text");
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
BENCHMARK_CAPTURE(EncodeProse, byte_level_bpe, "/engine/models/emptor-lm.gguf");
BENCHMARK_CAPTURE(EncodeProse, sentencepiece_bpe, "/tests/golden/sentencepiece/bpe.gguf");
BENCHMARK_CAPTURE(EncodeProse, unigram, "/tests/golden/sentencepiece/unigram.gguf");

}  // namespace
}  // namespace emptor::engine
