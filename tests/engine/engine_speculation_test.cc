// Speculative decoding through the front door: whatever a request asks for, its answer is to the
// bit the one that it gets without drafts.
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include "engine/conversion/random_model.h"
#include "engine/engine.h"
#include "engine/speculator_factory.h"
#include "fmt/format.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/support/random_lora.h"

namespace emptor::engine {
namespace {

/// All that a request received: texts, tokens with their log-probabilities, ends of its answers.
struct Received {
  std::map<int, std::string> text;
  std::map<int, std::vector<std::string>> tokens;
  std::map<int, GenerationEnd> ends;
};

/// A token with every bit of its log-probabilities.
std::string Describe(const SampledToken& token) {
  std::string text = fmt::format("{} {} {:a}", token.id, token.bytes, token.logprob);
  for (const TokenLogprob& top : token.top) {
    text += fmt::format("; {} {} {:a}", top.id, top.bytes, top.logprob);
  }
  return text;
}

class EngineSpeculationTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    testing::MakeRandomLora(shape_, {.seed = 3}).WriteTo(adapter_);
    model_ = Write(testing::MakeRandomLlama(shape_));
  }
  std::unique_ptr<Engine> Open(EngineOptions options, bool speculates) const {
    options.adapters = {{"lora", adapter_}};
    if (speculates) options.speculation = Speculation::kPromptLookup;
    options.speculation_always = speculates;
    auto engine = Engine::Load(model_, options);
    EXPECT_TRUE(engine.ok()) << engine.status();
    return engine.ok() ? *std::move(engine) : nullptr;
  }

  /// Answers to all requests, which run together.
  static std::vector<Received> AskAll(Engine& engine, const std::vector<GenerationRequest>& all) {
    std::vector<Received> received(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      Received& one = received[i];
      const auto submitted = engine.Submit(
          all[i], {.on_text =
                       [&one](const TextPiece& piece) {
                         one.text[piece.choice] += piece.text;
                         for (const SampledToken& token : piece.tokens) {
                           one.tokens[piece.choice].push_back(Describe(token));
                         }
                       },
                   .on_end = [&one](const GenerationEnd& end) { one.ends[end.choice] = end; }});
      EXPECT_TRUE(submitted.ok()) << submitted.status();
    }
    EXPECT_TRUE(engine.Drain(std::chrono::minutes(2)));
    EXPECT_EQ(engine.stats().kv_blocks_free, engine.stats().kv_blocks_total);
    return received;
  }

  static void ExpectSame(const std::vector<Received>& want, const std::vector<Received>& got) {
    ASSERT_EQ(want.size(), got.size());
    for (size_t i = 0; i < want.size(); ++i) {
      SCOPED_TRACE("request " + std::to_string(i));
      EXPECT_EQ(want[i].text, got[i].text);
      EXPECT_EQ(want[i].tokens, got[i].tokens);
      ASSERT_EQ(want[i].ends.size(), got[i].ends.size());
      for (const auto& [choice, end] : want[i].ends) {
        EXPECT_EQ(end.reason, got[i].ends.at(choice).reason);
        EXPECT_EQ(end.usage.completion_tokens, got[i].ends.at(choice).usage.completion_tokens);
        EXPECT_EQ(end.status, got[i].ends.at(choice).status);
      }
    }
  }

  /// One of each kind of request, with prompts that repeat themselves.
  static std::vector<GenerationRequest> Kinds() {
    const std::string quote = "kettle 1.7 l [2], kettle 1.7 l [2], kettle 1.7 l";
    std::vector<GenerationRequest> all;
    const auto add = [&](auto change) {
      all.push_back(Prompt(quote + std::to_string(all.size()), 48));
      all.back().sampling.ignore_end = true;
      change(all.back());
    };
    add([](auto&) {});
    add([](auto& r) { r.sampling.logprobs = 4; });
    add([](auto& r) { r.adapter = "lora"; });
    add([](auto& r) { r.references = {{"[1]", "[2:attr.capacity]"}}; });
    add([](auto& r) { r.format = {OutputFormat::Kind::kRegex, "(ab|ac|\\[1\\]){3,18}"}; });
    add([](auto& r) {
      r.format = {OutputFormat::Kind::kJsonSchema,
                  R"({"type":"array","items":{"enum":["kettle","kettles"]},"maxItems":4})"};
      r.sampling.ignore_end = false;
    });
    add([](auto& r) { r.sampling.stop = {"aa", "l", "9"}; });
    add([](auto& r) {
      r.sampling.repetition_penalty = 1.1f;
      r.sampling.frequency_penalty = 0.5f;
      r.sampling.logit_bias = {{'a', 2.0f}};
    });
    for (const float temperature : {0.1f, 1.0f}) {
      add([&](auto& r) {
        r.sampling.temperature = temperature;
        r.sampling.top_k = 5;
        r.sampling.seed = 7;
        r.n = 3;
      });
    }
    return all;
  }

