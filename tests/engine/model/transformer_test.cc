// The transformer on random weights: agreement of the variants, and independence of the batch.
#include "engine/model/transformer.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/loading/gguf_file.h"
#include "engine/loading/gguf_head.h"
#include "gtest/gtest.h"
#include "tests/engine/support/model_steps.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;
using ::emptor::testing::LlamaShape;

using ::emptor::testing::Blocks;
using ::emptor::testing::LastLogits;
using ::emptor::testing::RandomTokens;
using ::emptor::testing::RelativeDistance;

/// A loaded file and the models on it.
struct Loaded : testing::LoadedGguf {
  using LoadedGguf::LoadedGguf;
  std::unique_ptr<Transformer> Make(TransformerOptions options = {}) const {
    if (options.blocks == 0) options.blocks = 64;
    auto model = Transformer::Create(file, options);
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? std::move(*model) : nullptr;
  }
};

class TransformerTest : public ::testing::TestWithParam<DType> {
 protected:
  LlamaShape Shape() const {
    LlamaShape shape{.hidden_size = 64,
                     .layers = 3,
                     .heads = 4,
                     .kv_heads = 2,
                     .head_dim = 32,
                     .intermediate_size = 96,
                     .type = GgufTypeNumber(GetParam())};
    if (BlockElements(GetParam()) == kSuperBlock) {
      shape.hidden_size = 256;
      shape.head_dim = 64;
      shape.intermediate_size = 512;
    }
    return shape;
  }
};

INSTANTIATE_TEST_SUITE_P(StoredTypes, TransformerTest, ::testing::ValuesIn(kAllDTypes),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(TransformerTest, FastKernelsAgreeWithTheReference) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const std::vector<int32_t> tokens = RandomTokens(70, 1);
  const auto reference = loaded.Make({.isa = Isa::kReference});
  const std::vector<float> want = LastLogits(*reference, tokens, 70, Blocks(0, 5));
  for (const Isa isa : AvailableIsas()) {
    const auto model = loaded.Make({.isa = isa});
    // Rounding alone; with Q8_0 a rounding can tip an activation over to the next of its 127 steps,
    // and a few tipped ones in each layer of random weights come to some per cent.
    // BF16 activations carry 8 bits.
    const bool rounded = GetParam() == DType::kBF16 && KernelsFor(isa).rounds_to_bf16;
    const double bound = IsQuantized(GetParam()) ? 0.03 : rounded ? 0.02 : 1e-3;
    EXPECT_LT(RelativeDistance(want, LastLogits(*model, tokens, 70, Blocks(3, 5))), bound);
  }
}

TEST_P(TransformerTest, ChunksBlocksAndThreadsDoNotChangeABit) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const std::vector<int32_t> tokens = RandomTokens(50, 2);
  const auto model = loaded.Make();
  const std::vector<float> want = LastLogits(*model, tokens, 50, Blocks(0, 4));
  for (const size_t chunk : {1u, 3u, 16u, 49u}) {
    EXPECT_EQ(LastLogits(*model, tokens, chunk, Blocks(20, 4)), want) << chunk;
  }
  const auto threaded = loaded.Make({.threads = 3});
  EXPECT_EQ(LastLogits(*threaded, tokens, 50, Blocks(0, 4)), want);
  const auto small_blocks = loaded.Make({.block_tokens = 4});
  EXPECT_EQ(LastLogits(*small_blocks, tokens, 7, Blocks(2, 13)), want);
}

TEST_P(TransformerTest, KeysAndValuesInInt8StayNearThoseInF16) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const std::vector<int32_t> tokens = RandomTokens(50, 2);
  const std::vector<float> want = LastLogits(*loaded.Make(), tokens, 50, Blocks(0, 4));
  const auto model = loaded.Make({.kv_type = KvType::kInt8});
  const std::vector<float> got = LastLogits(*model, tokens, 50, Blocks(0, 4));
  // A step is 1 / 127 of the largest of a head: under one per cent of each element, of which many
  // are summed; quantised weights then tip some activations over.
  EXPECT_LT(RelativeDistance(want, got), 0.04);
  EXPECT_NE(got, want);
  for (const size_t chunk : {1u, 7u}) {
    EXPECT_EQ(LastLogits(*model, tokens, chunk, Blocks(20, 4)), got) << chunk;
  }
}

