// Keys and values from the prefix cache, forked or recomputed are equal to the bit to what is
// computed in one go, with the real transformer.
#include <cmath>
#include <random>
#include <utility>

#include "engine/batch_runner.h"
#include "engine/loading/gguf_file.h"
#include "engine/model/tensor_parallel.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/support/byte_tokenizer.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::AlignedCopy;
using ::emptor::testing::GgufWriter;

/// A model that keeps the logits it gave, row by row.
class Recorder final : public Model {
 public:
  explicit Recorder(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  int vocabulary_size() const override { return model_->vocabulary_size(); }
  int context_length() const override { return model_->context_length(); }
  void ComputeInto(std::span<const SequenceStep> steps, std::span<float> logits) override {
    model_->ComputeInto(steps, logits);
    const auto vocabulary = static_cast<size_t>(vocabulary_size());
    for (size_t at = 0; at < logits.size(); at += vocabulary) {
      const auto row = logits.subspan(at, vocabulary);
      rows_.emplace_back(row.begin(), row.end());
      for (float& logit : row.subspan(256)) logit = -INFINITY;  // bytes alone are chosen
    }
    for (const SequenceStep& step : steps) computed_ += static_cast<int>(step.tokens.size());
  }
  void CopyBlock(BlockId from, BlockId to) override { model_->CopyBlock(from, to); }

  std::vector<std::vector<float>> TakeRows() { return std::exchange(rows_, {}); }
  int TakeComputed() { return std::exchange(computed_, 0); }

 private:
  std::unique_ptr<Model> model_;
  std::vector<std::vector<float>> rows_;
  int computed_ = 0;
};

struct ReuseCase {
  const char* name;
  uint32_t type;
  int ranks;
  KvType kv_type = KvType::kF16;
};

class PrefixReuseTest : public ::testing::TestWithParam<ReuseCase> {
 protected:
  std::unique_ptr<Recorder> MakeModel() {
    auto model = CreateModel(file_, {.blocks = kBlocks,
                                     .block_tokens = 8,
                                     .max_step_tokens = 32,
                                     .threads = 2,
                                     .ranks = GetParam().ranks,
                                     .kv_type = GetParam().kv_type});
    EXPECT_TRUE(model.ok()) << model.status();
    return std::make_unique<Recorder>(std::move(*model));
  }
  /// Runs one request to its end; gives its texts by choice.
  std::vector<std::string> Ask(BatchRunner& runner, std::vector<TokenId> prompt, int n = 1) {
    std::vector<std::string> texts(static_cast<size_t>(n));
    PreparedRequest request;
    request.handle = ++handle_;
    request.prompt = std::move(prompt);
    request.max_tokens = 12;
    request.n = n;
    request.sampling.temperature = 1;
    request.sampling.seed = 5;
    request.callbacks.on_text = [&](const TextPiece& piece) {
      for (const SampledToken& token : piece.tokens) {
        texts[static_cast<size_t>(piece.choice)] += static_cast<char>(token.id);
      }
    };
    request.callbacks.on_end = [&](const GenerationEnd& end) { cached_ = end.usage.cached_tokens; };
    runner.Add(std::move(request));
    while (runner.Step()) {
    }
    return texts;
  }
  std::vector<TokenId> Prompt(size_t size, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<TokenId> prompt(size);
    for (TokenId& token : prompt) token = static_cast<TokenId>(random() % 256);
    return prompt;
  }
  BatchRunner Runner(Model& model, bool cache, int step_tokens = 32) {
    return {model,
            *tokenizer_,
            {.block_tokens = 8, .max_step_tokens = step_tokens},
            {kBlocks, cache},
            [] { return std::chrono::steady_clock::time_point(); }};
  }

  static constexpr int kBlocks = 24;
  const AlignedCopy copy_{testing::MakeRandomLlama({.hidden_size = 64,
                                                    .heads = 4,
                                                    .kv_heads = 2,
                                                    .head_dim = 32,
                                                    .intermediate_size = 96,
                                                    .type = GetParam().type,
                                                    .seed = 11})
                              .Bytes()};
  const std::shared_ptr<const GgufFile> file_ =
      std::move(*GgufFile::Parse(copy_.bytes(), "random"));
  const std::unique_ptr<const Tokenizer> tokenizer_ = testing::ByteTokenizer();
  uint64_t handle_ = 0;
  int cached_ = 0;
};

INSTANTIATE_TEST_SUITE_P(
    Models, PrefixReuseTest,
    ::testing::Values(ReuseCase{"F32", GgufWriter::kF32, 1},
                      ReuseCase{"BF16", GgufWriter::kBF16, 1}, ReuseCase{"Q8", GgufWriter::kQ8, 1},
                      ReuseCase{"F32OnTwoRanks", GgufWriter::kF32, 2},
                      ReuseCase{"F32WithKvInInt8", GgufWriter::kF32, 1, KvType::kInt8},
                      ReuseCase{"F32OnTwoRanksWithKvInInt8", GgufWriter::kF32, 2, KvType::kInt8}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PrefixReuseTest, ColdAndWarmLogitsAreEqualToTheBit) {
  const auto model = MakeModel();
  const std::vector<TokenId> prompt = Prompt(61, 1);
  BatchRunner plain = Runner(*model, false);
  const auto text = Ask(plain, prompt);
  const auto want = model->TakeRows();
  EXPECT_EQ(model->TakeComputed(), 61 + 11);

  const auto other_model = MakeModel();
  BatchRunner caching = Runner(*other_model, true, 13);
  EXPECT_EQ(Ask(caching, prompt), text);
  EXPECT_EQ(other_model->TakeRows(), want);
  other_model->TakeComputed();
  EXPECT_EQ(Ask(caching, prompt), text);
  EXPECT_EQ(other_model->TakeRows(), want);
  EXPECT_EQ(cached_, 56);
  EXPECT_EQ(other_model->TakeComputed(), 5 + 11);

  // Another end after the same beginning.
  std::vector<TokenId> other(prompt.begin(), prompt.begin() + 40);
  const std::vector<TokenId> tail = Prompt(30, 2);
  other.insert(other.end(), tail.begin(), tail.end());
  EXPECT_EQ(Ask(caching, other), Ask(plain, other));
  EXPECT_EQ(other_model->TakeRows(), model->TakeRows());
  EXPECT_LT(other_model->TakeComputed(), model->TakeComputed());
}

TEST_P(PrefixReuseTest, AnswersOfOnePromptAreThoseOfEachAlone) {
  const auto model = MakeModel();
  const std::vector<TokenId> prompt = Prompt(21, 3);
  BatchRunner plain = Runner(*model, false);
  const auto four = Ask(plain, prompt, 4);
  model->TakeRows();
  const auto one = Ask(plain, prompt);
  EXPECT_EQ(four[0], one[0]);
  EXPECT_NE(four[1], four[0]);
  model->TakeRows();
  // What the second answer was chosen from is what its own text leads to.
  std::vector<TokenId> longer = prompt;
  for (size_t i = 0; i + 1 < four[1].size(); ++i) {
    longer.push_back(static_cast<uint8_t>(four[1][i]));
  }
  const auto other_model = MakeModel();
  BatchRunner caching = Runner(*other_model, true);
  EXPECT_EQ(Ask(caching, prompt, 4), four);
  other_model->TakeRows();
  model->TakeRows();
  Ask(caching, longer);
  EXPECT_EQ(cached_, 24);  // the prompt and the beginning of the second answer
  Ask(plain, longer);
  EXPECT_EQ(model->TakeRows(), other_model->TakeRows());
}

}  // namespace
}  // namespace emptor::engine