  const testing::LlamaShape shape_{.seed = 4};
  const std::string adapter_ = (folder_ / "lora.gguf").string();
  std::string model_;
};

TEST_F(EngineSpeculationTest, EveryKindOfRequestGetsItsAnswerToTheBit) {
  for (const int kv_bits : {16, 8}) {
    for (const bool cache : {true, false}) {
      SCOPED_TRACE(::testing::Message() << kv_bits << " bits, cache " << cache);
      EngineOptions options = small_;
      options.kv_bits = kv_bits;
      options.prefix_cache = cache;
      options.max_step_tokens = 128;
      const std::vector<Received> want = AskAll(*Open(options, false), Kinds());
      const auto engine = Open(options, true);
      ExpectSame(want, AskAll(*engine, Kinds()));
      EXPECT_GT(engine->stats().accepted_draft_tokens, 0u);
    }
  }
}

TEST_F(EngineSpeculationTest, RequestsThatPreemptEachOtherDoToo) {
  EngineOptions options = small_;
  options.kv_blocks = 16;
  const std::vector<Received> want = AskAll(*Open(small_, false), Kinds());
  const auto engine = Open(options, true);
  ExpectSame(want, AskAll(*engine, Kinds()));
  EXPECT_GT(engine->stats().preemptions, 0u);
  EXPECT_GT(engine->stats().draft_tokens, 0u);
}

TEST_F(EngineSpeculationTest, SampledAnswersAreThoseOfTheirSeeds) {
  std::vector<GenerationRequest> all;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    all.push_back(Prompt("abcabcabcabc", 24));
    all.back().sampling.temperature = 0.8f;
    all.back().sampling.top_p = 0.95f;
    all.back().sampling.seed = seed;
    all.back().sampling.ignore_end = true;
  }
  const std::vector<Received> want = AskAll(*Open(small_, false), all);
  ExpectSame(want, AskAll(*Open(small_, true), all));
  EXPECT_NE(want[0].tokens, want[1].tokens);
}

TEST_F(EngineSpeculationTest, RanksAndThreadsChangeNothing) {
  const std::vector<Received> want = AskAll(*Open(small_, false), Kinds());
  EngineOptions options = small_;
  options.threads = 1;
  ExpectSame(want, AskAll(*Open(options, true), Kinds()));
  options.threads = 2;
  options.ranks = 2;
  ExpectSame(AskAll(*Open(options, false), Kinds()), AskAll(*Open(options, true), Kinds()));
}

TEST_F(EngineSpeculationTest, ADraftModelChangesNoAnswerEither) {
  for (const uint64_t seed : {4u, 9u}) {  // the model itself, and one that is always wrong
    const std::string path = (folder_ / "draft.gguf").string();
    testing::LlamaShape shape = shape_;
    shape.seed = seed;
    testing::MakeRandomLlama(shape).WriteTo(path);
    for (const int blocks : {0, 24}) {
      EngineOptions options = small_;
      options.kv_blocks = blocks;
      options.adapters = {{"lora", adapter_}};
      const std::vector<Received> want = AskAll(*Open(small_, false), Kinds());
      options.speculation = Speculation::kDraftModel;
      options.draft_model = path;
      options.speculation_always = true;
      auto engine = Engine::Load(model_, options);
      ASSERT_TRUE(engine.ok()) << engine.status();
      ExpectSame(want, AskAll(**engine, Kinds()));
      EXPECT_GT((*engine)->stats().draft_tokens, 0u);
      if (seed == 4) {
        EXPECT_GT((*engine)->stats().accepted_draft_tokens, 0u);
      }
    }
  }
}

TEST_F(EngineSpeculationTest, RefusesADraftModelOfAnotherVocabulary) {
  const std::string path = (folder_ / "other.gguf").string();
  EngineOptions options = small_;
  options.speculation = Speculation::kDraftModel;
  EXPECT_EQ(Engine::Load(model_, options).status().message(),
            "draft_model: expected the path of a model, found none");
  options.draft_model = path;
  EXPECT_EQ(Engine::Load(model_, options).status().code(), absl::StatusCode::kNotFound);
  // 265 tokens, as the model's has, and one more.
  for (const auto& [size, found] : {std::pair(265, "\"\" in place of \"he\" as token 256"),
                                    {266, "266 tokens in place of 265"}}) {
    ModelShape other;
    other.vocabulary = size;
    ASSERT_TRUE(WriteRandomModel({.shape = other}, path).ok());
    const absl::Status refused = Engine::Load(model_, options).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(refused.message().find("expected the vocabulary of the model"), std::string::npos)
        << refused;
    EXPECT_NE(refused.message().find(found), std::string::npos) << refused;
  }
}

