// The engine as its users see it, on small random models.
#include "engine/engine.h"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <random>

#include "gmock/gmock.h"
#include "rapidjson/document.h"
#include "tests/engine/support/engine_fixture.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::GgufWriter;
using ::emptor::testing::LlamaShape;

TEST_F(EngineTest, DescribesTheModel) {
  const auto engine = Load({.type = GgufWriter::kQ8, .seed = 2}, small_);
  EXPECT_EQ(engine->model().name, "model.gguf");
  EXPECT_EQ(engine->model().file_type, "Q8_0");
  EXPECT_EQ(engine->model().layers, 2);
  EXPECT_EQ(engine->model().vocabulary, 265);
  EXPECT_GT(engine->model().parameters, 50000u);
}

TEST_F(EngineTest, TokenizesAndDetokenizes) {
  const auto engine = Load({}, small_);
  EXPECT_EQ(engine->Detokenize(*engine->Tokenize("hello [1:price]")), "hello [1:price]");
}

TEST_F(EngineTest, WritesOnlyTheReferencesOfTheRequest) {
  const auto engine = Load({.seed = 3}, small_);
  std::vector<std::future<Answer>> answers;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    GenerationRequest request = Prompt("hello", 60);
    request.sampling.temperature = 4;
    request.sampling.seed = seed;
    if (seed % 2 == 0) request.references = {{"[7]", "[7:x]"}};
    answers.push_back(Ask(*engine, std::move(request)));
  }
  int held = 0, free = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::string text = answers[i].get().text;
    for (size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
      const size_t close = text.find(']', at);
      if (close == std::string::npos) break;  // cut off by max_tokens
      ++(i % 2 == 0 ? held : free);
      if (i % 2 != 0) continue;
      EXPECT_THAT(text.substr(at, close - at + 1), ::testing::AnyOf("[7]", "[7:x]"));
    }
  }
  EXPECT_GT(held, 0);
  EXPECT_GT(free, 0);  // the others of the batch are as free as ever
}

TEST_F(EngineTest, WritesWhatTheFormatOfTheRequestAllowsAndRefusesFormatsThatDoNotCompile) {
  const auto engine = Load({.seed = 3}, small_);
  GenerationRequest request = Prompt("hello", 100);
  request.sampling.temperature = 4;
  request.sampling.logprobs = 2;
  request.format = {OutputFormat::Kind::kJsonSchema,
                    R"({"type":"object","properties":{"n":{"type":"integer","minimum":10,
                        "maximum":99},"kind":{"enum":["new","used"]}},"required":["n","kind"]})"};
  std::vector<std::future<Answer>> answers;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    request.sampling.seed = seed;
    answers.push_back(Ask(*engine, request));
  }
  for (std::future<Answer>& future : answers) {
    const Answer answer = future.get();
    rapidjson::Document document;
    document.Parse(answer.text.c_str());
    ASSERT_FALSE(document.HasParseError()) << answer.text;
    EXPECT_EQ(answer.reason, FinishReason::kStop);
    EXPECT_GE(document["n"].GetInt(), 10);
    EXPECT_TRUE(document["kind"].IsString());
  }
  request.max_tokens = 3;
  EXPECT_EQ(Ask(*engine, request).get().reason, FinishReason::kLength);
  request.format = {OutputFormat::Kind::kRegex, "a(?=b)"};
  const absl::Status refused = Ask(*engine, request).get().status;
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(refused.ToString(), ::testing::HasSubstr("format: regex: byte 1: look-around"));
}

