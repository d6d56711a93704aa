// The contract of the port TextGenerator, run on every implementation.
#include "services/models/text_generator.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "engine/engine.h"
#include "services/engine_server/engine_server.h"
#include "services/engine_server/grpc_service.h"
#include "services/models/endpoint_text_generator.h"
#include "services/models/engine_text_generator.h"
#include "services/models/grpc_text_generator.h"
#include "services/proto/engine.grpc.pb.h"
#include "tests/services/models/collector.h"
#include "tests/services/models/scripted_generator.h"

namespace emptor::services {
namespace {

namespace v1 = emptor::engine::v1;

using testing::Collector;
using testing::Outcome;

const std::string& ShippedModel() {
  static const std::string path = std::string(EMPTOR_SOURCE_DIR) + "/engine/models/emptor-lm.gguf";
  return path;
}

struct Scripted {
  static absl::StatusOr<std::unique_ptr<TextGenerator>> Make() {
    return std::make_unique<testing::ScriptedGenerator>(
        std::vector<std::string>{"Hello! ", "What are you ", "looking for?"});
  }
};

/// The shipped model in our engine.
struct InProcess {
  static const absl::StatusOr<std::shared_ptr<engine::Engine>>& Engine() {
    static const auto engine = []() -> absl::StatusOr<std::shared_ptr<engine::Engine>> {
      auto loaded = engine::Engine::Load(ShippedModel(), {});
      if (!loaded.ok()) return loaded.status();
      return std::shared_ptr<engine::Engine>(*std::move(loaded));
    }();
    return engine;
  }
  static absl::StatusOr<std::unique_ptr<TextGenerator>> Make() {
    if (!Engine().ok()) return Engine().status();
    return std::make_unique<EngineTextGenerator>(*Engine());
  }
};

/// The shipped model in an engine server, over gRPC.
struct OverGrpc {
  static absl::StatusOr<std::unique_ptr<TextGenerator>> Make() {
    static ModelRegistry* const models = new ModelRegistry(ModelRegistryOptions{});
    static const absl::Status loaded = [] {
      absl::Status status =
          models->Add({"shipped", ShippedModel(), ModelKind::kLanguageModel, true});
      if (status.ok()) status = models->Load("shipped");
      return status.ok() ? models->WaitFor("shipped") : status;
    }();
    if (!std::filesystem::exists(ShippedModel())) return absl::NotFoundError(ShippedModel());
    if (!loaded.ok()) return loaded;
    static const auto server = GrpcServer::Start("127.0.0.1:0", *models);
    if (!server.ok()) return server.status();
    return GrpcTextGenerator::Connect("127.0.0.1:" + std::to_string((*server)->port()), "",
                                      std::chrono::seconds(60));
  }
};

/// The shipped model in an engine server, over its OpenAI-compatible interface.
struct OverHttp {
  static absl::StatusOr<std::unique_ptr<TextGenerator>> Make() {
    if (!std::filesystem::exists(ShippedModel())) return absl::NotFoundError(ShippedModel());
    static const auto server = [] {
      EngineServerOptions options;
      options.config.model = ShippedModel();
      options.config.embedder = "none";
      options.config.data_dir =
          ::testing::TempDir() + "text_generator_test_" + std::to_string(getpid());  // of its keys
      options.config.listen = options.config.admin_listen = "127.0.0.1:0";
      return EngineServer::Start(options);
    }();
    if (!server.ok()) return server.status();
    EndpointOptions options;
    options.url = (*server)->url();
    options.settings.prompt = "references";
    auto generator = EndpointTextGenerator::Open(std::move(options));
    if (!generator.ok()) return generator.status();
    return std::unique_ptr<TextGenerator>(*std::move(generator));
  }
};

template <typename Maker>
class TextGeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = Maker::Make();
    if (absl::IsNotFound(made.status())) GTEST_SKIP() << made.status();
    ASSERT_TRUE(made.ok()) << made.status();
    generator_ = *std::move(made);
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

using Makers = ::testing::Types<Scripted, InProcess, OverGrpc, OverHttp>;
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

TEST(EngineTextGeneratorTest, TheShippedModelDeclaresReferencesAndEnglish) {
  const auto generator = InProcess::Make();
  if (absl::IsNotFound(generator.status())) GTEST_SKIP() << generator.status();
  ASSERT_TRUE(generator.ok()) << generator.status();
  EXPECT_TRUE((*generator)->capabilities().references);
  EXPECT_EQ((*generator)->capabilities().languages, std::vector<std::string>{"en"});
}

TEST(EngineTextGeneratorTest, PassesEveryFieldOfARequestToTheEngine) {
  GeneratorRequest request;
  request.id = "id";
  request.messages = {{"user", "hello"}};
  request.max_tokens = 7;
  request.temperature = 0.5f;
  request.seed = 9;
  request.references = {"[1]"};
  request.priority = GeneratorPriority::kBatch;
  request.tenant = "tenant";
  request.cache_salt = "salt";
  const engine::GenerationRequest passed = ToEngineRequest(request);
  EXPECT_EQ(passed.id, "id");
  ASSERT_EQ(passed.messages.size(), 1u);
  EXPECT_EQ(passed.max_tokens, 7);
  EXPECT_EQ(passed.sampling.temperature, 0.5f);
  EXPECT_EQ(passed.sampling.seed, 9u);
  EXPECT_EQ(passed.references, request.references);
  EXPECT_EQ(passed.priority, engine::Priority::kBatch);
  EXPECT_EQ(passed.tenant, "tenant");
  EXPECT_EQ(passed.cache_salt, "salt");
  EXPECT_EQ(ToEngineRequest({}).priority, engine::Priority::kInteractive);
}

TEST(EngineTextGeneratorTest, ShopsWithTheSamePromptShareNoCachedPrompt) {
  const auto generator = InProcess::Make();
  if (absl::IsNotFound(generator.status())) GTEST_SKIP() << generator.status();
  ASSERT_TRUE(generator.ok()) << generator.status();
  const auto hits_of = [&](const std::string& salt) {
    const uint64_t before = (*InProcess::Engine())->stats().prefix_hits;
    GeneratorRequest request;
    request.messages = {{"user",
                         "one prompt that is longer than a block of keys and values, "
                         "so that a second request with it finds it in the cache"}};
    request.max_tokens = 2;
    request.cache_salt = salt;
    Collector collector;
    EXPECT_TRUE((*generator)->Generate(request, collector.Callbacks()).ok());
    collector.WaitForEnd();
    return (*InProcess::Engine())->stats().prefix_hits - before;
  };
  EXPECT_EQ(hits_of("shop-a"), 0u);
  EXPECT_EQ(hits_of("shop-b"), 0u);
  EXPECT_GT(hits_of("shop-a"), 0u);
  EXPECT_GT(hits_of("shop-b"), 0u);
}

/// An engine server with one model, which keeps the last request and answers nothing. A model that
/// is loading is available at the next look.
class RecordingService final : public v1::Engine::Service {
 public:
  grpc::Status ListModels(grpc::ServerContext*, const v1::ListModelsRequest*,
                          v1::ListModelsReply* reply) override {
    *reply->add_models() = model;
    if (model.state() == "loading") model.set_state("available");
    return grpc::Status::OK;
  }
  grpc::Status Generate(grpc::ServerContext*, const v1::GenerateRequest* request,
                        grpc::ServerWriter<v1::GenerateEvent>*) override {
    last = *request;
    return grpc::Status::OK;
  }
  v1::Model model;
  v1::GenerateRequest last;
};

/// A RecordingService on a port, and a generator that is connected to it.
class GrpcTextGeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    service_.model.set_name("one");
    service_.model.set_kind("llm");
    service_.model.set_active(true);
    service_.model.set_state("available");
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
  }
  absl::StatusOr<std::unique_ptr<GrpcTextGenerator>> Connect(const std::string& model = "") const {
    return GrpcTextGenerator::Connect("127.0.0.1:" + std::to_string(port_), model,
                                      std::chrono::seconds(60));
  }

