// Adapters of PEFT against PyTorch (tests/golden/lora), and adapters together in one step.
#include <string>

#include "engine/conversion/quantizer.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/hf_directory.h"
#include "engine/loading/lora_reader.h"
#include "engine/model/tensor_parallel.h"
#include "gmock/gmock.h"
#include "tests/engine/support/golden_logits.h"
#include "tests/engine/support/model_directory.h"
#include "tests/engine/support/model_steps.h"
#include "tests/support/random_lora.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::Blocks;
using ::emptor::testing::LastLogits;
using ::emptor::testing::LlamaShape;
using ::emptor::testing::LoadedGguf;
using ::emptor::testing::RandomTokens;
using ::emptor::testing::RelativeDistance;

struct LoraCase {
  const char* name;     // for the test
  const char* adapter;  // folder of tests/golden/lora
  const char* family;   // folder of tests/golden/model_logits
  bool gguf_base;       // the directory written as GGUF: other names, llama's rows in another order
  bool gguf_adapter;
  bool merged;
};

class LoraLogitsTest : public ::testing::TestWithParam<LoraCase> {
 protected:
  void SetUp() override {
    const LoraCase& tested = GetParam();
    golden_ = testing::GoldenLogits::Read(std::string("lora/") + tested.adapter + "/golden.txt");
    ASSERT_EQ(golden_.logits.size(), 3u);
    golden_.adapter = tested.merged ? -1 : 0;
    testing::WriteGoldenModel(directory_, tested.family, /*sharded=*/false);
    LoadBase();
    std::string path = EMPTOR_SOURCE_DIR "/tests/golden/lora/" + std::string(tested.adapter);
    if (tested.gguf_adapter) path += "/adapter.gguf";
    auto adapter = LoadLora(path, *source_->Config());
    ASSERT_TRUE(adapter.ok()) << adapter.status();
    adapter_ = *std::move(adapter);
  }

  void LoadBase() {
    if (GetParam().gguf_base) {  // which needs a tokenizer of the vocabulary's size
      std::string tokens;
      for (int i = 258; i < 320; ++i)
        tokens += ",\"<unused" + std::to_string(i) + ">\":" + std::to_string(i);
      std::string json = testing::ByteTokenizerJson();
      json.insert(json.find("},\"merges\""), tokens);
      directory_.Write("tokenizer.json", json);
    }
    auto loaded = HfDirectory::Load(directory_.path());
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    source_ = std::move(*loaded);
    if (!GetParam().gguf_base) return;
    const std::string path = directory_.path() + "/base.gguf";
    const auto written = QuantizeModel(*source_, DType::kF32, path);
    ASSERT_TRUE(written.ok()) << written.status();
    auto file = GgufFile::Load(path);
    ASSERT_TRUE(file.ok()) << file.status();
    source_ = std::move(*file);
  }

  testing::ModelMaker Maker() const {
    return [this](Isa isa, int threads) {
      TransformerOptions options{
          .blocks = 8 * testing::kGoldenBlocks, .threads = threads, .isa = isa};
      if (GetParam().merged) {
        options.merged = &adapter_;
      } else {
        options.adapters = {&adapter_};
      }
      auto model = Transformer::Create(source_, options);
      EXPECT_TRUE(model.ok()) << model.status();
      return model.ok() ? std::move(*model) : nullptr;
    };
  }

  testing::GoldenLogits golden_;
  testing::ModelDirectory directory_;
  std::shared_ptr<const ModelSource> source_;
  LoraAdapter adapter_;
};