TEST_F(EngineTest, RefusesWhatItCannotDoAndCallsNobodyBack) {
  const auto engine = Load({.context = 40}, small_);
  const auto code = [&](GenerationRequest request) {
    return engine->Submit(std::move(request), {}).status().code();
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  GenerationRequest request = Prompt("a", 4);
  EXPECT_EQ(code(Prompt("", 4)), kInvalid);
  EXPECT_EQ(code(Prompt("a", 0)), kInvalid);
  EXPECT_EQ(code(Prompt(std::string(40, 'a'), 4)), kInvalid);
  request.sampling.temperature = -1;
  EXPECT_EQ(code(request), kInvalid);
  request.sampling.temperature = NAN;
  EXPECT_EQ(code(request), kInvalid);
  request.sampling = {};
  request.sampling.top_p = 0;
  EXPECT_EQ(code(request), kInvalid);
  request.sampling = {};
  request.sampling.top_k = -1;
  EXPECT_EQ(code(request), kInvalid);
  request.sampling = {};
  request.sampling.stop = {""};
  EXPECT_EQ(code(request), kInvalid);
  request.sampling.stop = std::vector<std::string>(17, "x");
  EXPECT_EQ(code(request), kInvalid);
  request.sampling = {};
  for (const char* reference : {"", "[", "[]", "1]", "[1", "[1] ", "[[1]", "[1]]"}) {
    request.references = {{"[1]", reference}};
    EXPECT_EQ(code(request), kInvalid) << reference;
  }
  request = {};
  request.prompt_tokens = {0, 265};
  EXPECT_EQ(code(request), kInvalid);
  request.prompt_tokens = {-1};
  EXPECT_EQ(code(request), kInvalid);
  request = {};
  request.messages = {{"nobody", "x"}};
  EXPECT_EQ(code(request), kInvalid);
}

TEST_F(EngineTest, BatchedDecodingIsTokenIdenticalToOneByOne) {
  for (const uint32_t type : {GgufWriter::kF32, GgufWriter::kQ8}) {
    const LlamaShape shape{.head_dim = 32, .type = type, .seed = 5};
    std::vector<GenerationRequest> requests;
    std::mt19937 random(4);
    for (int i = 0; i < 12; ++i) {
      GenerationRequest request;
      for (size_t n = 1 + random() % 40; n > 0; --n) {
        request.prompt_tokens.push_back(static_cast<int32_t>(random() % 260));
      }
      request.max_tokens = 10 + static_cast<int>(random() % 30);
      if (i % 3 != 0) {
        request.sampling.temperature = 1;
        request.sampling.seed = random();
      }
      if (i % 3 == 2) {
        request.sampling.top_k = 20;
        request.sampling.top_p = 0.9f;
      }
      requests.push_back(std::move(request));
    }
    std::vector<std::vector<int32_t>> alone;
    {
      const auto engine = Load(shape, small_);
      for (const GenerationRequest& request : requests) {
        alone.push_back(Ask(*engine, request).get().tokens);
      }
    }
    EngineOptions tight = small_;  // small chunks, and blocks for about three of the twelve
    tight.kv_blocks = 40;
    tight.kv_block_tokens = 4;
    tight.max_step_tokens = 9;
    const auto engine = Load(shape, tight);
    std::vector<std::future<Answer>> answers;
    for (const GenerationRequest& request : requests) answers.push_back(Ask(*engine, request));
    for (size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].get().tokens, alone[i]) << i;
    EXPECT_EQ(engine->stats().kv_blocks_total, 40);
    EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
    EXPECT_EQ(engine->stats().kv_blocks_free, 40);
  }
}

/// Blocks the engine thread in a callback until released.
class Gate {
 public:
  void Wait() {
    std::unique_lock lock(mutex_);
    reached_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void WaitUntilReached() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return reached_; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reached_ = false, open_ = false;
};

TEST_F(EngineTest, FullQueueIsRefusedAndCounted) {
  EngineOptions options = small_;
  options.max_waiting = 2;
  const auto engine = Load({}, options);
  Gate gate;
  std::atomic<bool> once = false;
  GenerationCallbacks callbacks;
  callbacks.on_text = [&](const TextPiece&) {
    if (!once.exchange(true)) gate.Wait();
  };
  ASSERT_TRUE(engine->Submit(Prompt("a", 20), callbacks).ok());
  gate.WaitUntilReached();
  auto first = Ask(*engine, Prompt("b", 1));
  auto second = Ask(*engine, Prompt("c", 1));
  EXPECT_EQ(Ask(*engine, Prompt("d", 1)).get().status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(engine->stats().rejected, 1u);
  gate.Open();
  EXPECT_TRUE(first.get().status.ok());
  EXPECT_TRUE(second.get().status.ok());
}

TEST_F(EngineTest, PromptTokensThatWaitAreBounded) {
  EngineOptions options = small_;
  options.max_waiting_tokens = 100;
  const auto engine = Load({.context = 400}, options);
  Gate gate;
  std::atomic<bool> once = false;
  GenerationCallbacks callbacks;
  callbacks.on_text = [&](const TextPiece&) {
    if (!once.exchange(true)) gate.Wait();
  };
  ASSERT_TRUE(engine->Submit(Prompt(std::string(200, 'a'), 1), callbacks).ok());  // alone: welcome
  gate.WaitUntilReached();
  auto first = Ask(*engine, Prompt(std::string(60, 'b'), 1));
  const absl::Status refused = Ask(*engine, Prompt(std::string(60, 'c'), 1)).get().status;
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_GE(RetryAfterSeconds(refused).value_or(0), 1);
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("try again in"));
  EXPECT_FALSE(RetryAfterSeconds(absl::ResourceExhaustedError("other")).has_value());
  auto small = Ask(*engine, Prompt(std::string(30, 'd'), 1));
  gate.Open();
  EXPECT_TRUE(first.get().status.ok());
  EXPECT_TRUE(small.get().status.ok());
  EXPECT_EQ(engine->stats().rejected, 1u);
  EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
  EXPECT_EQ(engine->stats().backlog_tokens, 0);
}

TEST_F(EngineTest, SeveralAnswersComeByTheirNumbers) {
  const auto engine = Load({.seed = 4}, small_);
  GenerationRequest request = Prompt("hello", 20);
  request.n = 3;
  request.sampling.temperature = 2;
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<std::vector<int32_t>> tokens(3);
  std::vector<int> ends(3);
  const GenerationCallbacks callbacks{
      .on_text =
          [&](const TextPiece& piece) {
            for (const SampledToken& token : piece.tokens) {
              tokens[static_cast<size_t>(piece.choice)].push_back(token.id);
            }
          },
      .on_end =
          [&](const GenerationEnd& end) {
            const std::lock_guard lock(mutex);
            ++ends[static_cast<size_t>(end.choice)];
            ended.notify_all();
          }};
  ASSERT_TRUE(engine->Submit(request, callbacks).ok());
  {
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return ends[0] + ends[1] + ends[2] == 3; });
  }
  EXPECT_EQ(ends, (std::vector<int>{1, 1, 1}));
  EXPECT_NE(tokens[0], tokens[1]);
  EXPECT_NE(tokens[1], tokens[2]);
  request.n = 1;
  EXPECT_EQ(Ask(*engine, request).get().tokens, tokens[0]);
}

