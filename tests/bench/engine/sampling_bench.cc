// What choosing a token costs: greedy, and with references held to those that can be filled.
#include <benchmark/benchmark.h>

#include <random>

#include "engine/sampling/reference_constraint.h"
#include "engine/sampling/sampler.h"
#include "engine/structure/grammar_compiler.h"

namespace emptor::engine {
namespace {

/// A vocabulary of `size`: the bytes, then random words; one in 200 holds a bracket.
TokenTable MakeTable(int64_t size) {
  std::mt19937_64 random(1);
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  while (std::ssize(tokens) < size) {
    std::string token(1 + random() % 8, ' ');
    for (char& c : token) c = static_cast<char>('a' + random() % 26);
    if (random() % 200 == 0) token += '[';
    tokens.push_back(std::move(token));
  }
  return TokenTable(std::move(tokens));
}

std::vector<std::string> MakeReferences() {
  std::vector<std::string> references;
  for (int n = 1; n <= 6; ++n) {
    const std::string head = "[" + std::to_string(n);
    for (const char* field : {"]", ":title]", ":price]", ":rating]", ":attr.screen size]",
                              ":attr.refresh rate]", ":attr.battery life]"}) {
      references.push_back(head + field);
    }
  }
  return references;
}

/// state.range(0): size of the vocabulary; state.range(1): 0 no constraint, 1 outside of brackets,
/// 2 inside of one.
void BM_ChooseToken(benchmark::State& state) {
  const TokenTable table = MakeTable(state.range(0));
  ReferenceConstraint constraint(table, MakeReferences());
  if (state.range(1) == 2) {
    for (const char c : std::string_view("[1:attr."))
      constraint.Accept(static_cast<unsigned char>(c));
  }
  std::mt19937_64 random(2);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(static_cast<size_t>(state.range(0)));
  for (float& logit : logits) logit = normal(random);
  for (auto _ : state) {
    if (state.range(1) != 0) constraint.MaskInto(logits);
    benchmark::DoNotOptimize(GreedyToken(logits));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ChooseToken)
    ->ArgNames({"vocabulary", "state"})
    ->ArgsProduct({{4096, 32000, 128256}, {0, 1, 2}});

std::vector<float> RandomLogits(int64_t size) {
  std::mt19937_64 random(2);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(static_cast<size_t>(size));
  for (float& logit : logits) logit = normal(random);
  return logits;
}

/// state.range(1): 0 temperature alone, 1 with top-k 40, 2 with top-p 0.9, 3 with min-p 0.05.
void BM_Sample(benchmark::State& state) {
  const std::vector<float> logits = RandomLogits(state.range(0));
  SamplerOptions options{.temperature = 0.8f, .seed = 1};
  if (state.range(1) == 1) options.top_k = 40;
  if (state.range(1) == 2) options.top_p = 0.9f;
  if (state.range(1) == 3) options.min_p = 0.05f;
  Sampler sampler(options);
  uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sampler.Sample(logits, index++));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Sample)
    ->ArgNames({"vocabulary", "filter"})
    ->ArgsProduct({{4096, 32000, 151936}, {0, 1, 2, 3}});

/// Words as models cut them, and what JSON needs.
std::vector<std::string> JsonVocabulary(int64_t size) {
  std::mt19937_64 random(1);
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  while (std::ssize(tokens) < size) {
    std::string token(1 + random() % 9, ' ');
    for (char& c : token) c = static_cast<char>('a' + random() % 26);
    if (random() % 3 == 0) token = std::string(1, ' ') + token;
    if (random() % 50 == 0) token += "\",";
    if (random() % 90 == 0) token = "\"" + token;
    if (random() % 90 == 0) token = "\": " + std::to_string(random() % 1000);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

constexpr std::string_view kProducts =
    R"({"type":"object","properties":{"answer":{"type":"string"},"products":{"type":"array","items":
    {"type":"object","properties":{"id":{"type":"integer","minimum":1},"name":{"type":"string",
    "maxLength":60},"price":{"type":"number","minimum":0},"tags":{"type":"array","items":{"enum":
    ["new","sale","last"]},"maxItems":4}},"required":["id","name"]}}},"required":["answer","products"]})";

/// One answer after another, each token by the mask; state.range(1): 0 a schema, 1 any object.
/// What it costs per token beside choosing one: `grammar` is new, or its masks are known.
void WalkAnswers(benchmark::State& state, bool is_new) {
  const std::vector<std::string> tokens = JsonVocabulary(state.range(0));
  const bool any = state.range(1) == 1;
  const auto kind = any ? GrammarCompiler::Kind::kJsonObject : GrammarCompiler::Kind::kJsonSchema;
  auto compiler = std::make_unique<GrammarCompiler>(tokens);
  auto grammar = *compiler->Compile(kind, kProducts);
  const std::vector<float> row = RandomLogits(state.range(0));
  std::mt19937_64 random(3);
  std::vector<float> logits;
  int64_t count = 0;
  OutputGrammar::Position position = grammar->Start();
  for (auto _ : state) {
    state.PauseTiming();
    if (grammar->accepts(position) || (is_new && count % 64 == 0)) {
      if (is_new) {
        grammar = std::make_shared<const OutputGrammar>(
            std::make_shared<const VocabularyTrie>(tokens), *CompilePushdown(kind, kProducts));
      }
      position = grammar->Start();
    }
    logits = row;
    for (int i = 0; i < 64; ++i) logits[random() % logits.size()] += 20;
    logits['"'] += 12;
    logits['}'] += 12;
    logits[']'] += 12;
    state.ResumeTiming();
    grammar->MaskInto(position, {}, logits);
    const std::optional<int32_t> token = GreedyToken(logits);
    if (!token || !grammar->Accept(position, *token)) state.SkipWithError("dead end");
    ++count;
  }
  state.SetItemsProcessed(state.iterations());
}
void BM_MaskOfKnownFormat(benchmark::State& state) { WalkAnswers(state, false); }
void BM_MaskOfNewFormat(benchmark::State& state) { WalkAnswers(state, true); }
BENCHMARK(BM_MaskOfKnownFormat)
    ->ArgNames({"vocabulary", "free"})
    ->ArgsProduct({{4096, 32000, 151936}, {0, 1}});
BENCHMARK(BM_MaskOfNewFormat)
    ->ArgNames({"vocabulary", "free"})
    ->ArgsProduct({{4096, 32000, 151936}, {0, 1}})
    ->Iterations(640);

void BM_CompileSchema(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(CompilePushdown(GrammarCompiler::Kind::kJsonSchema, kProducts).ok());
  }
}
BENCHMARK(BM_CompileSchema);

}  // namespace
}  // namespace emptor::engine