INSTANTIATE_TEST_SUITE_P(
    Cases, LoraLogitsTest,
    ::testing::Values(LoraCase{"Peft", "llama3_all", "llama3", false, false, false},
                      LoraCase{"PeftMerged", "llama3_all", "llama3", false, false, true},
                      LoraCase{"PeftOnGguf", "llama3_all", "llama3", true, false, false},
                      LoraCase{"PeftOnGgufMerged", "llama3_all", "llama3", true, false, true},
                      LoraCase{"Gguf", "llama3_all", "llama3", true, true, false},
                      LoraCase{"GgufOnDirectory", "llama3_all", "llama3", false, true, false},
                      LoraCase{"Patterns", "llama3_patterns", "llama3", false, false, false},
                      LoraCase{"PatternsMerged", "llama3_patterns", "llama3", true, false, true},
                      LoraCase{"Qwen2", "qwen2_attention", "qwen2", false, false, false},
                      LoraCase{"Qwen2OnGguf", "qwen2_attention", "qwen2", true, false, false}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(LoraLogitsTest, EveryInstructionSetAndChunkAgreesWithPeft) {
  testing::ExpectGoldenLogits(golden_, Maker());
}

TEST_P(LoraLogitsTest, GreedyTokensAreIdentical) { testing::ExpectGoldenTokens(golden_, Maker()); }

TEST_P(LoraLogitsTest, GreedyTokensOfABatchAreIdentical) {
  testing::ExpectGoldenTokensInABatch(golden_, Maker());
}

/// A base model and two adapters of random numbers.
class LoraBatchTest : public ::testing::TestWithParam<DType> {
 protected:
  LoraBatchTest() {
    base_.heads = 8;
    base_.kv_heads = 4;
    base_.head_dim = 32;
    base_.intermediate_size = 128;
    base_.type = GgufTypeNumber(GetParam());
    file_ = std::make_unique<LoadedGguf>(testing::MakeRandomLlama(base_));
    first_ = Read({.rank = 4, .seed = 1});
    second_ = Read({.rank = 9,
                    .targets = {"attn_q", "ffn_down"},
                    .type = testing::GgufWriter::kBF16,
                    .seed = 2});
  }

  LoraAdapter Read(const testing::LoraShape& shape) const {
    const LoadedGguf file(testing::MakeRandomLora(base_, shape));
    auto adapter = ReadGgufLora(*file.file, *file_->file->Config());
    EXPECT_TRUE(adapter.ok()) << adapter.status();
    return adapter.ok() ? *std::move(adapter) : LoraAdapter{};
  }
  std::unique_ptr<Model> Make(TransformerOptions options) const {
    options.blocks = 64;
    auto model = CreateModel(file_->file, options);
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? *std::move(model) : nullptr;
  }
  std::unique_ptr<Model> MakeWithBoth(int threads = 2, int ranks = 1) const {
    return Make({.threads = threads, .ranks = ranks, .adapters = {&first_, &second_}});
  }

  LlamaShape base_;
  std::unique_ptr<LoadedGguf> file_;
  LoraAdapter first_, second_;
};

INSTANTIATE_TEST_SUITE_P(Types, LoraBatchTest,
                         ::testing::Values(DType::kF32, DType::kBF16, DType::kQ8_0, DType::kQ4_0),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

std::vector<float> Alone(Model& model, const std::vector<int32_t>& tokens, int adapter) {
  const std::vector<BlockId> blocks = Blocks(56, 4);
  std::vector<float> logits(static_cast<size_t>(model.vocabulary_size()));
  const SequenceStep step{tokens, 0, blocks, true, adapter};
  model.ComputeInto(std::span(&step, 1), logits);
  return logits;
}

TEST_P(LoraBatchTest, SequencesOfSeveralAdaptersGetToTheBitWhatTheyGetAlone) {
  const auto model = MakeWithBoth();
  const auto vocabulary = static_cast<size_t>(model->vocabulary_size());
  const std::vector<int> adapters = {1, -1, 0, 1, 0, -1, 0};
  std::vector<std::vector<int32_t>> prompts;
  std::vector<std::vector<BlockId>> blocks;
  std::vector<SequenceStep> steps;
  for (size_t i = 0; i < adapters.size(); ++i) {
    prompts.push_back(RandomTokens(3 + 5 * i, i));
    blocks.push_back(Blocks(static_cast<int>(i) * 3, 3));
  }
  for (size_t i = 0; i < adapters.size(); ++i) {
    steps.push_back({prompts[i], 0, blocks[i], i != 3, adapters[i]});
  }
  std::vector<float> together(6 * vocabulary);
  model->ComputeInto(steps, together);
  size_t row = 0;
  for (size_t i = 0; i < adapters.size(); ++i) {
    if (i == 3) continue;
    const std::vector<float> alone = Alone(*model, prompts[i], adapters[i]);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(),
                           together.begin() + static_cast<std::ptrdiff_t>(row++ * vocabulary)))
        << i;
  }
}

TEST_P(LoraBatchTest, WithoutAnAdapterNothingChanges) {
  const std::vector<int32_t> tokens = RandomTokens(30, 3);
  const auto plain = Make({});
  const auto model = MakeWithBoth();
  const std::vector<float> unchanged = Alone(*plain, tokens, -1);
  EXPECT_EQ(Alone(*model, tokens, -1), unchanged);
  EXPECT_GT(RelativeDistance(unchanged, Alone(*model, tokens, 0)), 0.3);
  EXPECT_GT(RelativeDistance(Alone(*model, tokens, 1), Alone(*model, tokens, 0)), 0.3);
}

TEST_P(LoraBatchTest, AMergedAdapterIsTheSameUpToTheRoundingOfItsSums) {
  const std::vector<int32_t> tokens = RandomTokens(30, 3);
  const auto merged = Make({.threads = 2, .merged = &first_});
  // The sums are rounded to the type of the matrices, or to Q8_0.
  const double bound = GetParam() == DType::kF32 ? 1e-4 : 0.04;
  EXPECT_LT(RelativeDistance(Alone(*MakeWithBoth(), tokens, 0), Alone(*merged, tokens, -1)), bound);
}

TEST_P(LoraBatchTest, RanksAgreeWithOne) {
  const std::vector<int32_t> tokens = RandomTokens(30, 3);
  const double bound = GetParam() == DType::kF32 ? 1e-4 : 0.04;
  for (const int adapter : {0, 1}) {
    const std::vector<float> want = Alone(*MakeWithBoth(), tokens, adapter);
    EXPECT_LT(RelativeDistance(want, Alone(*MakeWithBoth(4, 2), tokens, adapter)), bound);
  }
  const auto merged = Make({.threads = 4, .ranks = 4, .merged = &first_});
  EXPECT_LT(RelativeDistance(Alone(*MakeWithBoth(), tokens, 0), Alone(*merged, tokens, -1)), bound);
}

TEST(DescribeMergeTest, SaysWhatBecomesOfEachType) {
  LlamaShape base{.type = GgufTypeNumber(DType::kQ4_0)};
  const LoadedGguf file(testing::MakeRandomLlama(base));
  const auto config = *file.file->Config();
  const LoadedGguf lora(testing::MakeRandomLora(base, {.targets = {"attn_q", "attn_v"}}));
  const auto adapter = ReadGgufLora(*lora.file, config);
  ASSERT_TRUE(adapter.ok()) << adapter.status();
  auto weights = ModelWeights::Read(*file.file, config);
  ASSERT_TRUE(weights.ok());
  EXPECT_EQ(DescribeMerge(*adapter, *weights), "4 matrices of Q4_0, stored as Q8_0");
}

TEST(LoraMergeTest, RefusesASumThatItsTypeCannotHold) {
  LlamaShape base{.type = testing::GgufWriter::kF16};
  const LoadedGguf file(testing::MakeRandomLlama(base));
  const LoadedGguf lora(testing::MakeRandomLora(base, {.alpha = 1e6f}));
  const auto adapter = ReadGgufLora(*lora.file, *file.file->Config());
  ASSERT_TRUE(adapter.ok()) << adapter.status();
  const auto model = Transformer::Create(file.file, {.blocks = 4, .merged = &*adapter});
  EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(model.status().message()), ::testing::HasSubstr("beyond F16"));
}

}  // namespace
}  // namespace emptor::engine