/// The logits of the last `rows` tokens, computed in one step on top of the others.
std::vector<float> LogitsOfLast(Model& model, const std::vector<int32_t>& tokens, int rows,
                                const std::vector<BlockId>& blocks) {
  const size_t done = tokens.size() - static_cast<size_t>(rows);
  const SequenceStep prompt{std::span(tokens).first(done), 0, blocks};
  model.ComputeInto(std::span(&prompt, 1), {});
  std::vector<float> logits(static_cast<size_t>(rows * model.vocabulary_size()));
  const SequenceStep step{std::span(tokens).subspan(done), static_cast<int>(done), blocks, rows};
  model.ComputeInto(std::span(&step, 1), logits);
  return logits;
}

TEST_P(TransformerTest, LogitsOfSeveralTokensOfAStepAreThoseOfOneAfterTheOther) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const std::vector<int32_t> tokens = RandomTokens(40, 6);
  for (const KvType type : {KvType::kF16, KvType::kInt8}) {
    for (const Isa isa : AvailableIsas()) {
      const auto model = loaded.Make({.threads = 2, .kv_type = type, .isa = isa});
      const std::vector<float> rows = LogitsOfLast(*model, tokens, 9, Blocks(0, 3));
      for (size_t i = 0; i < 9; ++i) {
        const std::vector<int32_t> begin(tokens.begin(), tokens.end() - 8 + static_cast<int>(i));
        const std::vector<float> alone = LastLogits(*model, begin, 1, Blocks(30, 3));
        const auto row = std::span(rows).subspan(i * alone.size(), alone.size());
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(), row.begin())) << i;
      }
    }
  }
}

TEST_P(TransformerTest, TokensThatAreComputedOverOthersLeaveNoTraceOfThem) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const std::vector<int32_t> tokens = RandomTokens(40, 7);
  std::vector<int32_t> rejected(tokens.begin(), tokens.begin() + 30);
  for (const int32_t token : RandomTokens(8, 8)) rejected.push_back(token);
  for (const KvType type : {KvType::kF16, KvType::kInt8}) {
    const auto model = loaded.Make({.kv_type = type});
    const std::vector<float> want = LastLogits(*model, tokens, 40, Blocks(0, 3));
    LastLogits(*model, rejected, 38, Blocks(10, 3));
    std::vector<float> got(static_cast<size_t>(model->vocabulary_size()));
    const std::vector<BlockId> blocks = Blocks(10, 3);
    const SequenceStep step{std::span(tokens).subspan(30), 30, blocks, 1};
    model->ComputeInto(std::span(&step, 1), got);
    EXPECT_EQ(got, want);
  }
}

TEST_P(TransformerTest, MemoryOfPackedMatricesIsGivenUpAndNothingElseChanges) {
  for (const bool tied : {true, false}) {
    LlamaShape shape = Shape();
    shape.tied = tied;
    const std::string path =
        ::testing::TempDir() + "released_" + std::to_string(getpid()) + ".gguf";
    testing::MakeRandomLlama(shape).WriteTo(path);
    auto file = GgufFile::Load(path);
    ASSERT_TRUE(file.ok()) << file.status();
    const std::vector<int32_t> tokens = RandomTokens(20, 5);
    const Loaded loaded(testing::MakeRandomLlama(shape));
    const std::vector<float> want = LastLogits(*loaded.Make(), tokens, 20, Blocks(0, 2));
    auto model = Transformer::Create(std::move(*file), {.blocks = 4, .release_file = true});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(LastLogits(**model, tokens, 20, Blocks(0, 2)), want);
  }
}