  RecordingService service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

TEST_F(GrpcTextGeneratorTest, HasTheCapabilitiesThatTheServerStates) {
  auto generator = Connect();
  ASSERT_TRUE(generator.ok()) << generator.status();
  EXPECT_FALSE((*generator)->capabilities().references);
  EXPECT_TRUE((*generator)->capabilities().languages.empty());
  service_.model.set_references(true);
  service_.model.add_languages("en");
  service_.model.add_languages("de");
  generator = Connect();
  ASSERT_TRUE(generator.ok()) << generator.status();
  EXPECT_TRUE((*generator)->capabilities().references);
  EXPECT_EQ((*generator)->capabilities().languages, (std::vector<std::string>{"en", "de"}));
}

TEST_F(GrpcTextGeneratorTest, WaitsForAModelThatIsLoading) {
  service_.model.set_state("loading");
  const auto generator = Connect("one");
  ASSERT_TRUE(generator.ok()) << generator.status();
  EXPECT_EQ(service_.model.state(), "available");
}

TEST_F(GrpcTextGeneratorTest, RefusesAModelThatIsNotThereOrFailed) {
  EXPECT_EQ(Connect("two").status().code(), absl::StatusCode::kNotFound);
  service_.model.set_state("failed");
  service_.model.set_reason("no room");
  const absl::Status status = Connect("one").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("model \"one\" is failed: no room"), std::string::npos) << status;
}

TEST_F(GrpcTextGeneratorTest, SendsTenantSaltAndPriority) {
  const auto generator = Connect();
  ASSERT_TRUE(generator.ok()) << generator.status();
  GeneratorRequest request;
  request.messages = {{"user", "hello"}};
  request.priority = GeneratorPriority::kBatch;
  request.tenant = "shop-a";
  request.cache_salt = "salt-a";
  Collector collector;
  ASSERT_TRUE((*generator)->Generate(request, collector.Callbacks()).ok());
  collector.WaitForEnd();
  EXPECT_EQ(service_.last.tenant(), "shop-a");
  EXPECT_EQ(service_.last.cache_salt(), "salt-a");
  EXPECT_EQ(service_.last.priority(), v1::PRIORITY_BATCH);
}

}  // namespace
}  // namespace emptor::services