TEST_F(EngineSpeculationTest, RefusesADraftModelBeforeItLoadsTheModel) {
  EngineOptions options = small_;
  options.speculation = Speculation::kDraftModel;
  options.draft_model = (folder_ / "draft.gguf").string();
  std::vector<float> progress;
  options.on_progress = [&](float done) { progress.push_back(done); };
  // No file, half a file, a file without one of its matrices.
  EXPECT_EQ(Engine::Load("/nowhere", options).status().message(),
            "draft_model: " + options.draft_model + ": open: No such file or directory");
  std::filesystem::copy_file(model_, options.draft_model);
  std::filesystem::resize_file(options.draft_model, std::filesystem::file_size(model_) / 2);
  EXPECT_EQ(Engine::Load("/nowhere", options).status().code(), absl::StatusCode::kDataLoss);
  std::string bytes = testing::MakeRandomLlama(shape_).Bytes();
  bytes.replace(bytes.find("blk.1.ffn_down"), 5, "blk.7");
  std::ofstream(options.draft_model, std::ios::binary) << bytes;
  const absl::Status lacks = Engine::Load("/nowhere", options).status();
  EXPECT_EQ(lacks.code(), absl::StatusCode::kInvalidArgument) << lacks;
  EXPECT_NE(lacks.message().find("blk.1.ffn_down.weight"), std::string::npos) << lacks;
  EXPECT_TRUE(progress.empty());
  // One of another vocabulary: as soon as the model's own is known, before its weights are packed.
  ASSERT_TRUE(WriteRandomModel({.shape = {.vocabulary = 300}}, options.draft_model).ok());
  EXPECT_EQ(Engine::Load(model_, options).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(progress, std::vector<float>{0.3f});
}

TEST_F(EngineSpeculationTest, RefusesAnAdapterBeforeTheDraftModelIsPrepared) {
  EngineOptions options;
  options.speculation = Speculation::kDraftModel;
  options.draft_model = model_;
  options.adapters = {{"lora", (folder_ / "nothing.gguf").string()}};
  std::vector<float> progress;
  options.on_progress = [&](float done) { progress.push_back(done); };
  EXPECT_EQ(Engine::Load(model_, options).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(progress, std::vector<float>{0.3f});
}

TEST_F(EngineSpeculationTest, LoadingIsDoneWhenBothModelsAre) {
  EngineOptions options = small_;
  options.speculation = Speculation::kDraftModel;
  options.draft_model = model_;
  std::vector<float> progress;
  options.on_progress = [&](float done) { progress.push_back(done); };
  ASSERT_TRUE(Engine::Load(model_, options).ok());
  EXPECT_EQ(progress, (std::vector<float>{0.3f, 0.4f, 1.0f}));
}

TEST_F(EngineSpeculationTest, ADraftModelHasTheMemoryAndTheBoundsOfTheModel) {
  EngineOptions options = small_;
  options.kv_bits = 8;
  EXPECT_EQ(DraftTransformerOptionsOf(options, 9).kv_type, KvType::kInt8);
  EXPECT_EQ(DraftTransformerOptionsOf(small_, 9).kv_type, KvType::kF16);
  EXPECT_EQ(DraftTransformerOptionsOf(small_, 9).blocks, 9);
  options.max_step_tokens = 700;
  EXPECT_EQ(DraftOptionsOf(options, 9).max_prefill_tokens, 700);
  options.mixed_prefill_tokens = 90;
  options.mixed_step_ms = 100;
  EXPECT_EQ(DraftOptionsOf(options, 9).max_prefill_tokens, 90);
  EXPECT_DOUBLE_EQ(DraftOptionsOf(options, 9).max_prefill_seconds, 0.05);
}

TEST_F(EngineSpeculationTest, RefusesDraftsOfNoTokenOrOfTooMany) {
  for (const int tokens : {0, 65}) {
    EngineOptions options = small_;
    options.speculation_tokens = tokens;
    EXPECT_EQ(Engine::Load(model_, options).status().message(),
              "engine.speculation_tokens: out of range: " + std::to_string(tokens));
  }
}

}  // namespace
}  // namespace emptor::engine
