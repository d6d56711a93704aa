// The contract of the port TextGenerator, run on every implementation.
#include "services/models/text_generator.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>

#include "engine/engine.h"
#include "services/engine_server/grpc_service.h"
#include "services/models/engine_text_generator.h"
#include "services/models/grpc_text_generator.h"
#include "tests/services/models/scripted_generator.h"

namespace emptor::services {
namespace {

/// What came of one generation.
struct Outcome {
  std::string text;
  int ends = 0;
  bool text_after_end = false;
  std::string reason;
  GeneratorUsage usage;
};

class Collector {
 public:
  GeneratorCallbacks Callbacks() {
    GeneratorCallbacks callbacks;
    callbacks.on_text = [this](std::string_view text) {
      std::lock_guard lock(mutex_);
      outcome_.text_after_end = outcome_.text_after_end || outcome_.ends > 0;
      outcome_.text += text;
      changed_.notify_all();
    };
    callbacks.on_end = [this](std::string_view reason, const GeneratorUsage& usage,
                              const absl::Status&) {
      std::lock_guard lock(mutex_);
      ++outcome_.ends;
      outcome_.reason = reason;
      outcome_.usage = usage;
      changed_.notify_all();
    };
    return callbacks;
  }
  Outcome WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return outcome_.ends > 0; });
    return outcome_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Outcome outcome_;  // guarded by mutex_
};

struct Scripted {
  static std::unique_ptr<TextGenerator> Make() {
    return std::make_unique<testing::ScriptedGenerator>(
        std::vector<std::string>{"Hello! ", "What are you ", "looking for?"});
  }
};

/// The shipped model in our engine; nothing when the model file is not there.
struct InProcess {
  static std::unique_ptr<TextGenerator> Make() {
    static const std::shared_ptr<engine::Engine> engine = []() -> std::shared_ptr<engine::Engine> {
      const std::string path = std::string(EMPTOR_SOURCE_DIR) + "/engine/models/emptor-lm.gguf";
      if (!std::filesystem::exists(path)) return nullptr;
      auto loaded = engine::Engine::Load(path, {});
      EXPECT_TRUE(loaded.ok()) << loaded.status();
      return *std::move(loaded);
    }();
    if (engine == nullptr) return nullptr;
    return std::make_unique<EngineTextGenerator>(engine);
  }
};

/// The shipped model in an engine server, over gRPC.
struct OverGrpc {
  static std::unique_ptr<TextGenerator> Make() {
    static ModelRegistry* const models = [] {
      auto* registry = new ModelRegistry(ModelRegistryOptions{});
      const std::string path = std::string(EMPTOR_SOURCE_DIR) + "/engine/models/emptor-lm.gguf";
      EXPECT_TRUE(registry->Add({"shipped", path, ModelKind::kLanguageModel, true}).ok());
      EXPECT_TRUE(registry->Load("shipped").ok());
      EXPECT_TRUE(registry->WaitFor("shipped").ok());
      return registry;
    }();
    static const auto server = GrpcServer::Start("127.0.0.1:0", *models);
    EXPECT_TRUE(server.ok()) << server.status();
    auto generator = GrpcTextGenerator::Connect("127.0.0.1:" + std::to_string((*server)->port()),
                                                "", std::chrono::seconds(60));
    EXPECT_TRUE(generator.ok()) << generator.status();
    return *std::move(generator);
  }
};

template <typename Maker>
class TextGeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    generator_ = Maker::Make();
    if (generator_ == nullptr) GTEST_SKIP() << "engine/models/emptor-lm.gguf is not there";
  }
  static GeneratorRequest Request() {
    GeneratorRequest request;
    request.id = "test";
    request.messages = {{"system", ""}, {"user", "hello"}};
    request.max_tokens = 32;
    return request;
  }
  std::unique_ptr<TextGenerator> generator_;
};

using Makers = ::testing::Types<Scripted, InProcess, OverGrpc>;
TYPED_TEST_SUITE(TextGeneratorTest, Makers);

TYPED_TEST(TextGeneratorTest, WritesTextThenEndsOnce) {
  Collector collector;
  auto generation = this->generator_->Generate(this->Request(), collector.Callbacks());
  ASSERT_TRUE(generation.ok()) << generation.status();
  const Outcome outcome = collector.WaitForEnd();
  EXPECT_FALSE(outcome.text.empty());
  EXPECT_EQ(outcome.ends, 1);
  EXPECT_FALSE(outcome.text_after_end);
  EXPECT_TRUE(outcome.reason == "stop" || outcome.reason == "length") << outcome.reason;
  EXPECT_GT(outcome.usage.completion_tokens, 0);
}

TYPED_TEST(TextGeneratorTest, RefusesARequestWithoutMessages) {
  Collector collector;
  GeneratorRequest request = this->Request();
  request.messages.clear();
  EXPECT_EQ(this->generator_->Generate(request, collector.Callbacks()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TYPED_TEST(TextGeneratorTest, CancelEndsAndMayComeTwice) {
  Collector collector;
  auto generation = this->generator_->Generate(this->Request(), collector.Callbacks());
  ASSERT_TRUE(generation.ok());
  (*generation)->Cancel();
  (*generation)->Cancel();
  EXPECT_EQ(collector.WaitForEnd().ends, 1);
}

TYPED_TEST(TextGeneratorTest, AnswersAgainWithTheSameWords) {
  Collector first, second;
  auto one = this->generator_->Generate(this->Request(), first.Callbacks());
  auto two = this->generator_->Generate(this->Request(), second.Callbacks());
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(first.WaitForEnd().text, second.WaitForEnd().text);
}

TYPED_TEST(TextGeneratorTest, HasAName) { EXPECT_FALSE(this->generator_->model_name().empty()); }

TEST(EngineTextGeneratorTest, KnowsTheShippedModelByItsName) {
  const auto generator = InProcess::Make();
  if (generator == nullptr) GTEST_SKIP() << "engine/models/emptor-lm.gguf is not there";
  EXPECT_TRUE(generator->speaks_references());
}

}  // namespace
}  // namespace emptor::services