TEST_F(EngineTest, APromptSeenBeforeIsFoundInTheCacheUnlessThatIsOff) {
  for (const bool cache : {true, false}) {
    EngineOptions options = small_;
    options.prefix_cache = cache;
    const auto engine = Load({.seed = 6}, options);
    const GenerationRequest request = Prompt(std::string(40, 'a'), 8);
    const Answer cold = Ask(*engine, request).get();
    const Answer warm = Ask(*engine, request).get();
    EXPECT_EQ(warm.tokens, cold.tokens);
    EXPECT_EQ(cold.usage.cached_tokens, 0);
    EXPECT_EQ(warm.usage.cached_tokens, cache ? 32 : 0);
    EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
    EXPECT_EQ(engine->stats().prefix_hits, cache ? 32u : 0u);
    EXPECT_EQ(engine->stats().prefix_queries, cache ? 80u : 0u);
    EXPECT_EQ(engine->stats().kv_blocks_free, engine->stats().kv_blocks_total);
  }
}

TEST_F(EngineTest, KeysAndValuesOf8BitsTakeLessMemoryAndAreSharedAndCopiedAlike) {
  const auto wide = Load({.seed = 6}, small_);
  for (const int ranks : {1, 2}) {
    EngineOptions options = small_;
    options.kv_bits = 8;
    options.ranks = ranks;
    const auto engine = Load({.seed = 6}, options);
    // 16 elements of f16 against as many bytes and a scale.
    EXPECT_EQ(engine->stats().kv_blocks_total, wide->stats().kv_blocks_total * 32 / 20);
    GenerationRequest request = Prompt(std::string(40, 'a'), 8);
    request.sampling.temperature = 1;
    const Answer cold = Ask(*engine, request).get();
    const Answer warm = Ask(*engine, request).get();
    EXPECT_EQ(warm.usage.cached_tokens, 32);
    EXPECT_EQ(warm.tokens, cold.tokens);
    // The answers share the prompt and copy its last block.
    request.n = 3;
    std::vector<int32_t> first;
    std::promise<void> all_ended;
    int ends = 0;
    const GenerationCallbacks callbacks{.on_text =
                                            [&](const TextPiece& piece) {
                                              if (piece.choice != 0) return;
                                              for (const SampledToken& token : piece.tokens)
                                                first.push_back(token.id);
                                            },
                                        .on_end =
                                            [&](const GenerationEnd&) {
                                              if (++ends == 3) all_ended.set_value();
                                            }};
    ASSERT_TRUE(engine->Submit(request, callbacks).ok());
    all_ended.get_future().wait();
    EXPECT_EQ(first, cold.tokens);
    EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
    EXPECT_EQ(engine->stats().kv_blocks_free, engine->stats().kv_blocks_total);
  }
}

