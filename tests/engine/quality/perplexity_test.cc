// Perplexity: what is counted, what is refused, and that no instruction set predicts worse.
#include "engine/quality/perplexity.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/conversion/quantizer.h"
#include "engine/loading/model_loader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

const std::string kShippedModel = EMPTOR_SOURCE_DIR "/engine/models/emptor-lm.gguf";

std::vector<QualityText> HeldOutTexts(size_t count) {
  std::ifstream file(EMPTOR_SOURCE_DIR "/tests/golden/lm_eval/held_out_conversations.jsonl");
  std::ostringstream text;
  text << file.rdbuf();
  auto texts = ParseQualityTexts(text.str());
  EXPECT_TRUE(texts.ok()) << texts.status();
  texts->resize(std::min(count, texts->size()));
  return *texts;
}

TEST(PerplexityTest, InstructionSetsAndWindowsOfThreadsPredictAlike) {
  std::vector<QualityText> texts = HeldOutTexts(1);
  texts[0].messages[0].content.resize(300);  // the reference kernels take their time
  texts[0].messages.resize(3);
  const auto reference =
      MeasurePerplexity(kShippedModel, texts, {.threads = 1, .isa = Isa::kReference});
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_GT(reference->tokens, 100);
  EXPECT_GT(reference->value(), 1);
  EXPECT_LT(reference->value(), 60);
  for (const Isa isa : AvailableIsas()) {
    const auto one = MeasurePerplexity(kShippedModel, texts, {.threads = 1, .isa = isa});
    const auto two = MeasurePerplexity(kShippedModel, texts, {.threads = 2, .isa = isa});
    ASSERT_TRUE(one.ok() && two.ok());
    EXPECT_EQ(one->log_likelihood, two->log_likelihood);
    EXPECT_NEAR(one->value() / reference->value(), 1, 0.005) << IsaName(isa);
  }
}

TEST(PerplexityTest, ATextDoesNotDependOnItsNeighbours) {
  std::vector<QualityText> texts = HeldOutTexts(2);
  texts.push_back({.text = "The drum sizes are 22 in, 12 in and 16 in."});
  const auto all = MeasurePerplexity(kShippedModel, texts, {.window = 100});
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->of_text.size(), 3u);
  double sum = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto alone =
        MeasurePerplexity(kShippedModel, std::span(texts).subspan(i, 1), {.window = 100});
    ASSERT_TRUE(alone.ok()) << alone.status();
    EXPECT_EQ(alone->log_likelihood, all->of_text[i]);
    sum += alone->log_likelihood;
  }
  EXPECT_NEAR(all->log_likelihood, sum, 1e-6);
}

TEST(PerplexityTest, Q8WeightsPredictAsTheirFloatsDo) {
  const std::string path =
      ::testing::TempDir() + "perplexity_test_" + std::to_string(getpid()) + ".gguf";
  const auto source = LoadModelSource(kShippedModel);
  ASSERT_TRUE(source.ok()) << source.status();
  const auto made = QuantizeModel(**source, DType::kF32, path);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->tensors.size(), 1u);
  const std::vector<QualityText> texts = HeldOutTexts(2);
  const auto floats = MeasurePerplexity(path, texts, {.threads = 1});
  const auto bytes = MeasurePerplexity(kShippedModel, texts, {.threads = 1});
  std::filesystem::remove(path);
  ASSERT_TRUE(floats.ok() && bytes.ok()) << floats.status() << bytes.status();
  EXPECT_EQ(floats->tokens, bytes->tokens);
  EXPECT_NEAR(bytes->value() / floats->value(), 1, 0.005);
}

TEST(PerplexityTest, NamesTheLineThatItCannotRead) {
  const std::string good = "{\"text\": \"a\"}\n\n";
  const std::pair<std::string, std::string> cases[] = {
      {"[", "line 3: byte 1"},
      {"{\"messages\": 1}", "line 3: messages"},
      {"{\"messages\": [{\"role\": \"user\"}]}", "line 3: messages"},
      {"{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}", "assistant's message"},
  };
  for (const auto& [line, message] : cases) {
    const auto texts = ParseQualityTexts(good + line + "\n");
    EXPECT_EQ(texts.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(texts.status().message()), HasSubstr(message));
  }
  EXPECT_EQ(ParseQualityTexts(good)->size(), 1u);
}

TEST(PerplexityTest, RefusesNothingToPredict) {
  const std::vector<QualityText> one_token = {{.text = "a"}};
  EXPECT_EQ(MeasurePerplexity(kShippedModel, one_token, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(MeasurePerplexity(kShippedModel, HeldOutTexts(1), {.window = 1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(MeasurePerplexity("/nowhere.gguf", HeldOutTexts(1), {}).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace emptor::engine
