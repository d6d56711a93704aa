// What choosing a token costs: greedy, and with references held to those that can be filled.
#include <benchmark/benchmark.h>

#include <random>

#include "engine/sampling/reference_constraint.h"
#include "engine/sampling/sampler.h"

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

}  // namespace
}  // namespace emptor::engine