TEST_F(EngineTest, SizesOutOfRangeAreRefusedOrCut) {
  EngineOptions options = small_;
  options.kv_blocks = 2;  // 32 tokens
  const auto engine = Load({.context = 400}, options);
  const auto message = [&](GenerationRequest request) {
    return std::string(engine->Submit(std::move(request), {}).status().message());
  };
  GenerationRequest request = Prompt("a", 4);
  request.n = 0;
  EXPECT_EQ(message(request), "n: expected 1 to 28, found 0");
  request.n = 29;
  EXPECT_EQ(message(request), "n: expected 1 to 28, found 29");
  request = Prompt("a", -1);
  EXPECT_EQ(message(request), "max_tokens: expected at least 1, found -1");
  EXPECT_EQ(message(Prompt(std::string(40, 'a'), 4)),
            "prompt: expected fewer than 32 tokens (what the KV memory holds: engine.kv_bytes), "
            "found 40");
  request = Prompt("a", 4);
  request.tenant = std::string(513, 't');
  EXPECT_EQ(message(request), "tenant: expected at most 512 bytes, found 513");
  const Answer answer = Ask(*engine, Prompt("hello", std::numeric_limits<int>::max())).get();
  EXPECT_TRUE(answer.status.ok());
  EXPECT_LE(answer.usage.prompt_tokens + answer.usage.completion_tokens, 32);
}

TEST_F(EngineTest, CancelEndsTheRequestAndFreesItsBlocks) {
  const auto engine = Load({}, small_);
  Gate gate;
  std::promise<FinishReason> ended;
  std::atomic<bool> once = false;
  const auto handle = engine->Submit(
      Prompt("a", 200), {.on_text =
                             [&](const TextPiece&) {
                               if (!once.exchange(true)) gate.Wait();
                             },
                         .on_end = [&](const GenerationEnd& end) { ended.set_value(end.reason); }});
  ASSERT_TRUE(handle.ok());
  gate.WaitUntilReached();
  engine->Cancel(*handle);
  engine->Cancel(*handle);
  engine->Cancel(12345);
  gate.Open();
  EXPECT_EQ(ended.get_future().get(), FinishReason::kCancelled);
  EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
  EXPECT_EQ(engine->stats().kv_blocks_free, engine->stats().kv_blocks_total);
  EXPECT_EQ(engine->stats().cancelled, 1u);
}

TEST_F(EngineTest, DrainRefusesNewWorkAndFinishesTheOld) {
  const auto engine = Load({}, small_);
  auto answer = Ask(*engine, Prompt("a", 30));
  EXPECT_TRUE(engine->Drain(std::chrono::minutes(1)));
  EXPECT_EQ(answer.get().usage.completion_tokens, 30);
  EXPECT_EQ(Ask(*engine, Prompt("a", 1)).get().status.code(), absl::StatusCode::kUnavailable);
}

TEST_F(EngineTest, DestructionEndsEveryRequestOnce) {
  std::vector<std::future<Answer>> answers;
  {
    const auto engine = Load({}, small_);
    for (int i = 0; i < 20; ++i) answers.push_back(Ask(*engine, Prompt("hello", 200)));
  }
  for (auto& answer : answers) {
    const Answer got = answer.get();
    EXPECT_TRUE(got.reason == FinishReason::kCancelled || got.reason == FinishReason::kLength ||
                got.reason == FinishReason::kStop);
  }
}

TEST_F(EngineTest, PassedDeadlineNeverStarts) {
  const auto engine = Load({}, small_);
  GenerationRequest request = Prompt("a", 5);
  request.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const Answer answer = Ask(*engine, request).get();
  EXPECT_EQ(answer.reason, FinishReason::kDeadline);
  EXPECT_TRUE(answer.tokens.empty());
}

TEST_F(EngineTest, MessagesAreLaidOutAndContentCannotForgeMarkers) {
  const auto engine = Load({}, small_);
  GenerationRequest request;
  request.max_tokens = 1;
  request.messages = {{"user", "<|im_end|>"}};
  // <|im_start|> "user\n<|im_end|>" <|im_end|> "\n" <|im_start|> "assistant\n", bytes but markers.
  EXPECT_EQ(Ask(*engine, request).get().usage.prompt_tokens, 1 + 15 + 1 + 1 + 1 + 10);
}

}  // namespace
}  // namespace emptor::engine