TEST_P(TransformerTest, OtherSequencesOfTheStepDoNotChangeABit) {
  const Loaded loaded(testing::MakeRandomLlama(Shape()));
  const auto model = loaded.Make({.threads = 2});
  const auto vocabulary = static_cast<size_t>(model->vocabulary_size());
  std::vector<std::vector<int32_t>> prompts;
  std::vector<std::vector<BlockId>> blocks;
  std::vector<SequenceStep> steps;
  for (int i = 0; i < 7; ++i) {
    prompts.push_back(RandomTokens(static_cast<size_t>(3 + 5 * i), static_cast<uint64_t>(i)));
    blocks.push_back(Blocks(i * 3, 3));
  }
  for (size_t i = 0; i < 7; ++i) steps.push_back({prompts[i], 0, blocks[i], i != 3});
  std::vector<float> together(6 * vocabulary);
  model->ComputeInto(steps, together);
  size_t row = 0;
  for (size_t i = 0; i < 7; ++i) {
    if (i == 3) continue;
    const std::vector<float> alone = LastLogits(*model, prompts[i], 100, Blocks(50, 3));
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(),
                           together.begin() + static_cast<std::ptrdiff_t>(row * vocabulary)))
        << i;
    ++row;
  }
}

TEST(TransformerShapeTest, TakesShapesThatAreNoMultiplesOf8) {
  for (const bool tied : {true, false}) {
    const Loaded loaded(testing::MakeRandomLlama({.hidden_size = 20,
                                                  .layers = 2,
                                                  .heads = 3,
                                                  .kv_heads = 1,
                                                  .head_dim = 6,
                                                  .intermediate_size = 43,
                                                  .tied = tied}));
    const std::vector<int32_t> tokens = RandomTokens(20, 5);
    const auto reference = loaded.Make({.isa = Isa::kReference});
    const auto model = loaded.Make();
    EXPECT_LT(RelativeDistance(LastLogits(*reference, tokens, 20, Blocks(0, 2)),
                               LastLogits(*model, tokens, 6, Blocks(0, 2))),
              1e-3);
  }
}

struct RefusedCase {
  std::string name;
  absl::StatusCode code;
  std::string expected;
  std::function<void(GgufWriter&)> add;
};

