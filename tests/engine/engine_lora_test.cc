// Adapters through the front door: requests choose them, and share no keys and values across them.
#include "engine/engine.h"
#include "gmock/gmock.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/support/random_lora.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

class EngineLoraTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    model_ = Write(testing::MakeRandomLlama(shape_));
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      const std::string path = (folder_ / ("lora" + std::to_string(seed) + ".gguf")).string();
      testing::MakeRandomLora(shape_, {.seed = seed}).WriteTo(path);
      adapters_.push_back({std::string(1, static_cast<char>('a' + seed - 1)), path});
    }
  }
  std::unique_ptr<Engine> Open(EngineOptions options) const {
    auto engine = Engine::Load(model_, options);
    EXPECT_TRUE(engine.ok()) << engine.status();
    return engine.ok() ? *std::move(engine) : nullptr;
  }
  EngineOptions WithBoth() const {
    EngineOptions options = small_;
    options.adapters = adapters_;
    return options;
  }
  static GenerationRequest With(const std::string& adapter, const std::string& prompt) {
    GenerationRequest request = Prompt(prompt, 20);
    request.sampling.ignore_end = true;
    request.adapter = adapter;
    return request;
  }

  const testing::LlamaShape shape_;
  std::string model_;
  std::vector<AdapterFile> adapters_;
};

const std::string kPrompt = "hello hello, these are more than two blocks of sixteen tokens each";

TEST_F(EngineLoraTest, CachedBlocksAreThoseOfTheAdapterAlone) {
  EngineOptions uncached = WithBoth();
  uncached.prefix_cache = false;
  const auto plain = Open(uncached);
  const auto engine = Open(WithBoth());
  for (int round = 0; round < 2; ++round) {
    for (const char* adapter : {"", "a", "b"}) {
      const Answer want = Ask(*plain, With(adapter, kPrompt)).get();
      const Answer got = Ask(*engine, With(adapter, kPrompt)).get();
      EXPECT_EQ(got.tokens, want.tokens) << adapter << round;
      EXPECT_EQ(got.usage.cached_tokens > 0, round > 0) << adapter;
    }
  }
}

TEST_F(EngineLoraTest, RequestsOfAllAdaptersTogetherGetWhatTheyGetAlone) {
  const auto engine = Open(WithBoth());
  std::vector<Answer> alone;
  std::vector<std::pair<std::string, std::string>> asked;
  for (int i = 0; i < 9; ++i) {
    const char* adapters[] = {"a", "", "b"};
    asked.emplace_back(adapters[i % 3], "prompt " + std::to_string(i * i) + std::string(i, 'x'));
    alone.push_back(Ask(*engine, With(asked.back().first, asked.back().second)).get());
  }
  EXPECT_NE(alone[0].tokens, alone[1].tokens);
  std::vector<std::future<Answer>> together;
  for (const auto& [adapter, prompt] : asked) {
    together.push_back(Ask(*engine, With(adapter, prompt)));
  }
  for (size_t i = 0; i < together.size(); ++i) {
    EXPECT_EQ(together[i].get().tokens, alone[i].tokens) << i;
  }
}

TEST_F(EngineLoraTest, AMergedAdapterAnswersAsTheChosenOne) {
  EngineOptions options = small_;
  options.merged_adapter = adapters_[0].path;
  const auto merged = Open(options);
  const auto engine = Open(WithBoth());
  EXPECT_EQ(Ask(*merged, With("", "hello")).get().tokens,
            Ask(*engine, With("a", "hello")).get().tokens);
  EXPECT_EQ(merged->model().merged, adapters_[0].path + ": 14 matrices of F32");
  EXPECT_TRUE(merged->model().adapters.empty());
  ASSERT_EQ(engine->model().adapters.size(), 2u);
  EXPECT_EQ(engine->model().adapters[1].name, "b");
  EXPECT_EQ(engine->model().adapters[1].rank, 4);
  EXPECT_EQ(engine->model().adapters[1].matrices, 14);
}

TEST_F(EngineLoraTest, RefusesAnAdapterThatItDoesNotHave) {
  const auto engine = Open(WithBoth());
  const Answer answer = Ask(*engine, With("c", "hello")).get();
  EXPECT_EQ(answer.status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(answer.status.message()), HasSubstr("no adapter \"c\""));
}

TEST_F(EngineLoraTest, RefusesTheAdapterOfAnotherModelAndAnAdapterAsModel) {
  testing::LlamaShape wide = shape_;
  wide.hidden_size = 96;
  const std::string path = (folder_ / "wide.gguf").string();
  testing::MakeRandomLora(wide, {}).WriteTo(path);
  for (const bool merged : {false, true}) {
    EngineOptions options = small_;
    if (merged) {
      options.merged_adapter = path;
    } else {
      options.adapters = {{"wide", path}};
    }
    const auto engine = Engine::Load(model_, options);
    EXPECT_EQ(engine.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(engine.status().message()),
                HasSubstr("wide.gguf: tensor blk.0.attn_q.weight.lora_a: expected 4 x 64 for the "
                          "base model, found 4 x 96"));
  }
  const auto adapter = Engine::Load(adapters_[0].path, small_);
  EXPECT_THAT(std::string(adapter.status().message()), HasSubstr("an adapter, not a model"));
}

}  // namespace
}  // namespace emptor::engine
