// Steps of the transformer: decoding of 1 to 16 sequences, prompts, and the Q8_0 product alone.
// Run the release build: engine_bench --benchmark_min_time=0.5
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <random>

#include "engine/kernels/packed_weights.h"
#include "engine/loading/gguf_file.h"
#include "engine/model/transformer.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;
using ::emptor::testing::LlamaShape;

constexpr int kContextTokens = 400;  // what a question with its passages comes to
constexpr int kBlockTokens = 16;

// The shipped shape but for its vocabulary, and one fifty times its size.
const LlamaShape kShipped{.hidden_size = 256,
                          .layers = 6,
                          .heads = 4,
                          .kv_heads = 2,
                          .head_dim = 64,
                          .intermediate_size = 512,
                          .context = 1024,
                          .type = GgufWriter::kQ8};
const LlamaShape kLarge{.hidden_size = 1024,
                        .layers = 16,
                        .heads = 16,
                        .kv_heads = 4,
                        .head_dim = 64,
                        .intermediate_size = 2816,
                        .context = 1024,
                        .type = GgufWriter::kQ8};

/// A model in memory; made once for each shape.
class BenchModel {
 public:
  explicit BenchModel(const LlamaShape& shape) {
    const std::string bytes = testing::MakeRandomLlama(shape).Bytes();
    memory_ = *AlignedBuffer::Allocate(bytes.size());
    std::memcpy(memory_.data(), bytes.data(), bytes.size());
    file_ = *GgufFile::Parse(memory_.bytes(), "bench");
    model_ = *Transformer::Create(
        file_,
        {.blocks = 16 * 64, .block_tokens = kBlockTokens, .max_step_tokens = 512, .threads = 0});
    for (int i = 0; i < 16 * 64; ++i) blocks_.push_back(BlockId{i});
  }
  static BenchModel& Get(bool large) {
    static std::map<bool, std::unique_ptr<BenchModel>> models;
    auto& model = models[large];
    if (model == nullptr) model = std::make_unique<BenchModel>(large ? kLarge : kShipped);
    return *model;
  }

  Transformer& model() { return *model_; }
  size_t bytes() const { return memory_.size(); }
  std::span<const BlockId> blocks(int sequence) const {
    return std::span(blocks_).subspan(static_cast<size_t>(sequence) * 64, 64);
  }

 private:
  AlignedBuffer memory_;
  std::shared_ptr<const GgufFile> file_;
  std::unique_ptr<Transformer> model_;
  std::vector<BlockId> blocks_;
};

std::vector<int32_t> Tokens(size_t n) {
  std::mt19937 random(1);
  std::vector<int32_t> tokens(n);
  for (int32_t& token : tokens) token = static_cast<int32_t>(random() % 256);
  return tokens;
}

/// Tokens per second of `sequences` that decode together, each with 400 tokens behind it.
void BM_Decode(benchmark::State& state) {
  BenchModel& bench = BenchModel::Get(state.range(0) == 1);
  const auto sequences = static_cast<int>(state.range(1));
  const std::vector<int32_t> token = Tokens(1);
  std::vector<SequenceStep> steps;
  for (int i = 0; i < sequences; ++i) {
    steps.push_back({token, kContextTokens, bench.blocks(i), true});
  }
  std::vector<float> logits(static_cast<size_t>(sequences * bench.model().vocabulary_size()));
  for (auto _ : state) bench.model().ComputeInto(steps, logits);
  state.SetItemsProcessed(state.iterations() * sequences);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bench.bytes()));
}
BENCHMARK(BM_Decode)
    ->ArgNames({"large", "sequences"})
    ->ArgsProduct({{0, 1}, {1, 4, 16}})
    ->UseRealTime();

/// One sequence that verifies draft tokens: the time of a step of 1 + drafts tokens, of all of
/// which the logits are wanted, against that of a step of one. Items are tokens.
void BM_Verify(benchmark::State& state) {
  BenchModel& bench = BenchModel::Get(state.range(0) == 1);
  const auto count = static_cast<int>(state.range(1)) + 1;
  const std::vector<int32_t> tokens = Tokens(static_cast<size_t>(count));
  const SequenceStep step{tokens, kContextTokens, bench.blocks(0), count};
  std::vector<float> logits(static_cast<size_t>(count * bench.model().vocabulary_size()));
  for (auto _ : state) bench.model().ComputeInto(std::span(&step, 1), logits);
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(BM_Verify)
    ->ArgNames({"large", "drafts"})
    ->ArgsProduct({{0, 1}, {0, 1, 2, 3, 4, 5, 7, 9, 11, 15}})
    ->UseRealTime();

/// Tokens per second of a prompt of 400 tokens in one step.
void BM_Prefill(benchmark::State& state) {
  BenchModel& bench = BenchModel::Get(state.range(0) == 1);
  const std::vector<int32_t> tokens = Tokens(kContextTokens);
  const SequenceStep step{tokens, 0, bench.blocks(0), true};
  std::vector<float> logits(static_cast<size_t>(bench.model().vocabulary_size()));
  for (auto _ : state) bench.model().ComputeInto(std::span(&step, 1), logits);
  state.SetItemsProcessed(state.iterations() * kContextTokens);
}
BENCHMARK(BM_Prefill)
    ->ArgName("large")
    ->Arg(0)
    ->Arg(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// One thread's product of a 2048 x 2048 Q8_0 matrix; items are multiply-adds.
void BM_MatmulQ8(benchmark::State& state) {
  constexpr int64_t kSize = 2048;
  const auto tokens = static_cast<int>(state.range(0));
  const Kernels& kernels = KernelsFor(state.range(1) == 1 ? DetectIsa() : Isa::kReference);
  const bool packs = kernels.packs_weights && state.range(2) == 1;
  const std::string bytes = testing::RandomMatrix(GgufWriter::kQ8, kSize, kSize, 1, 1);
  std::vector<int8_t> q(static_cast<size_t>(tokens * kSize), 3);
  std::vector<float> scale(q.size() / kQuantBlock, 0.1f), out(static_cast<size_t>(tokens * kSize));
  TensorView weights{DType::kQ8_0, kSize, kSize, reinterpret_cast<const std::byte*>(bytes.data())};
  AlignedBuffer packed = *AlignedBuffer::Allocate(PackedBytes(DType::kQ8_0, kSize, kSize));
  PackWeights(weights, packed.data());
  if (packs) weights.packed = packed.data();
  std::vector<int32_t> offsets(scale.size());
  kernels.offset_terms(q.data(), std::ssize(q), offsets.data());
  for (auto _ : state) {
    kernels.matmul({.weights = weights,
                    .q = q.data(),
                    .q_scale = scale.data(),
                    .q_offset = offsets.data(),
                    .tokens = tokens,
                    .row_begin = 0,
                    .row_end = kSize,
                    .out = out.data(),
                    .out_stride = kSize});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * tokens * kSize * kSize);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(BM_MatmulQ8)
    ->ArgNames({"tokens", "fast", "packed"})
    ->ArgsProduct({{1, 4, 16, 64}, {1}, {0, 1}})
    ->Args({1, 0, 0});

}  // namespace
}  // namespace emptor::engine