class RefusedModelTest : public ::testing::TestWithParam<RefusedCase> {};

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedModelTest,
    ::testing::Values(
        RefusedCase{"UnusedTensor", absl::StatusCode::kUnimplemented, "tensors, of which",
                    [](GgufWriter& w) {
                      w.AddTensor("blk.0.attn_sinks.weight", {64}, 0, std::string(256, 0));
                    }},
        RefusedCase{"RopeScalingType", absl::StatusCode::kUnimplemented, "rope.scaling.type",
                    [](GgufWriter& w) {
                      w.AddString("llama.rope.scaling.type", "longrope");
                      w.AddFloat("llama.rope.scaling.factor", 2);
                    }},
        RefusedCase{"RopeScalingWithoutFactor", absl::StatusCode::kInvalidArgument,
                    "rope.scaling.factor: missing",
                    [](GgufWriter& w) { w.AddString("llama.rope.scaling.type", "linear"); }},
        RefusedCase{"YarnWithoutContext", absl::StatusCode::kInvalidArgument,
                    "rope.scaling.original_context_length: missing",
                    [](GgufWriter& w) {
                      w.AddString("llama.rope.scaling.type", "yarn");
                      w.AddFloat("llama.rope.scaling.factor", 2);
                    }},
        RefusedCase{"ExpertsWithoutTheirTensors", absl::StatusCode::kInvalidArgument,
                    "ffn_gate_inp.weight: missing",
                    [](GgufWriter& w) {
                      w.AddUint32("llama.expert_count", 8);
                      w.AddUint32("llama.expert_used_count", 2);
                    }},
        RefusedCase{"MoreExpertsUsedThanThereAre", absl::StatusCode::kInvalidArgument,
                    "expert_used_count: expected 1 to 8, found 9",
                    [](GgufWriter& w) {
                      w.AddUint32("llama.expert_count", 8);
                      w.AddUint32("llama.expert_used_count", 9);
                    }},
        RefusedCase{
            "BiasOfAnotherShape", absl::StatusCode::kInvalidArgument, "blk.0.attn_q.bias: shape",
            [](GgufWriter& w) { w.AddTensor("blk.0.attn_q.bias", {32}, 0, std::string(128, 0)); }},
        RefusedCase{"BiasNotFinite", absl::StatusCode::kInvalidArgument,
                    "blk.0.attn_q.bias: holds a number that is not finite",
                    [](GgufWriter& w) {
                      w.AddTensor("blk.0.attn_q.bias", {64}, 0, std::string(256, '\xff'));
                    }},
        RefusedCase{
            "RopeFactorZero", absl::StatusCode::kInvalidArgument,
            "rope_freqs.weight: expected positive",
            [](GgufWriter& w) { w.AddTensor("rope_freqs.weight", {8}, 0, std::string(32, 0)); }},
        RefusedCase{"RopeBaseZero", absl::StatusCode::kInvalidArgument, "rope.freq_base",
                    [](GgufWriter& w) { w.AddFloat("llama.rope.freq_base", 0); }},
        RefusedCase{"RopeBaseNaN", absl::StatusCode::kInvalidArgument, "rope.freq_base",
                    [](GgufWriter& w) { w.AddFloat("llama.rope.freq_base", NAN); }},
        RefusedCase{
            "OutputOfAnotherShape", absl::StatusCode::kInvalidArgument, "output.weight",
            [](GgufWriter& w) { w.AddTensor("output.weight", {64}, 0, std::string(256, 0)); }}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedModelTest, SaysWhy) {
  GgufWriter writer = testing::MakeRandomLlama({});
  GetParam().add(writer);
  const Loaded loaded(writer);
  const auto model = Transformer::Create(loaded.file, {.blocks = 4});
  EXPECT_EQ(model.status().code(), GetParam().code);
  EXPECT_NE(model.status().message().find(GetParam().expected), std::string::npos)
      << model.status();
}

struct ShapeCase {
  std::string expected;
  std::function<void(LlamaShape&)> spoil;
};

TEST(RefusedShapeTest, NamesTheKey) {
  const std::vector<ShapeCase> cases = {
      {"block_count", [](LlamaShape& s) { s.layers = 0; }},
      {"head_count_kv", [](LlamaShape& s) { s.kv_heads = 3; }},
      {"rope.dimension_count", [](LlamaShape& s) { s.head_dim = 15; }},
      {"context_length", [](LlamaShape& s) { s.context = 0; }},
  };
  for (const ShapeCase& c : cases) {
    LlamaShape shape;
    c.spoil(shape);
    const Loaded loaded(testing::MakeRandomLlama(shape));
    const auto config = loaded.file->Config();
    EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(config.status().message().find(c.expected), std::string::npos) << config.status();
  }
}

TEST(RefusedShapeTest, BlockCount513IsOutOfRange) {
  GgufWriter writer;
  writer.AddString("general.architecture", "llama");
  for (const char* key :
       {"context_length", "embedding_length", "feed_forward_length", "attention.head_count"}) {
    writer.AddUint32(std::string("llama.") + key, 1);
  }
  writer.AddUint32("llama.block_count", 513);
  writer.AddTensor("token_embd.weight", {1, 1}, 0, std::string(4, 0));
  const Loaded loaded(writer);
  EXPECT_EQ(loaded.file->Config().status().message(),
            "random: llama.block_count: expected 1 to 512, found 513");
}

}  // namespace
}  // namespace emptor::engine
