// What the engine loads and what it refuses to, and the trained reference model.
#include <fstream>

#include "engine/engine.h"
#include "engine/tensor/file_image.h"
#include "rapidjson/document.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/support/test_data.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;

TEST_F(EngineTest, ModelFilesCutAnywhereAreRefused) {
  const std::string path = Write(testing::MakeRandomLlama({.layers = 1}));
  std::string bytes;
  {
    const auto image = ReadFileImage(path);
    ASSERT_TRUE(image.ok());
    bytes.assign(reinterpret_cast<const char*>(image->data()), image->size());
  }
  for (size_t length = 0; length + 64 < bytes.size(); length += 1 + bytes.size() / 150) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(length));
    const auto engine = Engine::Load(path, small_);
    ASSERT_FALSE(engine.ok()) << length;
    EXPECT_NE(engine.status().message().find("model.gguf"), std::string::npos);
  }
}

TEST_F(EngineTest, FilesThatAreNotModelsAreRefused) {
  EXPECT_EQ(Engine::Load((folder_ / "none").string(), small_).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Engine::Load(folder_.string(), small_).status().code(),
            absl::StatusCode::kInvalidArgument);
  GgufWriter other;
  other.AddString("general.architecture", "mamba");
  EXPECT_EQ(Engine::Load(Write(other), small_).status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(EngineTest, OptionsOutOfRangeAreNamed) {
  const std::string path = Write(testing::MakeRandomLlama({}));
  EngineOptions options = small_;
  options.max_step_tokens = 0;
  EXPECT_EQ(Engine::Load(path, options).status().message(),
            "engine.max_step_tokens: out of range: 0");
  options = small_;
  options.kv_bits = 12;
  EXPECT_EQ(Engine::Load(path, options).status().message(), "engine.kv_bits: out of range: 12");
  options = small_;
  options.kv_bytes = 10;
  EXPECT_EQ(Engine::Load(path, options).status().code(), absl::StatusCode::kInvalidArgument);
}

/// The trained reference model: the independent engine's prompts, prompt ids and greedy ids.
TEST(ReferenceModelTest, GreedyTokensEqualThoseOfAnIndependentEngine) {
  const auto reference = testing::ReadTestData("stories260k/greedy-reference.json");
  if (absl::IsNotFound(reference.status())) GTEST_SKIP() << reference.status();
  ASSERT_TRUE(reference.ok()) << reference.status();
  rapidjson::Document json;
  json.Parse(reference->c_str());
  ASSERT_FALSE(json.HasParseError());
  const auto engine =
      Engine::Load(testing::TestDataPath("stories260k/stories260K-f32.gguf"), {.threads = 2});
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<std::future<Answer>> answers;
  std::vector<std::vector<int32_t>> want;
  for (const auto& item : json["cases"].GetArray()) {
    std::vector<int32_t> prompt_tokens = {1};
    const auto encoded = (*engine)->Tokenize(item["prompt"].GetString());
    ASSERT_TRUE(encoded.ok());
    prompt_tokens.insert(prompt_tokens.end(), encoded->begin(), encoded->end());
    std::vector<int32_t> want_prompt;
    for (const auto& id : item["prompt_tokens"].GetArray()) want_prompt.push_back(id.GetInt());
    EXPECT_EQ(prompt_tokens, want_prompt);
    want.emplace_back();
    for (const auto& id : item["tokens"].GetArray()) want.back().push_back(id.GetInt());
    answers.push_back(
        Ask(**engine, Prompt(item["prompt"].GetString(), static_cast<int>(want.back().size()))));
  }
  ASSERT_FALSE(answers.empty());
  for (size_t i = 0; i < answers.size(); ++i) {
    const Answer answer = answers[i].get();
    EXPECT_EQ(answer.tokens, want[i]) << "prompt " << i;
    EXPECT_EQ(answer.text, json["cases"][static_cast<rapidjson::SizeType>(i)]["text"].GetString());
  }
}

}  // namespace
}  // namespace emptor::engine
