// Encoding speed of the shipped vocabulary, of small SentencePiece ones and of every kind of
// tokenizer.json, on the project's own prose.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>

#include "engine/loading/vocabulary_reader.h"
#include "engine/tokenizer/tokenizer_json.h"

namespace emptor::engine {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(EMPTOR_SOURCE_DIR + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void EncodeText(benchmark::State& state,
                const absl::StatusOr<std::unique_ptr<const Tokenizer>>& tokenizer) {
  const std::string text = ReadText("/docs/formats/prompt.md");
  if (text.empty()) return state.SkipWithError("no text");
  if (!tokenizer.ok()) return state.SkipWithError(tokenizer.status().ToString().c_str());
  std::vector<TokenId> tokens;
  for (auto _ : state) {
    tokens.clear();
    (*tokenizer)->EncodeInto(text, tokens);
    benchmark::DoNotOptimize(tokens.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void EncodeProse(benchmark::State& state, const char* vocabulary) {
  const auto file = GgufFile::Load(std::string(EMPTOR_SOURCE_DIR) + vocabulary);
  if (!file.ok()) return state.SkipWithError(file.status().ToString().c_str());
  EncodeText(state, ReadTokenizer(**file));
}
BENCHMARK_CAPTURE(EncodeProse, byte_level_bpe, "/engine/models/emptor-lm.gguf");
BENCHMARK_CAPTURE(EncodeProse, sentencepiece_bpe, "/tests/golden/sentencepiece/bpe.gguf");
BENCHMARK_CAPTURE(EncodeProse, unigram, "/tests/golden/sentencepiece/unigram.gguf");

void EncodeByJson(benchmark::State& state, const char* name) {
  const std::string path = std::string("/tests/golden/tokenizer_json/") + name + ".json";
  auto spec = ParseTokenizerJson(ReadText(path), name);
  if (!spec.ok()) return state.SkipWithError(spec.status().ToString().c_str());
  EncodeText(state, Tokenizer::Create(*std::move(spec)));
}
BENCHMARK_CAPTURE(EncodeByJson, gpt2, "gpt2");
BENCHMARK_CAPTURE(EncodeByJson, llama3, "llama3");
BENCHMARK_CAPTURE(EncodeByJson, qwen2, "qwen2");
BENCHMARK_CAPTURE(EncodeByJson, llama2, "llama2");
BENCHMARK_CAPTURE(EncodeByJson, mistral, "mistral");
BENCHMARK_CAPTURE(EncodeByJson, xlmr, "xlmr");
BENCHMARK_CAPTURE(EncodeByJson, precompiled, "precompiled");
BENCHMARK_CAPTURE(EncodeByJson, bert_uncased, "bert_uncased");

}  // namespace
}  // namespace emptor::engine
