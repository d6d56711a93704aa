// Agreement of every family with transformers: tests/golden/model_logits.
#include "engine/loading/hf_directory.h"
#include "gtest/gtest.h"
#include "tests/engine/support/golden_logits.h"
#include "tests/engine/support/model_directory.h"

namespace emptor::engine {
namespace {

class ModelLogitsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    golden_ =
        testing::GoldenLogits::Read(std::string("model_logits/") + GetParam() + "/golden.txt");
    ASSERT_EQ(golden_.logits.size(), 3u);
    testing::WriteGoldenModel(directory_, GetParam(), /*sharded=*/false);
    auto loaded = HfDirectory::Load(directory_.path());
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    source_ = std::move(*loaded);
  }

  testing::ModelMaker Maker() const {
    return [this](Isa isa, int threads) {
      auto model = Transformer::Create(
          source_, {.blocks = 8 * testing::kGoldenBlocks, .threads = threads, .isa = isa});
      EXPECT_TRUE(model.ok()) << model.status();
      return model.ok() ? std::move(*model) : nullptr;
    };
  }

  testing::GoldenLogits golden_;
  testing::ModelDirectory directory_;
  std::shared_ptr<const ModelSource> source_;
};

INSTANTIATE_TEST_SUITE_P(Families, ModelLogitsTest,
                         ::testing::Values("llama3", "llama_linear", "mistral", "mixtral", "qwen2",
                                           "qwen2_window", "qwen3", "qwen3_yarn"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(ModelLogitsTest, EveryInstructionSetAndChunkAgreesWithPyTorch) {
  testing::ExpectGoldenLogits(golden_, Maker());
}

TEST_P(ModelLogitsTest, GreedyTokensAreIdentical) { testing::ExpectGoldenTokens(golden_, Maker()); }

TEST_P(ModelLogitsTest, GreedyTokensOfABatchAreIdentical) {
  testing::ExpectGoldenTokensInABatch(golden_, Maker());
}

}  // namespace
}  // namespace emptor::engine
